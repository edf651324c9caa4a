#pragma once

#include "lithe/results/results.h"
#include "lithe/simulate/run.h"

namespace lithe {

/// Keeps the largest stress of every link through a run: how much, where, when.
class StressWatch {
 public:
  StressWatch(const Arm& arm, const std::vector<Column>& columns);

  /// A row of the results.
  void observe(double t, std::span<const double> values);

  std::vector<StressPeak> peaks() const;
  /// Adds a warning for every link that went beyond its material's yield strength.
  void add_warnings(std::vector<std::string>& warnings) const;

  /// The largest values seen so far, for checkpoints.
  std::vector<double>& memory() { return seen_; }

 private:
  std::vector<StressedLink> links_;
  std::vector<size_t> columns_;  // of each link's stress; its place follows
  std::vector<double> seen_;     // per link: stress, place, time
};

}  // namespace lithe
