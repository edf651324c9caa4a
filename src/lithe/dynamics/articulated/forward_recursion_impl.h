#pragma once

// The recursion itself. Included where it is compiled for one kind of number, and nowhere else.

#include "lithe/dynamics/articulated/border_step.h"
#include "lithe/dynamics/articulated/sines.h"
#include "lithe/dynamics/articulated/way.h"

namespace lithe {
namespace forward_recursion {

using Motion = BodyPlan::Motion;
using Carrier = BodyPlan::Carrier;
using Form = BodyPlan::Form;

/// A pair known at assembly.
template <class S>
LITHE_INLINE Pair<S> constant(const Pair<double>& pair) {
  return Pair<S>(S(pair.low()), S(pair.high()));
}

// ---- constant turns --------------------------------------------------------------------------------------------------------------

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

// ---- the beam's steps, by how many shapes it has -----------------------------------------------------------------------------------

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

template <class S>
bool is_driven_by(const typename ForwardRecursion<S>::Call& call, const BodyPlan& plan) {
  return call.driven != nullptr && plan.motion != Motion::fixed && (*call.driven)[plan.v0];
}

// ---- outward: velocities ------------------------------------------------------------------------------------------------------------

/// R_BT R_TN as turns about z x z or y x z: the first two in `body`, the third joins the joint's own.
template <class S>
LITHE_INLINE void split(const BodyPlan& plan, const S* R_BT, BodyWork<S>& body, S& cg, S& sg) {
  auto entry = [&](int row, int column) {
    return R_BT[3 * row] * plan.R_CN(0, column) + R_BT[3 * row + 1] * plan.R_CN(1, column) +
           R_BT[3 * row + 2] * plan.R_CN(2, column);
  };
  constexpr double too_close = 0.02;  // to where a split is undetermined: take the other one
  for (body.by_zxz = plan.by_zxz;; body.by_zxz = !body.by_zxz) {
    using std::sqrt;
    const int other = body.by_zxz ? 1 : 2;  // the row beside x whose entry the first turn mixes
    S u = entry(0, 2), v = entry(other, 2), square = u * u + v * v;
    const unsigned close = lanes_not_above(square, too_close);
    if (close != 0 && body.by_zxz == plan.by_zxz) continue;
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

/// Sine and cosine of every joint's angle.
template <class S>
void turn_joints(ForwardWork<S>& work, const typename ForwardRecursion<S>::Call& call) {
  const int n = int(work.turning.size());
  for (int k = 0; k < n; ++k) {
    const BodyPlan& plan = work.plan->bodies[work.turning[k]];
    work.angles[k] = call.q[plan.q0] + plan.angle;
  }
  sines_and_cosines(n, work.angles.data(), work.sines.data(), work.cosines.data());
  for (int k = 0; k < n; ++k) {
    BodyWork<S>& body = work.bodies[work.turning[k]];
    body.s = work.sines[k];
    body.c = work.cosines[k];
  }
}

template <class S, int number>
void move(const Way<number>& way, ForwardWork<S>& work, BodyWork<S>& body,
          const typename ForwardRecursion<S>::Call& call) {
  const BodyPlan& plan = way.plan;
  S w[3];
  S zero = 0.0;

  if (way.free()) {
    for (int k = 0; k < 3; ++k) w[k] = call.v[plan.v0 + k];
  } else {
    S rate = way.fixed() ? zero : call.v[plan.v0];
    if (way.on_resting_root()) {
      w[0] = w[1] = zero;
      w[2] = way.revolute() ? rate : zero;
    } else {
      // ω of the carrier in F
      for (int k = 0; k < 3; ++k) body.p[k] = plan.p[k];
      if (!way.bent() && !way.on_moving_root()) {
        const S* carried = work.bodies[plan.parent].omega_out;
        for (int k = 0; k < 3; ++k) w[k] = carried[k];
        out<2, S>(way.first(), plan.first, w);
        out<0, S>(way.second(), plan.second, w);
      } else if (way.bent()) {
        const BodyWork<S>& carrier = work.bodies[plan.parent];
        for (int k = 0; k < 3; ++k) w[k] = carrier.omega_out[k];
        S cg, sg;
        split(plan, carrier.R_out, body, cg, sg);
        body.by_zxz ? axial::turn_out<2>(body.c1, body.s1, w) : axial::turn_out<1>(body.c1, body.s1, w);
        axial::turn_out<0>(body.cb, body.sb, w);
        if (way.revolute()) {
          S c = body.c, s = body.s;
          body.c = c * cg - s * sg;
          body.s = s * cg + c * sg;
        } else {
          body.c = cg;
          body.s = sg;
        }
        if (way.shift_x()) axial::turn_in<2>(cg, sg, body.p);
      } else {
        rotate_back(plan.R_CN, call.root.omega, w);
      }
      if (way.prismatic()) body.p[2] += call.q[plan.q0];

      // velocity terms of N's acceleration (2), (3), in F
      S zeta[3] = {zero, zero, zero}, about_x = zero, about_y = zero;
      if (way.shift_x() || way.shift_y() || way.shift_z()) {
        S once[3];
        if (way.shift_y()) {
          axial::cross(w, body.p, once);
        } else if (way.shift_z()) {
          once[0] = w[1] * body.p[2];
          once[1] = w[2] * body.p[0] - w[0] * body.p[2];
          once[2] = -(w[1] * body.p[0]);
        } else {
          once[0] = zero;
          once[1] = w[2] * body.p[0];
          once[2] = -(w[1] * body.p[0]);
        }
        axial::cross(w, once, zeta);
      }
      if (way.revolute()) {
        about_x = w[1] * rate;
        about_y = -(w[0] * rate);
        axial::turn_out<2>(body.c, body.s, w);
        w[2] += rate;
      } else {
        if (way.prismatic()) {
          S twice = rate + rate;
          zeta[0] += w[1] * twice;
          zeta[1] -= w[0] * twice;
        }
        if (way.bent()) {
          axial::turn_out<2>(body.c, body.s, w);
        } else {
          out<2, S>(plan.third.kind, plan.third, w);
        }
      }
      body.zeta = {Pair<S>(about_x, zeta[0]), Pair<S>(about_y, zeta[1]), Pair<S>(zero, zeta[2])};
    }
  }

  if (plan.form != Form::rigid) {
    out<0, S>(plan.to_B_x.kind, plan.to_B_x, w);
    out<2, S>(plan.to_B_z.kind, plan.to_B_z, w);
  }
  for (int k = 0; k < 3; ++k) body.omega[k] = w[k];
  switch (plan.form) {
    case Form::rigid:
      if (way.on_resting_root() && !way.free()) {
        S square = w[2] * w[2];  // the only rate
        body.bias = {Pair<S>(-(plan.J[5] * square), -(plan.s[0] * square)),
                     Pair<S>(plan.J[4] * square, -(plan.s[1] * square)), Pair<S>(zero, zero)};
      } else {
        axial::Products<S> w2(w);
        S moment[3], force[3];
        axial::euler(w2.w, plan.J, moment);
        axial::centripetal(w2.w, plan.s, force);
        body.bias = axial::Vector6<S>::of(moment, force);
      }
      break;
    case Form::beam: {
      const BeamPlan& beam = work.plan->beams[plan.flex];
      const bool carries = plan.has_children || beam.tip_body.kind != TipBody::Kind::none;
      const S *delta = call.q + plan.flex_q0, *rate = call.v + plan.flex_v0;
      with_beam<S>(beam, [&](const auto& step) { step.move(body.omega, delta, rate, carries, work.beams[plan.flex]); });
      break;
    }
    case Form::bordered:
      BorderStep<S>(work.plan->borders[plan.flex])
          .move(body.omega, call.q + plan.flex_q0, call.v + plan.flex_v0, work.borders[plan.flex]);
      break;
  }
}

// ---- inward: inertias and forces -----------------------------------------------------------------------------------------------------

/// To the carrier (15): P^a and p^a from N's axes.
template <class S, int number>
LITHE_INLINE void pass_on(const Way<number>& way, ForwardWork<S>& work, const BodyWork<S>& body, axial::Inertia<S>& P,
                          axial::Vector6<S>& p) {
  const BodyPlan& plan = way.plan;
  if (way.revolute() || way.bent()) {
    in<2>(body.c, body.s, P, p);
  } else {
    in<2>(plan.third.kind, plan.third, P, p);
  }
  p += axial::times(P, body.zeta);
  if (way.shift_z()) {
    axial::shift_in<2>(body.p[2], P);
    axial::shift_in<2>(body.p[2], p);
  }
  if (way.shift_y()) {
    axial::shift_in<1>(body.p[1], P);
    axial::shift_in<1>(body.p[1], p);
  }
  if (way.shift_x()) {
    axial::shift_in<0>(body.p[0], P);
    axial::shift_in<0>(body.p[0], p);
  }
  if (way.bent()) {
    in<0>(body.cb, body.sb, P, p);
    way.by_zxz(body.by_zxz) ? in<2>(body.c1, body.s1, P, p) : in<1>(body.c1, body.s1, P, p);
  } else {
    in<0>(way.second(), plan.second, P, p);
    in<2>(way.first(), plan.first, P, p);
  }
  BodyWork<S>& carrier = work.bodies[plan.parent];
  if (plan.first_to_arrive) {
    carrier.P = P;
    carrier.f = p;
  } else {
    carrier.P += P;
    carrier.f += p;
  }
}

/// A free base (at the root): A from P A + f = τ, or τ where it is driven.
template <class S>
unsigned solve_free(const BodyPlan& plan, BodyWork<S>& body, bool is_driven,
                    const typename ForwardRecursion<S>::Call& call) {
  // v̇ is the rate of components in turning axes: a = v̇ + ω×v. Gravity is an acceleration of the root.
  const axial::Inertia<S>& P = body.P;
  const axial::Vector6<S>& p = body.f;
  S extra[3], root_a[3], in_base[3];
  axial::cross(body.omega, call.v + plan.v0 + 3, extra);
  rotate_back(plan.R_CN, call.root.a, root_a);
  rotate_back_free(call.q + plan.q0, root_a, in_base);
  for (int k = 0; k < 3; ++k) extra[k] += in_base[k];
  S* vdot = call.vdot + plan.v0;
  S A[6];
  const auto keep = [&] { body.A = axial::Vector6<S>::of(A, A + 3); };
  if (is_driven) {
    for (int k = 0; k < 6; ++k) A[k] = vdot[k];
    for (int k = 0; k < 3; ++k) A[3 + k] += extra[k];
    keep();
    axial::Vector6<S> F = axial::times(P, body.A);
    F += p;
    for (int k = 0; k < 3; ++k) {
      call.driven_tau[plan.v0 + k] = F.v[k].low();
      call.driven_tau[plan.v0 + 3 + k] = F.v[k].high();
    }
    return 0;
  }
  S M[6][6], x[6];
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) {
      M[i][j] = P.JM[axial::at(i, j)].low();
      M[3 + i][3 + j] = P.JM[axial::at(i, j)].high();
    }
    M[i][3 + i] = P.H[i].value();
    x[i] = call.tau[plan.v0 + i] - p.v[i].low();
    x[3 + i] = call.tau[plan.v0 + 3 + i] - p.v[i].high();
  }
  for (int i = 0; i < 3; ++i)
    for (int j = i + 1; j < 3; ++j) {
      M[i][3 + j] = P.HH[i + j - 1].low();
      M[j][3 + i] = P.HH[i + j - 1].high();
    }
  unsigned singular = 0;
  S inverse[6];
  for (int k = 0; k < 6; ++k) {  // LDLᵀ, rows of U = D Lᵀ kept above the diagonal
    singular |= lanes_not_above(M[k][k], 0);
    inverse[k] = 1.0 / M[k][k];
    for (int i = k + 1; i < 6; ++i) {
      S l = M[k][i] * inverse[k];
      for (int j = i; j < 6; ++j) M[i][j] -= l * M[k][j];
      x[i] -= l * x[k];
    }
  }
  for (int k = 5; k >= 0; --k) {
    for (int j = k + 1; j < 6; ++j) x[k] -= M[k][j] * x[j];
    x[k] = x[k] * inverse[k];
  }
  for (int k = 0; k < 6; ++k) vdot[k] = A[k] = x[k];
  keep();
  for (int k = 0; k < 3; ++k) vdot[3 + k] -= extra[k];
  return singular;
}

/// P and p of a link that bends, its own coordinates eliminated, in N axes. Returns lanes in which a pivot vanished.
template <bool hybrid, class S>
unsigned gather_bent(ForwardWork<S>& work, const BodyPlan& plan, const BodyWork<S>& body,
                     const typename ForwardRecursion<S>::Call& call, axial::Inertia<S>& P, axial::Vector6<S>& p) {
  unsigned singular = 0;
  if (plan.form == Form::beam) {
    singular = with_beam<S>(work.plan->beams[plan.flex], [&](const auto& step) {
      return step.template gather<hybrid>(plan, body, call, plan.flex_v0, work.beams[plan.flex], P, p);
    });
  } else {
    singular = BorderStep<S>(work.plan->borders[plan.flex])
                   .template gather<hybrid>(plan, body, call, plan.flex_v0, work.borders[plan.flex], P, p);
  }
  in<2>(plan.to_B_z.kind, plan.to_B_z, P, p);
  in<0>(plan.to_B_x.kind, plan.to_B_x, P, p);
  return singular;
}
/// δ̈ of a link that bends and, where it carries, the acceleration of its tip in place of that of N.
template <bool hybrid, class S>
void release_bent(ForwardWork<S>& work, const BodyPlan& plan, const typename ForwardRecursion<S>::Call& call,
                  axial::Vector6<S>& A) {
  out<0, S>(plan.to_B_x.kind, plan.to_B_x, A.v);
  out<2, S>(plan.to_B_z.kind, plan.to_B_z, A.v);
  if (plan.form == Form::beam) {
    with_beam<S>(work.plan->beams[plan.flex], [&](const auto& step) {
      step.template release<hybrid>(plan, call, plan.flex_v0, work.beams[plan.flex], A);
    });
  } else {
    BorderStep<S>(work.plan->borders[plan.flex])
        .template release<hybrid>(plan, call, plan.flex_v0, work.borders[plan.flex], A);
  }
}

template <class S, int number>
void gather(const Way<number>& way, ForwardWork<S>& work, BodyWork<S>& body,
            const typename ForwardRecursion<S>::Call& call) {
  const BodyPlan& plan = way.plan;
  const bool is_driven = !way.known && is_driven_by<S>(call, plan);
  auto note = [&](unsigned lanes, int coordinate) {
    if (lanes != 0 && work.singular < 0) work.singular = coordinate;
    work.singular_lanes |= lanes;
  };
  axial::Inertia<S> P;
  axial::Vector6<S> p;
  switch (plan.form) {
    case Form::rigid:
      p = body.bias;
      if (plan.leaf_is_constant && !is_driven) {
        S torque = call.tau[plan.v0];
        if (call.passive != nullptr) torque -= call.passive[plan.v0];
        S u = torque - p.v[2].low();
        Twin<S> both(u);
        for (int k = 0; k < 3; ++k) body.L.v[k] = constant<S>(plan.leaf_L.v[k]);
        body.e = u * plan.leaf_inverse_D;
        if (way.on_root()) return;
        for (int k = 0; k < 3; ++k) p.v[k] = p.v[k] + both * body.L.v[k];
        for (int k = 0; k < 6; ++k) P.JM[k] = constant<S>(plan.leaf_P.JM[k]);
        for (int k = 0; k < 3; ++k) P.H[k] = S(plan.leaf_P.H[k].value());
        for (int k = 0; k < 3; ++k) P.HH[k] = constant<S>(plan.leaf_P.HH[k]);
        pass_on(way, work, body, P, p);
        return;
      }
      if (plan.has_children) {
        P = body.P;
        axial::add_body_inertia(plan.mass, plan.s, plan.J, P);
        p += body.f;
      } else {
        P = axial::body_inertia<S>(plan.mass, plan.s, plan.J);
      }
      break;
    default: {
      // Copied once, so that the rigid bodies' P and p, whose address nobody takes, stay in registers.
      axial::Inertia<S> P_B;
      axial::Vector6<S> p_B;
      note(call.driven != nullptr ? gather_bent<true>(work, plan, body, call, P_B, p_B)
                                  : gather_bent<false>(work, plan, body, call, P_B, p_B),
           plan.flex_v0);
      P = P_B;
      p = p_B;
      break;
    }
  }

  if (way.free()) {
    body.P = P;
    body.f = p;
    note(solve_free(plan, body, is_driven, call), plan.v0);
    return;
  }
  if (!way.fixed()) {
    const bool turns = way.revolute();
    axial::Vector6<S> U = turns ? axial::turn_column_z(P) : axial::slide_column<2>(P);
    S along = turns ? p.v[2].low() : p.v[2].high();
    if (is_driven) {  // (14)
      Twin<S> qdd(call.vdot[plan.v0]);
      body.L = U;
      body.e = along;
      for (int k = 0; k < 3; ++k) p.v[k] = p.v[k] + qdd * U.v[k];
    } else {  // (13)
      S D = (turns ? U.v[2].low() : U.v[2].high()) + plan.rotor_inertia;
      // Rounding leaves some ε of what was there before elimination: at a singular position no more than that.
      note(lanes_not_above(D, 1e-14 * plan.scale), plan.v0);
      S inverse = 1.0 / D;
      S torque = call.tau[plan.v0];
      if (call.passive != nullptr) torque -= call.passive[plan.v0];
      S u = torque - along;
      Twin<S> scale(inverse), both(u);
      const bool without_z = turns && plan.rotor_inertia == 0;
      axial::Vector6<S> L;
      for (int k = 0; k < 2; ++k) L.v[k] = scale * U.v[k];
      L.v[2] = without_z ? Pair<S>(S(1.0), inverse * U.v[2].high()) : scale * U.v[2];
      body.e = u * inverse;
      body.L = L;
      if (way.on_root()) return;
      axial::subtract(U, L, P);
      // The zeros are there already; a number that counts wants to be told.
      if (std::is_same_v<S, Counted> && without_z) axial::clear_z(P);
      for (int k = 0; k < 3; ++k) p.v[k] = p.v[k] + both * L.v[k];
    }
  }
  if (!way.on_root()) pass_on(way, work, body, P, p);
}

// ---- outward: accelerations (16) -------------------------------------------------------------------------------------------------------

template <class S, int number>
void release(const Way<number>& way, ForwardWork<S>& work, BodyWork<S>& body,
             const typename ForwardRecursion<S>::Call& call) {
  const BodyPlan& plan = way.plan;
  axial::Vector6<S> A;
  if (way.free()) {
    A = body.A;
  } else {
    if (way.on_root()) {
      S alpha[3] = {S(0.0), S(0.0), S(0.0)}, a[3];
      if (way.on_moving_root()) rotate_back(plan.R_CN, call.root.alpha, alpha);
      rotate_back(plan.R_CN, call.root.a, a);
      A = axial::Vector6<S>::of(alpha, a);
    } else {
      A = work.bodies[plan.parent].A;
      if (way.bent()) {
        way.by_zxz(body.by_zxz) ? out<2>(body.c1, body.s1, A) : out<1>(body.c1, body.s1, A);
        out<0>(body.cb, body.sb, A);
      } else {
        out<2, S>(way.first(), plan.first, A.v);
        out<0, S>(way.second(), plan.second, A.v);
      }
    }
    if (!way.on_resting_root()) {
      if (way.shift_x()) axial::shift_out<0>(body.p[0], A);
      if (way.shift_y()) axial::shift_out<1>(body.p[1], A);
      if (way.shift_z()) axial::shift_out<2>(body.p[2], A);
      A += body.zeta;
    }
    if (way.revolute() || way.bent()) {
      out<2>(body.c, body.s, A);
    } else {
      out<2, S>(plan.third.kind, plan.third, A.v);
    }
    if (!way.fixed()) {
      const bool is_driven = !way.known && is_driven_by<S>(call, plan);
      S qdd;
      if (!is_driven) {
        qdd = body.e - axial::dot6(body.L, A);
        call.vdot[plan.v0] = qdd;
      } else {
        qdd = call.vdot[plan.v0];
      }
      S zero = 0.0;
      A.v[2] = A.v[2] + (way.revolute() ? Pair<S>(qdd, zero) : Pair<S>(zero, qdd));
      if (is_driven) {
        S torque = body.e + axial::dot6(body.L, A) + plan.rotor_inertia * qdd;
        if (call.passive != nullptr) torque += call.passive[plan.v0];
        call.driven_tau[plan.v0] = torque;
      }
    }
  }
  body.A = A;
  if (plan.form == Form::rigid) return;
  call.driven != nullptr ? release_bent<true>(work, plan, call, body.A) : release_bent<false>(work, plan, call, body.A);
}

}  // namespace forward_recursion

template <class S>
int ForwardWork<S>::run(const Call& call) {
  using namespace forward_recursion;
  singular = -1;
  singular_lanes = 0;
  const int n = int(bodies.size());
  turn_joints(*this, call);
  for (int i = 0; i < n; ++i) {
    const BodyPlan& body = plan->bodies[i];
    with_way(body.way, body, [&](const auto& way) { move(way, *this, bodies[i], call); });
  }
  // A driven joint, or a tip turned so far that its rotation is split in the other way, goes by way 0.
  const auto way_now = [&](int i) {
    const BodyPlan& body = plan->bodies[i];
    const bool as_planned = body.carrier != Carrier::bent || bodies[i].by_zxz == body.by_zxz;
    return as_planned && !is_driven_by<S>(call, body) ? body.way : 0;
  };
  for (int i = n - 1; i >= 0; --i) {
    with_way(way_now(i), plan->bodies[i], [&](const auto& way) { gather(way, *this, bodies[i], call); });
    if (std::is_floating_point_v<S> && singular >= 0) return singular;
  }
  for (int i = 0; i < n; ++i)
    with_way(way_now(i), plan->bodies[i], [&](const auto& way) { release(way, *this, bodies[i], call); });
  return singular;
}

template <class S>
ForwardWork<S>::ForwardWork(std::shared_ptr<const RecursionPlan> given)
    : plan(std::move(given)), bodies(plan->bodies.size()), beams(plan->beams.size()), borders(plan->borders.size()) {
  // First count, then hand out.
  size_t used = 0, used6 = 0;
  const auto take = [&](S*& pointer, size_t n) {
    pointer = store.data() + (store.empty() ? 0 : used);
    used += n;
  };
  const auto take6 = [&](axial::Vector6<S>*& pointer, size_t n) {
    pointer = store6.data() + (store6.empty() ? 0 : used6);
    used6 += n;
  };
  const auto hand_out = [&] {
    used = used6 = 0;
    for (size_t i = 0; i < beams.size(); ++i) {
      const size_t m = size_t(plan->beams[i].size());
      BeamWork<S>& work = beams[i];
      take6(work.N, m);
      take6(work.L, m);
      take(work.F, m * m);
      take(work.r, m);
      take(work.e, m);
    }
    for (size_t i = 0; i < borders.size(); ++i) {
      const BorderPlan& border = plan->borders[i];
      const size_t m = size_t(border.size()), n = size_t(border.n_inner), t = size_t(border.n_tip);
      BorderWork<S>& work = borders[i];
      take(work.P, 9 * m);
      take6(work.N, m);
      take(work.p_f, m);
      take6(work.Phi, t);
      take6(work.Y, n);
      take(work.y, n);
      take6(work.N_tip, t);
      take6(work.L_tip, t);
      take(work.C, t * t);
      take(work.r_tip, t);
      take(work.l_tip, t * t);
      take(work.e_tip, t);
      take(work.accel, m);
    }
  };
  hand_out();
  store.resize(used);
  store6.resize(used6);
  hand_out();
  for (size_t i = 0; i < beams.size(); ++i) beams[i].whole.reserve(size_t(plan->beams[i].size()));
  for (size_t i = 0; i < bodies.size(); ++i) {
    const BodyPlan& body = plan->bodies[i];
    TipMotion<S>* tip = body.form == BodyPlan::Form::beam       ? &beams[body.flex].tip
                        : body.form == BodyPlan::Form::bordered ? &borders[body.flex].tip
                                                                : nullptr;
    bodies[i].omega_out = tip != nullptr ? tip->omega_T : bodies[i].omega;
    bodies[i].R_out = tip != nullptr ? tip->R : nullptr;
    if (body.motion == BodyPlan::Motion::revolute) turning.push_back(int(i));
  }
  const size_t room = (turning.size() + 3) / 4 * 4;
  for (std::vector<S>* numbers : {&angles, &sines, &cosines}) numbers->assign(room, S(0.0));
}

template <class S>
ForwardRecursion<S>::ForwardRecursion(std::shared_ptr<const RecursionPlan> plan)
    : work_(std::make_unique<ForwardWork<S>>(std::move(plan))) {}
template <class S>
ForwardRecursion<S>::~ForwardRecursion() = default;
template <class S>
ForwardRecursion<S>::ForwardRecursion(ForwardRecursion&&) noexcept = default;
template <class S>
int ForwardRecursion<S>::run(const Call& call) {
  return work_->run(call);
}
template <class S>
unsigned ForwardRecursion<S>::singular_lanes() const {
  return work_->singular_lanes;
}
template <class S>
unsigned ForwardRecursion<S>::lost_lanes() const {
  return work_->lost_lanes();
}

}  // namespace lithe
