#pragma once

#include <map>
#include <string>
#include <vector>

#include "lithe/show/film/arm_drawing.h"
#include "lithe/show/shown_run.h"

namespace lithe::film {

/// The recorded stress along the links of a run: its series `link@fraction.stress`.
class StressOfRun {
 public:
  explicit StressOfRun(const ShownRun& run);

  bool recorded() const { return !links_.empty(); }
  double largest() const { return largest_; }  // [Pa] anywhere, ever; 0: none was recorded
  /// At time t, as shares of `whole`.
  std::map<std::string, StressAlong> at(double t, double whole) const;

 private:
  struct Series {
    std::vector<double> fractions;
    std::vector<int> columns;
  };
  const ShownRun& run_;
  std::map<std::string, Series> links_;
  double largest_ = 0;
};

}  // namespace lithe::film
