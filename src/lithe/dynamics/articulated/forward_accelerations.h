#pragma once

// Outward: accelerations (16). Part of the recursion: included where that is compiled, and nowhere else.

#include "lithe/dynamics/articulated/block_step.h"

namespace lithe::forward_recursion {

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
  } else if (plan.form == Form::exact) {
    ExactStep<S>(work.plan->exacts[plan.flex]).template release<hybrid>(call, plan.flex_v0, work.exacts[plan.flex], A);
  } else {
    BorderStep<S>(work.plan->borders[plan.flex])
        .template release<hybrid>(plan, call, plan.flex_v0, work.borders[plan.flex], A);
  }
}

template <class S, int number>
void release(const Connection<number>& connection, ForwardWork<S>& work, BodyWork<S>& body,
             const typename ForwardRecursion<S>::Call& call) {
  const BodyPlan& plan = connection.plan;
  axial::Vector6<S> A;
  if (connection.free()) {
    A = body.A;
  } else if (connection.block()) {
    A = release_block(plan, work, body, call);
  } else {
    if (connection.on_root()) {
      S alpha[3] = {S(0.0), S(0.0), S(0.0)}, a[3];
      if (connection.on_moving_root()) rotate_back(plan.R_CN, call.root.alpha, alpha);
      rotate_back(plan.R_CN, call.root.a, a);
      A = axial::Vector6<S>::of(alpha, a);
    } else {
      A = work.bodies[plan.parent].A;
      if (connection.bent()) {
        connection.by_zxz(body.by_zxz) ? out<2>(body.c1, body.s1, A) : out<1>(body.c1, body.s1, A);
        out<0>(body.cb, body.sb, A);
      } else {
        out<2, S>(connection.first(), plan.first, A.v);
        out<0, S>(connection.second(), plan.second, A.v);
      }
    }
    if (!connection.on_resting_root()) {
      if (connection.shift_x()) axial::shift_out<0>(body.p[0], A);
      if (connection.shift_y()) axial::shift_out<1>(body.p[1], A);
      if (connection.shift_z()) axial::shift_out<2>(body.p[2], A);
      A += body.zeta;
    }
    if (connection.turns() || connection.bent()) {
      out<2>(body.c, body.s, A);
    } else {
      out<2, S>(plan.third.kind, plan.third, A.v);
    }
    if (!connection.fixed()) {
      const bool is_driven = !connection.known && is_driven_by<S>(call, plan);
      S qdd;
      if (!is_driven) {
        qdd = body.e - axial::dot6(body.L, A);
        call.vdot[plan.v0] = qdd;
      } else {
        qdd = call.vdot[plan.v0];
      }
      S zero = 0.0;
      A.v[2] = A.v[2] + (connection.turns() ? Pair<S>(qdd, zero) : Pair<S>(zero, qdd));
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

}  // namespace lithe::forward_recursion
