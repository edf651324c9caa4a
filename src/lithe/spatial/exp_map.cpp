#include "lithe/spatial/exp_map.h"

#include <array>
#include <cmath>

#include "lithe/spatial/counted.h"

namespace lithe {

template <class S>
ExpMapOf<S>::ExpMapOf(const Vector& theta_) : theta(theta_), x(theta_.dot(theta_)) {
  // Ten terms are exact to rounding below 1 rad, with no 0/0.
  if (x < S(1)) {
    constexpr int n = 10;
    static constexpr ExpSeries<n> terms;
    b = c = db = dc = S(0);
    for (int k = n - 1; k >= 0; --k) {
      db = db * x + b;
      dc = dc * x + c;
      b = b * x + terms.b[k];
      c = c * x + terms.c[k];
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
