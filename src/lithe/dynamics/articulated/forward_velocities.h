#pragma once

// Outward: velocities and what follows from them. Part of the recursion: included where that is compiled, and nowhere else.

#include "lithe/dynamics/articulated/block_step.h"
#include "lithe/dynamics/articulated/sines.h"

namespace lithe::forward_recursion {

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
void move(const Connection<number>& connection, ForwardWork<S>& work, BodyWork<S>& body,
          const typename ForwardRecursion<S>::Call& call) {
  const BodyPlan& plan = connection.plan;
  S w[3];
  S zero = 0.0;

  if (connection.free()) {
    for (int k = 0; k < 3; ++k) w[k] = call.v[plan.v0 + k];
  } else if (connection.block()) {
    move_block(plan, work, body, call, w);
  } else {
    S rate = connection.fixed() ? zero : call.v[plan.v0];
    if (connection.on_resting_root()) {
      w[0] = w[1] = zero;
      w[2] = connection.turns() ? rate : zero;
    } else {
      // ω of the carrier in F
      for (int k = 0; k < 3; ++k) body.p[k] = plan.p[k];
      if (!connection.bent() && !connection.on_moving_root()) {
        const S* carried = work.bodies[plan.parent].omega_out;
        for (int k = 0; k < 3; ++k) w[k] = carried[k];
        out<2, S>(connection.first(), plan.first, w);
        out<0, S>(connection.second(), plan.second, w);
      } else if (connection.bent()) {
        const BodyWork<S>& carrier = work.bodies[plan.parent];
        for (int k = 0; k < 3; ++k) w[k] = carrier.omega_out[k];
        S cg, sg;
        const S* R_BT = carrier.R_out;
        split<S>(
            plan.by_zxz,
            [&](int row, int column) {
              return R_BT[3 * row] * plan.R_CN(0, column) + R_BT[3 * row + 1] * plan.R_CN(1, column) +
                     R_BT[3 * row + 2] * plan.R_CN(2, column);
            },
            body, cg, sg);
        body.by_zxz ? axial::turn_out<2>(body.c1, body.s1, w) : axial::turn_out<1>(body.c1, body.s1, w);
        axial::turn_out<0>(body.cb, body.sb, w);
        if (connection.turns()) {
          S c = body.c, s = body.s;
          body.c = c * cg - s * sg;
          body.s = s * cg + c * sg;
        } else {
          body.c = cg;
          body.s = sg;
        }
        if (connection.shift_x()) axial::turn_in<2>(cg, sg, body.p);
      } else {
        rotate_back(plan.R_CN, call.root.omega, w);
      }
      if (connection.slides()) body.p[2] += call.q[plan.q0];

      // velocity terms of N's acceleration (2), (3), in F
      S zeta[3] = {zero, zero, zero}, about_x = zero, about_y = zero;
      if (connection.shift_x() || connection.shift_y() || connection.shift_z()) {
        S once[3];
        if (connection.shift_y()) {
          axial::cross(w, body.p, once);
        } else if (connection.shift_z()) {
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
      if (connection.turns()) {
        about_x = w[1] * rate;
        about_y = -(w[0] * rate);
        axial::turn_out<2>(body.c, body.s, w);
        w[2] += rate;
      } else {
        if (connection.slides()) {
          S twice = rate + rate;
          zeta[0] += w[1] * twice;
          zeta[1] -= w[0] * twice;
        }
        if (connection.bent()) {
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
      if (connection.on_resting_root() && !connection.free() && !connection.block()) {
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
    case Form::exact:
      ExactStep<S>(work.plan->exacts[plan.flex])
          .move(body.omega, call.q + plan.flex_q0, call.v + plan.flex_v0, work.exacts[plan.flex]);
      break;
  }
}

}  // namespace lithe::forward_recursion
