#pragma once

#include <Eigen/Dense>
#include <cmath>
#include <limits>

namespace lithe::testing {

/// A number and its derivative along one direction: exact to rounding through whatever code runs on it.
struct Dual {
  double value = 0, slope = 0;

  Dual() = default;
  Dual(double constant) : value(constant) {}  // NOLINT: numbers are duals
  Dual(double value_, double slope_) : value(value_), slope(slope_) {}
  explicit operator double() const { return value; }

  friend Dual operator+(const Dual& a, const Dual& b) { return {a.value + b.value, a.slope + b.slope}; }
  friend Dual operator-(const Dual& a, const Dual& b) { return {a.value - b.value, a.slope - b.slope}; }
  friend Dual operator-(const Dual& a) { return {-a.value, -a.slope}; }
  friend Dual operator*(const Dual& a, const Dual& b) {
    return {a.value * b.value, a.slope * b.value + a.value * b.slope};
  }
  friend Dual operator/(const Dual& a, const Dual& b) {
    return {a.value / b.value, (a.slope - a.value / b.value * b.slope) / b.value};
  }
  Dual& operator+=(const Dual& b) { return *this = *this + b; }
  Dual& operator-=(const Dual& b) { return *this = *this - b; }
  Dual& operator*=(const Dual& b) { return *this = *this * b; }
  Dual& operator/=(const Dual& b) { return *this = *this / b; }
  friend bool operator==(const Dual& a, const Dual& b) { return a.value == b.value; }
  friend auto operator<=>(const Dual& a, const Dual& b) { return a.value <=> b.value; }

  friend Dual sqrt(const Dual& x) { return {std::sqrt(x.value), x.slope / (2 * std::sqrt(x.value))}; }
  friend Dual sin(const Dual& x) { return {std::sin(x.value), std::cos(x.value) * x.slope}; }
  friend Dual cos(const Dual& x) { return {std::cos(x.value), -std::sin(x.value) * x.slope}; }
  friend Dual tanh(const Dual& x) {
    const double t = std::tanh(x.value);
    return {t, (1 - t * t) * x.slope};
  }
  friend bool any_above(const Dual& x, double limit) { return x.value > limit; }
  friend Dual abs(const Dual& x) { return x.value < 0 ? -x : x; }
};

using DualVector = Eigen::Matrix<Dual, Eigen::Dynamic, 1>;

}  // namespace lithe::testing

template <>
struct std::numeric_limits<lithe::testing::Dual> : std::numeric_limits<double> {};

template <>
struct Eigen::NumTraits<lithe::testing::Dual> : Eigen::NumTraits<double> {
  using Real = lithe::testing::Dual;
  using NonInteger = lithe::testing::Dual;
  using Nested = lithe::testing::Dual;
  using Literal = lithe::testing::Dual;
  enum { RequireInitialization = 1, ReadCost = 2, AddCost = 2, MulCost = 4 };
};
