#pragma once

#include <functional>

#include "lithe/spatial/spatial.h"

namespace lithe {

/// Several scalar functions at one place: deflection, twist or stretch, and their derivatives along x.
struct ShapeValues {
  explicit ShapeValues(int n) : value(VectorXd::Zero(n)), slope(VectorXd::Zero(n)), curvature(VectorXd::Zero(n)) {}
  VectorXd value, slope, curvature;
};

/// The shapes of one kind of deflection of a beam, with what quadrature must know of them.
struct ShapeSet {
  int count = 0;
  int degree = 0;         // of the highest polynomial; zero for other functions
  double wavenumber = 0;  // the largest β of sin βx; zero for polynomials
  std::function<ShapeValues(double x)> at = [](double) { return ShapeValues(0); };
};

/// x^p times 1, x, x², … made orthogonal over a uniform beam, each one at the tip. Bending has p = 2 (a clamped root), twist
/// and stretch p = 1. In ξ = x/L these are
///
///   φ_k = ξ^p P_k^(0,2p)(2ξ − 1),     ∫₀¹ φ_k φ_l dξ = 0 for k ≠ l,
///
/// with Jacobi's polynomials, whose weight (1 + z)^2p is ξ^2p: Gram–Schmidt on x^p, x^(p+1), … in closed form, by a
/// three-term recurrence that stays accurate where monomials fail (beyond about ten).
ShapeSet polynomial_shapes(int count, int p, double L);

}  // namespace lithe
