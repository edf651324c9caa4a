#include "lithe/dynamics/recursive_lagrangian/recursive_lagrangian.h"

namespace lithe {

RecursiveLagrangian::RecursiveLagrangian(const Arm& given)
    : DenseFormulation(kind,
                       refuse_exact_links(refuse_guides(refuse_constraints(given, word(kind)), word(kind)), word(kind)),
                       book83::solution_of(given)) {}

double RecursiveLagrangian::kinetic_energy(const State& state) {
  return equations_.kinetic_energy(state.q, state.v, state.t);
}

double RecursiveLagrangian::base_power(const State& state, const Eigen::Ref<const VectorXd>& vdot) {
  return equations_.base_power(state.q, state.v, vdot, state.t);
}

}  // namespace lithe
