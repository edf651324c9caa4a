#pragma once

#include "lithe/beam/exact/rod_inertia.h"

namespace lithe::rod {

/// Sets the section's rotation and place and, by coordinate, how they move it: turn W and slide U.
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

/// Sets its spin and ζ, for ω of B, at the place of `section_place`.
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

}  // namespace lithe::rod
