#pragma once

// Inward: inertias and forces. Part of the recursion: included where that is compiled, and nowhere else.

#include "lithe/dynamics/articulated/block_step.h"

namespace lithe::forward_recursion {

/// To the carrier (15): P^a and p^a from N's axes.
template <class S, int number>
LITHE_INLINE void pass_on(const Connection<number>& connection, ForwardWork<S>& work, const BodyWork<S>& body,
                          axial::Inertia<S>& P, axial::Vector6<S>& p) {
  const BodyPlan& plan = connection.plan;
  if (connection.turns() || connection.bent()) {
    in<2>(body.c, body.s, P, p);
  } else {
    in<2>(plan.third.kind, plan.third, P, p);
  }
  p += axial::times(P, body.zeta);
  if (connection.shift_z()) {
    axial::shift_in<2>(body.p[2], P);
    axial::shift_in<2>(body.p[2], p);
  }
  if (connection.shift_y()) {
    axial::shift_in<1>(body.p[1], P);
    axial::shift_in<1>(body.p[1], p);
  }
  if (connection.shift_x()) {
    axial::shift_in<0>(body.p[0], P);
    axial::shift_in<0>(body.p[0], p);
  }
  if (connection.bent()) {
    in<0>(body.cb, body.sb, P, p);
    connection.by_zxz(body.by_zxz) ? in<2>(body.c1, body.s1, P, p) : in<1>(body.c1, body.s1, P, p);
  } else {
    in<0>(connection.second(), plan.second, P, p);
    in<2>(connection.first(), plan.first, P, p);
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
  } else if (plan.form == Form::exact) {
    singular = ExactStep<S>(work.plan->exacts[plan.flex])
                   .template gather<hybrid>(plan, body, call, plan.flex_v0, work.exacts[plan.flex], P, p);
  } else {
    singular = BorderStep<S>(work.plan->borders[plan.flex])
                   .template gather<hybrid>(plan, body, call, plan.flex_v0, work.borders[plan.flex], P, p);
  }
  in<2>(plan.to_B_z.kind, plan.to_B_z, P, p);
  in<0>(plan.to_B_x.kind, plan.to_B_x, P, p);
  return singular;
}
template <class S, int number>
void gather(const Connection<number>& connection, ForwardWork<S>& work, BodyWork<S>& body,
            const typename ForwardRecursion<S>::Call& call) {
  const BodyPlan& plan = connection.plan;
  const bool is_driven = !connection.known && is_driven_by<S>(call, plan);
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
        if (connection.on_root()) return;
        for (int k = 0; k < 3; ++k) p.v[k] = p.v[k] + both * body.L.v[k];
        for (int k = 0; k < 6; ++k) P.JM[k] = constant<S>(plan.leaf_P.JM[k]);
        for (int k = 0; k < 3; ++k) P.H[k] = S(plan.leaf_P.H[k].value());
        for (int k = 0; k < 3; ++k) P.HH[k] = constant<S>(plan.leaf_P.HH[k]);
        pass_on(connection, work, body, P, p);
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
      // Copied once, so that P and p of rigid bodies, whose addresses are not taken, stay in registers.
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

  if (connection.free()) {
    body.P = P;
    body.f = p;
    note(solve_free(plan, body, is_driven, call), plan.v0);
    return;
  }
  if (connection.block()) {
    note(gather_block(plan, work, call, P, p), plan.v0);
  } else if (!connection.fixed()) {
    const bool turns = connection.turns();
    axial::Vector6<S> U = turns ? axial::turn_column_z(P) : axial::slide_column<2>(P);
    S along = turns ? p.v[2].low() : p.v[2].high();
    if (is_driven) {  // (14)
      Twin<S> qdd(call.vdot[plan.v0]);
      body.L = U;
      body.e = along;
      for (int k = 0; k < 3; ++k) p.v[k] = p.v[k] + qdd * U.v[k];
    } else {  // (13)
      S D = (turns ? U.v[2].low() : U.v[2].high()) + plan.rotor_inertia;
      // Rounding leaves some ε of the value before elimination; at a singular position nothing else remains.
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
      if (connection.on_root()) return;
      axial::subtract(U, L, P);
      // The entries are already zero; this tells a counting number that they are known.
      if (std::is_same_v<S, Counted> && without_z) axial::clear_z(P);
      for (int k = 0; k < 3; ++k) p.v[k] = p.v[k] + both * L.v[k];
    }
  }
  if (!connection.on_root()) pass_on(connection, work, body, P, p);
}

}  // namespace lithe::forward_recursion
