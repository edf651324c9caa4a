#pragma once

#include <Eigen/Cholesky>
#include <memory>

#include "lithe/arm/constraint.h"
#include "lithe/dynamics/formulation.h"

namespace lithe {

/// The equations of motion of an arm with its constraints, by any formulation:
///
///   M v̇ + h = τ + aᵀλ,   a v̇ + ȧ v = 0.                                                                       (1)
///
/// Accelerations are linear in λ. With v̇₀ those without it and C = M⁻¹aᵀ, one column a row of a, found as the difference that a push
/// along the row makes, λ follows from  a C λ = −(a v̇₀ + ȧ v). So a constrained evaluation costs as many evaluations of the formulation as
/// there are rows, and one. An arm without constraints costs nothing more than its formulation.
///
/// M and h are those of `model`, which is made of the arm without its constraints; what its `inverse` gives has aᵀλ in it.
///
/// Holds its working memory, sized once: evaluations allocate nothing, and each thread needs its own.
class ConstrainedDynamics {
 public:
  /// By name; throws as make_formulation does.
  ConstrainedDynamics(std::string_view formulation, const Arm& arm);

  const Arm& arm() const { return arm_; }
  Formulation& model() { return *model_; }
  bool constrained() const { return n_ > 0; }

  /// As those of Formulation, with the constraints held. Throws SingularError naming a constraint that another one already holds.
  void forward(const State& state, const Eigen::Ref<const VectorXd>& tau, Eigen::Ref<VectorXd> vdot);
  void hybrid(const State& state, const std::vector<bool>& driven, Eigen::Ref<VectorXd> tau, Eigen::Ref<VectorXd> vdot);

  /// λ of the last `forward` or `hybrid`, constraint by constraint, row by row.
  const VectorXd& reactions() const { return lambda_; }
  /// Adds what the constraints do to tip frames at those λ (Constraint::add_wrenches).
  void add_wrenches(const State& state, std::vector<Vector6d>& on_tips);

  /// a(q) v, row by row. Valid until the next call.
  const VectorXd& slip(const State& state);
  /// What is wrong with the rates of a state that breaks a constraint; empty where all hold, to rounding.
  std::string broken(const State& state);

  /// Takes the slip away by the smallest change of the rates that are not driven (nv entries; empty: none is). What rounding or an
  /// integrator leaves is small, so that it does not matter how rates of different units are weighed.
  void project_rates(State& state, const std::vector<bool>& driven = {});
  /// The same for positions, where constraints bind them, by Gauss–Newton steps; then for rates. False where it does not converge.
  bool project(State& state, const std::vector<bool>& driven = {});

 private:
  void update_rows(const State& state);
  /// step_ = −aᵀ(a aᵀ)⁻¹ wrong over coordinates that are not driven.
  void least_step(const std::vector<bool>& driven, const VectorXd& wrong);
  void solve(const State& state, const std::vector<bool>& driven, Eigen::Ref<VectorXd> tau, Eigen::Ref<VectorXd> vdot);
  /// Factors W = L Lᵀ. Throws SingularError where a row adds nothing to those before it.
  void factor();

  const Arm arm_;
  std::unique_ptr<Formulation> model_;
  int n_ = 0;  // rows of all constraints
  bool needs_kinematics_ = false, binds_positions_ = false;
  double mass_;  // of all
  const std::vector<bool> none_driven_;
  MatrixXd a_, free_a_, C_, tau_change_, W_;  // n × nv, n × nv, nv × n, nv × n, n × n
  VectorXd adot_v_, wrong_, slip_, lambda_, shares_, tau_, pushed_tau_, pushed_vdot_, step_;
  Eigen::LLT<MatrixXd> llt_;
  Kinematics kin_;
};

}  // namespace lithe
