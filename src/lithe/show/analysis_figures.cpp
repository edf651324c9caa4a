#include "lithe/show/analysis_figures.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <numbers>

namespace lithe {

std::vector<DrawnShape> drawn_modes(const ModesResult& result, size_t most) {
  std::vector<DrawnShape> shapes;
  for (size_t k = 0; k < std::min(result.modes.size(), most); ++k) {
    const Mode& mode = result.modes[k];
    // Two contributions fit under a small picture.
    size_t end = mode.description.find(", ");
    if (end != std::string::npos) end = mode.description.find(", ", end + 1);
    shapes.push_back(
        {mode.shape, fmt::format("{}: {:.4g} Hz", k + 1, mode.frequency_hz), mode.description.substr(0, end)});
  }
  return shapes;
}

std::string bode_script(const FrequencyResponse& response, PlotFormat format) {
  const PlotSeries x{"frequency", "Hz", response.frequency_hz};
  const std::vector<PlotSeries> y{{"magnitude", "dB", response.magnitude_db}, {"phase", "deg", response.phase_deg}};
  return plot_script(
      x, y,
      {.title = fmt::format("{} → {}", response.input, response.output), .format = format, .logarithmic_x = true});
}

std::string flutter_script(const AeroelasticResult& result, PlotFormat format) {
  std::vector<PlotSeries> curves;
  for (const bool damping : {false, true})
    for (size_t k = 0; k < result.branches.size(); ++k) {
      const FlutterBranch& branch = result.branches[k];
      std::vector<double> values = damping ? branch.damping : branch.frequency_hz;
      for (size_t i = 0; i < values.size(); ++i) {
        if (damping) values[i] *= 100;
        if (branch.frequency_hz[i] <= 0) values[i] = std::nan("");
      }
      curves.push_back(
          {.name = fmt::format("mode {}", k + 1), .unit = damping ? "%" : "Hz", .values = std::move(values)});
      curves.back().panel = damping ? "damping ratio" : "frequency";
      curves.back().colour = int(k);
    }
  std::erase_if(curves, [](const PlotSeries& curve) {
    return std::none_of(curve.values.begin(), curve.values.end(), [](double value) { return std::isfinite(value); });
  });
  return plot_script({"wind", "m/s", result.speeds}, curves, {.format = format});
}

std::string pole_sweep_script(const std::vector<PoleSweep>& sweeps, const std::vector<std::string>& names,
                              PlotFormat format) {
  const PoleSweep& first = sweeps.at(0);
  std::vector<PlotSeries> curves;
  auto add = [&](const std::string& name, const char* panel, const char* unit, std::vector<double> values,
                 size_t colour) {
    curves.push_back({.name = name, .unit = unit, .values = std::move(values)});
    curves.back().panel = panel;
    curves.back().colour = int(colour);
  };
  const double hertz = 1 / (2 * std::numbers::pi);
  for (const bool damping : {false, true})
    for (size_t b = 0; sweeps.size() == 1 && b < first.branches.size(); ++b) {
      std::vector<double> values;
      for (const std::complex<double>& pole : first.branches[b])
        values.push_back(pole.imag() <= 1e-9 * std::abs(pole) ? std::nan("")
                         : damping                            ? -100 * pole.real() / std::abs(pole)
                                                              : hertz * std::abs(pole));
      // Conjugates, and poles that never oscillate, have no curve.
      if (std::any_of(values.begin(), values.end(), [](double value) { return std::isfinite(value); }))
        add("", damping ? "damping ratio" : "frequency", damping ? "%" : "Hz", std::move(values), b);
    }
  for (size_t k = 0; sweeps.size() > 1 && k < sweeps.size(); ++k) {
    std::vector<double> percent = sweeps[k].damping;
    for (double& value : percent) value *= 100;
    add(names[k], "least damping ratio", "%", std::move(percent), k);
  }
  for (size_t k = 0; k < sweeps.size(); ++k)
    add(sweeps.size() > 1 ? names[k] : "", "largest real part", "1/s", sweeps[k].growth, k);
  return plot_script({first.name, first.unit, first.values}, curves, {.format = format});
}

}  // namespace lithe
