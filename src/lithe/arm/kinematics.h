#pragma once

#include <vector>

#include "lithe/arm/arm.h"
#include "lithe/arm/state.h"

namespace lithe {

/// Where every link is and how fast, in world axes. V holds [ω; v of B's origin].
struct Kinematics {
  std::vector<Pose> X_WB, X_WT;  // [n_links]
  std::vector<Vector6d> V_WB_W;  // [n_links]
  Pose X_WR;                     // the root frame
};

/// Sizes `kinematics` on first use; allocates nothing after that.
void update_kinematics(const Arm& arm, const State& state, Kinematics& kinematics);
Kinematics kinematics_of(const Arm& arm, const State& state);

/// J with V_WT_W = J v (+ what a moving base adds), the velocity [ω; v] of a link's tip frame in world axes. 6 × nv.
Matrix6Xd tip_jacobian(const Arm& arm, const Kinematics& kinematics, int i_link);

/// Total mass, and the mass centre in the world.
double total_mass(const Arm& arm);
Vector3d centre_of_mass(const Arm& arm, const Kinematics& kinematics);

/// [angular momentum about the mass centre; linear momentum], world axes.
Vector6d momentum(const Arm& arm, const Kinematics& kinematics);

/// ½ Σ over links and rotors. Rotors count by their spin alone.
double kinetic_energy(const Arm& arm, const State& state, const Kinematics& kinematics);
/// −Σ m g·r, zero at the world's origin.
double gravity_energy(const Arm& arm, const Kinematics& kinematics);

}  // namespace lithe
