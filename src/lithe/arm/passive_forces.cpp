#include "lithe/arm/passive_forces.h"

#include <algorithm>
#include <cmath>

#include "lithe/arm/arm.h"
#include "lithe/arm/state.h"

namespace lithe {
namespace {

/// How far beyond its limits a joint is: positive above the upper one, negative below the lower one.
double excess(const Limits& limits, double q) {
  return std::max(q - limits.upper, 0.0) + std::min(q - limits.lower, 0.0);
}

// The stop's damping sets in over this depth (rad or m), so that touching the stop is no jump in force.
constexpr double damping_depth = 1e-3;

}  // namespace

double JointForces::elastic(double q) const {
  double force = 0;
  if (spring) force += spring->stiffness * (q - spring->rest);
  if (limits) force += limits->stiffness * excess(*limits, q);
  return force;
}

double JointForces::dissipative(double q, double rate) const {
  double force = damping * rate;
  if (friction) force += (rate > 0 ? friction->forward : friction->backward) * std::tanh(rate / friction->smoothing);
  if (limits && limits->stiffness > 0 && limits->damping > 0) {
    const double depth = excess(*limits, q);
    // Only while pressing in: a stop never holds a joint back on its way out.
    if (depth * rate > 0) force += limits->damping * rate * std::tanh(std::abs(depth) / damping_depth);
  }
  return force;
}

double JointForces::energy(double q) const {
  double energy = 0;
  if (spring) energy += spring->stiffness * (q - spring->rest) * (q - spring->rest) / 2;
  if (limits) energy += limits->stiffness * excess(*limits, q) * excess(*limits, q) / 2;
  return energy;
}

void add_passive_forces(const Arm& arm, const State& state, bool elastic, bool dissipative, Eigen::Ref<VectorXd> h) {
  for (const Link& link : arm.links()) {
    if (link.nv() == 1 && link.forces.any()) {
      const double q = state.q[link.q0], rate = state.v[link.v0];
      if (elastic) h[link.v0] += link.forces.elastic(q);
      if (dissipative) h[link.v0] += link.forces.dissipative(q, rate);
    }
    if (!link.flex) continue;
    auto force = h.segment(link.flex_v0(), link.n_flex());
    if (elastic) force.noalias() += link.flex->K * state.q.segment(link.flex_q0(), link.n_flex());
    if (dissipative) force.noalias() += link.flex->D * state.v.segment(link.flex_v0(), link.n_flex());
  }
  for (const Transmission& spring : arm.transmissions()) {
    const Link &joint = arm.link(spring.joint_link), &rotor = arm.link(spring.rotor_link);
    double torque = 0;  // on the joint, so minus that on the left
    const double x = state.q[rotor.q0] - state.q[joint.q0];
    if (elastic) torque += (spring.stiffness + spring.hardening * x * x) * x;
    if (dissipative) torque += spring.damping * (state.v[rotor.v0] - state.v[joint.v0]);
    h[joint.v0] -= torque;
    h[rotor.v0] += torque;
  }
}

double elastic_energy(const Arm& arm, const State& state) {
  double energy = 0;
  for (const Link& link : arm.links()) {
    if (link.nv() == 1) energy += link.forces.energy(state.q[link.q0]);
    if (!link.flex) continue;
    const auto delta = state.q.segment(link.flex_q0(), link.n_flex());
    const SparseMatrixd& K = link.flex->K;
    for (int k = 0; k < K.outerSize(); ++k)
      for (SparseMatrixd::InnerIterator entry(K, k); entry; ++entry)
        energy += entry.value() * delta[entry.row()] * delta[k] / 2;
  }
  for (const Transmission& spring : arm.transmissions()) {
    const double x = state.q[arm.link(spring.rotor_link).q0] - state.q[arm.link(spring.joint_link).q0];
    energy += spring.stiffness * x * x / 2 + spring.hardening * x * x * x * x / 4;
  }
  return energy;
}

bool has_passive_forces(const Arm& arm) {
  for (const Link& link : arm.links())
    if (link.flex || (link.nv() == 1 && link.forces.any())) return true;
  return !arm.transmissions().empty();
}

}  // namespace lithe
