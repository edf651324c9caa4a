#pragma once

#include <optional>
#include <string>

#include "lithe/arm/kinematics.h"

namespace lithe {

/// Where a link's tip frame should go. Without a rotation any orientation will do.
struct PoseTarget {
  Vector3d position = Vector3d::Zero();
  std::optional<Matrix3d> rotation;
};

/// Limits of the search, and tolerances.
struct ReachOptions {
  int max_iterations = 200;          // per start
  int n_starts = 20;                 // the given one, then scattered ones
  double position_tolerance = 1e-9;  // [m]
  double rotation_tolerance = 1e-9;  // [rad]
};

/// The result of a search, and the reason if it failed.
struct ReachResult {
  bool reached = false;
  VectorXd q;  // the solution, or the nearest that was found
  double position_error = 0, rotation_error = 0;
  int iterations = 0;
  std::string why;  // if not reached: what prevents it
};

/// Joint positions that bring the tip of link `i_link` to the target: Levenberg–Marquardt (damped least squares) on the
/// pose error, joints kept within their limits, restarted from scattered positions when it stalls. The base stays where
/// `start` has it. Joints that turn come back within (−π, π], or within their limits. Deterministic: the same call gives the same answer.
ReachResult reach(const Arm& arm, int i_link, const PoseTarget& target, const State& start,
                  const ReachOptions& options = {});

}  // namespace lithe
