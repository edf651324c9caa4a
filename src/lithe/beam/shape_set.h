#pragma once

#include <functional>
#include <vector>

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
  int degree = 0;                   // of the highest polynomial; zero for other functions
  std::vector<double> wavenumbers;  // of waves like sin(βx/L): their β, dimensionless, ascending; empty for polynomials
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

// Natural shapes of uniform beams. Each is one at the tip, except where the tip hardly moves (less than a thousandth of the
// largest deflection): those are one where they are largest. Any number of them: written with decaying exponentials only, they
// do not overflow, and their wavenumbers are right to the last digits.

/// Bending, clamped at the root; at the tip a mass and a moment of inertia, as multiples of the beam's mass ρAL and of ρAL³.
/// Zeros give the clamped–free beam.
ShapeSet clamped_shapes(int count, double L, double tip_mass, double tip_inertia);
// Shapes of beams on a hinge turn at the root. The joint is what turns there, and everything that acts at a joint (torque, gains,
// friction, rotor, a given motion) acts on the root section. So each is seen from the root section, φ − φ′(0) x, and the joint's
// coordinate is the turn of that section: the q + Σ φ_k′(0) δ_k of lew-book (eqs 21, 25), where the input matrix B of its
// coordinates becomes that of the joint alone. Joint and shapes together span the same motions.
/// Bending, pinned at the root and free at the tip, seen from the root section.
ShapeSet pinned_free_shapes(int count, double L);
/// Bending, pinned at both ends, sin(kπx/L), seen from the root section.
ShapeSet pinned_pinned_shapes(int count, double L);
/// Twist or stretch, held at the root; at the tip an inertia as a multiple of the rod's own.
ShapeSet rod_shapes(int count, double L, double tip_inertia);

}  // namespace lithe
