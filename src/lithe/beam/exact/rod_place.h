#pragma once

#include "lithe/beam/exact/magnus.h"
#include "lithe/beam/exact/rod_size.h"
#include "lithe/beam/exact/turn_series.h"

namespace lithe {

/// Where the sections of an exact link are and how its coordinates move them, all in axes of its root frame B. With w the angular velocity
/// and ṗ the velocity of a section relative to B,
///
///   R′ = R [κ]×     p′ = t = R ν     w = Σ W_k δ̇_k     ṗ = Σ U_k δ̇_k     W_k = ∫ R Ψ_κ,k     U_k = ∫ (W_k × t + R Ψ_ν,k)      (4)
///
/// W and U are derivatives of the discrete poses, not quadratures of (4) by another rule: ∂_l W_k − ∂_k W_l = W_l × W_k and ∂_l U_k =
/// ∂_k U_l to rounding. That makes the discrete link a mechanical system for any number of points. Per interval, with the moments a, β of
/// the curvature over it and [·] the node it starts from,
///
///   Ω = a + a×β     R = [R] exp[Ω]× = [R] + B [Ω]×     B = [R] J_l(Ω)     W_k = [W_k] + B ∂Ω/∂δ_k                               (5)
///
/// The sign: R′ = R[κ]× multiplies on the right, so the bracket is opposite to that of Y′ = A Y. All coordinates of one direction e_r
/// share two vectors, for ∂Ω/∂δ_k is linear in their constants ∂a/∂δ_k = z⁰_k e_r and ∂β/∂δ_k = z¹_k e_r:
///
///   W_k = [W_k] + z⁰_k B(e_r + e_r×β) + z¹_k B(a×e_r)                                                                           (6)
///
/// Of places nothing is formed but the arms t_j and T_jk = ∂t_j/∂δ_k; the rest is constant combinations of these (strain_basis.h).
template <class S>
struct RodPlace {
  explicit RodPlace(const StrainBasis& basis)
      : R(size_t(basis.n_nodes())),
        W(size_t(basis.n_nodes() * basis.n_curvatures())),
        t(size_t(basis.n_arms())),
        T(size_t(basis.n_arms() * basis.size())),
        intervals(size_t(basis.n_nodes())) {}

  std::vector<Columns<S>> R;  // [node]
  std::vector<Triple<S>> W;   // [node × curvatures]: other coordinates turn no section
  std::vector<Triple<S>> t;   // [arm]
  std::vector<Triple<S>> T;   // [arm × coordinates]

