#pragma once

// The algebra of the articulated recursion, written out: all transforms are rotations about one coordinate axis and shifts along one,
// which cost a fraction of 3×3 products. S is double, a counting number or a pack of doubles. Multiplications are
// stated for one state: what a pair does to both of its numbers counts twice.
//
// Local values are not declared const, here and in the recursion's steps: g++ keeps const objects of class type in memory, and
// half of the instructions would be moves.

#include "lithe/dynamics/articulated/pair.h"
#include "lithe/spatial/inline.h"

namespace lithe::axial {

/// Place of entry (i, j) of a symmetric 3×3 matrix: xx yy zz xy xz yz.
constexpr int at(int i, int j) { return i == j ? i : i + j + 2; }

/// [angular; linear] of a velocity, an acceleration or a wrench, component by component.
template <class S>
struct Vector6 {
  Pair<S> v[3];

  Vector6() = default;
  LITHE_INLINE Vector6(Pair<S> x, Pair<S> y, Pair<S> z) : v{x, y, z} {}
  LITHE_INLINE Vector6(const Vector6& other) : v{other.v[0], other.v[1], other.v[2]} {}
  LITHE_INLINE Vector6& operator=(const Vector6& other) {
    v[0] = other.v[0];
    v[1] = other.v[1];
    v[2] = other.v[2];
    return *this;
  }
  LITHE_INLINE static Vector6 zero() {
    Pair<S> none(S(0.0), S(0.0));
    return {none, none, none};
  }
  LITHE_INLINE static Vector6 of(const S* angular, const S* linear) {
    return {Pair<S>(angular[0], linear[0]), Pair<S>(angular[1], linear[1]), Pair<S>(angular[2], linear[2])};
  }
  LITHE_INLINE Vector6& operator+=(const Vector6& other) {
    v[0] = v[0] + other.v[0];
    v[1] = v[1] + other.v[1];
    v[2] = v[2] + other.v[2];
    return *this;
  }
};

/// A symmetric 6×6, [moment; force] = [[J, H], [Hᵀ, M]] [α; a]: 21 numbers, in 12 pairs.
template <class S>
struct Inertia {
  Pair<S> JM[6];  // (J_ij, M_ij), as `at` orders them
  Twin<S> H[3];   // H_xx, H_yy, H_zz
  Pair<S> HH[3];  // (H_xy, H_yx), (H_xz, H_zx), (H_yz, H_zy)

  // Copied number by number: g++ keeps what it copies as a block in memory.
  Inertia() = default;
  LITHE_INLINE Inertia(const Inertia& other) { *this = other; }
  LITHE_INLINE Inertia& operator=(const Inertia& other) {
    JM[0] = other.JM[0];
    JM[1] = other.JM[1];
    JM[2] = other.JM[2];
    JM[3] = other.JM[3];
    JM[4] = other.JM[4];
    JM[5] = other.JM[5];
    H[0] = other.H[0];
    H[1] = other.H[1];
    H[2] = other.H[2];
    HH[0] = other.HH[0];
    HH[1] = other.HH[1];
    HH[2] = other.HH[2];
    return *this;
  }

