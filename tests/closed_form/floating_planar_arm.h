// A floating body with a two-link arm, as long as everything moves in one plane. Own derivation.
#pragma once

#include <cmath>

#include "lithe/spatial/spatial.h"

namespace lithe::closed_form {

/// Rates (ω, v_x, v_y, q̇₁, q̇₂): of the base about its mass centre and along its own axes, then of the joints. The
/// arm's shoulder sits at (s, 0) on the base; L_c: joint to mass centre; I: about it, normal to the plane.
///
/// With r_i the mass centre of link i in base axes and z × (x, y) = (−y, x), the centre moves, in base axes, with
///   v + ω z×r_i + q̇₁ z×(r_i − shoulder) + q̇₂ z×(r_i − elbow)        (the last for the second link alone)
/// which is the Jacobian J_i of M = Σ m_i J_iᵀJ_i + I_i w_iᵀw_i, w₀ = (1,0,0,0,0), w₁ = (1,0,0,1,0), w₂ = (1,0,0,1,1).
struct FloatingPlanarArm {
  double m0, m1, m2, I0, I1, I2, s, L1, Lc1, Lc2;

  using Columns = Eigen::Matrix<double, 2, 5>;
  using Row = Eigen::Matrix<double, 1, 5>;

  MatrixXd D(double q1, double q2) const {
    using Eigen::Vector2d;
    const auto across = [](const Vector2d& r) { return Vector2d(-r.y(), r.x()); };
    const Vector2d shoulder(s, 0), along1(std::cos(q1), std::sin(q1)), along2(std::cos(q1 + q2), std::sin(q1 + q2));
    const Vector2d elbow = shoulder + L1 * along1, r1 = shoulder + Lc1 * along1, r2 = elbow + Lc2 * along2;
    Columns J0 = Columns::Zero();
    J0.middleCols<2>(1).setIdentity();
    Columns J1 = J0, J2 = J0;
    J1.col(0) = across(r1);
    J1.col(3) = across(r1 - shoulder);
    J2.col(0) = across(r2);
    J2.col(3) = across(r2 - shoulder);
    J2.col(4) = across(r2 - elbow);
    const Row w0{{1, 0, 0, 0, 0}}, w1{{1, 0, 0, 1, 0}}, w2{{1, 0, 0, 1, 1}};
    return m0 * J0.transpose() * J0 + m1 * J1.transpose() * J1 + m2 * J2.transpose() * J2 + I0 * w0.transpose() * w0 +
           I1 * w1.transpose() * w1 + I2 * w2.transpose() * w2;
  }
};

}  // namespace lithe::closed_form
