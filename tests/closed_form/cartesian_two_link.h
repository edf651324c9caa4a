// Two slides at right angles: the two-link cartesian manipulator of the Euler–Lagrange slides ("Ch. 7: Dynamics").
#pragma once

#include "lithe/spatial/spatial.h"

namespace lithe::closed_form {

/// q₁ lifts both masses, q₂ moves the second one level: D = diag(m₁+m₂, m₂), C = 0, g = ((m₁+m₂) g, 0). As printed.
struct CartesianTwoLink {
  double m1, m2, g;

  MatrixXd D(const VectorXd&) const { return Eigen::Vector2d(m1 + m2, m2).asDiagonal(); }
  MatrixXd C(const VectorXd&, const VectorXd&) const { return MatrixXd::Zero(2, 2); }
  VectorXd gravity(const VectorXd&) const { return Eigen::Vector2d((m1 + m2) * g, 0); }
  VectorXd damping(const VectorXd& v) const { return 0 * v; }
  double potential(const VectorXd& q) const { return g * (m1 + m2) * q[0]; }
};

}  // namespace lithe::closed_form
