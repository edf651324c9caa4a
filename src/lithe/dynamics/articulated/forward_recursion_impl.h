#pragma once

// The recursion itself. Included where it is compiled for one kind of number, and nowhere else.

#include "lithe/dynamics/articulated/forward_accelerations.h"
#include "lithe/dynamics/articulated/forward_inertias.h"
#include "lithe/dynamics/articulated/forward_velocities.h"

namespace lithe {

template <class S>
int ForwardWork<S>::run(const Call& call) {
  using namespace forward_recursion;
  singular = -1;
  singular_lanes = 0;
  const int n = int(bodies.size());
  turn_joints(*this, call);
  for (int i = 0; i < n; ++i) {
    const BodyPlan& body = plan->bodies[i];
    with_connection<S>(body.connection, body,
                       [&](const auto& connection) { move(connection, *this, bodies[i], call); });
  }
  // A driven joint, or a tip rotated so far that the other split is used, is handled by any_connection.
  const auto connection_now = [&](int i) {
    const BodyPlan& body = plan->bodies[i];
    const bool as_planned = body.carrier != Carrier::bent || bodies[i].by_zxz == body.by_zxz;
    return as_planned && !is_driven_by<S>(call, body) ? body.connection : any_connection;
  };
  for (int i = n - 1; i >= 0; --i) {
    with_connection<S>(connection_now(i), plan->bodies[i],
                       [&](const auto& connection) { gather(connection, *this, bodies[i], call); });
    if (std::is_floating_point_v<S> && singular >= 0) return singular;
  }
  for (int i = 0; i < n; ++i)
    with_connection<S>(connection_now(i), plan->bodies[i],
                       [&](const auto& connection) { release(connection, *this, bodies[i], call); });
  return singular;
}

template <class S>
ForwardWork<S>::ForwardWork(std::shared_ptr<const RecursionPlan> given)
    : plan(std::move(given)),
      bodies(plan->bodies.size()),
      beams(plan->beams.size()),
      borders(plan->borders.size()),
      exacts(plan->exacts.begin(), plan->exacts.end()),
      blocks(size_t(plan->n_blocks)) {
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
      take(work.drawn_tip, plan->beams[i].shortens ? m : 0);
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
    for (ExactWork<S>& work : exacts) {
      const size_t m = size_t(work.link.basis().size());
      take6(work.Phi, m);
      take6(work.N, m);
      take6(work.L, m);
      take(work.F, m * m);
      take(work.r, m);
      take(work.e, m);
    }
  };
  hand_out();
  store.resize(used);
  store6.resize(used6);
  hand_out();
  for (size_t i = 0; i < beams.size(); ++i) beams[i].whole.reserve(size_t(plan->beams[i].size()));
  for (ExactWork<S>& exact : exacts) exact.whole.reserve(size_t(exact.link.basis().size()));
  for (BlockWork<S>& block : blocks) block.whole.reserve(6);
  for (size_t i = 0; i < bodies.size(); ++i) {
    const BodyPlan& body = plan->bodies[i];
    TipMotion<S>* tip = body.form == BodyPlan::Form::beam       ? &beams[body.flex].tip
                        : body.form == BodyPlan::Form::bordered ? &borders[body.flex].tip
                        : body.form == BodyPlan::Form::exact    ? &exacts[body.flex].tip
                                                                : nullptr;
    bodies[i].omega_out = tip != nullptr ? tip->omega_T : bodies[i].omega;
    bodies[i].R_out = tip != nullptr ? tip->R : nullptr;
    if (body.motion == BodyPlan::Motion::turning) turning.push_back(int(i));
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
