// The three-link cylindrical robot. The Euler–Lagrange slides only name it; this is our own derivation.
#pragma once

#include "lithe/spatial/spatial.h"

namespace lithe::closed_form {

/// q₁ turns everything about the upright z, q₂ lifts carriage and arm, q₃ slides the arm out, level. Seen from above,
/// in axes x (along the arm), y that turn with q₁, mass centres lie at
///   column (0, 0),   carriage (c₂, 0),   arm (ρ, e) with ρ = c₃ + q₃,
/// so that their level velocities are 0, q̇₁(0, c₂) and (q̇₃ − e q̇₁, ρ q̇₁), and
///
///   K = ½ (I₁ + I₂ + I₃ + m₂c₂²) q̇₁² + ½ (m₂+m₃) q̇₂² + ½ m₃ ((q̇₃ − e q̇₁)² + ρ² q̇₁²)
///
///       | I₁+I₂+I₃ + m₂c₂² + m₃(ρ²+e²)     0      −m₃e |
///   D = |              0                 m₂+m₃      0  |,      P = (m₂+m₃) g q₂
///       |            −m₃e                  0       m₃  |
///
/// Only d₁₁ varies, ∂d₁₁/∂q₃ = 2m₃ρ: c₁₃₁ = c₃₁₁ = m₃ρ (Coriolis), c₁₁₃ = −m₃ρ (centrifugal), all others zero.
/// I: about the upright axis through each mass centre.
struct CylindricalThreeLink {
  double m2, m3, I1, I2, I3, c2, c3, e, g;

  MatrixXd D(const VectorXd& q) const {
    const double rho = c3 + q[2];
    const double d11 = I1 + I2 + I3 + m2 * c2 * c2 + m3 * (rho * rho + e * e);
    return (MatrixXd(3, 3) << d11, 0, -m3 * e, 0, m2 + m3, 0, -m3 * e, 0, m3).finished();
  }

  /// c_ijk, indices from one.
  double christoffel(int i, int j, int k, const VectorXd& q) const {
    const double m_rho = m3 * (c3 + q[2]);
    if (k == 1 && i + j == 4 && i != j) return m_rho;
    if (k == 3 && i == 1 && j == 1) return -m_rho;
    return 0;
  }

  MatrixXd C(const VectorXd& q, const VectorXd& v) const {
    const double m_rho = m3 * (c3 + q[2]);
    return (MatrixXd(3, 3) << m_rho * v[2], 0, m_rho * v[0], 0, 0, 0, -m_rho * v[0], 0, 0).finished();
  }

  VectorXd gravity(const VectorXd&) const { return Vector3d(0, (m2 + m3) * g, 0); }
  VectorXd damping(const VectorXd& v) const { return 0 * v; }
  double potential(const VectorXd& q) const { return (m2 + m3) * g * q[1]; }
};

/// That of examples/04_cylindrical.
inline CylindricalThreeLink example_cylindrical() {
  const auto block = [](double m, double a, double b) { return m * (a * a + b * b) / 12; };
  const double m1 = 40, m2 = 12, m3 = 5, radius = 0.1;
  return {.m2 = m2,
          .m3 = m3,
          .I1 = m1 * radius * radius / 2,
          .I2 = block(m2, 0.25, 0.2),
          .I3 = block(m3, 0.7, 0.04),
          .c2 = 0.125,
          .c3 = 0.35,
          .e = 0.12,
          .g = 9.81};
}

}  // namespace lithe::closed_form
