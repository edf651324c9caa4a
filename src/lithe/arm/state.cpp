#include "lithe/arm/state.h"

#include "lithe/spatial/demand.h"

namespace lithe {
namespace {

Quaterniond orientation(const double* q) { return Quaterniond(q[3], q[4], q[5], q[6]); }

}  // namespace

State State::zero(const Arm& arm) {
  State state{0, VectorXd::Zero(arm.nq()), VectorXd::Zero(arm.nv())};
  for (const Link& link : arm.links())
    if (std::holds_alternative<Free>(link.joint)) state.q[link.q0 + 3] = 1;
  return state;
}

void displace(const Arm& arm, Eigen::Ref<VectorXd> q, const Eigen::Ref<const VectorXd>& dv) {
  LITHE_DEMAND_EQUAL(q.size(), arm.nq());
  LITHE_DEMAND_EQUAL(dv.size(), arm.nv());
  for (const Link& link : arm.links()) {
    q.segment(link.flex_q0(), link.n_flex()) += dv.segment(link.flex_v0(), link.n_flex());
    if (!std::holds_alternative<Free>(link.joint)) {
      q.segment(link.q0, link.nq()) += dv.segment(link.v0, link.nv());
      continue;
    }
    const Quaterniond old = orientation(&q[link.q0]).normalized();
    const Quaterniond turned = old * Quaterniond(exp_rotation(dv.segment<3>(link.v0)));
    q.segment<3>(link.q0) += old * dv.segment<3>(link.v0 + 3);
    q.segment<4>(link.q0 + 3) << turned.w(), turned.vec();
  }
}

void position_rate(const Arm& arm, const State& state, Eigen::Ref<VectorXd> qdot) {
  LITHE_DEMAND_EQUAL(qdot.size(), arm.nq());
  for (const Link& link : arm.links()) {
    qdot.segment(link.flex_q0(), link.n_flex()) = state.v.segment(link.flex_v0(), link.n_flex());
    if (!std::holds_alternative<Free>(link.joint)) {
      qdot.segment(link.q0, link.nq()) = state.v.segment(link.v0, link.nv());
      continue;
    }
    const Quaterniond turn = orientation(&state.q[link.q0]);
    const Vector3d omega = state.v.segment<3>(link.v0);
    const Quaterniond rate = turn * Quaterniond(0, omega.x() / 2, omega.y() / 2, omega.z() / 2);
    qdot.segment<3>(link.q0) = turn.normalized() * state.v.segment<3>(link.v0 + 3);
    qdot.segment<4>(link.q0 + 3) << rate.w(), rate.vec();
  }
}

}  // namespace lithe
