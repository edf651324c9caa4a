#pragma once

#include <cmath>

#include "lithe/dynamics/articulated/sines.h"
#include "lithe/spatial/lanes.h"

namespace lithe {

/// Four doubles with the same arithmetic: a number for the articulated recursion in which each lane belongs to a separate state. On
/// processors with AVX2 one register; elsewhere the compiler splits it.
struct Pack {
  static constexpr int lanes = 4;
  typedef double Vector __attribute__((vector_size(lanes * sizeof(double))));
  Vector v;

  Pack() = default;
  Pack(double value) : v{value, value, value, value} {}
  Pack(Vector vector) : v(vector) {}
  // Spelled out, so that g++ copies registers and not blocks of memory.
  Pack(const Pack& other) : v(other.v) {}
  Pack& operator=(const Pack& other) {
    v = other.v;
    return *this;
  }
  static Pack load(const double* from) { return Vector{from[0], from[1], from[2], from[3]}; }
  void store(double* to) const {
    for (int lane = 0; lane < lanes; ++lane) to[lane] = v[lane];
  }

  friend Pack operator+(Pack a, Pack b) { return a.v + b.v; }
  friend Pack operator-(Pack a, Pack b) { return a.v - b.v; }
  friend Pack operator*(Pack a, Pack b) { return a.v * b.v; }
  friend Pack operator/(Pack a, Pack b) { return a.v / b.v; }
  friend Pack operator-(Pack a) { return -a.v; }
  Pack& operator+=(Pack other) { return *this = *this + other; }
  Pack& operator-=(Pack other) { return *this = *this - other; }
};

template <>
inline constexpr int lane_count<Pack> = Pack::lanes;
inline double lane(const Pack& x, int i) { return x.v[i]; }
inline void set_lane(Pack& x, int i, double value) { x.v[i] = value; }

template <class Function>
Pack by_lane(Pack x, const Function& function) {
  Pack result;
  for (int lane = 0; lane < Pack::lanes; ++lane) result.v[lane] = function(x.v[lane]);
  return result;
}
inline Pack sqrt(Pack x) {
  return by_lane(x, [](double y) { return std::sqrt(y); });
}
inline bool all_of(decltype(Pack::Vector() > Pack::Vector()) lanes) {
  return (lanes[0] & lanes[1] & lanes[2] & lanes[3]) != 0;
}
inline bool any_above(Pack x, double limit) { return !all_of(x.v <= Pack(limit).v); }
inline unsigned lanes_not_above(Pack x, double limit) {
  if (all_of(x.v > Pack(limit).v)) return 0;
  unsigned bits = 0;
  for (int lane = 0; lane < Pack::lanes; ++lane) bits |= unsigned(!(x.v[lane] > limit)) << lane;
  return bits;
}
inline void sines_and_cosines(int n, const Pack* angle, Pack* sine, Pack* cosine) {
  static_assert(sizeof(Pack) == Pack::lanes * sizeof(double));
  sines_and_cosines(n * Pack::lanes, reinterpret_cast<const double*>(angle), reinterpret_cast<double*>(sine),
                    reinterpret_cast<double*>(cosine));
}

}  // namespace lithe
