#pragma once

#include "lithe/spatial/exp_map.h"
#include "lithe/spatial/lanes.h"

namespace lithe {

/// b = (1 − cos|θ|)/x, c = (|θ| − sin|θ|)/|θ|³ and twice their slopes, as functions of x = θ·θ, by their series alone: no sine, root,
/// division or branch on a single lane. Seven terms are exact to rounding below |θ| = 0.6; beyond, twenty-two up to |θ| = 10, far more
/// than an interval of a link may turn by (docs/exact-links.md, 8).
template <class S>
struct TurnSeries {
  S b, c, two_db, two_dc;

  LITHE_INLINE static TurnSeries at(const S& x) {
    TurnSeries result;
    if (any_above(x, 0.36)) {
      result.template sum<22>(x);
    } else {
      result.template sum<7>(x);
    }
    return result;
  }

 private:
  template <int n>
  LITHE_INLINE void sum(const S& x) {
    static constexpr ExpSeries<n> terms;
    // d/dx multiplies the k-th term by k: those factors are known to the compiler.
    b = S(terms.b[n - 1]);
    c = S(terms.c[n - 1]);
    two_db = S(2 * (n - 1) * terms.b[n - 1]);
    two_dc = S(2 * (n - 1) * terms.c[n - 1]);
    for (int k = n - 2; k >= 0; --k) {
      b = b * x + S(terms.b[k]);
      c = c * x + S(terms.c[k]);
    }
    for (int k = n - 2; k >= 1; --k) {
      two_db = two_db * x + S(2 * k * terms.b[k]);
      two_dc = two_dc * x + S(2 * k * terms.c[k]);
    }
  }
};

/// Sine and cosine of a small angle by the same series.
template <class S>
struct SmallAngle {
  S cosine, sine;

  LITHE_INLINE static SmallAngle of(const S& angle) {
    S x = angle * angle;
    return any_above(x, 0.36) ? sum<22>(angle, x) : sum<7>(angle, x);
  }

 private:
  template <int n>
  LITHE_INLINE static SmallAngle sum(const S& angle, const S& x) {
    static constexpr ExpSeries<n> terms;
    S b(terms.b[n - 1]), c(terms.c[n - 1]);
    for (int k = n - 2; k >= 0; --k) {
      b = b * x + S(terms.b[k]);
      c = c * x + S(terms.c[k]);
    }
    return {S(1.0) - b * x, angle - angle * (c * x)};
  }
};

}  // namespace lithe
