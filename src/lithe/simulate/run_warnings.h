#pragma once

#include <string>
#include <vector>

#include "lithe/arm/kinematics.h"

namespace lithe {

/// Watches a run for what its model does not hold: deflections too large to be called small, links spun so fast that the
/// stiffening by centrifugal force, which the model leaves out, would show (docs/warnings.md).
class RunWarnings {
 public:
  explicit RunWarnings(const Arm& arm);

  void observe(const State& state, const Kinematics& kinematics);

  /// What was seen, each with the number that triggered it and what to do.
  std::vector<std::string> list() const;

  /// The largest values seen so far, for checkpoints.
  std::vector<double>& memory() { return seen_; }

  static constexpr double largest_tip_rotation = 0.2;  // [rad] beyond it cos θ errs by 2 %
  static constexpr double largest_spin = 0.25;         // of the link's lowest bending frequency

 private:
  struct Watched {
    std::string name;
    int i_link;
    double omega;  // lowest natural frequency of the link alone, clamped [rad/s]
  };
  Arm arm_;
  std::vector<Watched> links_;
  std::vector<double> seen_;  // per watched link: largest rotation and its time, largest spin and its time
};

/// For a fixed step: a doubt when it does not resolve the fastest time scale 1/|λ| of the arm; empty where it does.
std::string unresolved_step(double step, double fastest_time_scale);

}  // namespace lithe
