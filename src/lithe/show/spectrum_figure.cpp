#include "lithe/show/spectrum_figure.h"

#include <fmt/format.h>

#include <cmath>
#include <utility>

#include "lithe/results/series.h"

namespace lithe {
namespace {

/// Whether a peak's label does not run into that of a higher one beside it.
bool has_room(const SeriesSpectrum& one, std::size_t k) {
  const double room = 0.16 * one.spectrum.frequency.back();
  for (const SpectralPeak& other : one.peaks)
    if (other.amplitude > one.peaks[k].amplitude && std::abs(other.frequency - one.peaks[k].frequency) < room)
      return false;
  return true;
}

}  // namespace

SeriesSpectrum series_spectrum(const std::string& name, const std::string& unit, Spectrum spectrum, Window window,
                               const RunModes& modes, std::size_t most_peaks) {
  SeriesSpectrum result{name, unit, std::move(spectrum), {}, {}};
  result.peaks = peaks_of(result.spectrum, window, most_peaks);
  for (const SpectralPeak& peak : result.peaks)
    result.modes.push_back(modes.nearest(peak.frequency, result.spectrum.resolution));
  return result;
}

std::string spectrum_script(const std::vector<SeriesSpectrum>& list, PlotFormat format) {
  const PlotSeries x{"frequency", "Hz", list.at(0).spectrum.frequency};
  std::vector<PlotSeries> curves;
  for (const SeriesSpectrum& one : list) {
    PlotSeries curve{.name = "", .unit = one.unit, .values = one.spectrum.amplitude};
    curve.panel = one.name;
    curve.colour = 0;
    curve.values[0] = NAN;  // the mean is removed
    curves.push_back(std::move(curve));
    if (one.peaks.empty()) continue;
    PlotSeries marks{.name = "", .unit = one.unit};
    marks.panel = one.name;
    marks.colour = 1;
    marks.mark = PlotSeries::Mark::peaks;
    for (size_t k = 0; k < one.peaks.size(); ++k) {
      marks.x.push_back(one.peaks[k].frequency);
      marks.values.push_back(one.peaks[k].amplitude);
      marks.labels.push_back(has_room(one, k) ? fmt::format("{:.4g} Hz", one.peaks[k].frequency) : "");
      if (one.modes[k] >= 0 && !marks.labels[k].empty()) marks.labels[k] += fmt::format(", mode {}", one.modes[k] + 1);
    }
    curves.push_back(std::move(marks));
  }
  return plot_script(x, curves, {.format = format, .logarithmic_y = true});
}

std::string spectrum_csv(const std::vector<SeriesSpectrum>& list) {
  std::vector<NamedSeries> columns{{"frequency", "Hz", &list.at(0).spectrum.frequency}};
  for (const SeriesSpectrum& one : list) {
    const bool composed = one.unit.find_first_of("./^ ") != std::string::npos;
    const std::string base = composed ? "(" + one.unit + ")" : one.unit;
    const std::string square = one.unit.empty() ? "1/Hz" : base + "^2/Hz";
    columns.push_back({one.name + ".amplitude", one.unit, &one.spectrum.amplitude});
    columns.push_back({one.name + ".density", square, &one.spectrum.density});
  }
  return csv_of(columns);
}

}  // namespace lithe
