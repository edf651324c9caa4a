#pragma once

// What the passes of the recursion share: constant turns, and the choice of a beam's steps. Part of the recursion: included where
// that is compiled, and nowhere else.

#include "lithe/dynamics/articulated/border_step.h"
#include "lithe/dynamics/articulated/connection.h"
#include "lithe/dynamics/articulated/exact_step.h"

namespace lithe::forward_recursion {

using Motion = BodyPlan::Motion;
using Carrier = BodyPlan::Carrier;
using Form = BodyPlan::Form;

/// A pair known at assembly.
template <class S>
LITHE_INLINE Pair<S> constant(const Pair<double>& pair) {
  return Pair<S>(S(pair.low()), S(pair.high()));
}
/// On numbers or pairs of them.
template <int k, class S, class T>
LITHE_INLINE void out(ConstantTurn::Kind kind, const ConstantTurn& turn, T* v) {
  using C = std::conditional_t<std::is_same_v<S, T>, S, Twin<S>>;
  switch (kind) {
    case ConstantTurn::Kind::none:
      break;
    case ConstantTurn::Kind::quarter:
      axial::quarter_in<k, false>(v);
      break;
    case ConstantTurn::Kind::minus_quarter:
      axial::quarter_in<k, true>(v);
      break;
    case ConstantTurn::Kind::generic:
      axial::turn_out<k>(C(S(turn.c)), C(S(turn.s)), v);
      break;
  }
}
/// An inertia and its wrench.
template <int k, class S>
LITHE_INLINE void in(S c, S s, axial::Inertia<S>& P, axial::Vector6<S>& p) {
  Twin<S> cosine(c), sine(s);
  axial::turn_in<k>(cosine, sine, P);
  axial::turn_in<k>(cosine, sine, p.v);
}
template <int k, class S>
LITHE_INLINE void in(ConstantTurn::Kind kind, const ConstantTurn& turn, axial::Inertia<S>& P, axial::Vector6<S>& p) {
  switch (kind) {
    case ConstantTurn::Kind::none:
      break;
    case ConstantTurn::Kind::quarter:
      axial::quarter_in<k, true>(P);
      axial::quarter_in<k, true>(p.v);
      break;
    case ConstantTurn::Kind::minus_quarter:
      axial::quarter_in<k, false>(P);
      axial::quarter_in<k, false>(p.v);
      break;
    case ConstantTurn::Kind::generic:
      in<k>(S(turn.c), S(turn.s), P, p);
      break;
  }
}
template <int k, class S>
LITHE_INLINE void out(S c, S s, axial::Vector6<S>& A) {
  axial::turn_out<k>(Twin<S>(c), Twin<S>(s), A.v);
}

/// Calls visit(BeamStep) for the beam's numbers of shapes: those of common arms are known to the compiler.
template <class S, class Visit>
LITHE_INLINE auto with_beam(const BeamPlan& plan, Visit visit) {
  constexpr auto key = [](int ny, int nz, int nt) { return 10000 * ny + 100 * nz + nt; };  // none exceeds 16
  switch (key(plan.ny, plan.nz, plan.nt)) {
    case key(1, 0, 0):
      return visit(BeamStep<1, 0, 0, S>(plan));
    case key(0, 1, 0):
      return visit(BeamStep<0, 1, 0, S>(plan));
    case key(2, 0, 0):
      return visit(BeamStep<2, 0, 0, S>(plan));
    case key(0, 2, 0):
      return visit(BeamStep<0, 2, 0, S>(plan));
    case key(1, 1, 0):
      return visit(BeamStep<1, 1, 0, S>(plan));
    case key(1, 1, 1):
      return visit(BeamStep<1, 1, 1, S>(plan));
    case key(2, 2, 0):
      return visit(BeamStep<2, 2, 0, S>(plan));
    case key(2, 2, 2):
      return visit(BeamStep<2, 2, 2, S>(plan));
    case key(2, 2, 1):
      return visit(BeamStep<2, 2, 1, S>(plan));
    default:
      return visit(BeamStep<-1, -1, -1, S>(plan));
  }
}

/// A rotation, by its entries, as turns about z x z or y x z: the first two in `body`, the third's cosine and sine in cg and sg.
/// Tried first by the split that `by_zxz` says.
template <class S, class Entry>
LITHE_INLINE void split(bool by_zxz, const Entry& entry, BodyWork<S>& body, S& cg, S& sg) {
  constexpr double too_close = 0.02;  // to where a split is undetermined: take the other one
  for (body.by_zxz = by_zxz;; body.by_zxz = !body.by_zxz) {
    using std::sqrt;
    const int other = body.by_zxz ? 1 : 2;  // the row beside x whose entry the first turn mixes
    S u = entry(0, 2), v = entry(other, 2), square = u * u + v * v;
    const unsigned close = lanes_not_above(square, too_close);
    if (close != 0 && body.by_zxz == by_zxz) continue;
    body.lost_lanes = close;
    S root = sqrt(square), inverse = 1.0 / root;
    body.s1 = u * inverse;
    if (body.by_zxz) {
      body.c1 = -(v * inverse);
      body.sb = root;
      body.cb = entry(2, 2);
      cg = body.c1 * entry(0, 0) + body.s1 * entry(1, 0);
      sg = -(body.c1 * entry(0, 1) + body.s1 * entry(1, 1));
    } else {
      body.c1 = v * inverse;
      body.cb = root;
      body.sb = -entry(1, 2);
      cg = body.c1 * entry(0, 0) - body.s1 * entry(2, 0);
      sg = -(body.c1 * entry(0, 1) - body.s1 * entry(2, 1));
    }
    return;
  }
}

template <class S>
bool is_driven_by(const typename ForwardRecursion<S>::Call& call, const BodyPlan& plan) {
  return call.driven != nullptr && plan.motion != Motion::fixed && (*call.driven)[plan.v0];
}

/// Rᵀ v of a constant R.
template <class S>
LITHE_INLINE void rotate_back(const Matrix3d& R, const S* v, S* result) {
  for (int i = 0; i < 3; ++i) result[i] = R(0, i) * v[0] + R(1, i) * v[1] + R(2, i) * v[2];
}

/// Rᵀ of a free base, from its quaternion (w x y z at q + 3), applied to v.
template <class S>
void rotate_back_free(const S* q, const S* v, S* result) {
  using std::sqrt;
  S inverse = 1.0 / sqrt(q[3] * q[3] + q[4] * q[4] + q[5] * q[5] + q[6] * q[6]);
  S w = q[3] * inverse, u[3] = {q[4] * inverse, q[5] * inverse, q[6] * inverse};
  // v − 2w u×v + 2u×(u×v)
  S once[3], twice[3];
  axial::cross(u, v, once);
  axial::cross(u, once, twice);
  for (int i = 0; i < 3; ++i) {
    S change = twice[i] - w * once[i];
    result[i] = v[i] + change + change;
  }
}

}  // namespace lithe::forward_recursion
