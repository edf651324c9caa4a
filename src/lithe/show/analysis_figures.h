#pragma once

#include <string>
#include <vector>

#include "lithe/analyse/aeroelastic.h"
#include "lithe/analyse/bode.h"
#include "lithe/analyse/modes.h"
#include "lithe/analyse/pole_sweep.h"
#include "lithe/show/mode_figure.h"
#include "lithe/show/plot.h"

namespace lithe {

// Results of analyses as gnuplot scripts (show/figure.h draws them).

/// The first modes as mode_figure_script draws them, each with its frequency and its two largest contributions in words.
std::vector<DrawnShape> drawn_modes(const ModesResult& result, size_t most = 9);

/// Magnitude and phase over the frequency.
std::string bode_script(const FrequencyResponse& response, PlotFormat format);

/// Frequencies and damping ratios over the wind. An aperiodic motion has no frequency and a damping of ±100 %: a gap.
std::string flutter_script(const AeroelasticResult& result, PlotFormat format);

/// One sweep: frequency and damping ratio of every oscillating pole, and the largest real part of all. Several, with a name each:
/// least damping ratio and largest real part, a curve per sweep.
std::string pole_sweep_script(const std::vector<PoleSweep>& sweeps, const std::vector<std::string>& names,
                              PlotFormat format);

}  // namespace lithe
