#include "lithe/show/film/stress.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "lithe/show/playback.h"

namespace lithe::film {

StressOfRun::StressOfRun(const ShownRun& run) : run_(run) {
  const auto& columns = run.results.header.columns;
  for (size_t i = 0; i < columns.size(); ++i) {
    const std::string& name = columns[i].name;
    const size_t at = name.find('@');
    if (at == std::string::npos || !name.ends_with(".stress")) continue;
    Series& series = links_[name.substr(0, at)];
    series.fractions.push_back(std::strtod(name.c_str() + at + 1, nullptr));
    series.columns.push_back(int(i));
    for (const double value : run.results.series[i])
      if (std::isfinite(value)) largest_ = std::max(largest_, value);
  }
}

std::map<std::string, StressAlong> StressOfRun::at(double t, double whole) const {
  std::map<std::string, StressAlong> along;
  for (const auto& [link, series] : links_) {
    StressAlong& here = along[link];
    here.fractions = series.fractions;
    for (const int column : series.columns)
      here.shares.push_back(whole > 0 ? value_at(run_.results, run_.results.series[column], t) / whole : 0);
  }
  return along;
}

}  // namespace lithe::film
