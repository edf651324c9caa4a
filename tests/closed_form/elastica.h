// The plane elastica: an inextensible cantilever of length 1 and stiffness EI = 1 under a load on its tip.
//
// K. E. Bisshopp, D. C. Drucker, Large deflection of cantilever beams, Q. Appl. Math. 3 (1945) 272–275, by Legendre's elliptic integrals.
#pragma once

#include <cmath>
#include <numbers>

namespace lithe::closed_form {

struct Elastica {
  double angle, x, y;  // of the tip: its turn and place
};

/// Under a force that stays perpendicular to the unloaded axis, α = PL²/EI. The tip's angle φ satisfies
///
///   √α = K(p) − F(p, θ)     p² = (1 + sin φ)/2     sin θ = 1/(p√2)
///   x = √(2 sin φ/α)        y = 1 − 2 (E(p) − E(p, θ))/√α
inline Elastica elastica_under_force(double alpha) {
  const auto modulus = [](double angle) { return std::sqrt((1 + std::sin(angle)) / 2); };
  const auto theta = [](double p) { return std::asin(1 / (p * std::numbers::sqrt2)); };
  double low = 0, high = std::numbers::pi / 2;
  for (int i = 0; i < 200; ++i) {
    const double middle = (low + high) / 2, p = modulus(middle);
    (std::comp_ellint_1(p) - std::ellint_1(p, theta(p)) < std::sqrt(alpha) ? low : high) = middle;
  }
  const double p = modulus(low);
  return {low, std::sqrt(2 * std::sin(low) / alpha),
          1 - 2 * (std::comp_ellint_2(p) - std::ellint_2(p, theta(p))) / std::sqrt(alpha)};
}

/// Under a moment μ = ML/EI: an arc of a circle.
inline Elastica elastica_under_moment(double mu) { return {mu, std::sin(mu) / mu, (1 - std::cos(mu)) / mu}; }

}  // namespace lithe::closed_form
