#pragma once

#include <vector>

namespace lithe {

/// A place and its weight in a sum that stands for an integral.
struct QuadraturePoint {
  double x = 0, weight = 0;
};

/// Gauss–Legendre points on each of `panels` equal parts of [a, b], from a to b: exact on each part for polynomials up to
/// degree 2n − 1. Accurate to rounding for any n (Newton's method on the Legendre recurrence).
std::vector<QuadraturePoint> gauss_points(double a, double b, int n, int panels = 1);

}  // namespace lithe
