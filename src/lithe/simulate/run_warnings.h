#pragma once

#include <string>
#include <vector>

#include "lithe/dynamics/deflection_limits.h"
#include "lithe/dynamics/exact_limits.h"

namespace lithe {

/// Checks a run against the limits of its model (DeflectionLimits, ExactLimits, docs/warnings.md): tips and exact links at every step, axial
/// forces at every row and wherever the joints have become faster.
class RunWarnings {
 public:
  explicit RunWarnings(const Arm& arm);

  /// Whether there is anything to watch.
  bool any() const { return limits_.size() + exact_.size() > 0; }

  /// A state between rows. True if forces should be checked as well, because the joints move faster than at any check so far.
  bool observe_step(const State& state);
  /// A state with its forces; null where they are not known.
  void observe(const State& state, const InternalForces* forces);

  /// The warnings, each with the number that triggered it and what to do.
  std::vector<std::string> list() const;

  /// The largest values seen so far, for checkpoints.
  std::vector<double>& memory() { return seen_; }

 private:
  double joint_speed(const State& state) const;

  Arm arm_;
  DeflectionLimits limits_;
  ExactLimits exact_;
  // Joint speed at the last look; per link of shapes: largest rotation, its time, largest stiffening, its time; per exact link: largest
  // strain, its time, largest turn, its time.
  std::vector<double> seen_;
};

/// Doubts about where a run starts: points behind the planes that are to stop them. For a start that is not an equilibrium with them.
std::vector<std::string> doubts_about_start(const Case& data, const Arm& arm, const State& start);

/// For a fixed step: a doubt when it does not resolve the fastest time scale 1/|λ| of the arm; empty where it does.
std::string unresolved_step(double step, double fastest_time_scale);

}  // namespace lithe
