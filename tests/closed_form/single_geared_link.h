// One link behind a gear: the first worked example of the Euler–Lagrange slides ("Ch. 7: Dynamics", 1DOF system).
#pragma once

#include <cmath>

#include "lithe/spatial/spatial.h"

namespace lithe::closed_form {

/// Motor angle θ_m = r θ, θ from the hanging position:
///
///   (r² J_m + J_l) θ̈ + B θ̇ + (M g L/2) sin θ = u,   u = r τ_m,   P = (M g L/2)(1 − cos θ)
///
/// The slides print B = r B_m + B_l. Damping reflects with r², as inertia does: the power lost is B_m (r θ̇)² + B_l
/// θ̇².
struct SingleGearedLink {
  double M, L;      // mass; length, with the mass centre in the middle
  double J_l;       // of the link about the joint
  double J_m, B_m;  // rotor inertia and damping at the motor
  double B_l;       // damping at the joint
  double r, g;

  MatrixXd D(const VectorXd&) const { return MatrixXd::Constant(1, 1, r * r * J_m + J_l); }
  MatrixXd C(const VectorXd&, const VectorXd&) const { return MatrixXd::Zero(1, 1); }
  VectorXd gravity(const VectorXd& q) const { return VectorXd::Constant(1, M * g * L / 2 * std::sin(q[0])); }
  VectorXd damping(const VectorXd& v) const { return (r * r * B_m + B_l) * v; }
  double potential(const VectorXd& q) const { return M * g * L / 2 * (1 - std::cos(q[0])); }
};

}  // namespace lithe::closed_form
