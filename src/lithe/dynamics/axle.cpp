#include "lithe/dynamics/axle.h"

#include <cmath>

#include "lithe/arm/kinematics.h"
#include "lithe/spatial/demand.h"

namespace lithe {

Axle::Axle(const Arm& arm) : mass_(total_mass(arm)), tau_pushed_(arm.nv()), vdot_pushed_(arm.nv()) {
  LITHE_DEMAND(arm.axle().has_value());
  axle_ = *arm.axle();
  const Link& slide = arm.link(arm.find_link("base.x"));
  q0_ = slide.q0;
  v0_ = slide.v0;
}

Axle::Row Axle::row(const State& state) const {
  const double yaw = state.q[q0_ + 2];
  return {std::sin(yaw), std::cos(yaw), axle_};
}

double Axle::slip(const State& state) const { return row(state).times(&state.v[v0_]); }

void Axle::roll(State& state) const {
  const Row a = row(state);
  const double across = a.times(&state.v[v0_]);
  state.v[v0_] += across * a.s;
  state.v[v0_ + 1] -= across * a.c;
}

double Axle::hybrid(Formulation& model, const State& state, const std::vector<bool>& driven, Eigen::Ref<VectorXd> tau,
                    Eigen::Ref<VectorXd> vdot) {
  const Row a = row(state);
  const double* v = &state.v[v0_];
  tau_pushed_ = tau;
  vdot_pushed_ = vdot;
  model.hybrid(state, driven, tau, vdot);
  const double turning = -v[2] * (a.c * v[0] + a.s * v[1]);  // ȧ v
  const double across = a.times(&vdot[v0_]) + turning;
  if (across == 0) return 0;
  // A push of about the size needed, so that little is lost in the difference it makes.
  const double push = -mass_ * across;
  tau_pushed_[v0_] -= push * a.s;
  tau_pushed_[v0_ + 1] += push * a.c;
  tau_pushed_[v0_ + 2] += push * a.axle;
  model.hybrid(state, driven, tau_pushed_, vdot_pushed_);
  vdot_pushed_ -= vdot;
  const double share = -across / a.times(&vdot_pushed_[v0_]);
  vdot += share * vdot_pushed_;
  for (size_t k = 0; k < driven.size(); ++k)
    if (driven[k]) tau[Eigen::Index(k)] += share * (tau_pushed_[Eigen::Index(k)] - tau[Eigen::Index(k)]);
  return share * push;
}

}  // namespace lithe
