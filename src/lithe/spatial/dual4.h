#pragma once

#include <cmath>

#include "lithe/spatial/inline.h"

namespace lithe {

/// A number with its slopes along four directions, exact to rounding through whatever code runs on it (forward differentiation). The slopes
/// are one register, which compilers do not make of loops by themselves.
struct Dual4 {
  typedef double Slopes __attribute__((vector_size(32), aligned(8)));
  double value = 0;
  Slopes slope = {};

  Dual4() = default;
  Dual4(double constant) : value(constant) {}  // NOLINT: numbers are duals
  LITHE_INLINE Dual4(double given, const Slopes& slopes) : value(given), slope(slopes) {}
  static Dual4 along(double value, int direction) {
    Dual4 result(value);
    result.slope[direction] = 1;
    return result;
  }

  LITHE_INLINE friend Dual4 operator+(const Dual4& a, const Dual4& b) { return {a.value + b.value, a.slope + b.slope}; }
  LITHE_INLINE friend Dual4 operator-(const Dual4& a, const Dual4& b) { return {a.value - b.value, a.slope - b.slope}; }
  LITHE_INLINE friend Dual4 operator-(const Dual4& a) { return {-a.value, -a.slope}; }
  LITHE_INLINE friend Dual4 operator*(const Dual4& a, const Dual4& b) {
    return {a.value * b.value, b.value * a.slope + a.value * b.slope};
  }
  // Products with constants, which most of a link's numbers are, take half the work.
  LITHE_INLINE friend Dual4 operator*(double a, const Dual4& b) { return {a * b.value, a * b.slope}; }
  LITHE_INLINE friend Dual4 operator*(const Dual4& a, double b) { return {a.value * b, b * a.slope}; }
  LITHE_INLINE friend Dual4 operator/(const Dual4& a, const Dual4& b) {
    const double inverse = 1 / b.value, quotient = a.value * inverse;
    return {quotient, inverse * (a.slope - quotient * b.slope)};
  }
  LITHE_INLINE Dual4& operator+=(const Dual4& b) { return *this = *this + b; }
  LITHE_INLINE Dual4& operator-=(const Dual4& b) { return *this = *this - b; }
  LITHE_INLINE friend bool any_above(const Dual4& x, double limit) { return x.value > limit; }
};

}  // namespace lithe
