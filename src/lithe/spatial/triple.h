#pragma once

#include "lithe/spatial/inline.h"

namespace lithe {

/// Three numbers of any kind (double, `Counted`, a pack of states, a dual) as a vector, and three of those as the columns of a matrix. Eigen's
/// fixed-size types serve double; these serve code that is written once for all kinds and inlined as a whole.
template <class S>
struct Triple {
  S x, y, z;

  LITHE_INLINE static Triple zero() { return {S(0.0), S(0.0), S(0.0)}; }

  LITHE_INLINE friend Triple operator+(const Triple& a, const Triple& b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
  LITHE_INLINE friend Triple operator-(const Triple& a, const Triple& b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
  LITHE_INLINE friend Triple operator-(const Triple& a) { return {-a.x, -a.y, -a.z}; }
  LITHE_INLINE friend Triple operator*(const S& s, const Triple& a) { return {s * a.x, s * a.y, s * a.z}; }
  LITHE_INLINE Triple& operator+=(const Triple& b) { return *this = *this + b; }
  LITHE_INLINE Triple& operator-=(const Triple& b) { return *this = *this - b; }

  LITHE_INLINE friend S dot(const Triple& a, const Triple& b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
  LITHE_INLINE friend Triple cross(const Triple& a, const Triple& b) {
    return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
  }
};

/// A 3×3 matrix by its columns: of a rotation R_BS, the axes of S seen from B.
template <class S>
struct Columns {
  Triple<S> x, y, z;

  LITHE_INLINE friend Triple<S> operator*(const Columns& A, const Triple<S>& v) {
    return v.x * A.x + v.y * A.y + v.z * A.z;
  }
  /// Aᵀ v
  LITHE_INLINE friend Triple<S> in_axes(const Columns& A, const Triple<S>& v) {
    return {dot(A.x, v), dot(A.y, v), dot(A.z, v)};
  }
};

}  // namespace lithe
