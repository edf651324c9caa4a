#include "lithe/simulate/stress_watch.h"

#include <fmt/format.h>

#include <algorithm>

namespace lithe {

StressWatch::StressWatch(const Arm& arm, const std::vector<Column>& columns) : links_(stressed_links(arm)) {
  for (const StressedLink& link : links_) {
    const auto column =
        std::find_if(columns.begin(), columns.end(), [&](const Column& c) { return c.name == link.name + ".stress"; });
    columns_.push_back(size_t(column - columns.begin()));
  }
  seen_.assign(3 * links_.size(), 0);
}

void StressWatch::observe(double t, std::span<const double> values) {
  double* seen = seen_.data();
  for (const size_t column : columns_) {
    if (values[column] > seen[0]) {
      seen[0] = values[column];
      seen[1] = values[column + 1];
      seen[2] = t;
    }
    seen += 3;
  }
}

std::vector<StressPeak> StressWatch::peaks() const {
  std::vector<StressPeak> list;
  for (size_t i = 0; i < links_.size(); ++i)
    list.push_back({links_[i], seen_[3 * i], seen_[3 * i + 1], seen_[3 * i + 2]});
  return list;
}

void StressWatch::add_warnings(std::vector<std::string>& warnings) const {
  for (const StressPeak& peak : peaks())
    if (peak.link.yield_strength && peak.stress > *peak.link.yield_strength)
      warnings.push_back(fmt::format(
          "'{}': its stress reached {:.4g} MPa at x = {:.3g} m at t = {:.4g} s, {:.3g} times the yield strength of its "
          "material; beyond that it stays bent, which the model neglects; strengthen the link or slow the motion",
          peak.link.name, peak.stress / 1e6, peak.x, peak.time, peak.stress / *peak.link.yield_strength));
}

}  // namespace lithe
