#include <cmath>

#include "lithe/beam/shape_set.h"

namespace lithe {
namespace {

/// P_k^(0,b)(z), k = 0 … count − 1, and their first two derivatives in z. With s = 2k + b the recurrence reads (Abramowitz &
/// Stegun 22.7.1)
///   2(k + 1)(k + b + 1) s P_{k+1} = (s + 1)[s(s + 2) z − b²] P_k − 2k(k + b)(s + 2) P_{k−1}.
ShapeValues jacobi(int count, int b, double z) {
  ShapeValues P(count);
  if (count == 0) return P;
  P.value[0] = 1;
  if (count == 1) return P;
  P.value[1] = ((b + 2) * z - b) / 2;
  P.slope[1] = (b + 2) / 2.0;
  for (int k = 1; k + 1 < count; ++k) {
    const double s = 2 * k + b, scale = 2 * (k + 1) * (k + b + 1) * s;
    const double linear = (s + 1) * s * (s + 2) / scale, constant = -(s + 1) * b * b / scale,
                 back = 2 * k * (k + b) * (s + 2) / scale, factor = linear * z + constant;
    P.value[k + 1] = factor * P.value[k] - back * P.value[k - 1];
    P.slope[k + 1] = factor * P.slope[k] + linear * P.value[k] - back * P.slope[k - 1];
    P.curvature[k + 1] = factor * P.curvature[k] + 2 * linear * P.slope[k] - back * P.curvature[k - 1];
  }
  return P;
}

}  // namespace

ShapeSet polynomial_shapes(int count, int p, double L) {
  auto at = [=](double x) {
    const double xi = x / L;
    const ShapeValues P = jacobi(count, 2 * p, 2 * xi - 1);
    // Product rule on ξ^p · P(2ξ − 1).
    const double power = std::pow(xi, p), power1 = p * std::pow(xi, p - 1), power2 = p == 2 ? 2 : 0;
    ShapeValues shapes(count);
    shapes.value = power * P.value;
    shapes.slope = (power1 * P.value + 2 * power * P.slope) / L;
    shapes.curvature = (power2 * P.value + 4 * power1 * P.slope + 4 * power * P.curvature) / (L * L);
    return shapes;
  };
  return {count, count + p - 1, {}, at};
}

}  // namespace lithe