  /// Of the interval before a node, for the velocity terms.
  struct Interval {
    CurvatureMoments<S> moments;
    Triple<S> Omega;
    TurnSeries<S> series;
    Columns<S> B;
  };
  std::vector<Interval> intervals;
};

namespace rod {

/// Σ z_k δ_k over the terms of each curvature, from term `from` on.
template <class S, class Size>
LITHE_INLINE Triple<S> curvature(const Size& size, const double* z, const S* delta, int from) {
  const auto sum = [&](const S* d, int n) {
    if (n <= from) return S(0.0);
    S result = z[from] * d[from];
    for (int k = from + 1; k < n; ++k) result += z[k] * d[k];
    return result;
  };
  const S *y = delta, *of_z = y + size.y(), *x = of_z + size.z();
  return {sum(x, size.x()), -sum(of_z, size.z()), sum(y, size.y())};
}

template <class S>
Triple<S> constant(const Vector3d& v) {
  return {S(v.x()), S(v.y()), S(v.z())};
}

/// The moments over the interval before a node. A constant curvature has no first moment.
template <class S, class Size>
LITHE_INLINE CurvatureMoments<S> moments(const Size& size, const StrainBasis& basis,
                                         const StrainBasis::Interval& interval, const S* delta, bool with_initial) {
  CurvatureMoments<S> result;
  result.a = curvature(size, interval.moment0.data(), delta, 0);
  result.beta = curvature(size, interval.moment1.data(), delta, 1);
  if constexpr (!Size::known) {
    if (with_initial && !basis.strains.initial_curvature.isZero(0)) {
      result.a += constant<S>(interval.initial0);
      result.beta += constant<S>(interval.initial1);
    }
    if (basis.strains.order == 6) {
      result.e = curvature(size, interval.moment2.data(), delta, 0);
      if (with_initial) result.e += constant<S>(interval.initial2);
    }
  }
  return result;
}

/// (6) for the coordinates of one direction, from `first` on: `per0`, `per1` are their two vectors (of order 6, `per2` a third).
template <class S>
LITHE_INLINE void add_turns(const Triple<S>* before, Triple<S>* W, int n, const StrainBasis::Interval& interval,
                            const Triple<S>& per0, const Triple<S>& per1) {
  for (int k = 0; k < n; ++k) {
    Triple<S> turn = S(interval.moment0[k]) * per0;
    if (k > 0) turn += S(interval.moment1[k]) * per1;
    W[k] = before == nullptr ? turn : before[k] + turn;
  }
}

/// The columns of ∂Ω/∂a, ∂Ω/∂β, ∂Ω/∂e along e_r, of order 6, turned by B.
template <class S>
void add_turns_of_order_6(const Triple<S>* before, Triple<S>* W, int n, const StrainBasis::Interval& interval,
                          const CurvatureMoments<S>& moments, const Triple<S>& e, const Columns<S>& B) {
  if (n == 0) return;
  const Triple<S> none = Triple<S>::zero();
  const Triple<S> per0 = B * Magnus6<S>::of(moments, {e, none, none}).slope;
  const Triple<S> per1 = B * Magnus6<S>::of(moments, {none, e, none}).slope;
  const Triple<S> per2 = B * Magnus6<S>::of(moments, {none, none, e}).slope;
  for (int k = 0; k < n; ++k) {
    Triple<S> turn = S(interval.moment0[k]) * per0 + S(interval.moment1[k]) * per1 + S(interval.moment2[k]) * per2;
    W[k] = before == nullptr ? turn : before[k] + turn;
  }
}

/// One interval (5), (6): from the rotation and W at its start (null: the root) to those at its end.
template <class S, class Size>
LITHE_INLINE void place_interval(const Size& size, const StrainBasis& basis, const StrainBasis::Interval& constants,
                                 const S* delta, const Columns<S>* R0, const Triple<S>* W0,
                                 typename RodPlace<S>::Interval& work, Columns<S>& R, Triple<S>* W) {
  work.moments = moments(size, basis, constants, delta, true);
  Triple<S> a = work.moments.a, beta = work.moments.beta;
  Triple<S> Omega = a + cross(a, beta);
  bool of_order_4 = true;
  if constexpr (!Size::known) {
    of_order_4 = basis.strains.order == 4;
    if (!of_order_4) Omega = Magnus6<S>::of(work.moments, work.moments).value;
  }
  S xx = Omega.x * Omega.x, yy = Omega.y * Omega.y, zz = Omega.z * Omega.z;
  work.Omega = Omega;
  work.series = TurnSeries<S>::at(xx + yy + zz);

  // J_l = 1 + b[Ω]× + c[Ω]×²
  S b = work.series.b, c = work.series.c;
  Triple<S> skew = b * Omega;
  S xy = c * (Omega.x * Omega.y), xz = c * (Omega.x * Omega.z), yz = c * (Omega.y * Omega.z);
  S one = 1.0;
  Columns<S> B{{one - c * (yy + zz), xy + skew.z, xz - skew.y},
               {xy - skew.z, one - c * (xx + zz), yz + skew.x},
               {xz + skew.y, yz - skew.x, one - c * (xx + yy)}};
  if (R0 != nullptr) B = {*R0 * B.x, *R0 * B.y, *R0 * B.z};
  work.B = B;
  R = {Omega.z * B.y - Omega.y * B.z, Omega.x * B.z - Omega.z * B.x, Omega.y * B.x - Omega.x * B.y};
  if (R0 != nullptr) {
    R = {R0->x + R.x, R0->y + R.y, R0->z + R.z};
  } else {
    R.x.x += one;
    R.y.y += one;
    R.z.z += one;
  }

  const int ny = size.y(), nz = size.z(), nx = size.x();
  const auto start = [&](int k) { return W0 == nullptr ? nullptr : W0 + k; };
  if (of_order_4) {
    if (ny > 0) add_turns(start(0), W, ny, constants, B.z - beta.y * B.x + beta.x * B.y, a.y * B.x - a.x * B.y);
    if (nz > 0)
      add_turns(start(ny), W + ny, nz, constants, beta.x * B.z - beta.z * B.x - B.y, a.z * B.x - a.x * B.z);  // −e_y
    if (nx > 0)
      add_turns(start(ny + nz), W + ny + nz, nx, constants, B.x - beta.z * B.y + beta.y * B.z, a.z * B.y - a.y * B.z);
  } else {
    const S zero = 0.0;
    add_turns_of_order_6(start(0), W, ny, constants, work.moments, {zero, zero, one}, B);
    add_turns_of_order_6(start(ny), W + ny, nz, constants, work.moments, {zero, -one, zero}, B);
    add_turns_of_order_6(start(ny + nz), W + ny + nz, nx, constants, work.moments, {one, zero, zero}, B);
  }
}

/// An arm and its slopes in the section R, whose W are given.
template <class S, class Size>
LITHE_INLINE void place_arm(const Size& size, const StrainBasis& basis, const StrainBasis::Arm& arm, bool of_point,
                            const S* delta, const Columns<S>& R, const Triple<S>* W, Triple<S>& t, Triple<S>* T) {
  t = R.x;
  if constexpr (!Size::known) {
    if (!of_point) {
      t = R * constant<S>(arm.fixed);
      for (int k = size.curvatures(); k < size.all(); ++k) T[k] = Triple<S>::zero();
    } else if (basis.stretches()) {
      const Triple<S>* axes[] = {&R.x, &R.y, &R.z};
      for (int k = size.curvatures(); k < size.all(); ++k) {
        const StrainBasis::Term& term = basis.terms[k];
        T[k] = S(arm.legendre[term.k]) * *axes[int(term.kind) - int(StrainKind::axial)];
        t += delta[k] * T[k];
      }
    }
  }
  for (int k = 0; k < size.curvatures(); ++k) T[k] = cross(W[k], t);
}

/// Algorithm 1. Without the tip, its section is left out: a link that carries nothing needs none.
template <class S, class Size>
LITHE_INLINE void place(const Size& size, const StrainBasis& basis, const S* delta, bool with_tip,
                        RodPlace<S>& result) {
  const int nodes = with_tip ? size.tip() + 1 : size.tip(), m = size.curvatures();
  for (int i = 0; i < nodes; ++i)
    place_interval(size, basis, basis.nodes[i].before, delta, i == 0 ? nullptr : &result.R[i - 1],
                   i == 0 ? nullptr : &result.W[(i - 1) * m], result.intervals[i], result.R[i], &result.W[i * m]);
  for (int j = 0; j < size.arms(); ++j) {
    const int node = Size::known ? j : basis.arms[j].node;
    place_arm(size, basis, basis.arms[j], j < size.points(), delta, result.R[node], &result.W[node * m], result.t[j],
              &result.T[j * size.all()]);
  }
}

}  // namespace rod
}  // namespace lithe
