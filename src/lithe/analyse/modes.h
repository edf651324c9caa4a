// analyse/ — natural frequencies and shapes, sag, linear equations about a state. Takes an arm and a configuration, gives named
// numbers. Does not depend on the command line or on drawing.
#pragma once

#include <string>
#include <vector>

#include "lithe/arm/arm.h"
#include "lithe/arm/state.h"
#include "lithe/beam/flex_basis.h"
#include "lithe/dynamics/equilibrium.h"

namespace lithe {

/// What the joints do while the arm vibrates.
enum class JointCondition {
  locked,  // held by their motors; a joint behind an elastic transmission vibrates against its held rotor
  free,    // nothing holds them
  servo    // their controllers act as springs; joints without one are free, driven ones stay
};

/// A spring and damper on a coordinate: how a servo acts on small motion.
struct CoordinateSpring {
  int v0 = 0;
  double stiffness = 0, damping = 0;
};

/// What the joints do, how many modes to find, and which outside forces act.
struct ModesOptions {
  JointCondition joints = JointCondition::locked;
  int count = 12;
  std::vector<CoordinateSpring> servos;  // for JointCondition::servo
  std::vector<int> driven;               // coordinates that stay even then
  OuterForces outer = {};                // that stiffen and damp, whatever the joints do
};

/// What moves in a mode, and its share of the mode's energy: "upper bending y", "elbow". Shares of the kinetic energy may be
/// slightly negative where coordinates work against each other; they sum to one. Shares of the elastic (and gravity) energy
/// are zero for a mode at 0 Hz.
struct Participation {
  std::string group;
  double kinetic = 0, potential = 0;
};

/// One natural mode: its frequency, its damping, and what moves. A plain value.
struct Mode {
  double frequency_hz = 0;                   // 0 for a rigid motion, and for an unstable one
  double growth_rate = 0;                    // of an unstable one: it grows as exp(growth_rate · t)
  double damping_ratio = 0;                  // φᵀDφ/2ω, of critical; from the damping of links, joints and servos
  std::string description;                   // "upper bending y 78 %, fore torsion 15 %"
  std::vector<Participation> participation;  // largest first
  Vector3d effective_mass = Vector3d::Zero();  // the mass that responds when the base shakes along world x, y, z [kg]
  VectorXd shape;                              // nv, unit modal mass
};

/// Natural modes of an arm or a beam. A plain value.
struct ModesResult {
  std::vector<Mode> modes;  // frequencies ascending; unstable ones first
  int n_rigid = 0, n_unstable = 0;
  int n_coordinates = 0;  // that could move
  double mass = 0;        // of the arm: what effective masses of all modes sum to at most
};

/// M z̈ + D ż + K z = 0 about a configuration at rest, of the coordinates that can move.
struct SmallSystem {
  SparseMatrixd M, D, K;
  std::vector<int> moving;  // which coordinates they are
};
SmallSystem small_system(const Arm& arm, const State& state, const ModesOptions& options);

/// Natural modes about a configuration, at rest. Stiffness of links, joint springs, transmissions and weight. Beams in guides vibrate
/// over their free length there; the joints that slide them must stay.
/// Throws UnsupportedError with `tip_rotation: small` for what recursive-lagrangian does not cover, EigenmodesError.
ModesResult natural_modes_of(const Arm& arm, const State& state, const ModesOptions& options);

/// Support of one end of a beam.
enum class End { clamped, pinned, free };

/// Natural modes of one flexible link by itself with classical supports and its payload, in coordinates [turn; slide] of its
/// root, then its own. Pinned ends turn about y and z only; a beam pinned at both ends is kept from sliding by its root, and from
/// twisting by both ends.
ModesResult beam_modes(const Link& link, End root, End tip, int count);

}  // namespace lithe
