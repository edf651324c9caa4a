#pragma once

// The recursion's step at a joint of any directions, up to six. Part of the recursion: included where that is compiled, and nowhere
// else.
//
// The joint is asked for X_FM, H and Ḣv by itself, state by state. Its rotation is then split into three turns, as that of a bent
// tip is, so that inertias and accelerations pass it as they pass any other; and its coordinates are eliminated together, as shapes
// are, with N = P H, F = HᵀP H and r = Hᵀp − τ (docs/articulated.md, (17)–(19)).

#include <algorithm>
#include <optional>

#include "lithe/dynamics/articulated/recursion_parts.h"

namespace lithe::forward_recursion {

/// A joint's pose and directions at one position and rate, for numbers S.
template <class S>
struct BlockMotion {
  S R[9], p[3];  // X_FM, the rotation by rows
  S change[6];   // Ḣv

  BlockMotion(const Joint& joint, const S* q, const S* v, axial::Vector6<S>* H) {
    const int n = joint.nv();
    S directions[36];
    for (int lane_now = 0; lane_now < lane_count<S>; ++lane_now) {
      double position[7] = {}, rate[6] = {};
      for (int k = 0; k < joint.nq(); ++k) position[k] = lane(q[k], lane_now);
      for (int k = 0; k < n; ++k) rate[k] = lane(v[k], lane_now);
      const Pose X = joint.X_FM(position);
      JointDirections columns;
      joint.directions(position, columns);
      Vector6d rate_of_H = Vector6d::Zero();
      if (joint.directions_change()) rate_of_H = joint.direction_rate(position, rate);
      for (int i = 0; i < 9; ++i) set_lane(R[i], lane_now, X.R(i / 3, i % 3));
      for (int i = 0; i < 3; ++i) set_lane(p[i], lane_now, X.p[i]);
      for (int i = 0; i < 6; ++i) set_lane(change[i], lane_now, rate_of_H[i]);
      for (int i = 0; i < 6 * n; ++i) set_lane(directions[i], lane_now, columns.data()[i]);
    }
    for (int k = 0; k < n; ++k) H[k] = axial::Vector6<S>::of(directions + 6 * k, directions + 6 * k + 3);
  }
};

/// Velocities: where the joint stands, its turns, ζ, and ω of N in N.
template <class S>
void move_block(const BodyPlan& plan, ForwardWork<S>& work, BodyWork<S>& body,
                const typename ForwardRecursion<S>::Call& call, S* omega) {
  BlockWork<S>& block = work.blocks[plan.block];
  const BlockMotion<S> joint(*plan.joint, call.q + plan.q0, call.v + plan.v0, block.H);
  // From the carrier to N: R_CN R_FM, behind a bent link R_BT R_CN R_FM, and p alike.
  S R[9], p[3];
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j)
      R[3 * i + j] = plan.R_CN(i, 0) * joint.R[j] + plan.R_CN(i, 1) * joint.R[3 + j] + plan.R_CN(i, 2) * joint.R[6 + j];
    p[i] = plan.p_C[i] + (plan.R_CN(i, 0) * joint.p[0] + plan.R_CN(i, 1) * joint.p[1] + plan.R_CN(i, 2) * joint.p[2]);
  }
  if (plan.carrier == Carrier::bent) {
    const S* R_BT = work.bodies[plan.parent].R_out;
    S turned[9], moved[3];
    for (int i = 0; i < 3; ++i) {
      for (int j = 0; j < 3; ++j)
        turned[3 * i + j] = R_BT[3 * i] * R[j] + R_BT[3 * i + 1] * R[3 + j] + R_BT[3 * i + 2] * R[6 + j];
      moved[i] = R_BT[3 * i] * p[0] + R_BT[3 * i + 1] * p[1] + R_BT[3 * i + 2] * p[2];
    }
    std::copy_n(turned, 9, R);
    std::copy_n(moved, 3, p);
  }
  split<S>(
      plan.by_zxz, [&](int row, int column) { return R[3 * row + column]; }, body, body.c, body.s);

  S w[3];
  const S* carried = plan.parent < 0 ? call.root.omega : work.bodies[plan.parent].omega_out;
  for (int k = 0; k < 3; ++k) {
    w[k] = carried[k];
    body.p[k] = p[k];
  }
  for (S* vector : {w, body.p}) {
    body.by_zxz ? axial::turn_out<2>(body.c1, body.s1, vector) : axial::turn_out<1>(body.c1, body.s1, vector);
    axial::turn_out<0>(body.cb, body.sb, vector);
  }
  S once[3], centripetal[3];
  axial::cross(w, body.p, once);
  axial::cross(w, once, centripetal);
  axial::turn_out<2>(body.c, body.s, w);

  // (17), the joint's own part in N axes
  S zero = 0.0;
  axial::Vector6<S> own = axial::Vector6<S>::zero();
  for (int k = 0; k < plan.nv; ++k) {
    Twin<S> rate(call.v[plan.v0 + k]);
    for (int i = 0; i < 3; ++i) own.v[i] = own.v[i] + rate * block.H[k].v[i];
  }
  S turn[3], slide[3], angular[3], linear[3], twice[3];
  for (int i = 0; i < 3; ++i) {
    turn[i] = own.v[i].low();
    slide[i] = own.v[i].high();
    twice[i] = slide[i] + slide[i];
    angular[i] = joint.change[i];
    linear[i] = joint.change[3 + i];
  }
  axial::add_cross(w, turn, angular);
  axial::add_cross(w, twice, linear);
  axial::add_cross(turn, slide, linear);
  body.zeta = axial::Vector6<S>::of(angular, linear);
  axial::turn_in<2>(Twin<S>(body.c), Twin<S>(body.s), body.zeta.v);
  for (int i = 0; i < 3; ++i) body.zeta.v[i] = body.zeta.v[i] + Pair<S>(zero, centripetal[i]);
  for (int i = 0; i < 3; ++i) omega[i] = w[i] + turn[i];
}

