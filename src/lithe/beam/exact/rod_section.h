#pragma once

#include "lithe/beam/exact/rod_inertia.h"

namespace lithe {

/// The section at any x of an exact link, for what stands, pushes or is measured there: its rotation follows from the node before it by one
/// more interval, its place is that of the points' polynomial. As derivatives of these poses W and U are exact, so a load's generalised
/// force is that of its work. Constants; a value.
struct RodSection {
  RodSection(const StrainBasis& basis, double x);

  double x;
  int node_before;  // −1: the root
  StrainBasis::Interval interval;
  VectorXd reach;  // [arms] p = Σ reach_j t_j
};

namespace rod {

/// Sets R, p, turn and slide of `frame`.
template <class S>
void section_place(const StrainBasis& basis, const RodSection& section, const S* delta, const RodPlace<S>& place,
                   typename RodPlace<S>::Interval& work, RodFrame<S>& frame) {
  const AnySize size{basis};
  const int m = size.all(), turning = size.curvatures(), before = section.node_before;
  for (int k = turning; k < m; ++k) frame.turn[k] = Triple<S>::zero();
  place_interval(size, basis, section.interval, delta, before < 0 ? nullptr : &place.R[before],
                 before < 0 ? nullptr : &place.W[before * turning], work, frame.R, frame.turn.data());
  frame.p = Triple<S>::zero();
  for (Triple<S>& slide : frame.slide) slide = Triple<S>::zero();
  for (int j = 0; j < size.points(); ++j) {
    const S reach = section.reach[j];
    frame.p += reach * place.t[j];
    for (int k = 0; k < m; ++k) frame.slide[k] += reach * place.T[j * m + k];
  }
}

/// Sets its spin and ζ, for ω of B, at the place of `section_place`.
template <class S>
void section_motion(const StrainBasis& basis, const RodSection& section, const Triple<S>& omega, const S* rate,
                    const RodPlace<S>& place, const RodMotion<S>& motion, const typename RodPlace<S>::Interval& work,
                    RodFrame<S>& frame) {
  const int before = section.node_before;
  move_interval(AnySize{basis}, basis, section.interval, rate, work, before < 0 ? nullptr : &place.R[before],
                before < 0 ? omega : motion.spin[before], before < 0 ? Triple<S>::zero() : motion.alpha[before],
                frame.spin, frame.zeta_angular);
  frame.zeta_linear = Triple<S>::zero();
  for (int j = 0; j < basis.strains.points; ++j) frame.zeta_linear += S(section.reach[j]) * motion.t_dd[j];
}

}  // namespace rod
}  // namespace lithe
