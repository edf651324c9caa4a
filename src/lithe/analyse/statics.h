#pragma once

#include "lithe/dynamics/equilibrium.h"

namespace lithe {

/// An arm at rest under gravity, payloads and loads, held by its motors. A plain value.
struct StaticResult {
  Equilibrium rest;
  Pose X_WT;  // of the tip, deformed
  Vector3d sag =
      Vector3d::Zero();  // the tip minus the tip of the undeformed arm at the same motor positions, world axes
  Vector3d tip_turn = Vector3d::Zero();  // the rotation vector between the two, world axes
};

/// The base is held too. `outer` are the loads, with their full value.
StaticResult static_deflection(const Arm& arm, const State& start, int i_tip, const OuterForces& outer);

/// The undeformed arm at the same motor positions: links straight, springs of transmissions unwound.
State undeformed(const Arm& arm, State state);

}  // namespace lithe