/// Inertias and forces: sets P and p to the articulated inertia and wrench across the joint, in N axes (18). Returns lanes in which a pivot
/// vanished.
template <class S>
unsigned gather_block(const BodyPlan& plan, ForwardWork<S>& work, const typename ForwardRecursion<S>::Call& call,
                      axial::Inertia<S>& P, axial::Vector6<S>& p) {
  BlockWork<S>& block = work.blocks[plan.block];
  const int n = plan.nv;
  const auto given = [&](int k) -> std::optional<S> {
    const int v = plan.v0 + k;
    if (call.driven == nullptr || !(*call.driven)[v]) return {};
    return call.vdot[v];
  };
  block.some_driven = false;
  for (int k = 0; k < n; ++k) {
    block.N[k] = axial::times(P, block.H[k]);
    for (int j = 0; j <= k; ++j) block.F[j * n + k] = axial::dot6(block.H[j], block.N[k]);
    S r = axial::dot6(block.H[k], p);
    if (call.passive != nullptr) r += call.passive[plan.v0 + k];
    if (given(k))
      block.some_driven = true;
    else
      r -= call.tau[plan.v0 + k];
    block.r[k] = r;
  }
  if (n == 1) block.F[0] += plan.rotor_inertia;
  if (block.some_driven) impose(n, given, block.N, block.F, block.r, p, block.whole);
  return eliminate(n, block.N, block.F, block.r, P, p, block.L, block.F, block.e, 1e-14 * plan.scale);
}

/// Accelerations: of N in N, the joint's own among them (19).
template <class S>
axial::Vector6<S> release_block(const BodyPlan& plan, ForwardWork<S>& work, const BodyWork<S>& body,
                                const typename ForwardRecursion<S>::Call& call) {
  BlockWork<S>& block = work.blocks[plan.block];
  axial::Vector6<S> A =
      plan.parent < 0 ? axial::Vector6<S>::of(call.root.alpha, call.root.a) : work.bodies[plan.parent].A;
  body.by_zxz ? out<2>(body.c1, body.s1, A) : out<1>(body.c1, body.s1, A);
  out<0>(body.cb, body.sb, A);
  axial::shift_out(body.p, A);
  A += body.zeta;
  out<2>(body.c, body.s, A);
  S accel[6];
  recover(plan.nv, block.L, block.F, block.e, A, accel);
  if (block.some_driven)
    for (int k = 0; k < plan.nv; ++k)
      if ((*call.driven)[plan.v0 + k]) call.driven_tau[plan.v0 + k] = force_on(plan.nv, k, block.whole, A, accel);
  for (int k = 0; k < plan.nv; ++k) {
    call.vdot[plan.v0 + k] = accel[k];
    Twin<S> both(accel[k]);
    for (int i = 0; i < 3; ++i) A.v[i] = A.v[i] + both * block.H[k].v[i];
  }
  return A;
}

}  // namespace lithe::forward_recursion
