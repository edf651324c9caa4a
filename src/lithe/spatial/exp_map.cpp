#include "lithe/spatial/exp_map.h"

#include <array>
#include <cmath>

#include "lithe/spatial/counted.h"

namespace lithe {

template <class S>
ExpMapOf<S>::ExpMapOf(const Vector& theta_) : theta(theta_), x(theta_.dot(theta_)) {
  // b = Σ(−x)ᵏ/(2k+2)!, c = Σ(−x)ᵏ/(2k+3)!. Ten terms are exact to rounding below 1 rad, with no 0/0.
  if (x < S(1)) {
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
    b = c = db = dc = S(0);
    for (int k = n - 1; k >= 0; --k) {
      db = db * x + b;
      dc = dc * x + c;
      b = b * x + terms[0][k];
      c = c * x + terms[1][k];
    }
    a = S(1) - x * c;
    return;
  }
  using std::cos, std::sin, std::sqrt;
  const S angle = sqrt(x);
  a = sin(angle) / angle;
  b = (S(1) - cos(angle)) / x;
  c = (S(1) - a) / x;
  // d a/dx = (cos − a)/(2x), so with cos = 1 − x b:
  const S da = (S(1) - x * b - a) / (S(2) * x);
  db = (S(0.5) * a - b) / x;
  dc = (-da - c) / x;
}

template struct ExpMapOf<double>;
template struct ExpMapOf<Counted>;

}  // namespace lithe
