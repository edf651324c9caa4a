#pragma once

#include "lithe/beam/exact/exact_link.h"

namespace lithe::rod {

/// On a link of one piece: sets the section's rotation and place and, by coordinate, how they move it: turn W and slide U.
template <class S>
void section_place(const StrainBasis& basis, const RodSection& section, const S* delta, const RodPlace<S>& place,
                   typename RodPlace<S>::Interval& work, Columns<S>& R, Triple<S>& p, Triple<S>* turn,
                   Triple<S>* slide) {
  const AnySize size{basis};
  const int m = size.all(), turning = size.curvatures(), before = section.node_before;
  for (int k = turning; k < m; ++k) turn[k] = Triple<S>::zero();
  place_interval(size, basis, section.interval, delta, before < 0 ? nullptr : &place.R[before],
                 before < 0 ? nullptr : &place.W[before * turning], work, R, turn);
  p = Triple<S>::zero();
  for (int k = 0; k < m; ++k) slide[k] = Triple<S>::zero();
  for (int j = 0; j < size.points(); ++j) {
    const S reach = section.reach[j];
    p += reach * place.t[j];
    for (int k = 0; k < m; ++k) slide[k] += reach * place.T[j * m + k];
  }
}

/// On a link of one piece: sets its spin and ζ, for ω of B, at the place of `section_place`.
template <class S>
void section_motion(const StrainBasis& basis, const RodSection& section, const Triple<S>& omega, const S* rate,
                    const RodPlace<S>& place, const RodMotion<S>& motion, const typename RodPlace<S>::Interval& work,
                    Triple<S>& spin, Triple<S>& zeta_angular, Triple<S>& zeta_linear) {
  const int before = section.node_before;
  move_interval(AnySize{basis}, basis, section.interval, rate, work, before < 0 ? nullptr : &place.R[before],
                before < 0 ? omega : motion.spin[before], before < 0 ? Triple<S>::zero() : motion.alpha[before], spin,
                zeta_angular);
  zeta_linear = Triple<S>::zero();
  for (int j = 0; j < basis.strains.points; ++j) zeta_linear += S(section.reach[j]) * motion.t_dd[j];
}

/// On any link: sets the section's rotation and place and, by coordinate, how they move it. The pieces before its own carry it as one
/// body, those beyond do not move it. `link` must have its sections (LinkDetail) and be at δ.
template <class S>
void section_place(const ExactLink<S>& link, const RodSection& section, const S* delta,
                   typename RodPlace<S>::Interval& work, Columns<S>& R, Triple<S>& p, Triple<S>* turn,
                   Triple<S>* slide) {
  const StrainBasis& basis = link.basis();
  if (basis.pieces.empty()) return section_place(basis, section, delta, link.sections(), work, R, p, turn, slide);
  const int m = basis.pieces[0].size(), own = section.piece * m;
  section_place(basis.pieces[size_t(section.piece)], section, delta + own, link.piece(section.piece).sections(), work,
                R, p, turn + own, slide + own);
  const auto& start = link.start(section.piece);
  R = {start.R * R.x, start.R * R.y, start.R * R.z};
  p = start.p + start.R * p;
  for (int k = own; k < own + m; ++k) {
    turn[k] = start.R * turn[k];
    slide[k] = start.R * slide[k];
  }
  for (int i = 0, k = 0; i < section.piece; ++i) {
    const auto& before = link.start(i);
    const Triple<S> beyond = p - before.p - before.way;
    for (int l = 0; l < m; ++l, ++k) {
      turn[k] = before.turn[size_t(l)];
      slide[k] = before.slide[size_t(l)] + cross(turn[k], beyond);
    }
  }
  for (int k = own + m; k < basis.size(); ++k) turn[k] = slide[k] = Triple<S>::zero();
}

/// Sets its spin and ζ, at the place p of `section_place` and the rates of the link.
template <class S>
void section_motion(const ExactLink<S>& link, const RodSection& section, const Triple<S>& omega, const S* rate,
                    const typename RodPlace<S>::Interval& work, const Triple<S>& p, Triple<S>& spin,
                    Triple<S>& zeta_angular, Triple<S>& zeta_linear) {
  const StrainBasis& basis = link.basis();
  if (basis.pieces.empty())
    return section_motion(basis, section, omega, rate, link.sections(), link.motion(), work, spin, zeta_angular,
                          zeta_linear);
  const auto& start = link.start(section.piece);
  const ExactLink<S>& own = link.piece(section.piece);
  section_motion(own.basis(), section, in_axes(start.R, start.spin), rate + section.piece * own.basis().size(),
                 own.sections(), own.motion(), work, spin, zeta_angular, zeta_linear);
  spin = start.R * spin;
  zeta_angular = start.alpha + start.R * zeta_angular;
  zeta_linear = start.accel + cross(start.alpha, p - start.p) + start.R * zeta_linear;
}

}  // namespace lithe::rod
