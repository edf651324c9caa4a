#include "lithe/dynamics/recursive_lagrangian/recursive_lagrangian.h"

#include "lithe/spatial/demand.h"

namespace lithe {

RecursiveLagrangian::RecursiveLagrangian(const Arm& arm_given)
    : Formulation(arm_given),
      chain_(arm()),
      letters_(chain_),
      inertia_(chain_),
      right_(chain_),
      J_(MatrixXd::Zero(arm().nv(), arm().nv())),
      h_(VectorXd::Zero(arm().nv())),
      no_acceleration_(VectorXd::Zero(arm().nv())),
      // Without its δ² terms J need not be positive definite: a bend of a twentieth of the length can do.
      solver_(arm().nv(), arm().inertia_order() == InertiaOrder::complete ? Factors::ldlt : Factors::lu) {}

void RecursiveLagrangian::update_inertia_matrix() {
  J_.setZero();
  inertia_.add_to(J_, chain_, letters_);
  // Reflected rotor inertia on the diagonal: rotors count by their spin about their own joint alone.
  for (const Link& link : arm().links())
    if (link.nv() == 1) J_(link.v0, link.v0) += link.rotor_inertia;
}

void RecursiveLagrangian::mass_matrix(const State& state, Eigen::Ref<MatrixXd> M) {
  LITHE_DEMAND_EQUAL(M.rows(), arm().nv());
  update_positions(chain_, arm().root(state.t), state, letters_);
  update_inertia_matrix();
  M = J_;
}

void RecursiveLagrangian::bias(const State& state, Terms terms, Eigen::Ref<VectorXd> h) {
  LITHE_DEMAND_EQUAL(h.size(), arm().nv());
  const RootMotion root = arm().root(state.t);
  update_positions(chain_, root, state, letters_);
  h.setZero();
  if (has(terms, Terms::coriolis)) {
    update_rates(chain_, root, state, no_acceleration_, letters_);
    right_.add_inertia(chain_, state, letters_, h);
  }
  if (has(terms, Terms::gravity)) right_.add_gravity(chain_, letters_, h);
  add_passive_forces(arm(), state, has(terms, Terms::elastic), has(terms, Terms::damping), h);
}

void RecursiveLagrangian::forward(const State& state, const Eigen::Ref<const VectorXd>& tau,
                                  Eigen::Ref<VectorXd> vdot) {
  bias(state, Terms::all, h_);
  update_inertia_matrix();
  solver_.forward(J_, h_, tau, vdot);
}

void RecursiveLagrangian::inverse(const State& state, const Eigen::Ref<const VectorXd>& vdot,
                                  Eigen::Ref<VectorXd> tau) {
  bias(state, Terms::all, h_);
  update_inertia_matrix();
  h_.noalias() += J_ * vdot;
  tau = h_;
}

void RecursiveLagrangian::hybrid(const State& state, const std::vector<bool>& driven, Eigen::Ref<VectorXd> tau,
                                 Eigen::Ref<VectorXd> vdot) {
  bias(state, Terms::all, h_);
  update_inertia_matrix();
  solver_.hybrid(J_, h_, driven, tau, vdot);
}

double RecursiveLagrangian::kinetic_energy(const State& state) {
  const RootMotion root = arm().root(state.t);
  update_positions(chain_, root, state, letters_);
  update_rates(chain_, root, state, no_acceleration_, letters_);
  double energy = book83::kinetic_energy(chain_, state, letters_);
  for (const Link& link : arm().links())
    if (link.nv() == 1) energy += link.rotor_inertia * state.v[link.v0] * state.v[link.v0] / 2;
  return energy;
}

double RecursiveLagrangian::base_power(const State& state, const Eigen::Ref<const VectorXd>& vdot) {
  const RootMotion root = arm().root(state.t);
  update_positions(chain_, root, state, letters_);
  update_rates(chain_, root, state, vdot, letters_);
  return right_.base_power(chain_, letters_, vdot);
}

}  // namespace lithe
