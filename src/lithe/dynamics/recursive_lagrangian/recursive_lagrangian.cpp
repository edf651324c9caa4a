#include "lithe/dynamics/recursive_lagrangian/recursive_lagrangian.h"

#include "lithe/arm/stiffening.h"

namespace lithe {
namespace {

const Arm& covered(const Arm& arm) {
  constexpr std::string_view own_name = word(RecursiveLagrangian::kind);
  refuse_constraints(arm, own_name);
  refuse_guides(arm, own_name);
  refuse_exact_links(arm, own_name);
  return refuse_stiffening(arm, own_name);
}

}  // namespace

RecursiveLagrangian::RecursiveLagrangian(const Arm& given)
    : DenseFormulation(kind, covered(given), book83::solution_of(given)) {}

double RecursiveLagrangian::kinetic_energy(const State& state) {
  return equations_.kinetic_energy(state.q, state.v, state.t);
}

double RecursiveLagrangian::base_power(const State& state, const Eigen::Ref<const VectorXd>& vdot) {
  return equations_.base_power(state.q, state.v, vdot, state.t);
}

}  // namespace lithe
