#pragma once

#include <cmath>

#include "lithe/spatial/counted.h"

// What code written for any kind of number needs besides arithmetic, for numbers with one value; dynamics/articulated/pack.h has it for several.

namespace lithe {

inline bool any_above(double x, double limit) { return x > limit; }
inline bool any_above(const Counted& x, double limit) { return x.value() > limit; }

/// A bit per lane: set if x is not above the limit, or is NaN.
inline unsigned lanes_not_above(double x, double limit) { return x > limit ? 0 : 1; }
inline unsigned lanes_not_above(const Counted& x, double limit) { return x.value() > limit ? 0 : 1; }

/// The number of values in a number, and each of them.
template <class S>
inline constexpr int lane_count = 1;
inline double lane(double x, int) { return x; }
inline double lane(const Counted& x, int) { return x.value(); }
inline void set_lane(double& x, int, double value) { x = value; }
inline void set_lane(Counted& x, int, double value) { x = Counted::unknown(value); }

template <class Function>
double by_lane(double x, Function function) {
  return function(x);
}
template <class Function>
Counted by_lane(const Counted& x, Function function) {
  return Counted::unknown(function(x.value()));
}

inline void sines_and_cosines(int n, const Counted* angle, Counted* sine, Counted* cosine) {
  for (int k = 0; k < n; ++k) sine[k] = sin(angle[k]), cosine[k] = cos(angle[k]);
}

}  // namespace lithe
