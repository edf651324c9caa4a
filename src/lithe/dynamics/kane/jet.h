#pragma once

namespace lithe::kane {

/// A quantity along a straight way through the coordinates, δ + s d: its value at s = 0 and its first and second derivatives by s. T is a
/// number, a vector or a matrix.
template <class T>
struct Jet {
  T value, first, second;
};

/// Leibniz's rule for anything linear in each of two quantities: `times(x, y)` returns a T.
template <class T, class X, class Y, class Product>
Jet<T> product(const Jet<X>& x, const Jet<Y>& y, const Product& times) {
  const T both = times(x.first, y.first);
  return {times(x.value, y.value), times(x.first, y.value) + times(x.value, y.first),
          times(x.second, y.value) + both + both + times(x.value, y.second)};
}

/// The chain rule for a function of a number, whose value and derivatives at x are given.
template <class S>
Jet<S> function(const Jet<S>& x, const S& f, const S& df, const S& ddf) {
  return {f, df * x.first, ddf * x.first * x.first + df * x.second};
}

}  // namespace lithe::kane
