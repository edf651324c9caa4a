#include "lithe/spatial/exp_map.h"

#include <array>
#include <cmath>

namespace lithe {

ExpMap::ExpMap(const Vector3d& theta_) : theta(theta_) {
  const double x = theta.squaredNorm();
  // b = Σ(−x)ᵏ/(2k+2)!, c = Σ(−x)ᵏ/(2k+3)!. Ten terms are exact to rounding below 1 rad, with no 0/0.
  if (x < 1) {
    constexpr int n = 10;
    static constexpr auto terms = [] {
      std::array<std::array<double, n>, 2> t{};
      double b_k = 0.5, c_k = 1.0 / 6;
      for (int k = 0; k < n; ++k) {
        t[0][k] = b_k;
        t[1][k] = c_k;
        b_k /= -double((2 * k + 3) * (2 * k + 4));
        c_k /= -double((2 * k + 4) * (2 * k + 5));
      }
      return t;
    }();
    b = c = db = dc = 0;
    for (int k = n - 1; k >= 0; --k) {
      db = db * x + b;
      dc = dc * x + c;
      b = b * x + terms[0][k];
      c = c * x + terms[1][k];
    }
    a = 1 - x * c;
    return;
  }
  const double angle = std::sqrt(x);
  a = std::sin(angle) / angle;
  b = (1 - std::cos(angle)) / x;
  c = (1 - a) / x;
  // d a/dx = (cos − a)/(2x), so with cos = 1 − x b:
  const double da = (1 - x * b - a) / (2 * x);
  db = (a / 2 - b) / x;
  dc = (-da - c) / x;
}

}  // namespace lithe
