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
      initial_jump_(VectorXd::Zero(arm.nv())),
      change_(VectorXd::Zero(arm.nv())),
      impulse_(VectorXd::Zero(arm.nv())),
      on_tips_(arm.n_links(), Vector6d::Zero()) {
  refuse_modal_damping(arm, word(RunFormulation::finite_element));
  if (data.wind)
    throw UnsupportedError("wind",
                           "finite-element: wind is not supported; give the beam segments and use another formulation");
  if (drives.any_forces())
    throw UnsupportedError("forces",
                           "finite-element: forces between points are not supported; use another formulation");
  for (const PlacedLaw& placed : drives.laws())
    if (!placed.sampled() && placed.law->n_states() > 0)
      throw UnsupportedError("torque." + placed.joint,
                             "finite-element: states of controllers (an integral, a filter) are not supported; give "
                             "sample_time, or use another formulation");
  if (!arm.has_guides()) {
    internal_.emplace(arm);
  } else if (arm.root_moves()) {
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
  State start = drives.initial_state();
  initial_jump_ = -start.v;
  drives.impose(start);
  initial_jump_ += start.v;  // of driven joints whose own rate is given: to that of their motion
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

VectorXd ElementMarch::initial() {
  State start = drives_.initial_state();
  drives_.impose(start);
  VectorXd y = VectorXd::Zero(3 * n() + 2);
  if (!initial_jump_.isZero(0) && kind_ != ElementModel::quasi_static) {
    floating_.unknowns_of(start, free_z_, free_v_);
    floating_.jump(0, free_z_, free_v_, initial_jump_);
    floating_.state_of(0, free_z_, free_v_, start);
  }
  if (kind_ == ElementModel::quasi_static) {
    nominal_->quasi_static(0, z_);
  } else if (nominal_) {
    nominal_->unknowns_of(start, z_, v_);
  } else {
    floating_.unknowns_of(start, z_, v_);
  }
  y.head(n()) = z_;
  y.segment(n(), n()) = v_;
  if (kind_ == ElementModel::quasi_static) return y;
  Newmark newmark(*system_, {});
  newmark.restart(0, z_, v_);
  y.segment(2 * n(), n()) = newmark.a();
  return y;
}

void ElementMarch::take_free_part_of(const State& state) {
  const std::vector<int>& free = floating_.free_coordinates();
  for (size_t k = 0; k < free.size(); ++k) {
    free_z_[Eigen::Index(k)] = state.q[free[k]];
    free_v_[Eigen::Index(k)] = state.v[free[k]];
  }
}

bool ElementMarch::find_jump(double t, double t_stop) {
  auto rates = [&](double from, double to) -> const VectorXd& {
    drives_.enter(from, to);
    wanted_.t = t;
    if (nominal_) {
      drives_.command_motion(wanted_, vdot_);
    } else {
      drives_.impose(wanted_);
    }
    return wanted_.v;
  };
  wanted_ = state_;
  change_ = rates(t, t_stop);
  // Pieces may end a rounding error beside the time that the run stops at.
  const double near = 1e-11 * options_.duration;
  change_ -= rates(t - 2 * near, t);
  return !change_.isZero(0);
}

double ElementMarch::pass_corner(double t, double t_stop, const VectorXd& z, VectorXd& v) {
  const bool jumps = find_jump(t, t_stop);
  if (jumps) {
    a_.setZero();
    if (nominal_) {
      nominal_->forget();
      nominal_->state_of(t, z, v, a_, before_, vdot_);
    } else {
      floating_.state_of(t, z, v, before_);
    }
  }
  drives_.enter(t, t_stop);
  if (nominal_) nominal_->forget();
  if (!jumps) return 0;
  if (nominal_) {
    nominal_->jump(t, z, v, change_);
    nominal_->state_of(t, z, v, a_, state_, vdot_);
  } else {
    floating_.jump(t, z, v, change_);
    floating_.state_of(t, z, v, state_);
  }
  take_free_part_of(state_);
  change_ = state_.v - before_.v;
  floating_.impulses(t, free_z_, free_v_, change_, impulse_);
  double work = 0;
  for (int k = 0; k < arm_.nv(); ++k)
    if (drives_.driven()[size_t(k)]) work += impulse_[k] * (before_.v[k] + state_.v[k]) / 2;
  if (arm_.root_moves()) {
    // The force of the base due to the change alone: its velocity does not jump.
    controllers_.inverse(state_, change_, loss_);
    work += controllers_.root_power(state_);
    change_.setZero();
    controllers_.inverse(state_, change_, loss_);
    work -= controllers_.root_power(state_);
  }
  return work;
}

void ElementMarch::evaluate(double t, const VectorXd& z, const VectorXd& v, const VectorXd& a) {
  if (nominal_) {
    nominal_->state_of(t, z, v, a, state_, vdot_);
    take_free_part_of(state_);
    for (int k = 0; k < floating_.size(); ++k) free_a_[k] = vdot_[floating_.free_coordinates()[size_t(k)]];
    floating_.unbalanced(t, free_z_, free_v_, free_a_, force_);
  } else {
    floating_.state_of(t, z, v, state_);
    floating_.accelerations_of(t, a, vdot_);
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
  if (arm_.root_moves()) {
    controllers_.inverse(state_, borne_, loss_);  // loss_ serves as scratch
    result.in += controllers_.root_power(state_);
  }
  return result;
}

void ElementMarch::state_of(double t, const double* y, State& state) {
  z_ = Eigen::Map<const VectorXd>(y, n());
  v_ = Eigen::Map<const VectorXd>(y + n(), n());
  a_ = Eigen::Map<const VectorXd>(y + 2 * n(), n());
  if (nominal_) {
    nominal_->state_of(t, z_, v_, a_, state, vdot_);
  } else {
    floating_.state_of(t, z_, v_, state);
  }
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
  row.put_in = y[3 * n()];
  row.lost = y[3 * n() + 1];
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

// ---------------------------------------------------------------------------------------------- integration in time

namespace {

/// A beam that leaves its guide ends the integration.
template <class Step>
void within_guides(const double& t, Step step) {
  try {
    step();
  } catch (const GuideError& error) {
    throw StepError(t, error.what());
  }
}

}  // namespace

/// Newmark or generalised-α, with the powers summed step by step.
class ElementMarch::MarchInTime : public Integrator {
 public:
  MarchInTime(ElementMarch& march, const std::atomic<bool>* stop)
      : march_(march), newmark_(*march.system_, options(march.options_, stop)), stop_(stop) {
    newmark_.after_step([this] { audit(); });
  }
  void restart(double t, const VectorXd& y, double t_stop) override {
    const int n = march_.n();
    const VectorXd z = y.head(n);
    VectorXd v = y.segment(n, n);
    put_in_ = y[3 * n];
    if (t > 0) put_in_ += march_.pass_corner(t, t_stop, z, v);
    newmark_.restart(t, z, v);
    lost_ = y[3 * n + 1];
    t_ = t;
    last_ = march_.powers(t, newmark_.z(), newmark_.v(), newmark_.a());
  }
  double advance(double t_out, VectorXd& y) override {
    within_guides(newmark_.t(), [&] { newmark_.advance(t_out); });
    put_state(y);
    return t_out;
  }
  IntegratorWork work() const override {
    const NewmarkWork& work = newmark_.work();
    return {work.steps, work.halvings + work.rejected, work.factorisations};
  }

 private:
  static NewmarkOptions options(const Simulate& simulate, const std::atomic<bool>* stop) {
    NewmarkOptions options;
    options.stop = stop;
    if (simulate.method == Method::generalised_alpha) options.rho_infinity = simulate.rho_infinity.value_or(0.8);
    if (simulate.step) {
      options.step = *simulate.step;
    } else {
      options.step = simulate.row_interval();
      options.tolerance = NewmarkTolerance{simulate.rtol, simulate.atol};
    }
    return options;
  }

  void audit() {
    if (stop_ != nullptr && *stop_) throw StepError(newmark_.t(), "interrupted");
    const Powers now = march_.powers(newmark_.t(), newmark_.z(), newmark_.v(), newmark_.a());
    const double half = (newmark_.t() - t_) / 2;
    put_in_ += half * (last_.in + now.in);
    lost_ += half * (last_.lost + now.lost);
    last_ = now;
    t_ = newmark_.t();
    march_.evaluations_ += newmark_.work().iterations - counted_;
    counted_ = newmark_.work().iterations;
    if (!look_) return;
    put_state(y_);
    look_(t_, y_.data());
  }
  void put_state(VectorXd& y) const {
    const int n = march_.n();
    y.head(n) = newmark_.z();
    y.segment(n, n) = newmark_.v();
    y.segment(2 * n, n) = newmark_.a();
    y[3 * n] = put_in_;
    y[3 * n + 1] = lost_;
  }

  ElementMarch& march_;
  Newmark newmark_;
  const std::atomic<bool>* stop_;
  double t_ = 0, put_in_ = 0, lost_ = 0;
  long counted_ = 0;
  Powers last_;
  VectorXd y_ = VectorXd::Zero(3 * march_.n() + 2);  // for who looks between rows
};

/// One static problem at every row.
class ElementMarch::FollowStatically : public Integrator {
 public:
  FollowStatically(ElementMarch& march, const std::atomic<bool>* stop) : march_(march), stop_(stop) {}
  void restart(double t, const VectorXd& y, double) override {
    t_ = t;
    march_.nominal_->quasi_static(t, z_);
    rest_ = VectorXd::Zero(z_.size());
    last_ = march_.powers(t, z_, rest_, rest_);
    put_in_ = y[3 * march_.n()];
  }
  double advance(double t_out, VectorXd& y) override {
    if (stop_ != nullptr && *stop_) throw StepError(t_, "interrupted");
    const int n = march_.n();
    Powers now;
    within_guides(t_, [&] {
      march_.nominal_->quasi_static(t_out, z_);
      now = march_.powers(t_out, z_, rest_, rest_);
    });
    put_in_ += (t_out - t_) / 2 * (last_.in + now.in);
    last_ = now;
    t_ = t_out;
    y.head(n) = z_;
    y[3 * n] = put_in_;
    ++march_.evaluations_;
    ++steps_;
    return t_out;
  }
  IntegratorWork work() const override { return {steps_, 0, 0}; }

 private:
  ElementMarch& march_;
  const std::atomic<bool>* stop_;
  double t_ = 0, put_in_ = 0;
  long steps_ = 0;
  VectorXd z_, rest_;
  Powers last_;
};

std::unique_ptr<Integrator> ElementMarch::integrator(const std::atomic<bool>* stop) {
  if (kind_ == ElementModel::quasi_static) return std::make_unique<FollowStatically>(*this, stop);
  return std::make_unique<MarchInTime>(*this, stop);
}

}  // namespace lithe
