#pragma once

#include "lithe/beam/exact/rod_place.h"

namespace lithe {

/// How the sections of an exact link move at rates δ̇ while B turns by ω, with δ̈ = 0 and B not accelerated: what velocities alone do. In
/// axes of B, and seen from the space in which B turns: spin = ω + w, and its rate α, which joins ω × w and the ẇ₀ of ẇ = W δ̈ + ẇ₀. Both
/// come out of one chain, begun with ω instead of 0. With y the spin that an interval adds,
///
///   y = B Ω̇     α = [α] + [spin] × y + [R] (J̇_l Ω̇) + B Ω̈₀     spin = [spin] + y                                             (7)
///   Ω̇ = ȧ + ȧ×β + a×β̇     Ω̈₀ = 2 ȧ×β̇     J̇_l Ω̇ = ḃ Ω×Ω̇ + ċ Ω×(Ω×Ω̇) + c Ω̇×(Ω×Ω̇)
///
/// An arm then accelerates, relative to its foot, by α × t + spin × (spin × t) + 2 spin × R ν̇: the centrifugal and Coriolis terms of B's
/// turning are in it, so no sum over places has to add them.
template <class S>
struct RodMotion {
  explicit RodMotion(const StrainBasis& basis)
      : spin(size_t(basis.n_nodes())), alpha(size_t(basis.n_nodes())), t_dd(size_t(basis.n_arms())) {}

  std::vector<Triple<S>> spin, alpha;  // [node]
  std::vector<Triple<S>> t_dd;         // [arm]
};

namespace rod {

/// One interval of (7), from its start (R0 null: the root) to its end.
template <class S, class Size>
LITHE_INLINE void move_interval(const Size& size, const StrainBasis& basis, const StrainBasis::Interval& constants,
                                const S* rate, const typename RodPlace<S>::Interval& at, const Columns<S>* R0,
                                const Triple<S>& spin0, const Triple<S>& alpha0, Triple<S>& spin, Triple<S>& alpha) {
  CurvatureMoments<S> rates = moments(size, basis, constants, rate, false);
  Triple<S> a = at.moments.a, beta = at.moments.beta, Omega = at.Omega;
  Triple<S> Omega_d = rates.a + cross(rates.a, beta) + cross(a, rates.beta);
  Triple<S> half = cross(rates.a, rates.beta), Omega_dd = half + half;
  if constexpr (!Size::known) {
    if (basis.strains.order == 6) {
      const Magnus6<S> magnus = Magnus6<S>::of(at.moments, rates);
      Omega_d = magnus.slope;
      Omega_dd = magnus.second;
    }
  }
  const TurnSeries<S>& series = at.series;
  Triple<S> once = cross(Omega, Omega_d);
  S x_rate = dot(Omega, Omega_d);  // half of it
  S e1 = series.two_db * x_rate, e2 = series.two_dc * x_rate;
  Triple<S> turning = e1 * once + cross(e2 * Omega + series.c * Omega_d, once);
  if (R0 != nullptr) turning = *R0 * turning;
  Triple<S> own = at.B * Omega_d;
  alpha = alpha0 + cross(spin0, own) + turning + at.B * Omega_dd;
  spin = spin0 + own;
}

/// Algorithm 2.
template <class S, class Size>
LITHE_INLINE void move(const Size& size, const StrainBasis& basis, const RodPlace<S>& place, const Triple<S>& omega,
                       const S* rate, bool with_tip, RodMotion<S>& result) {
  const int nodes = with_tip ? size.tip() + 1 : size.tip();
  Triple<S> spin = omega, alpha = Triple<S>::zero();
  for (int i = 0; i < nodes; ++i) {
    move_interval(size, basis, basis.nodes[i].before, rate, place.intervals[i], i == 0 ? nullptr : &place.R[i - 1],
                  spin, alpha, result.spin[i], result.alpha[i]);
    spin = result.spin[i];
    alpha = result.alpha[i];
  }
  for (int j = 0; j < size.arms(); ++j) {
    const int node = Size::known ? j : basis.arms[j].node;
    const Triple<S>&w = result.spin[node], &t = place.t[j];
    result.t_dd[j] = cross(result.alpha[node], t) + cross(w, cross(w, t));
    if constexpr (!Size::known) {
      if (!basis.stretches() || j >= size.points()) continue;
      Triple<S> stretching = Triple<S>::zero();  // R ν̇
      for (int k = size.curvatures(); k < size.all(); ++k) stretching += rate[k] * place.T[j * size.all() + k];
      const Triple<S> half = cross(w, stretching);
      result.t_dd[j] += half + half;
    }
  }
}

}  // namespace rod
}  // namespace lithe
