#include "lithe/simulate/element_march.h"

#include <fmt/format.h>

#include "lithe/arm/modal_damping.h"
#include "lithe/describe/field.h"
#include "lithe/simulate/integrator.h"

namespace lithe {

ElementMarch::ElementMarch(const Case& data, const Arm& arm, Drives& drives, const Simulate& options)
    : arm_(arm),
      drives_(drives),
      options_(options),
      kind_(options.model.value_or(ElementModel::nonlinear)),
      accelerations_by_state_(kind_ == ElementModel::linear && !arm.has_guides()),
      floating_(data, arm, drives),
      system_(&floating_),
      controllers_(arm.without_guides()),
      state_(State::zero(arm)),
      before_(State::zero(arm)),
      vdot_(VectorXd::Zero(arm.nv())),
      tau_(VectorXd::Zero(arm.nv())),
      loads_(VectorXd::Zero(arm.nv())),
      loss_(VectorXd::Zero(arm.nv())),
      borne_(VectorXd::Zero(arm.nv())),
      applied_(VectorXd::Zero(arm.nv())),
      change_(VectorXd::Zero(arm.nv())),
      impulse_(VectorXd::Zero(arm.nv())),
      on_tips_(arm.n_links(), Vector6d::Zero()) {
  refuse_modal_damping(arm, word(RunFormulation::finite_element));
  if (data.wind)
    throw UnsupportedError("wind",
                           "finite-element: wind is not supported; give the beam segments and use another formulation");
  if (drives.any_forces())
    throw UnsupportedError(data.forces.empty() ? "forces" : "forces[0]",
                           "finite-element: forces that depend on the motion are not supported; use another "
                           "formulation");
  for (const PlacedLaw& placed : drives.laws())
    if (!placed.sampled() && placed.law->n_states() > 0)
      throw UnsupportedError("torque." + placed.joint,
                             "finite-element: states of controllers (an integral, a filter) are not supported; give "
                             "sample_time, or use another formulation");
  if (!arm.has_guides()) {
    internal_.emplace(arm);
  } else if (arm.root_moves() || arm.link(0).role == LinkRole::base) {
    throw UnsupportedError("arm.base", "finite-element: a beam in a guide needs a base at rest");
  }
  if (kind_ != ElementModel::nonlinear) {
    if (kind_ == ElementModel::literal) {
      nominal_ = std::make_unique<LiteralModel>(data, arm, drives);
    } else {
      nominal_ = std::make_unique<NominalModel>(data, arm, drives);
    }
    system_ = nominal_.get();
  }
  for (VectorXd* x : {&z_, &v_, &a_}) x->setZero(n());
  for (VectorXd* x : {&free_z_, &free_v_, &free_a_, &force_}) x->setZero(floating_.size());
  if (kind_ == ElementModel::literal) refuse_jumps();
}

/// The literal model has no momentum that would determine the rates of its nodes after a jump.
void ElementMarch::refuse_jumps() {
  const std::vector<double> corners = drives_.breakpoints(options_.duration);
  for (size_t k = 0; k < corners.size(); ++k) {
    const double t = corners[k], next = k + 1 < corners.size() ? corners[k + 1] : options_.duration;
    if (t >= options_.duration || !find_jump(t, next)) continue;
    int worst = 0;
    if (change_.cwiseAbs().maxCoeff(&worst) > 1e-9 * (1 + std::abs(wanted_.v[worst])))
      throw UnsupportedError("simulate.model",
                             fmt::format("finite-element, literal: the commanded rate of '{}' jumps by {:.3g} at t = "
                                         "{:.6g} s; use a profile without jumps in its rate, or another model",
                                         arm_.coordinates()[size_t(worst)], change_[worst], t));
  }
}

void ElementMarch::read(const double* y) {
  z_ = Eigen::Map<const VectorXd>(y, n());
  v_ = Eigen::Map<const VectorXd>(y + n(), n());
  a_ = Eigen::Map<const VectorXd>(y + 2 * n(), n());
  if (BaseChart* chart = base_chart()) chart->set_reference(y + 3 * n());
}

void ElementMarch::write(VectorXd& y) {
  y.head(n()) = z_;
  y.segment(n(), n()) = v_;
  y.segment(2 * n(), n()) = a_;
  if (const BaseChart* chart = base_chart()) y.segment<4>(3 * n()) = chart->reference();
}

VectorXd ElementMarch::initial() {
  State start = drives_.initial_state();
  change_ = -start.v;
  drives_.impose(start);
  change_ += start.v;  // of driven joints whose own rate is given: to that of their motion
  if (!change_.isZero(0) && kind_ != ElementModel::quasi_static) {
    floating_.unknowns_of(start, free_z_, free_v_);
    floating_.jump(0, free_z_, free_v_, change_);
    floating_.state_of(0, free_z_, free_v_, start);
  }
  VectorXd y = VectorXd::Zero(size());
  go_on_from(start, y);
  return y;
}

void ElementMarch::watch(const std::function<double(const State&)>& quantity) {
  if (kind_ == ElementModel::quasi_static)
    throw UnsupportedError("simulate.model",
                           "finite-element, quasi-static: states between rows are not known, so no "
                           "crossings are found");
  watched_.push_back(quantity);
}

void ElementMarch::set_state(const State& state, VectorXd& y) {
  if (kind_ == ElementModel::quasi_static)
    throw UnsupportedError(
        "simulate.model", "finite-element, quasi-static: what is commanded decides the state; no other one can be set");
  go_on_from(state, y);
}

void ElementMarch::go_on_from(const State& state, VectorXd& y) {
  const double t = state.t;
  v_.setZero();
  a_.setZero();
  if (kind_ == ElementModel::quasi_static) {
    nominal_->quasi_static(t, z_);
  } else {
    if (nominal_) {
      nominal_->forget();
      nominal_->unknowns_of(state, z_, v_);
    } else {
      if (BaseChart* chart = base_chart()) chart->centre(state);
      floating_.unknowns_of(state, z_, v_);
    }
    find_accelerations(t);
  }
  write(y);
}

/// Those that z_ and v_ need, into a_.
void ElementMarch::find_accelerations(double t) {
  Newmark newmark(*system_, {});
  newmark.restart(t, z_, v_);
  a_ = newmark.a();
}

void ElementMarch::motion_of(double t, State& state) {
  if (nominal_) {
    nominal_->state_of(t, z_, v_, a_, state, vdot_);
  } else {
    floating_.state_of(t, z_, v_, state);
  }
}

void ElementMarch::evaluate(double t, const VectorXd& z, const VectorXd& v, const VectorXd& a) {
  if (nominal_) {
    nominal_->state_of(t, z, v, a, state_, vdot_);
    floating_.unknowns_of(state_, free_z_, free_v_);
    for (int k = 0; k < floating_.size(); ++k) free_a_[k] = vdot_[floating_.free_coordinates()[size_t(k)]];
    floating_.unbalanced(t, free_z_, free_v_, free_a_, force_);
  } else {
    floating_.state_of(t, z, v, state_);
    floating_.accelerations_of(t, z, v, a, vdot_);
    floating_.unbalanced(t, z, v, a, force_);
  }
  drives_.torques(state_, controllers_, tau_);
  loads_.setZero();
  drives_.add_loads(state_, loads_);
  borne_ = vdot_;
  if (!accelerations_by_state_) {
    for (int k = 0; k < arm_.nv(); ++k)
      if (drives_.driven()[k]) tau_[k] = floating_.forces()[k];
    return;
  }
  applied_ = tau_ + loads_;
  controllers_.hybrid(state_, drives_.driven(), applied_, borne_);
  for (int k = 0; k < arm_.nv(); ++k)
    if (drives_.driven()[k]) tau_[k] = applied_[k] - loads_[k];
}

ElementMarch::Powers ElementMarch::powers(double t, const VectorXd& z, const VectorXd& v, const VectorXd& a) {
  evaluate(t, z, v, a);
  loss_.setZero();
  add_passive_forces(arm_, state_, false, true, loss_);
  Powers result{(tau_ + loads_).dot(state_.v), loss_.dot(state_.v) + floating_.power_lost_in_guided_beams()};
  result.in += base_power(borne_);
  return result;
}

/// Of a moving base at state_ and these accelerations.
double ElementMarch::base_power(const VectorXd& vdot) {
  if (!arm_.root_moves()) return 0;
  controllers_.inverse(state_, vdot, loss_);  // loss_ serves as scratch
  return controllers_.root_power(state_);
}

void ElementMarch::state_of(double t, const double* y, State& state) {
  read(y);
  motion_of(t, state);
}

void ElementMarch::row(double t, const double* y, int i_tip, Row& row) {
  state_of(t, y, state_);
  evaluate(t, z_, v_, a_);
  row.state = state_;
  row.vdot = vdot_;
  row.tau = tau_;
  update_kinematics(arm_, state_, kin_);
  row.kinematics = &kin_;
  row.kinetic = floating_.kinetic_energy();
  row.gravity = floating_.gravity_energy();
  row.elastic = floating_.elastic_energy();
  row.put_in = y[size() - 2];
  row.lost = y[size() - 1];
  row.X_WT = kin_.X_WT[i_tip];
  if (internal_) {
    for (Vector6d& wrench : on_tips_) wrench.setZero();
    along_.clear();
    drives_.add_load_wrenches(state_, kin_, on_tips_, along_);
    internal_->update(state_, borne_, on_tips_, along_);
    row.internal = &*internal_;
  }
  wanted_ = state_;
  drives_.command_state(wanted_);
  update_kinematics(arm_, wanted_, wanted_kin_);
  const Pose& commanded = wanted_kin_.X_WT[i_tip];
  if (nominal_) {
    // What the model itself says of the tip: kinematics at its coordinates would add terms of second order.
    const Vector6d displacement = nominal_->tip_displacement(t, z_, i_tip);
    row.X_WT = {ExpMap(displacement.tail<3>()).rotation() * commanded.R, commanded.p + displacement.head<3>()};
  }
  row.tip_error = row.X_WT.p - commanded.p;
  row.tip_turn = log_rotation(row.X_WT.R * commanded.R.transpose());
}

}  // namespace lithe
