#include "lithe/dynamics/lagrange/lagrange.h"

#include "lithe/spatial/demand.h"

namespace lithe {
namespace {

/// The arm back, if (1) holds for it.
const Arm& covered(const Arm& arm) {
  refuse_axle(arm, "lagrange");
  for (const Link& link : arm.links()) {
    if (!link.flex) continue;
    if (arm.tip_rotation() == TipRotation::small)
      throw UnsupportedError(
          "arm.tip_rotation",
          "formulation 'lagrange' carries links as rigid bodies, and with a small tip rotation they do "
          "not move as such; recursive-lagrangian covers it");
    if (arm.inertia_order() == InertiaOrder::first_order)
      throw UnsupportedError(
          "arm.inertia",
          "formulation 'lagrange' keeps all terms of the kinetic energy; recursive-lagrangian covers "
          "first-order");
  }
  return refuse_guides(arm, "lagrange");
}

}  // namespace

Lagrange::Lagrange(const Arm& given) : Formulation(covered(given)), equations_(arm()), solver_(arm().nv()) {}

void Lagrange::evaluate(const State& state) {
  LITHE_DEMAND_EQUAL(state.q.size(), arm().nq());
  LITHE_DEMAND_EQUAL(state.v.size(), arm().nv());
  equations_.evaluate(state.q, state.v, state.t);
}

void Lagrange::mass_matrix(const State& state, Eigen::Ref<MatrixXd> M) {
  LITHE_DEMAND_EQUAL(state.q.size(), arm().nq());
  equations_.evaluate_mass(state.q, state.t);
  M = equations_.M();
}

void Lagrange::coriolis_matrix(const State& state, Eigen::Ref<MatrixXd> C) {
  LITHE_DEMAND_EQUAL(state.q.size(), arm().nq());
  LITHE_DEMAND_EQUAL(state.v.size(), arm().nv());
  equations_.evaluate_coriolis(state.q, state.v, state.t);
  C = equations_.C();
}

void Lagrange::bias(const State& state, Terms terms, Eigen::Ref<VectorXd> h) {
  LITHE_DEMAND_EQUAL(state.q.size(), arm().nq());
  LITHE_DEMAND_EQUAL(h.size(), arm().nv());
  equations_.evaluate(state.q, state.v, state.t, terms);
  h = equations_.h();
}

void Lagrange::forward(const State& state, const Eigen::Ref<const VectorXd>& tau, Eigen::Ref<VectorXd> vdot) {
  evaluate(state);
  solver_.forward(equations_.M(), equations_.h(), tau, vdot);
}

void Lagrange::inverse(const State& state, const Eigen::Ref<const VectorXd>& vdot, Eigen::Ref<VectorXd> tau) {
  evaluate(state);
  tau = equations_.h();
  tau.noalias() += equations_.M() * vdot;
}

void Lagrange::hybrid(const State& state, const std::vector<bool>& driven, Eigen::Ref<VectorXd> tau,
                      Eigen::Ref<VectorXd> vdot) {
  evaluate(state);
  solver_.hybrid(equations_.M(), equations_.h(), driven, tau, vdot);
}

}  // namespace lithe
