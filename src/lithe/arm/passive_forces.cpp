#include "lithe/arm/passive_forces.h"

#include <algorithm>
#include <cmath>
#include <tuple>

#include "lithe/arm/arm.h"
#include "lithe/arm/state.h"
#include "lithe/beam/flex_forces.h"
#include "lithe/spatial/counted.h"

namespace lithe {
namespace {

/// How far beyond its limits a joint is: positive above the upper one, negative below the lower one.
template <class S>
S excess(const Limits& limits, const S& q) {
  return std::max(S(q - limits.upper), S(0)) + std::min(S(q - limits.lower), S(0));
}

// The stop's damping builds up over this depth (rad or m), so that contact causes no jump in force.
constexpr double damping_depth = 1e-3;

}  // namespace

template <class S>
S JointForces::elastic(const std::type_identity_t<S>& q) const {
  S force = 0;
  if (spring) force += spring->stiffness * (q - spring->rest);
  if (limits) force += limits->stiffness * excess(*limits, q);
  return force;
}

template <class S>
S JointForces::dissipative(const std::type_identity_t<S>& q, const std::type_identity_t<S>& rate) const {
  using std::abs, std::tanh;
  S force = damping * rate;
  if (friction) force += (rate > 0 ? friction->forward : friction->backward) * tanh(S(rate / friction->smoothing));
  if (limits && limits->stiffness > 0 && limits->damping > 0) {
    const S depth = excess(*limits, q);
    // Only while the stop is pressed in: it never holds a joint back on its way out.
    if (depth * rate > 0) force += limits->damping * rate * tanh(S(abs(depth) / damping_depth));
  }
  return force;
}

JointSlopes JointForces::slopes(double q, double rate) const {
  JointSlopes slopes;
  slopes.dissipative_by_rate = damping;
  if (spring) slopes.elastic_by_position = spring->stiffness;
  if (friction) {
    const double level = rate > 0   ? friction->forward
                         : rate < 0 ? friction->backward
                                    : (friction->forward + friction->backward) / 2;
    const double t = std::tanh(rate / friction->smoothing);
    slopes.dissipative_by_rate += level * (1 - t * t) / friction->smoothing;
  }
  if (limits && limits->stiffness > 0) {
    const double depth = excess(*limits, q), t = std::tanh(std::abs(depth) / damping_depth);
    if (depth != 0) slopes.elastic_by_position += limits->stiffness;
    if (depth * rate > 0) {
      slopes.dissipative_by_rate += limits->damping * t;
      slopes.dissipative_by_position += limits->damping * std::abs(rate) * (1 - t * t) / damping_depth;
    } else if (rate == 0) {
      slopes.dissipative_by_rate += limits->damping * t / 2;
    }
  }
  return slopes;
}

double JointForces::energy(double q) const {
  double energy = 0;
  if (spring) energy += spring->stiffness * (q - spring->rest) * (q - spring->rest) / 2;
  if (limits) energy += limits->stiffness * excess(*limits, q) * excess(*limits, q) / 2;
  return energy;
}

template <class S>
void add_passive_forces(const Arm& arm, const Eigen::Ref<const Eigen::VectorX<S>>& q,
                        const Eigen::Ref<const Eigen::VectorX<S>>& v, bool elastic, bool dissipative,
                        Eigen::Ref<Eigen::VectorX<S>> h) {
  for (const Link& link : arm.links()) {
    for (int k = 0; k < link.nv(); ++k) {
      const JointForces& forces = link.forces[k];
      if (!forces.any()) continue;
      if (elastic) h[link.v0 + k] += forces.template elastic<S>(q[link.q0 + k]);
      if (dissipative) h[link.v0 + k] += forces.template dissipative<S>(q[link.q0 + k], v[link.v0 + k]);
    }
    if (!link.flex || link.guide) continue;
    const auto delta = q.segment(link.flex_q0(), link.n_flex());
    const auto add = [&h, v0 = link.flex_v0()](int k, const S& force) { h[v0 + k] += force; };
    if (elastic) elastic_force(*link.flex, delta, add);
    if (dissipative) damping_force(*link.flex, delta, v.segment(link.flex_v0(), link.n_flex()), add);
  }
  for (const Transmission& spring : arm.transmissions()) {
    const Link &joint = arm.link(spring.joint_link), &rotor = arm.link(spring.rotor_link);
    const S twist = q[rotor.q0] - q[joint.q0];
    S torque = 0;  // on the joint, so minus that on the left
    if (elastic) torque += spring.elastic(twist);
    if (dissipative) torque += spring.dissipative(twist, S(v[rotor.v0] - v[joint.v0]));
    h[joint.v0] -= torque;
    h[rotor.v0] += torque;
  }
  if (const MatrixXd* D = arm.modal_damping(); D != nullptr && dissipative)
    for (int i = 0; i < arm.nv(); ++i)
      for (int k = 0; k < arm.nv(); ++k)
        if ((*D)(i, k) != 0) h[i] += (*D)(i, k) * v[k];
}

void add_passive_forces(const Arm& arm, const State& state, bool elastic, bool dissipative, Eigen::Ref<VectorXd> h) {
  add_passive_forces<double>(arm, state.q, state.v, elastic, dissipative, h);
}

template double JointForces::elastic<double>(const double&) const;
template double JointForces::dissipative<double>(const double&, const double&) const;
template void add_passive_forces<Counted>(const Arm&, const Eigen::Ref<const Eigen::VectorX<Counted>>&,
                                          const Eigen::Ref<const Eigen::VectorX<Counted>>&, bool, bool,
                                          Eigen::Ref<Eigen::VectorX<Counted>>);
template void add_passive_forces<double>(const Arm&, const Eigen::Ref<const VectorXd>&,
                                         const Eigen::Ref<const VectorXd>&, bool, bool, Eigen::Ref<VectorXd>);

void add_joint_slopes(const Arm& arm, const State& state, Eigen::Ref<MatrixXd> by_position,
                      Eigen::Ref<MatrixXd> by_rate) {
  for (const Link& link : arm.links()) {
    for (int k = 0; k < link.nv(); ++k) {
      if (!link.forces[k].any()) continue;
      const int v = link.v0 + k;
      const JointSlopes slopes = link.forces[k].slopes(state.q[link.q0 + k], state.v[v]);
      by_position(v, v) += slopes.elastic_by_position + slopes.dissipative_by_position;
      by_rate(v, v) += slopes.dissipative_by_rate;
    }
  }
  for (const Transmission& spring : arm.transmissions()) {
    const Link &joint = arm.link(spring.joint_link), &rotor = arm.link(spring.rotor_link);
    const TransmissionSlopes slopes =
        spring.slopes(state.q[rotor.q0] - state.q[joint.q0], state.v[rotor.v0] - state.v[joint.v0]);
    for (const auto& [row, column, sign] : {std::tuple{joint.v0, joint.v0, 1},
                                            {rotor.v0, rotor.v0, 1},
                                            {joint.v0, rotor.v0, -1},
                                            {rotor.v0, joint.v0, -1}}) {
      by_position(row, column) += sign * (slopes.elastic_by_twist + slopes.dissipative_by_twist);
      by_rate(row, column) += sign * slopes.dissipative_by_rate;
    }
  }
  if (arm.modal_damping() != nullptr) by_rate += *arm.modal_damping();
}

double elastic_energy(const Arm& arm, const State& state) {
  double energy = 0;
  for (const Link& link : arm.links()) {
    for (int k = 0; k < link.nv(); ++k) energy += link.forces[k].energy(state.q[link.q0 + k]);
    if (!link.flex || link.guide) continue;
    const auto delta = state.q.segment(link.flex_q0(), link.n_flex());
    add_elastic_energy(*link.flex, delta, energy);
  }
  for (const Transmission& spring : arm.transmissions())
    energy += spring.energy(state.q[arm.link(spring.rotor_link).q0] - state.q[arm.link(spring.joint_link).q0]);
  return energy;
}

bool has_passive_forces(const Arm& arm) {
  for (const Link& link : arm.links())
    if (link.flex || std::any_of(link.forces.begin(), link.forces.end(), [](const auto& f) { return f.any(); }))
      return true;
  return !arm.transmissions().empty() || arm.modal_damping() != nullptr;
}

}  // namespace lithe
