#pragma once

#include <cmath>

#include "lithe/spatial/inline.h"

namespace lithe {

/// A number with its slopes along four directions, exact to rounding through whatever code runs on it (forward differentiation).
struct Dual4 {
  double value = 0;
  double slope[4] = {};

  Dual4() = default;
  Dual4(double constant) : value(constant) {}  // NOLINT: numbers are duals
  static Dual4 along(double value, int direction) {
    Dual4 result(value);
    result.slope[direction] = 1;
    return result;
  }

  /// value, and slopes a.slope · by_a + b.slope · by_b.
  LITHE_INLINE static Dual4 combined(double value, const Dual4& a, double by_a, const Dual4& b, double by_b) {
    Dual4 result(value);
    for (int i = 0; i < 4; ++i) result.slope[i] = by_a * a.slope[i] + by_b * b.slope[i];
    return result;
  }
  LITHE_INLINE static Dual4 scaled(double value, const Dual4& a, double by) {
    Dual4 result(value);
    for (int i = 0; i < 4; ++i) result.slope[i] = by * a.slope[i];
    return result;
  }

  LITHE_INLINE friend Dual4 operator+(const Dual4& a, const Dual4& b) {
    Dual4 result(a.value + b.value);
    for (int i = 0; i < 4; ++i) result.slope[i] = a.slope[i] + b.slope[i];
    return result;
  }
  LITHE_INLINE friend Dual4 operator-(const Dual4& a, const Dual4& b) {
    Dual4 result(a.value - b.value);
    for (int i = 0; i < 4; ++i) result.slope[i] = a.slope[i] - b.slope[i];
    return result;
  }
  LITHE_INLINE friend Dual4 operator-(const Dual4& a) { return scaled(-a.value, a, -1); }
  LITHE_INLINE friend Dual4 operator*(const Dual4& a, const Dual4& b) {
    return combined(a.value * b.value, a, b.value, b, a.value);
  }
  // Products with constants, which most of a link's numbers are, take half the work.
  LITHE_INLINE friend Dual4 operator*(double a, const Dual4& b) { return scaled(a * b.value, b, a); }
  LITHE_INLINE friend Dual4 operator*(const Dual4& a, double b) { return scaled(a.value * b, a, b); }
  LITHE_INLINE friend Dual4 operator/(const Dual4& a, const Dual4& b) {
    const double inverse = 1 / b.value, quotient = a.value * inverse;
    return combined(quotient, a, inverse, b, -quotient * inverse);
  }
  LITHE_INLINE Dual4& operator+=(const Dual4& b) { return *this = *this + b; }
  LITHE_INLINE Dual4& operator-=(const Dual4& b) { return *this = *this - b; }
  LITHE_INLINE friend bool any_above(const Dual4& x, double limit) { return x.value > limit; }
};

}  // namespace lithe
