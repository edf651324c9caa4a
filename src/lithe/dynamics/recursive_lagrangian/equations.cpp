#include "lithe/dynamics/recursive_lagrangian/equations.h"

#include "lithe/spatial/counted.h"

namespace lithe::book83 {

template <class S>
Equations<S>::Equations(const Arm& arm)
    : arm_(arm),
      chain_(arm),
      letters_(chain_),
      inertia_(chain_),
      right_(chain_),
      J_(Matrix::Zero(arm.nv(), arm.nv())),
      h_(Vector::Zero(arm.nv())),
      rest_(Vector::Zero(arm.nv())) {}

template <class S>
void Equations<S>::assemble_mass() {
  J_.setZero();
  inertia_.put_into(J_, chain_, letters_);
  // Reflected rotor inertia on the diagonal: rotors count by their spin about their own joint alone.
  for (const Link& link : arm_.links())
    if (link.nv() == 1) J_(link.v0, link.v0) += S(link.rotor_inertia);
}

template <class S>
void Equations<S>::update(const State& q, const State& v, const State& vdot, Instant t) {
  const RootMotion root = arm_.root(t);
  letters_.update_positions(chain_, root, q);
  letters_.update_rates(chain_, root, q, v, vdot);
}

template <class S>
void Equations<S>::evaluate_mass(const State& q, Instant t) {
  letters_.update_positions(chain_, arm_.root(t), q);
  assemble_mass();
}

template <class S>
void Equations<S>::evaluate_bias(const State& q, const State& v, Instant t, Terms terms) {
  h_.setZero();
  if (has(terms, Terms::coriolis)) {
    update(q, v, rest_, t);
    right_.add_velocity_terms(chain_, letters_, v, h_);
  } else {
    letters_.update_positions(chain_, arm_.root(t), q);
  }
  if (has(terms, Terms::gravity)) right_.add_gravity(chain_, letters_, h_);
  add_passive_forces<S>(arm_, q, v, has(terms, Terms::elastic), has(terms, Terms::damping), h_);
}

template <class S>
void Equations<S>::evaluate(const State& q, const State& v, Instant t, Terms terms) {
  evaluate_bias(q, v, t, terms);
  assemble_mass();
}

template <class S>
S Equations<S>::kinetic_energy(const State& q, const State& v, Instant t) {
  update(q, v, rest_, t);
  S energy = book83::kinetic_energy(chain_, letters_, v);
  for (const Link& link : arm_.links())
    if (link.nv() == 1) energy += S(link.rotor_inertia / 2) * v[link.v0] * v[link.v0];
  return energy;
}

template <class S>
S Equations<S>::base_power(const State& q, const State& v, const State& vdot, Instant t) {
  update(q, v, vdot, t);
  return right_.base_power(chain_, letters_, vdot);
}

template class Equations<double>;
template class Equations<Counted>;

}  // namespace lithe::book83
