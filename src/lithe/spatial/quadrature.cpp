#include "lithe/spatial/quadrature.h"

#include <cmath>
#include <numbers>

#include "lithe/spatial/demand.h"

namespace lithe {

std::vector<QuadraturePoint> gauss_points(double a, double b, int n, int panels) {
  LITHE_DEMAND(n > 0 && panels > 0);
  // The rule on [−1, 1]: roots of P_n, weights 2 / ((1 − z²) P_n′²).
  std::vector<QuadraturePoint> rule(n);
  for (int i = 0; i < n; ++i) {
    double z = -std::cos(std::numbers::pi * (i + 0.75) / (n + 0.5)), slope = 1;
    for (int iteration = 0; iteration < 100; ++iteration) {
      double p = 1, previous = 0;
      for (int k = 1; k <= n; ++k) {
        const double next = ((2 * k - 1) * z * p - (k - 1) * previous) / k;
        previous = p;
        p = next;
      }
      slope = n * (previous - z * p) / (1 - z * z);
      const double step = p / slope;
      z -= step;
      if (std::abs(step) < 1e-15) break;
    }
    rule[i] = {z, 2 / ((1 - z * z) * slope * slope)};
  }

  std::vector<QuadraturePoint> points;
  points.reserve(size_t(n) * panels);
  const double half = (b - a) / (2 * panels);
  for (int panel = 0; panel < panels; ++panel)
    for (const QuadraturePoint& point : rule)
      points.push_back({a + half * (2 * panel + 1 + point.x), half * point.weight});
  return points;
}

}  // namespace lithe
