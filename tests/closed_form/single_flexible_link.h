// One link that bends in one shape, turning about its root in a vertical plane: the first worked example of every text on
// flexible arms (book83; De Luca & Siciliano 1991 with one mode), here with the shape written out.
#pragma once

#include <cmath>

#include "lithe/spatial/spatial.h"

namespace lithe::closed_form {

/// A point at x stands at (x, ξ²δ), ξ = x/L, in axes turned by q; gravity g along −y. With ∫ξ² = 1/3, ∫ξ·ξ² = 1/4, ∫ξ⁴ = 1/5
/// over the link, slope 2ξ/L and curvature 2/L²,
///
///   T = ½ μ∫ (xq̇ + ξ²δ̇)² + (ξ²δ q̇)² dx + ½ ρI∫ (q̇ + 2ξδ̇/L)² dx + ½ m[(Lq̇ + δ̇)² + (δ q̇)²] + ½ J(q̇ + 2δ̇/L)²
///   V = μg∫ x sin q + ξ²δ cos q dx + mg(L sin q + δ cos q) + ½ (4EI/L³) δ²
///
/// and Lagrange's equations in (q, δ). The payload's turn is that of the tip, exactly: in a plane angles add.
struct SingleFlexibleLink {
  double L, mu, EI;  // length, mass per length, bending stiffness
  double rho_I;      // rotary inertia per length
  double m, J;       // payload
  double g;

  /// What multiplies δ² q̇²/2 in T.
  double transverse() const { return mu * L / 5 + m; }

  MatrixXd D(const VectorXd& z) const {
    const double delta = z[1];
    MatrixXd D(2, 2);
    D(0, 0) = mu * L * L * L / 3 + rho_I * L + m * L * L + J + transverse() * delta * delta;
    D(0, 1) = D(1, 0) = mu * L * L / 4 + rho_I + m * L + 2 * J / L;
    D(1, 1) = mu * L / 5 + 4 * rho_I / (3 * L) + m + 4 * J / (L * L);
    return D;
  }
  VectorXd coriolis(const VectorXd& z, const VectorXd& rate) const {
    return transverse() * z[1] * rate[0] * Eigen::Vector2d(2 * rate[1], -rate[0]);
  }
  VectorXd gravity(const VectorXd& z) const {
    const double c = std::cos(z[0]), s = std::sin(z[0]);
    return g * Eigen::Vector2d(mu * L * (L / 2 * c - z[1] / 3 * s) + m * (L * c - z[1] * s), (mu * L / 3 + m) * c);
  }
  VectorXd elastic(const VectorXd& z) const { return Eigen::Vector2d(0, 4 * EI / (L * L * L) * z[1]); }
};

}  // namespace lithe::closed_form
