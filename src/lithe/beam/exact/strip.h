#pragma once

#include <type_traits>

#include "lithe/spatial/lanes.h"

namespace lithe {

/// So many numbers of one kind with the same arithmetic, such as one of each point of a link: for doubles in vector registers, four at a
/// time. In memory a strip takes `stride` numbers, of which those beyond the last are zero in constants: whatever stands there adds nothing
/// to a sum.
template <class S, int n>
struct Strip {
  static constexpr int stride = n;
  S v[n];

  Strip() = default;
  LITHE_INLINE explicit Strip(const S& value) {
    for (S& x : v) x = value;
  }
  template <class Number>
  LITHE_INLINE static Strip load(const Number* from) {
    Strip result;
    for (int i = 0; i < n; ++i) result.v[i] = from[i];
    return result;
  }
  LITHE_INLINE void store(S* to) const {
    for (int i = 0; i < n; ++i) to[i] = v[i];
  }

  /// The first of a longer strip.
  template <int more>
  LITHE_INLINE static Strip first_of(const Strip<S, more>& all) {
    return each([&](int i) { return all.v[i]; });
  }
  LITHE_INLINE const S& operator[](int i) const { return v[i]; }

  template <class Operation>
  LITHE_INLINE static Strip each(const Operation& operation) {
    Strip result;
    for (int i = 0; i < n; ++i) result.v[i] = operation(i);
    return result;
  }
  LITHE_INLINE friend Strip operator+(const Strip& a, const Strip& b) {
    return each([&](int i) { return a.v[i] + b.v[i]; });
  }
  LITHE_INLINE friend Strip operator-(const Strip& a, const Strip& b) {
    return each([&](int i) { return a.v[i] - b.v[i]; });
  }
  LITHE_INLINE friend Strip operator*(const Strip& a, const Strip& b) {
    return each([&](int i) { return a.v[i] * b.v[i]; });
  }
  LITHE_INLINE friend S sum(const Strip& a) {
    S result = a.v[0];
    for (int i = 1; i < n; ++i) result += a.v[i];
    return result;
  }
  /// Each number plus all before it.
  LITHE_INLINE friend Strip running(const Strip& a) {
    Strip result = a;
    for (int i = 1; i < n; ++i) result.v[i] += result.v[i - 1];
    return result;
  }
  LITHE_INLINE friend bool any_above(const Strip& a, double limit) {
    for (const S& x : a.v)
      if (any_above(x, limit)) return true;
    return false;
  }
};

#if defined(__GNUC__)
/// A register and the rest: g++ keeps an array of them in memory.
template <int n>
requires(n > 0) struct Strip<double, n> {
  typedef double Block __attribute__((vector_size(32)));
  using Rest = Strip<double, (n > 4 ? n - 4 : 0)>;
  static constexpr int stride = 4 + Rest::stride;
  Block head;
  [[no_unique_address]] Rest rest;

  Strip() = default;
  LITHE_INLINE Strip(const Block& first, const Rest& others) : head(first), rest(others) {}
  LITHE_INLINE explicit Strip(double value) : head{value, value, value, value}, rest(value) {}
  LITHE_INLINE static Strip load(const double* from) {
    return {Block{from[0], from[1], from[2], from[3]}, Rest::load(from + 4)};
  }
  LITHE_INLINE void store(double* to) const {
    __builtin_memcpy(to, &head, sizeof head);
    rest.store(to + 4);
  }
  LITHE_INLINE friend Strip operator+(const Strip& a, const Strip& b) { return {a.head + b.head, a.rest + b.rest}; }
  LITHE_INLINE friend Strip operator-(const Strip& a, const Strip& b) { return {a.head - b.head, a.rest - b.rest}; }
  LITHE_INLINE friend Strip operator*(const Strip& a, const Strip& b) { return {a.head * b.head, a.rest * b.rest}; }
  template <int more>
  LITHE_INLINE static Strip first_of(const Strip<double, more>& all) {
    return {all.head, Rest::first_of(all.rest)};
  }
  LITHE_INLINE double operator[](int i) const {
    if constexpr (n > 4) {
      if (i >= 4) return rest[i - 4];
    }
    return head[i];
  }
  LITHE_INLINE friend Strip running(const Strip& a) {
    const Block none{};
    Block sum = a.head + __builtin_shufflevector(a.head, none, 4, 0, 1, 2);
    sum += __builtin_shufflevector(sum, none, 4, 5, 0, 1);
    if constexpr (n > 4) return {sum, running(a.rest) + Rest(sum[3])};
    return {sum, a.rest};
  }
  LITHE_INLINE Block folded() const {
    if constexpr (n > 4) {
      return head + rest.folded();
    } else {
      return head;
    }
  }
  LITHE_INLINE friend double sum(const Strip& a) {
    const Block total = a.folded();
    return (total[0] + total[2]) + (total[1] + total[3]);
  }
  LITHE_INLINE friend bool any_above(const Strip& a, double limit) {
    const auto above = a.head > Block{limit, limit, limit, limit};
    if (((above[0] | above[1]) | (above[2] | above[3])) != 0) return true;
    if constexpr (n > 4) return any_above(a.rest, limit);
    return false;
  }
};
template <>
struct Strip<double, 0> {
  static constexpr int stride = 0;
  Strip() = default;
  explicit Strip(double) {}
  static Strip load(const double*) { return {}; }
  template <int more>
  static Strip first_of(const Strip<double, more>&) {
    return {};
  }
  void store(double*) const {}
  friend Strip operator+(Strip, Strip) { return {}; }
  friend Strip operator-(Strip, Strip) { return {}; }
  friend Strip operator*(Strip, Strip) { return {}; }
};
#endif

/// The sums of strips, each over its own numbers.
template <class S, int n, int count>
LITHE_INLINE void store_sums(const Strip<S, n> (&strips)[count], S* to) {
  int i = 0;
#if defined(__GNUC__)
  // Of doubles four at a time: pairs of neighbours, and pairs of those.
  if constexpr (std::is_same_v<S, double>)
    for (; i + 4 <= count; i += 4) {
      const auto a = strips[i].folded(), b = strips[i + 1].folded(), c = strips[i + 2].folded(),
                 d = strips[i + 3].folded();
      const auto ab = __builtin_shufflevector(a, b, 0, 4, 2, 6) + __builtin_shufflevector(a, b, 1, 5, 3, 7);
      const auto cd = __builtin_shufflevector(c, d, 0, 4, 2, 6) + __builtin_shufflevector(c, d, 1, 5, 3, 7);
      const auto all = __builtin_shufflevector(ab, cd, 0, 1, 4, 5) + __builtin_shufflevector(ab, cd, 2, 3, 6, 7);
      __builtin_memcpy(to + i, &all, sizeof all);
    }
#endif
  for (; i < count; ++i) to[i] = sum(strips[i]);
}

}  // namespace lithe
