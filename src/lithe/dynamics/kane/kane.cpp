#include "lithe/dynamics/kane/kane.h"

#include <algorithm>

#include "lithe/spatial/demand.h"

namespace lithe {
namespace {

/// The arm itself where it is in the domain.
const Arm& in_domain(const Arm& arm) {
  refuse_axle(arm, "kane");
  const auto links = arm.links();
  // Rigid arms and segments have no shapes for these options to act on.
  if (std::none_of(links.begin(), links.end(), [](const Link& link) { return link.flex != nullptr; })) return arm;
  if (arm.tip_rotation() != TipRotation::finite)
    throw UnsupportedError("arm.tip_rotation", "kane needs 'finite'; 'small' is covered by recursive-lagrangian");
  if (arm.inertia_order() != InertiaOrder::complete)
    throw UnsupportedError("arm.inertia", "kane needs 'complete'; 'first-order' is covered by recursive-lagrangian");
  return refuse_guides(arm, "kane");
}

}  // namespace

Kane::Kane(const Arm& given, DenseMethod method)
    : Formulation(in_domain(given)), equations_(arm()), solver_(arm().nv(), method) {}

void Kane::evaluate(const State& state) {
  LITHE_DEMAND_EQUAL(state.q.size(), arm().nq());
  LITHE_DEMAND_EQUAL(state.v.size(), arm().nv());
  equations_.evaluate(state.q, state.v, state.t);
}

void Kane::mass_matrix(const State& state, Eigen::Ref<MatrixXd> M) {
  LITHE_DEMAND_EQUAL(state.q.size(), arm().nq());
  equations_.evaluate_mass(state.q, state.t);
  M = equations_.M();
}

void Kane::bias(const State& state, Terms terms, Eigen::Ref<VectorXd> h) {
  LITHE_DEMAND_EQUAL(state.q.size(), arm().nq());
  LITHE_DEMAND_EQUAL(h.size(), arm().nv());
  equations_.evaluate_bias(state.q, state.v, state.t, terms);
  h = equations_.h();
}

void Kane::forward(const State& state, const Eigen::Ref<const VectorXd>& tau, Eigen::Ref<VectorXd> vdot) {
  evaluate(state);
  solver_.forward(equations_.M(), equations_.h(), tau, vdot);
}

void Kane::inverse(const State& state, const Eigen::Ref<const VectorXd>& vdot, Eigen::Ref<VectorXd> tau) {
  evaluate(state);
  tau = equations_.h();
  tau.noalias() += equations_.M() * vdot;
}

void Kane::hybrid(const State& state, const std::vector<bool>& driven, Eigen::Ref<VectorXd> tau,
                  Eigen::Ref<VectorXd> vdot) {
  evaluate(state);
  solver_.hybrid(equations_.M(), equations_.h(), driven, tau, vdot);
}

}  // namespace lithe
