#pragma once

// Two numbers that are always treated alike: the angular and the linear part of a velocity or wrench, an entry of J and the same
// entry of M. For double they share a vector register, which halves the work of the articulated recursion.

namespace lithe {

/// One number in both places.
template <class S>
struct Twin {
  S x;
  Twin() = default;
  Twin(S value) : x(value) {}
  Twin(const Twin& other) : x(other.x) {}
  Twin& operator=(const Twin& other) {
    x = other.x;
    return *this;
  }
  S value() const { return x; }

  friend Twin operator+(Twin a, Twin b) { return a.x + b.x; }
  friend Twin operator-(Twin a, Twin b) { return a.x - b.x; }
  friend Twin operator*(Twin a, Twin b) { return a.x * b.x; }
  friend Twin operator-(Twin a) { return -a.x; }
};

template <class S>
struct Pair {
  S first, second;
  Pair() = default;
  Pair(S a, S b) : first(a), second(b) {}
  Pair(const Pair& other) : first(other.first), second(other.second) {}
  Pair& operator=(const Pair& other) {
    first = other.first;
    second = other.second;
    return *this;
  }
  explicit Pair(Twin<S> twin) : first(twin.x), second(twin.x) {}
  S low() const { return first; }
  S high() const { return second; }

  friend Pair operator+(Pair a, Pair b) { return {a.first + b.first, a.second + b.second}; }
  friend Pair operator-(Pair a, Pair b) { return {a.first - b.first, a.second - b.second}; }
  friend Pair operator*(Pair a, Pair b) { return {a.first * b.first, a.second * b.second}; }
  friend Pair operator*(Twin<S> a, Pair b) { return {a.x * b.first, a.x * b.second}; }
  friend Pair operator-(Twin<S> a, Pair b) { return {a.x - b.first, a.x - b.second}; }
  friend Pair operator-(Pair a) { return {-a.first, -a.second}; }

  /// (second, first)
  friend Pair swapped(Pair a) { return {a.second, a.first}; }
  /// (a.first, b.second)
  friend Pair mixed(Pair a, Pair b) { return {a.first, b.second}; }
  /// (a.second, b.second)
  friend Pair highs(Pair a, Pair b) { return {a.second, b.second}; }
  friend Twin<S> twin_low(Pair a) { return a.first; }
  friend Twin<S> twin_high(Pair a) { return a.second; }
  friend S sum(Pair a) { return a.first + a.second; }

  /// a ± d·b in one place, a in the other.
  friend Pair plus_first(Pair a, S d, Pair b) { return {a.first + d * b.first, a.second}; }
  friend Pair minus_first(Pair a, S d, Pair b) { return {a.first - d * b.first, a.second}; }
  friend Pair plus_second(Pair a, S d, Pair b) { return {a.first, a.second + d * b.second}; }
  friend Pair minus_second(Pair a, S d, Pair b) { return {a.first, a.second - d * b.second}; }
};

#if defined(__GNUC__)
template <>
struct Twin<double> {
  typedef double Vector __attribute__((vector_size(16)));
  Vector v;
  Twin() = default;
  Twin(double value) : v{value, value} {}
  Twin(Vector vector) : v(vector) {}
  Twin(const Twin& other) : v(other.v) {}
  Twin& operator=(const Twin& other) {
    v = other.v;
    return *this;
  }
  double value() const { return v[0]; }

  friend Twin operator+(Twin a, Twin b) { return a.v + b.v; }
  friend Twin operator-(Twin a, Twin b) { return a.v - b.v; }
  friend Twin operator*(Twin a, Twin b) { return a.v * b.v; }
  friend Twin operator-(Twin a) { return -a.v; }
};

template <>
struct Pair<double> {
  using Vector = Twin<double>::Vector;
  Vector v;
  Pair() = default;
  Pair(double a, double b) : v{a, b} {}
  Pair(Vector vector) : v(vector) {}
  Pair(const Pair& other) : v(other.v) {}
  Pair& operator=(const Pair& other) {
    v = other.v;
    return *this;
  }
  explicit Pair(Twin<double> twin) : v(twin.v) {}
  double low() const { return v[0]; }
  double high() const { return v[1]; }

  friend Pair operator+(Pair a, Pair b) { return a.v + b.v; }
  friend Pair operator-(Pair a, Pair b) { return a.v - b.v; }
  friend Pair operator*(Pair a, Pair b) { return a.v * b.v; }
  friend Pair operator*(Twin<double> a, Pair b) { return a.v * b.v; }
  friend Pair operator-(Twin<double> a, Pair b) { return a.v - b.v; }
  friend Pair operator-(Pair a) { return -a.v; }

  friend Pair swapped(Pair a) { return __builtin_shufflevector(a.v, a.v, 1, 0); }
  friend Pair mixed(Pair a, Pair b) { return __builtin_shufflevector(a.v, b.v, 0, 3); }
  friend Pair highs(Pair a, Pair b) { return __builtin_shufflevector(a.v, b.v, 1, 3); }
  friend Twin<double> twin_low(Pair a) { return __builtin_shufflevector(a.v, a.v, 0, 0); }
  friend Twin<double> twin_high(Pair a) { return __builtin_shufflevector(a.v, a.v, 1, 1); }
  friend double sum(Pair a) { return a.v[0] + a.v[1]; }

  friend Pair plus_first(Pair a, double d, Pair b) { return a.v + Vector{d, 0} * b.v; }
  friend Pair minus_first(Pair a, double d, Pair b) { return a.v - Vector{d, 0} * b.v; }
  friend Pair plus_second(Pair a, double d, Pair b) { return a.v + Vector{0, d} * b.v; }
  friend Pair minus_second(Pair a, double d, Pair b) { return a.v - Vector{0, d} * b.v; }
};
#endif

}  // namespace lithe
