#include "lithe/simulate/system.h"

#include <fmt/format.h>

#include <cmath>

#include "lithe/simulate/caught_body.h"
#include "lithe/simulate/integrator.h"
#include "lithe/simulate/stability_limit.h"
#include "lithe/simulate/suitable_method.h"

namespace lithe {
namespace {

/// Zero times a number is zero, unless the number is not finite.
bool all_finite(const double* numbers, int n) { return (0 * Eigen::Map<const VectorXd>(numbers, n)).sum() == 0; }

}  // namespace

System::System(const Arm& arm, Drives& drives, const std::string& formulation, bool canonical, const Simulate& options)
    : arm_(arm),
      drives_(drives),
      dynamics_(formulation, arm),
      state_(State::zero(arm)),
      tau_(VectorXd::Zero(arm.nv())),
      loaded_(VectorXd::Zero(arm.nv())),
      vdot_(VectorXd::Zero(arm.nv())),
      loss_(VectorXd::Zero(arm.nv())),
      work_(VectorXd::Zero(arm.nv())),
      rates_before_(VectorXd::Zero(arm.nv())),
      llt_(arm.nv()),
      has_passive_(has_passive_forces(arm)),
      internal_(arm.with_tip_rotation(TipRotation::finite)),
      on_tips_(arm.n_links(), Vector6d::Zero()),
      options_(options) {
  for (const Link& link : arm.links())
    if (link.joint->quaternion() >= 0) quaternions_.push_back(link.q0 + link.joint->quaternion());
  if (arm.small_tips()) {
    small_ = std::make_unique<RecursiveLagrangian>(arm.without_constraints());
  } else if (arm.root_moves()) {
    reaction_ = std::make_unique<Articulated>(arm.without_constraints());
  }
  if (!canonical) return;
  refuse_constraints(arm, "midpoint");
  for (const Link& link : arm.links())
    if (link.nq() != link.nv())
      throw UnsupportedError("simulate.method",
                             "midpoint cannot integrate '" + link.joint_name +
                                 "': its rates are not derivatives of coordinates; use another method");
  hamilton_ = std::make_unique<Lagrange>(arm);
  M_.setZero(arm.nv(), arm.nv());
  C_.setZero(arm.nv(), arm.nv());
}

VectorXd System::initial() {
  const State start = drives_.initial_state();
  VectorXd y = VectorXd::Zero(size());
  y.head(arm_.nq()) = start.q;
  y.segment(arm_.nq(), arm_.nv()) = start.v;
  y.segment(arm_.nq() + arm_.nv(), n_law_states()) = drives_.initial_law_states();
  if (hamilton_) {
    hamilton_->mass_matrix(start, M_);
    y.segment(arm_.nq(), arm_.nv()) = M_ * start.v;
  }
  if (drives_.any_driven()) {
    state_ = start;
    drives_.impose(state_);
    strike(start.v, y);
  }
  return y;
}

void System::enter(double t, double t_next, VectorXd& y) {
  if (!drives_.any_driven()) {
    drives_.enter(t, t_next);
    return;
  }
  state_of(t, y.data(), state_);
  rates_before_ = state_.v;
  drives_.enter(t, t_next);
  drives_.impose(state_);
  strike(rates_before_, y);
}

// The same equations as those of accelerations, M Δv = P + blow, so two hybrid solutions that differ by the blow and by the jumps of
// driven coordinates differ by Δv and P. Weight and springs are in both, and the difference is large compared with them.
System::Impulse System::impulse(const VectorXd& blow, const VectorXd& jumps, double fastest) {
  const double scale = 1e6 / fastest;
  state_.v.setZero();
  auto answer = [&](double factor) {
    loaded_ = factor * blow;
    vdot_ = factor * jumps;
    dynamics_.hybrid(state_, drives_.driven(), loaded_, vdot_);
    return base_power();
  };
  Impulse result;
  const double base_at_rest = answer(0);
  result.on_driven = loaded_;
  result.jump = vdot_;
  result.base_work = (answer(scale) - base_at_rest) / scale;
  result.on_driven = (loaded_ - result.on_driven) / scale;
  result.jump = (vdot_ - result.jump) / scale;
  return result;
}

// Impulses P act on the driven coordinates alone, so that M Δv = P with Δv given there: the momenta of all others stay. Their work is
// what the kinetic energy gains: ΔT = ½(v + v₊)ᵀMΔv = ½(v + v₊)ᵀP, and the base's push times its velocity.
void System::strike(const VectorXd& before, VectorXd& y) {
  constexpr double negligible = 1e-9;  // [rad/s, m/s], and of the rate: what rounding leaves where pieces meet
  VectorXd jumps = VectorXd::Zero(arm_.nv());
  double largest = 0;
  for (int k = 0; k < arm_.nv(); ++k) {
    if (!drives_.driven()[size_t(k)]) continue;
    jumps[k] = state_.v[k] - before[k];
    if (std::abs(jumps[k]) > negligible * (1 + std::abs(before[k]))) largest = std::max(largest, std::abs(jumps[k]));
  }
  if (largest == 0) return;
  const VectorXd after = state_.v;
  const Impulse blow = impulse(VectorXd::Zero(arm_.nv()), jumps, largest);
  double work = blow.base_work;
  auto second = y.segment(arm_.nq(), arm_.nv());
  for (int k = 0; k < arm_.nv(); ++k) {
    const bool driven = drives_.driven()[size_t(k)];
    if (driven) work += blow.on_driven[k] * (before[k] + after[k]) / 2;
    if (hamilton_)
      second[k] += driven ? blow.on_driven[k] : 0;  // momenta
    else
      second[k] = driven ? after[k] : second[k] + blow.jump[k];
  }
  y[size() - 2] += work;
}

void System::catch_body(double t, int link, const RigidInertia& added, VectorXd& y) {
  state_of(t, y.data(), state_);
  update_kinematics(arm_, state_, kin_);
  const CaughtBody body(arm_, kin_, link, added);
  const VectorXd before = state_.v;
  const double fastest = std::max({before.cwiseAbs().maxCoeff(), body.velocity.norm(), body.turning.norm()});
  if (!(fastest > 0)) return;
  const Impulse caught = impulse(body.blow, VectorXd::Zero(arm_.nv()), fastest);
  double work = caught.base_work + body.given_work(before, drives_.driven());
  for (int k = 0; k < arm_.nv(); ++k) {
    const bool driven = drives_.driven()[size_t(k)];
    if (driven) work += caught.on_driven[k] * before[k];
    state_.v[k] = before[k] + (driven ? 0 : caught.jump[k]);
  }
  set_state(state_, y);
  y[size() - 2] += work;
}

double System::base_power() {
  double power = 0;
  if (reaction_) {
    reaction_->inverse(state_, vdot_, loss_);  // loss_ serves as scratch
    power += reaction_->root_power(state_);
  }
  if (small_ && arm_.root_moves()) power += small_->base_power(state_, vdot_);
  return power;
}

void System::state_of(double t, const double* y, State& state) {
  state.t = drives_.instant(t);
  state.q = Eigen::Map<const VectorXd>(y, arm_.nq());
  state.v = Eigen::Map<const VectorXd>(y + arm_.nq(), arm_.nv());
  if (hamilton_) {
    hamilton_->mass_matrix(state, M_);
    llt_.compute(M_);
    llt_.solveInPlace(state.v);
  }
  if (n_law_states() > 0) drives_.law_states() = Eigen::Map<const VectorXd>(y + arm_.nq() + arm_.nv(), n_law_states());
  if (drives_.any_driven()) drives_.impose(state);
  dynamics_.project_rates(state, drives_.driven());
}

bool System::solve() {
  ++evaluations_;
  drives_.torques(state_, dynamics_.model(), tau_);
  loaded_ = tau_;
  drives_.add_loads(state_, loaded_);
  if (external_forces_ != nullptr) external_forces_->add(state_, loaded_);
  if (drives_.any_driven() || dynamics_.constrained()) {
    work_ = loaded_ - tau_;  // of the loads alone
    drives_.given_accelerations(state_.t, vdot_);
    dynamics_.hybrid(state_, drives_.driven(), loaded_, vdot_);
    // The force on a driven joint includes loads: the torque of the drive is that force minus the loads.
    for (size_t k = 0; k < drives_.driven().size(); ++k)
      if (drives_.driven()[k]) tau_[Eigen::Index(k)] = loaded_[Eigen::Index(k)] - work_[Eigen::Index(k)];
  } else {
    dynamics_.forward(state_, loaded_, vdot_);
  }
  power_lost_ = 0;
  if (has_passive_) {
    loss_.setZero();
    add_passive_forces(arm_, state_, false, true, loss_);
    power_lost_ = loss_.dot(state_.v);
  }
  power_in_ = loaded_.dot(state_.v);  // with what driven joints needed
  power_in_ += base_power();
  if (drives_.any_forces()) {
    // The energy that forces store or dissipate comes from the arm and is not input.
    const ForceEnergy forces = drives_.force_energy(state_);
    power_in_ += forces.stored_rate + forces.lost;
    power_lost_ += forces.lost;
  }
  return all_finite(vdot_.data(), arm_.nv());
}

bool System::rates(double t, const double* y, double* ydot) {
  if (!all_finite(y, size())) return false;
  try {
    state_of(t, y, state_);
    if (!solve()) return false;
  } catch (const SingularError&) {
    return false;  // the integrator may pass it with a smaller step, or reports where it stopped
  }
  Eigen::Map<VectorXd> qdot(ydot, arm_.nq()), second(ydot + arm_.nq(), arm_.nv());
  if (quaternions_.empty()) {
    qdot = state_.v;
  } else {
    position_rate(arm_, state_, qdot);
    for (const int q0 : quaternions_) {
      // Draws the quaternion back to unit length; no effect on one that has it.
      const auto quaternion = state_.q.segment<4>(q0);
      qdot.segment<4>(q0) += (1 - quaternion.squaredNorm()) * quaternion;
    }
  }
  if (hamilton_) {
    // ṗ = M v̇ + Ṁ v with Ṁ = C + Cᵀ
    hamilton_->coriolis_matrix(state_, C_);
    hamilton_->mass_matrix(state_, M_);
    second.noalias() = M_ * vdot_;
    second.noalias() += C_ * state_.v;
    second.noalias() += C_.transpose() * state_.v;
  } else {
    second = vdot_;
  }
  if (n_law_states() > 0) drives_.law_state_rates(state_, ydot + arm_.nq() + arm_.nv());
  ydot[size() - 2] = power_in_;
  ydot[size() - 1] = power_lost_;
  return true;
}

void System::scales(double t, const double* y, Eigen::Ref<VectorXd> scale) {
  scale.head(size() - 2).setOnes();
  scale.tail<2>().setZero();
  if (!hamilton_) return;
  state_of(t, y, state_);  // and M_ with it
  scale.segment(arm_.nq(), arm_.nv()) = M_.diagonal();
}

void System::switches(double t, const double* y, double* values) {
  state_of(t, y, state_);
  drives_.switches(state_, dynamics_.model(), values);
  values += drives_.n_switches();
  for (const auto& quantity : watched_) *values++ = quantity(state_);
}

void System::set_state(const State& state, VectorXd& y) {
  y.head(arm_.nq()) = state.q;
  y.segment(arm_.nq(), arm_.nv()) = state.v;
  if (!hamilton_) return;
  hamilton_->mass_matrix(state, M_);
  y.segment(arm_.nq(), arm_.nv()) = M_ * state.v;
}

void System::remove_drift(double t, VectorXd& y) {
  for (const int q0 : quaternions_) y.segment<4>(q0).normalize();
  if ((!drives_.any_driven() && !dynamics_.constrained()) || hamilton_) return;
  state_of(t, y.data(), state_);
  if (!dynamics_.project(state_, drives_.driven()))
    throw StepError(t, "the arm violates a constraint and cannot be brought back to it");
  y.head(arm_.nq()) = state_.q;
  y.segment(arm_.nq(), arm_.nv()) = state_.v;
}

void System::row(double t, const double* y, int i_tip, Row& row) {
  state_of(t, y, state_);
  solve();
  row.state = state_;
  row.vdot = vdot_;
  row.tau = tau_;
  row.constraint_forces = dynamics_.reactions();
  update_kinematics(arm_, state_, kin_);
  row.kinetic = small_ ? small_->kinetic_energy(state_) : kinetic_energy(arm_, state_, kin_);
  row.gravity = gravity_energy(arm_, kin_);
  row.elastic = elastic_energy(arm_, state_);
  if (drives_.any_forces()) row.elastic += drives_.force_energy(state_).stored;
  row.put_in = y[size() - 2];
  row.lost = y[size() - 1];
  row.X_WT = kin_.X_WT[i_tip];
  for (Vector6d& wrench : on_tips_) wrench.setZero();
  along_.clear();
  drives_.add_load_wrenches(state_, kin_, on_tips_, along_);
  if (external_forces_ != nullptr) external_forces_->list(state_, kin_, on_tips_, along_);
  dynamics_.add_wrenches(state_, on_tips_);
  internal_.update(state_, vdot_, on_tips_, along_);
  row.internal = &internal_;
  row.kinematics = &internal_.kinematics();
  wanted_ = state_;
  drives_.command_state(wanted_);
  row.tip_error.setZero();
  row.tip_turn.setZero();
  if (wanted_.q == state_.q) return;  // a rigid arm where it should be
  update_kinematics(arm_, wanted_, kin_);
  row.tip_error = row.X_WT.p - kin_.X_WT[i_tip].p;
  row.tip_turn = log_rotation(row.X_WT.R * kin_.X_WT[i_tip].R.transpose());
}

std::unique_ptr<Integrator> System::integrator(const std::atomic<bool>* stop) {
  return make_integrator(*this, options_, stop);
}

void System::choose_method(const VectorXd& y_start) {
  if (options_.method || canonical()) return;
  const SuitableMethod suitable = suitable_method(*this, options_, y_start.data());
  options_.method = suitable.method;
  if (!suitable.reason.empty()) method_chosen_ = fmt::format("{}: {}", word(suitable.method), suitable.reason);
}

double System::fastest_time_scale(double t, const VectorXd& y) {
  const double rate = StabilityLimit(*this).fastest_rate(t, y.data());
  return rate > 0 ? 1 / rate : 0;
}

std::string System::advice() const {
  return options_.step ? "a smaller step, an adaptive method (cvode, esdirk), less stiffness, or lower gains"
                       : "smaller rtol and atol, another method (esdirk, cvode), less stiffness, or lower gains";
}

}  // namespace lithe
