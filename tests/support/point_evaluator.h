// The dynamics of an arm from nothing but the positions of its points, differentiated. No recursion, no integrals of shapes,
// no inertia matrices: every formulation has this one as its witness.
#pragma once

#include <vector>

#include "lithe/arm/state.h"
#include "lithe/describe/case.h"

namespace lithe::testing {

/// Everything about one state. Per link of the case: frames B and T, and the motion of T.
struct PointDynamics {
  MatrixXd M;
  VectorXd coriolis, gravity, elastic, damping;
  double kinetic_energy = 0, gravity_energy = 0, elastic_energy = 0;

  double mass = 0;
  Vector3d centre_of_mass = Vector3d::Zero();
  Vector6d momentum = Vector6d::Zero();  // [angular, about the mass centre; linear], world axes

  std::vector<Pose> X_WB, X_WT;
  std::vector<Vector6d> V_WT_W;  // [ω; v]; for rotations that are rotations
  std::vector<Matrix6Xd> Jv_V_WT_W;

  VectorXd bias() const { return coriolis + gravity + elastic + damping; }
};

/// Every mass is a point r(z, t): slices of beams, and seven points for a rigid body, which have its mass, centre and
/// inertia. By virtual work, with r_k = ∂r/∂z_k and r̈ the acceleration at v̇ = 0,
///
///   M_kl = Σ m r_k·r_l      coriolis_k = Σ m r_k·r̈      gravity_k = −Σ m g·r_k .
///
/// Bodies along a link that moves by shapes are points where their mass centres are, r0 + u + θ×c, and a section's inertia.
///
/// The section's rotary inertia is no point: it is defined by its energy ½ wᵀ j w, w = ω + θ̇ in link axes with j constant,
/// and gets Lagrange's equation d/dt ∂T/∂ż_k − ∂T/∂z_k, written out by derivatives of the rotation matrix.
///
/// Covers trees on any base, rigid links and uniform beams with up to four polynomial or clamped-free shapes of each kind, with
/// equal elements of the default kind, with segments or with strains in one piece; drive lines, Rayleigh damping, either tip rotation (`small` without rotary inertia), `complete` inertia, joints placed by
/// origin and axis.
PointDynamics point_dynamics(const Case& data, const State& state);

}  // namespace lithe::testing
