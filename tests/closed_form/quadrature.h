// Integrals by Gauss's rule, to check closed forms of areas, second moments and inertias against the shape itself.
#pragma once

#include <cmath>
#include <numbers>

namespace lithe::closed_form {

/// ∫ f over [a, b] by the five-point rule on each of `panels` equal parts: exact (to rounding) for polynomials up to
/// degree 9 on each part.
template <class F>
double integral(double a, double b, const F& f, int panels = 1) {
  // Nodes and weights in closed form: ⅓√(5 ∓ 2√(10/7)), (322 ± 13√70)/900.
  const double inner = std::sqrt(5 - 2 * std::sqrt(10.0 / 7)) / 3, outer = std::sqrt(5 + 2 * std::sqrt(10.0 / 7)) / 3;
  const double w_inner = (322 + 13 * std::sqrt(70.0)) / 900, w_outer = (322 - 13 * std::sqrt(70.0)) / 900;
  const double half = (b - a) / (2 * panels);
  double sum = 0;
  for (int i = 0; i < panels; ++i) {
    const double middle = a + (2 * i + 1) * half;
    sum += 128.0 / 225 * f(middle) + w_inner * (f(middle - inner * half) + f(middle + inner * half)) +
           w_outer * (f(middle - outer * half) + f(middle + outer * half));
  }
  return half * sum;
}

/// ∫ f over a full turn. Each Gauss node repeats sixteen times a turn, and such a sum is exact for every harmonic below
/// the sixteenth.
template <class F>
double turn_integral(const F& f) {
  return integral(0, 2 * std::numbers::pi, f, 16);
}

}  // namespace lithe::closed_form
