#pragma once

#include <string>
#include <vector>

#include "lithe/analyse/statics.h"
#include "lithe/drive/drives.h"
#include "lithe/dynamics/link_stress.h"

namespace lithe {

/// The force or moment with which a motor, or the base, holds the arm.
struct HoldingForce {
  std::string coordinate;
  double force = 0;
  bool turns = true;  // N·m; else N
};
/// Joint by joint, and the base where it could move, out of the forces on all coordinates (Equilibrium::force).
std::vector<HoldingForce> holding_forces(const Arm& arm, const VectorXd& force);

/// The largest stress of a link at rest.
struct LinkStress {
  StressedLink link;
  StressPlace place;
};

/// What follows from the forces inside an arm at rest: stress of all links whose fibres are known, and warnings where small deflections
/// or the yield strength are exceeded. Empty on a base whose motion would add to the weight.
struct StressAtRest {
  std::vector<LinkStress> stresses;
  std::vector<std::string> warnings;
};
StressAtRest stress_at_rest(const Arm& arm, const Drives& drives, const State& rest);

/// An arm at rest, as `lithe static` prints it.
struct StaticReport {
  StaticResult result;
  std::vector<HoldingForce> holding;
  StressAtRest inside;
};
/// Sag, holding forces and stress under gravity, payloads and the case's loads in full, motors and base holding at `start`
/// (analyse/configuration.h); `i_tip` is the link whose tip is reported. Throws EquilibriumError, UnsupportedError.
StaticReport static_report(const Arm& arm, const Drives& drives, const State& start, int i_tip);

/// "43.1 MPa in 'upper' at x = 0 m (root)" with the time (`moment`) inserted, and the share of the yield strength if it is known.
std::string stress_text(const StressedLink& link, const StressPlace& place, const std::string& moment = "");

}  // namespace lithe
