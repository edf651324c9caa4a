#pragma once

#include <Eigen/Core>
#include <cmath>
#include <compare>
#include <limits>

namespace lithe {

/// Work done by `Counted` numbers.
struct WorkCount {
  long multiplications = 0, additions = 0;  // subtractions are additions; a change of sign is neither
  long divisions = 0, roots = 0;
  long functions = 0;  // sin, cos, tanh: each counts as one

  friend bool operator==(const WorkCount&, const WorkCount&) = default;
  friend WorkCount operator-(const WorkCount& a, const WorkCount& b) {
    return {a.multiplications - b.multiplications, a.additions - b.additions, a.divisions - b.divisions,
            a.roots - b.roots, a.functions - b.functions};
  }
};

/// A number that counts the operations on it: running an algorithm on it gives the algorithm's cost.
///
/// A number is either *known* before any state is (a constant of the arm, a literal) or *unknown* (of the state, or computed
/// from it). Work that can be done once, at assembly, costs nothing: known with known, and a known 0 or ±1 as a factor, a
/// known 0 as a term. Structure therefore counts as far as the algorithm's data show it, without special code.
/// Multiplying by any other constant is a multiplication.
class Counted {
 public:
  Counted(double value = 0) : value_(value) {}
  static Counted unknown(double value) {
    Counted number(value);
    number.known_ = false;
    return number;
  }
  double value() const { return value_; }
  bool known() const { return known_; }
  explicit operator double() const { return value_; }

  /// All work of this thread so far; take the difference of two readings.
  static WorkCount& work() {
    thread_local WorkCount count;
    return count;
  }

  friend Counted operator-(const Counted& a) { return {-a.value_, a.known_}; }
  friend Counted operator+(const Counted& a, const Counted& b) {
    if (a.is(0)) return b;
    if (b.is(0)) return a;
    return result(a, b, a.value_ + b.value_, work().additions);
  }
  friend Counted operator-(const Counted& a, const Counted& b) { return a + -b; }
  friend Counted operator*(const Counted& a, const Counted& b) {
    if (a.is(0) || b.is(0)) return 0;
    if (a.is(1)) return b;
    if (b.is(1)) return a;
    if (a.is(-1)) return -b;
    if (b.is(-1)) return -a;
    return result(a, b, a.value_ * b.value_, work().multiplications);
  }
  friend Counted operator/(const Counted& a, const Counted& b) {
    if (a.is(0)) return 0;
    if (b.is(1)) return a;
    if (b.is(-1)) return -a;
    return result(a, b, a.value_ / b.value_, work().divisions);
  }
  Counted& operator+=(const Counted& other) { return *this = *this + other; }
  Counted& operator-=(const Counted& other) { return *this = *this - other; }
  Counted& operator*=(const Counted& other) { return *this = *this * other; }
  Counted& operator/=(const Counted& other) { return *this = *this / other; }

  friend bool operator==(const Counted& a, const Counted& b) { return a.value_ == b.value_; }
  friend auto operator<=>(const Counted& a, const Counted& b) { return a.value_ <=> b.value_; }

  friend Counted abs(const Counted& x) { return {std::abs(x.value_), x.known_}; }
  friend Counted sqrt(const Counted& x) { return function(x, std::sqrt(x.value_), work().roots); }
  friend Counted sin(const Counted& x) { return function(x, std::sin(x.value_), work().functions); }
  friend Counted cos(const Counted& x) { return function(x, std::cos(x.value_), work().functions); }
  friend Counted tanh(const Counted& x) { return function(x, std::tanh(x.value_), work().functions); }
  friend bool isfinite(const Counted& x) { return std::isfinite(x.value_); }

 private:
  Counted(double value, bool known) : value_(value), known_(known) {}
  bool is(double value) const { return known_ && value_ == value; }
  static Counted result(const Counted& a, const Counted& b, double value, long& counter) {
    const bool known = a.known_ && b.known_;
    counter += !known;
    return {value, known};
  }
  static Counted function(const Counted& x, double value, long& counter) {
    counter += !x.known_;
    return {value, x.known_};
  }

  double value_;
  bool known_ = true;
};

/// A number of the state: for a counting scalar one that is not known at assembly.
template <class S>
S unknown(double value) {
  if constexpr (std::is_same_v<S, Counted>) {
    return Counted::unknown(value);
  } else {
    return value;
  }
}
template <class S, class Derived>
auto unknown(const Eigen::MatrixBase<Derived>& values) {
  return values.unaryExpr([](double value) { return unknown<S>(value); });
}

}  // namespace lithe

template <>
struct std::numeric_limits<lithe::Counted> : std::numeric_limits<double> {};

template <>
struct Eigen::NumTraits<lithe::Counted> : Eigen::NumTraits<double> {
  using Real = lithe::Counted;
  using NonInteger = lithe::Counted;
  using Nested = lithe::Counted;
  using Literal = lithe::Counted;
  enum { RequireInitialization = 1, ReadCost = 1, AddCost = 1, MulCost = 1 };
};
