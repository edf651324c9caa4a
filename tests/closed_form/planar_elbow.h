// Two links in a vertical plane: the planar elbow manipulator of the Euler–Lagrange slides ("Ch. 7: Dynamics").
#pragma once

#include <cmath>

#include "lithe/spatial/spatial.h"

namespace lithe::closed_form {

/// x to the right, y up; q₂ is measured from the first link. L_c: joint to mass centre; I: about it, normal to the
/// plane.
///
///   d₁₁ = m₁L_c1² + m₂(L₁² + L_c2² + 2 L₁L_c2 cos q₂) + I₁ + I₂                                            (1)
///   d₁₂ = m₂(L_c2² + L₁L_c2 cos q₂) + I₂,   d₂₂ = m₂L_c2² + I₂
///   h = −m₂L₁L_c2 sin q₂:   c₁₂₁ = c₂₁₁ = c₂₂₁ = h,   c₁₁₂ = −h,   all others zero                         (2)
///   g₁ = (m₁L_c1 + m₂L₁) g cos q₁ + m₂L_c2 g cos(q₁+q₂),   g₂ = m₂L_c2 g cos(q₁+q₂)
///
/// Slips in print: d₁₁, where it appears first, lacks the 2 of (1), and so does not go over into its simplified form;
/// c₁₁₂ is reached by way of +½ ∂d₁₁/∂q₁, which is zero, instead of −½ ∂d₁₁/∂q₂ (its value is right); and the C matrix
/// is shown as a sum of matrices of symbols without the rates (its last form is right).
struct PlanarElbow {
  double m1, m2, L1, Lc1, Lc2, I1, I2, g;

  MatrixXd D(const VectorXd& q) const {
    const double cosine = std::cos(q[1]);
    const double d11 = m1 * Lc1 * Lc1 + m2 * (L1 * L1 + Lc2 * Lc2 + 2 * L1 * Lc2 * cosine) + I1 + I2;
    const double d12 = m2 * (Lc2 * Lc2 + L1 * Lc2 * cosine) + I2;
    const double d22 = m2 * Lc2 * Lc2 + I2;
    return (MatrixXd(2, 2) << d11, d12, d12, d22).finished();
  }

  /// c_ijk of (2), indices from one as in the slides.
  double christoffel(int i, int j, int k, const VectorXd& q) const {
    const double h = -m2 * L1 * Lc2 * std::sin(q[1]);
    if (k == 1) return i == 1 && j == 1 ? 0 : h;
    return i == 1 && j == 1 ? -h : 0;
  }

  MatrixXd C(const VectorXd& q, const VectorXd& v) const {
    const double h = -m2 * L1 * Lc2 * std::sin(q[1]);
    return (MatrixXd(2, 2) << h * v[1], h * (v[0] + v[1]), -h * v[0], 0).finished();
  }

  VectorXd gravity(const VectorXd& q) const {
    const double outer = m2 * Lc2 * g * std::cos(q[0] + q[1]);
    return Eigen::Vector2d((m1 * Lc1 + m2 * L1) * g * std::cos(q[0]) + outer, outer);
  }
  VectorXd damping(const VectorXd& v) const { return 0 * v; }
  double potential(const VectorXd& q) const {
    return m1 * g * Lc1 * std::sin(q[0]) + m2 * g * (L1 * std::sin(q[0]) + Lc2 * std::sin(q[0] + q[1]));
  }
};

}  // namespace lithe::closed_form
