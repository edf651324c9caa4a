#include "lithe/dynamics/constrained_dynamics.h"

#include <fmt/format.h>

#include <cmath>

namespace lithe {

ConstrainedDynamics::ConstrainedDynamics(std::string_view formulation, const Arm& arm)
    : arm_(arm),
      model_(make_formulation(formulation, arm.without_constraints())),
      n_(n_constraint_rows(arm)),
      mass_(total_mass(arm)),
      none_driven_(size_t(arm.nv()), false),
      llt_(n_) {
  const int nv = arm.nv();
  for (const auto& constraint : arm.constraints()) {
    needs_kinematics_ |= constraint->needs_kinematics();
    binds_positions_ |= constraint->binds_positions();
  }
  for (MatrixXd* matrix : {&a_, &free_a_}) matrix->setZero(n_, nv);
  for (MatrixXd* matrix : {&C_, &tau_change_}) matrix->setZero(nv, n_);
  W_.setZero(n_, n_);
  for (VectorXd* vector : {&adot_v_, &wrong_, &slip_, &lambda_, &shares_}) vector->setZero(n_);
  for (VectorXd* vector : {&tau_, &pushed_tau_, &given_vdot_, &pushed_vdot_, &step_}) vector->setZero(nv);
}

void ConstrainedDynamics::update_rows(const State& state) {
  if (needs_kinematics_) update_kinematics(arm_, state, kin_);
  a_.setZero();
  int row = 0;
  for (const auto& constraint : arm_.constraints()) {
    const int n = constraint->n_rows();
    constraint->fill_rows({state, kin_}, a_.middleRows(row, n));
    row += n;
  }
}

void ConstrainedDynamics::forward(const State& state, const Eigen::Ref<const VectorXd>& tau,
                                  Eigen::Ref<VectorXd> vdot) {
  if (n_ == 0) {
    model_->forward(state, tau, vdot);
    return;
  }
  tau_ = tau;
  solve(state, none_driven_, tau_, vdot);
}

void ConstrainedDynamics::hybrid(const State& state, const std::vector<bool>& driven, Eigen::Ref<VectorXd> tau,
                                 Eigen::Ref<VectorXd> vdot) {
  if (n_ == 0) {
    model_->hybrid(state, driven, tau, vdot);
    return;
  }
  solve(state, driven, tau, vdot);
}

void ConstrainedDynamics::solve(const State& state, const std::vector<bool>& driven, Eigen::Ref<VectorXd> tau,
                                Eigen::Ref<VectorXd> vdot) {
  update_rows(state);
  for (int row = 0; const auto& constraint : arm_.constraints()) {
    constraint->fill_rate({state, kin_}, adot_v_.segment(row, constraint->n_rows()));
    row += constraint->n_rows();
  }
  pushed_tau_ = tau;
  given_vdot_ = vdot;  // its driven entries; the hybrid solution overwrites the others
  model_->hybrid(state, driven, tau, vdot);
  wrong_.noalias() = a_ * vdot;
  wrong_ += adot_v_;
  lambda_.setZero();
  const double largest = wrong_.cwiseAbs().maxCoeff();
  if (largest == 0) return;
  // A force of about the size needed, so that little is lost in the difference that it makes.
  const double push = mass_ * largest;
  for (int j = 0; j < n_; ++j) {
    tau_change_.col(j) = pushed_tau_ + push * a_.row(j).transpose();
    pushed_vdot_ = given_vdot_;
    model_->hybrid(state, driven, tau_change_.col(j), pushed_vdot_);
    C_.col(j) = (pushed_vdot_ - vdot) / push;
    tau_change_.col(j) = (tau_change_.col(j) - tau) / push;
  }
  W_.noalias() = a_ * C_;
  factor();
  lambda_ = -wrong_;
  llt_.solveInPlace(lambda_);
  vdot.noalias() += C_ * lambda_;
  // The drive of a coordinate also bears λ there, which the hybrid solution does not include.
  for (int k = 0; k < arm_.nv(); ++k)
    if (driven[size_t(k)]) tau[k] += tau_change_.row(k).dot(lambda_) - a_.col(k).dot(lambda_);
}

void ConstrainedDynamics::factor() {
  llt_.compute(W_);
  // A row that depends on those before it leaves only rounding on the diagonal: there the factorisation ends.
  constexpr double negligible = 1e-10;
  const auto& L = llt_.matrixLLT();
  for (int row = 0; const auto& constraint : arm_.constraints())
    for (int k = 0; k < constraint->n_rows(); ++k, ++row)
      if (!(W_(row, row) - L.row(row).head(row).squaredNorm() > negligible * W_(row, row)))
        throw SingularError(
            fmt::format("the constraint of '{}' is redundant: other constraints or given motions already enforce it",
                        constraint->reactions()[size_t(k)].name));
}

void ConstrainedDynamics::add_wrenches(const State& state, std::vector<Vector6d>& on_tips) {
  if (n_ == 0) return;
  if (needs_kinematics_) update_kinematics(arm_, state, kin_);
  for (int row = 0; const auto& constraint : arm_.constraints()) {
    constraint->add_wrenches({state, kin_}, lambda_.data() + row, on_tips);
    row += constraint->n_rows();
  }
}

const VectorXd& ConstrainedDynamics::slip(const State& state) {
  update_rows(state);
  slip_.noalias() = a_ * state.v;
  return slip_;
}

std::string ConstrainedDynamics::broken(const State& state) {
  if (n_ == 0) return "";
  slip(state);
  for (int row = 0; const auto& constraint : arm_.constraints())
    for (int k = 0; k < constraint->n_rows(); ++k, ++row)
      if (std::abs(slip_[row]) > 1e-9 * (1 + state.v.norm())) return constraint->broken(slip_[row]);
  return "";
}

void ConstrainedDynamics::least_step(const std::vector<bool>& driven, const VectorXd& wrong) {
  free_a_ = a_;
  for (size_t k = 0; k < driven.size(); ++k)
    if (driven[k]) free_a_.col(Eigen::Index(k)).setZero();
  W_.noalias() = free_a_ * free_a_.transpose();
  factor();
  shares_ = -wrong;
  llt_.solveInPlace(shares_);
  step_.noalias() = free_a_.transpose() * shares_;
}

void ConstrainedDynamics::project_rates(State& state, const std::vector<bool>& driven) {
  if (n_ == 0 || slip(state).cwiseAbs().maxCoeff() == 0) return;
  least_step(driven, slip_);
  state.v += step_;
}

bool ConstrainedDynamics::project(State& state, const std::vector<bool>& driven) {
  constexpr int most = 20;
  constexpr double enough = 1e-13;
  bool closed = !binds_positions_;
  double before = 0;
  for (int k = 0; k < most && !closed; ++k) {
    update_rows(state);
    wrong_.setZero();
    for (int row = 0; const auto& constraint : arm_.constraints()) {
      const int n = constraint->n_rows();
      if (constraint->binds_positions()) constraint->fill_gap({state, kin_}, wrong_.segment(row, n));
      row += n;
    }
    const double gap = wrong_.cwiseAbs().maxCoeff();
    // Rounding ends the iteration when steps no longer shrink.
    closed = gap <= enough || (k > 2 && gap < 1e-9 && gap > before / 2);
    if (closed || !std::isfinite(gap)) break;
    before = gap;
    least_step(driven, wrong_);
    displace(arm_, state.q, step_);
  }
  project_rates(state, driven);
  return closed;
}

}  // namespace lithe
