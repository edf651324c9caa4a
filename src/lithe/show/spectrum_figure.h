#pragma once

#include <string>
#include <vector>

#include "lithe/analyse/run_modes.h"
#include "lithe/results/spectrum.h"
#include "lithe/show/plot.h"

namespace lithe {

/// The spectrum of a series of a run, with its peaks and the modes that these are. A plain value.
struct SeriesSpectrum {
  std::string name, unit;
  Spectrum spectrum;
  std::vector<SpectralPeak> peaks;
  std::vector<int> modes;  // of the peaks: indices of RunModes::modes, −1 for a peak that is none of them
};

/// The peaks of a spectrum, each with the mode that is nearest within the spectrum's resolution.
SeriesSpectrum series_spectrum(const std::string& name, const std::string& unit, Spectrum spectrum, Window window,
                               const RunModes& modes, std::size_t most_peaks);

/// Amplitudes over the frequency, a panel for each series, peaks marked by their frequencies and modes.
std::string spectrum_script(const std::vector<SeriesSpectrum>& list, PlotFormat format);

/// Frequency, amplitude and density of all of them, as CSV. They must have the same frequencies.
std::string spectrum_csv(const std::vector<SeriesSpectrum>& list);

}  // namespace lithe
