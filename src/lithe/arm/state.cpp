#include "lithe/arm/state.h"

#include "lithe/spatial/demand.h"

namespace lithe {

State State::zero(const Arm& arm) {
  State state{0, VectorXd::Zero(arm.nq()), VectorXd::Zero(arm.nv())};
  for (const Link& link : arm.links()) link.joint->set_zero(state.q.data() + link.q0);
  return state;
}

void displace(const Arm& arm, Eigen::Ref<VectorXd> q, const Eigen::Ref<const VectorXd>& dv) {
  LITHE_DEMAND_EQUAL(q.size(), arm.nq());
  LITHE_DEMAND_EQUAL(dv.size(), arm.nv());
  for (const Link& link : arm.links()) {
    link.joint->displace(q.data() + link.q0, dv.data() + link.v0);
    q.segment(link.flex_q0(), link.n_flex()) += dv.segment(link.flex_v0(), link.n_flex());
  }
}

void position_rate(const Arm& arm, const State& state, Eigen::Ref<VectorXd> qdot) {
  LITHE_DEMAND_EQUAL(qdot.size(), arm.nq());
  for (const Link& link : arm.links()) {
    link.joint->position_rate(state.q.data() + link.q0, state.v.data() + link.v0, qdot.data() + link.q0);
    qdot.segment(link.flex_q0(), link.n_flex()) = state.v.segment(link.flex_v0(), link.n_flex());
  }
}

}  // namespace lithe