  LITHE_INLINE Inertia& operator+=(const Inertia& other) {
    JM[0] = JM[0] + other.JM[0];
    JM[1] = JM[1] + other.JM[1];
    JM[2] = JM[2] + other.JM[2];
    JM[3] = JM[3] + other.JM[3];
    JM[4] = JM[4] + other.JM[4];
    JM[5] = JM[5] + other.JM[5];
    H[0] = H[0] + other.H[0];
    H[1] = H[1] + other.H[1];
    H[2] = H[2] + other.H[2];
    HH[0] = HH[0] + other.HH[0];
    HH[1] = HH[1] + other.HH[1];
    HH[2] = HH[2] + other.HH[2];
    return *this;
  }
  /// (H_ij, H_ji) of i ≠ j.
  template <int i, int j>
  LITHE_INLINE Pair<S> cross() const {
    if constexpr (i < j) return HH[i + j - 1];
    return swapped(HH[i + j - 1]);
  }
  template <int i, int j>
  LITHE_INLINE void set_cross(Pair<S> value) {
    if constexpr (i < j) {
      HH[i + j - 1] = value;
    } else {
      HH[i + j - 1] = swapped(value);
    }
  }
};

/// The inertia of a body with mass m, first moment s and moment of inertia J (as `at` orders it).
template <class S, class C>
LITHE_INLINE Inertia<S> body_inertia(double mass, const C* s, const C* J) {
  Inertia<S> P;
  S zero = 0.0;
  P.JM[0] = Pair<S>(S(J[0]), S(mass));
  P.JM[1] = Pair<S>(S(J[1]), S(mass));
  P.JM[2] = Pair<S>(S(J[2]), S(mass));
  P.JM[3] = Pair<S>(S(J[3]), zero);
  P.JM[4] = Pair<S>(S(J[4]), zero);
  P.JM[5] = Pair<S>(S(J[5]), zero);
  P.H[0] = zero;
  P.H[1] = zero;
  P.H[2] = zero;
  P.HH[0] = Pair<S>(S(-s[2]), S(s[2]));
  P.HH[1] = Pair<S>(S(s[1]), S(-s[1]));
  P.HH[2] = Pair<S>(S(-s[0]), S(s[0]));
  return P;
}
template <class S, class C>
LITHE_INLINE void add_body_inertia(double mass, const C* s, const C* J, Inertia<S>& P) {
  S zero = 0.0;
  P.JM[0] = P.JM[0] + Pair<S>(S(J[0]), S(mass));
  P.JM[1] = P.JM[1] + Pair<S>(S(J[1]), S(mass));
  P.JM[2] = P.JM[2] + Pair<S>(S(J[2]), S(mass));
  P.JM[3] = P.JM[3] + Pair<S>(S(J[3]), zero);
  P.JM[4] = P.JM[4] + Pair<S>(S(J[4]), zero);
  P.JM[5] = P.JM[5] + Pair<S>(S(J[5]), zero);
  P.HH[0] = P.HH[0] + Pair<S>(S(-s[2]), S(s[2]));
  P.HH[1] = P.HH[1] + Pair<S>(S(s[1]), S(-s[1]));
  P.HH[2] = P.HH[2] + Pair<S>(S(-s[0]), S(s[0]));
}

// ---- three-vectors ---------------------------------------------------------------------------------------------------------------

template <class S>
LITHE_INLINE S dot3(const S* a, const S* b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}
template <class S>
LITHE_INLINE void cross(const S* a, const S* b, S* result) {
  S x = a[1] * b[2] - a[2] * b[1], y = a[2] * b[0] - a[0] * b[2], z = a[0] * b[1] - a[1] * b[0];
  result[0] = x, result[1] = y, result[2] = z;
}
template <class S>
LITHE_INLINE void add_cross(const S* a, const S* b, S* sum) {
  sum[0] += a[1] * b[2] - a[2] * b[1];
  sum[1] += a[2] * b[0] - a[0] * b[2];
  sum[2] += a[0] * b[1] - a[1] * b[0];
}
/// Components, in a frame turned by (c, s) about axis k, of a vector known in the frame before the turn. T: number or pair.
template <int k, class C, class T>
LITHE_INLINE void turn_out(C c, C s, T* v) {
  constexpr int i = (k + 1) % 3, j = (k + 2) % 3;
  T x = v[i], y = v[j];
  v[i] = c * x + s * y;
  v[j] = c * y - s * x;
}
/// The inverse: from the turned frame to the one before.
template <int k, class C, class T>
LITHE_INLINE void turn_in(C c, C s, T* v) {
  constexpr int i = (k + 1) % 3, j = (k + 2) % 3;
  T x = v[i], y = v[j];
  v[i] = c * x - s * y;
  v[j] = s * x + c * y;
}
/// A quarter turn only moves entries.
template <int k, bool positive, class T>
LITHE_INLINE void quarter_in(T* v) {
  constexpr int i = (k + 1) % 3, j = (k + 2) % 3;
  T x = v[i], y = v[j];
  v[i] = positive ? -y : y;
  v[j] = positive ? x : -x;
}

// ---- six-vectors -----------------------------------------------------------------------------------------------------------------

template <class S>
LITHE_INLINE S dot6(const Vector6<S>& a, const Vector6<S>& b) {
  return sum(a.v[0] * b.v[0] + a.v[1] * b.v[1] + a.v[2] * b.v[2]);
}
/// An acceleration, taken to an origin that lies d further along axis k.
template <int k, class S>
LITHE_INLINE void shift_out(S d, Vector6<S>& A) {
  constexpr int i = (k + 1) % 3, j = (k + 2) % 3;
  Pair<S> x = A.v[i], y = A.v[j];
  A.v[i] = plus_second(x, d, swapped(y));
  A.v[j] = minus_second(y, d, swapped(x));
}
/// A wrench, taken to an origin that lies d back along axis k.
template <int k, class S>
LITHE_INLINE void shift_in(S d, Vector6<S>& F) {
  constexpr int i = (k + 1) % 3, j = (k + 2) % 3;
  Pair<S> x = F.v[i], y = F.v[j];
  F.v[i] = minus_first(x, d, swapped(y));
  F.v[j] = plus_first(y, d, swapped(x));
}
/// An acceleration, taken to an origin at p: a + α×p.
template <class S>
LITHE_INLINE void shift_out(const S* p, Vector6<S>& A) {
  shift_out<0>(p[0], A);
  shift_out<1>(p[1], A);
  shift_out<2>(p[2], A);
}
/// A wrench at p, taken to the origin: moment + p×force.
template <class S>
LITHE_INLINE void shift_in(const S* p, Vector6<S>& F) {
  shift_in<0>(p[0], F);
  shift_in<1>(p[1], F);
  shift_in<2>(p[2], F);
}

// ---- inertias, always inwards ----------------------------------------------------------------------------------------------------

/// Turned about axis k: 28 multiplications; 20 where the moment about z takes nothing and k is z.
template <int k, class S>
LITHE_INLINE void turn_in(Twin<S> c, Twin<S> s, Inertia<S>& P) {
  constexpr int i = (k + 1) % 3, j = (k + 2) % 3;
  {
    Pair<S>*A = P.JM, b = A[at(i, j)];
    Pair<S> u = s * (A[i] - A[j]) + c * (b + b), su = s * u;
    A[i] = A[i] - su;
    A[j] = A[j] + su;
    A[at(i, j)] = c * u - b;
    Pair<S> x = A[at(i, k)], y = A[at(j, k)];
    A[at(i, k)] = c * x - s * y;
    A[at(j, k)] = s * x + c * y;
  }
  Pair<S> b = P.template cross<i, j>();
  Twin<S> both = twin_low(b) + twin_high(b);
  Twin<S> u = s * (P.H[i] - P.H[j]) + c * both, su = s * u;
  P.H[i] = P.H[i] - su;
  P.H[j] = P.H[j] + su;
  P.template set_cross<i, j>(c * u - swapped(b));
  if constexpr (k == 1) {
    Pair<S> x = P.template cross<i, k>(), y = P.template cross<j, k>();
    P.template set_cross<i, k>(c * x - s * y);
    P.template set_cross<j, k>(s * x + c * y);
  } else {  // both stored in the same order, whichever it is
    Pair<S> x = P.HH[i + k - 1], y = P.HH[j + k - 1];
    P.HH[i + k - 1] = c * x - s * y;
    P.HH[j + k - 1] = s * x + c * y;
  }
}

template <int k, bool positive, class S>
LITHE_INLINE void quarter_in(Inertia<S>& P) {
  constexpr int i = (k + 1) % 3, j = (k + 2) % 3;
  Pair<S>* A = P.JM;
  Pair<S> ii = A[i], jj = A[j], ik = A[at(i, k)], jk = A[at(j, k)];
  A[i] = jj;
  A[j] = ii;
  A[at(i, j)] = -A[at(i, j)];
  A[at(i, k)] = positive ? -jk : jk;
  A[at(j, k)] = positive ? ik : -ik;
  Twin<S> h_ii = P.H[i], h_jj = P.H[j];
  P.H[i] = h_jj;
  P.H[j] = h_ii;
  P.template set_cross<i, j>(-swapped(P.template cross<i, j>()));
  Pair<S> x = P.template cross<i, k>(), y = P.template cross<j, k>();
  P.template set_cross<i, k>(positive ? -y : y);
  P.template set_cross<j, k>(positive ? x : -x);
}

/// To an origin that lies d back along axis k: 10.
template <int k, class S>
LITHE_INLINE void shift_in(S d, Inertia<S>& P) {
  constexpr int i = (k + 1) % 3, j = (k + 2) % 3;
  Twin<S> both(d);
  Pair<S>* A = P.JM;
  Pair<S> ij = P.template cross<i, j>();
  Twin<S> m_ij = both * twin_high(A[at(i, j)]), h_ii = P.H[i];
  Pair<S> new_ij = ij + Pair<S>(-d, d) * highs(A[j], A[i]);
  P.H[i] = P.H[i] - m_ij;
  P.H[j] = P.H[j] + m_ij;
  P.template set_cross<i, j>(new_ij);
  Pair<S> twice = ij + new_ij, m_ik = A[at(i, k)], m_jk = A[at(j, k)];
  A[i] = minus_first(A[i], d, twice);
  A[j] = plus_first(A[j], d, swapped(twice));
  A[at(i, j)] = plus_first(A[at(i, j)], d, Pair<S>(h_ii - P.H[j]));
  if constexpr (k == 0) {  // stored as (H_ki, H_ik)
    Pair<S> ki = P.HH[i + k - 1], kj = P.HH[j + k - 1];
    P.HH[i + k - 1] = minus_second(ki, d, m_jk);
    P.HH[j + k - 1] = plus_second(kj, d, m_ik);
    A[at(i, k)] = minus_first(m_ik, d, kj);
    A[at(j, k)] = plus_first(m_jk, d, ki);
  } else {
    Pair<S> ik = P.template cross<i, k>(), jk = P.template cross<j, k>();
    P.template set_cross<i, k>(minus_first(ik, d, swapped(m_jk)));
    P.template set_cross<j, k>(plus_first(jk, d, swapped(m_ik)));
    A[at(i, k)] = minus_first(m_ik, d, swapped(jk));
    A[at(j, k)] = plus_first(m_jk, d, swapped(ik));
  }
}

/// P A: 36.
template <class S>
LITHE_INLINE Vector6<S> times(const Inertia<S>& P, const Vector6<S>& A) {
  const Pair<S>*v = A.v, *JM = P.JM, *HH = P.HH;
  Pair<S> x = swapped(v[0]), y = swapped(v[1]), z = swapped(v[2]);
  return {(JM[0] * v[0] + JM[3] * v[1] + JM[4] * v[2]) + (P.H[0] * x + HH[0] * y + HH[1] * z),
          (JM[3] * v[0] + JM[1] * v[1] + JM[5] * v[2]) + (swapped(HH[0]) * x + P.H[1] * y + HH[2] * z),
          (JM[4] * v[0] + JM[5] * v[1] + JM[2] * v[2]) + (swapped(HH[1]) * x + swapped(HH[2]) * y + P.H[2] * z)};
}
/// P [axis; 0]: 18.
template <class S>
LITHE_INLINE Vector6<S> times_turn(const Inertia<S>& P, const S* axis) {
  const Pair<S>*JM = P.JM, *HH = P.HH;
  Twin<S> x(axis[0]), y(axis[1]), z(axis[2]);
  return {x * mixed(JM[0], Pair<S>(P.H[0])) + y * mixed(JM[3], HH[0]) + z * mixed(JM[4], HH[1]),
          x * mixed(JM[3], swapped(HH[0])) + y * mixed(JM[1], Pair<S>(P.H[1])) + z * mixed(JM[5], HH[2]),
          x * mixed(JM[4], swapped(HH[1])) + y * mixed(JM[5], swapped(HH[2])) + z * mixed(JM[2], Pair<S>(P.H[2]))};
}
/// P [0; e_k]: the force's columns.
template <int k, class S>
LITHE_INLINE Vector6<S> slide_column(const Inertia<S>& P) {
  const auto entry = [&](int i) { return highs(i < k ? swapped(P.HH[i + k - 1]) : P.HH[i + k - 1], P.JM[at(i, k)]); };
  Vector6<S> column;
  for (int i = 0; i < 3; ++i) column.v[i] = i == k ? highs(Pair<S>(P.H[k]), P.JM[k]) : entry(i);
  return column;
}
/// P [e_z; 0].
template <class S>
LITHE_INLINE Vector6<S> turn_column_z(const Inertia<S>& P) {
  return {mixed(P.JM[4], P.HH[1]), mixed(P.JM[5], P.HH[2]), mixed(P.JM[2], Pair<S>(P.H[2]))};
}

/// P −= U Lᵀ, where L is U over a pivot: 21. If L's last moment is exactly 1, that entry becomes exactly zero.
template <class S>
LITHE_INLINE void subtract(const Vector6<S>& U, const Vector6<S>& L, Inertia<S>& P) {
  const Pair<S>*u = U.v, *l = L.v;
  P.JM[0] = P.JM[0] - u[0] * l[0];
  P.JM[1] = P.JM[1] - u[1] * l[1];
  P.JM[2] = P.JM[2] - u[2] * l[2];
  P.JM[3] = P.JM[3] - u[0] * l[1];
  P.JM[4] = P.JM[4] - u[0] * l[2];
  P.JM[5] = P.JM[5] - u[1] * l[2];
  P.H[0] = P.H[0] - twin_high(u[0]) * twin_low(l[0]);
  P.H[1] = P.H[1] - twin_high(u[1]) * twin_low(l[1]);
  P.H[2] = P.H[2] - twin_high(u[2]) * twin_low(l[2]);
  // (u_i l′_j, u′_i l_j): the second is u_j l′_i, as L ∝ U
  P.HH[0] = P.HH[0] - u[0] * swapped(l[1]);
  P.HH[1] = P.HH[1] - u[0] * swapped(l[2]);
  P.HH[2] = P.HH[2] - u[1] * swapped(l[2]);
}
/// Sets to zero what a joint about z without rotor eliminates: the moment about z.
template <class S>
LITHE_INLINE void clear_z(Inertia<S>& P) {
  Pair<S> none(S(0.0), S(0.0));
  P.JM[2] = mixed(none, P.JM[2]);
  P.JM[4] = mixed(none, P.JM[4]);
  P.JM[5] = mixed(none, P.JM[5]);
  P.H[2] = Twin<S>(S(0.0));
  P.HH[1] = mixed(P.HH[1], none);
  P.HH[2] = mixed(P.HH[2], none);
}

// ---- what rates of turning do ----------------------------------------------------------------------------------------------------

/// The products ω_i ω_j, as a symmetric matrix.
template <class S>
struct Products {
  S w[6];
  LITHE_INLINE explicit Products(const S* v)
      : w{v[0] * v[0], v[1] * v[1], v[2] * v[2], v[0] * v[1], v[0] * v[2], v[1] * v[2]} {}
};

/// ω×(Jω): 12.
template <class S, class C>
LITHE_INLINE void euler(const S* w2, const C* J, S* moment) {
  moment[0] = (J[2] - J[1]) * w2[5] + J[5] * (w2[1] - w2[2]) + J[4] * w2[3] - J[3] * w2[4];
  moment[1] = (J[0] - J[2]) * w2[4] + J[4] * (w2[2] - w2[0]) + J[3] * w2[5] - J[5] * w2[3];
  moment[2] = (J[1] - J[0]) * w2[3] + J[3] * (w2[0] - w2[1]) + J[5] * w2[4] - J[4] * w2[5];
}
/// ω×(ω×s): 9.
template <class S, class C>
LITHE_INLINE void centripetal(const S* w2, const C* s, S* result) {
  result[0] = w2[3] * s[1] + w2[4] * s[2] - (w2[1] + w2[2]) * s[0];
  result[1] = w2[3] * s[0] + w2[5] * s[2] - (w2[0] + w2[2]) * s[1];
  result[2] = w2[4] * s[0] + w2[5] * s[1] - (w2[0] + w2[1]) * s[2];
}

}  // namespace lithe::axial
