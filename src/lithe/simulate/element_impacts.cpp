// Rates that change at once: of driven joints, and where a body is caught.
#include "lithe/simulate/caught_body.h"
#include "lithe/simulate/element_march.h"

namespace lithe {

/// By how much the rates that the model takes as commanded jump at t, into change_; the drives are left before it.
bool ElementMarch::find_jump(double t, double t_next) {
  auto rates = [&](double from, double to) -> const VectorXd& {
    drives_.enter(from, to);
    wanted_.t = t;
    if (nominal_) {
      nominal_->command(wanted_, vdot_);
    } else {
      drives_.impose(wanted_);
    }
    return wanted_.v;
  };
  wanted_ = state_;
  change_ = rates(t, t_next);
  // Pieces may end a rounding error beside the time that the run stops at.
  const double near = 1e-11 * options_.duration;
  change_ -= rates(t - 2 * near, t);
  return !change_.isZero(0);
}

void ElementMarch::enter(double t, double t_next, VectorXd& y) {
  if (kind_ == ElementModel::quasi_static) {
    drives_.enter(t, t_next);
    nominal_->forget();
    return;
  }
  state_of(t, y.data(), state_);
  const bool jumps = find_jump(t, t_next);
  if (nominal_) nominal_->forget();
  if (jumps) motion_of(t, before_);
  drives_.enter(t, t_next);
  if (nominal_) nominal_->forget();
  if (!jumps) return;
  if (nominal_) {
    nominal_->jump(t, z_, v_, change_);
  } else {
    floating_.jump(t, z_, v_, change_);
  }
  motion_of(t, state_);
  y.segment(n(), n()) = v_;
  y[size() - 2] += work_of_impulses(t);
}

/// Of those on driven joints and on a moving base, whose velocity does not jump, where rates have changed from before_ to state_.
double ElementMarch::work_of_impulses(double t) {
  floating_.unknowns_of(state_, free_z_, free_v_);
  change_ = state_.v - before_.v;
  floating_.impulses(t, free_z_, free_v_, change_, impulse_);
  double work = 0;
  for (int k = 0; k < arm_.nv(); ++k)
    if (drives_.driven()[size_t(k)]) work += impulse_[k] * (before_.v[k] + state_.v[k]) / 2;
  work += base_power(change_);
  change_.setZero();
  return work - base_power(change_);
}

void ElementMarch::catch_body(double t, int link, const RigidInertia& added, VectorXd& y) {
  if (kind_ == ElementModel::quasi_static)
    throw UnsupportedError("simulate.model",
                           "finite-element, quasi-static: deformations have no momentum; expected no `at_rest`");
  state_of(t, y.data(), before_);
  update_kinematics(arm_, before_, kin_);
  const CaughtBody body(arm_, kin_, link, added);
  if (nominal_) {
    nominal_->strike(t, z_, v_, link, stacked(-body.angular, -body.linear));
  } else {
    change_.setZero();
    floating_.strike(t, z_, v_, change_, body.blow);
  }
  motion_of(t, state_);
  y[size() - 2] += work_of_impulses(t) + body.given_work(before_.v, drives_.driven());
  find_accelerations(t);
  write(y);
}

}  // namespace lithe
