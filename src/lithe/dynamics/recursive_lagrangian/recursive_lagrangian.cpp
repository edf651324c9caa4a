#include "lithe/dynamics/recursive_lagrangian/recursive_lagrangian.h"

#include "lithe/spatial/demand.h"

namespace lithe {

RecursiveLagrangian::RecursiveLagrangian(const Arm& given)
    : Formulation(given), equations_(arm()), solver_(arm().nv(), book83::solution_of(arm())) {}

void RecursiveLagrangian::evaluate(const State& state) {
  LITHE_DEMAND_EQUAL(state.q.size(), arm().nq());
  LITHE_DEMAND_EQUAL(state.v.size(), arm().nv());
  equations_.evaluate(state.q, state.v, state.t);
}

void RecursiveLagrangian::mass_matrix(const State& state, Eigen::Ref<MatrixXd> M) {
  LITHE_DEMAND_EQUAL(state.q.size(), arm().nq());
  equations_.evaluate_mass(state.q, state.t);
  M = equations_.M();
}

void RecursiveLagrangian::bias(const State& state, Terms terms, Eigen::Ref<VectorXd> h) {
  LITHE_DEMAND_EQUAL(state.q.size(), arm().nq());
  LITHE_DEMAND_EQUAL(h.size(), arm().nv());
  equations_.evaluate_bias(state.q, state.v, state.t, terms);
  h = equations_.h();
}

void RecursiveLagrangian::forward(const State& state, const Eigen::Ref<const VectorXd>& tau,
                                  Eigen::Ref<VectorXd> vdot) {
  evaluate(state);
  solver_.forward(equations_.M(), equations_.h(), tau, vdot);
}

void RecursiveLagrangian::inverse(const State& state, const Eigen::Ref<const VectorXd>& vdot,
                                  Eigen::Ref<VectorXd> tau) {
  evaluate(state);
  tau = equations_.h();
  tau.noalias() += equations_.M() * vdot;
}

void RecursiveLagrangian::hybrid(const State& state, const std::vector<bool>& driven, Eigen::Ref<VectorXd> tau,
                                 Eigen::Ref<VectorXd> vdot) {
  evaluate(state);
  solver_.hybrid(equations_.M(), equations_.h(), driven, tau, vdot);
}

double RecursiveLagrangian::kinetic_energy(const State& state) {
  return equations_.kinetic_energy(state.q, state.v, state.t);
}

double RecursiveLagrangian::base_power(const State& state, const Eigen::Ref<const VectorXd>& vdot) {
  return equations_.base_power(state.q, state.v, vdot, state.t);
}

}  // namespace lithe
