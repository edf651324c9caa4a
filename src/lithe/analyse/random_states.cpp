#include "lithe/analyse/random_states.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <random>

namespace lithe {
namespace {

constexpr double section_turn = 0.1, hinge_turn = 0.05, rotor_lead = 0.1;
constexpr double joint_rate = 2, bending_rate = 5;  // of a joint; of a shape, in amplitudes per second

/// Amplitude of one shape that turns some section by 1 rad, or moves it by the link's length.
double unit_amplitude(const FlexBasis& flex, int k) {
  auto largest = [k](const SparseMatrixd& shapes) {
    double value = 0;
    for (SparseMatrixd::InnerIterator entry(shapes, k); entry; ++entry)
      value = std::max(value, std::abs(entry.value()));
    return value;
  };
  double turn = flex.tip_psi.col(k).cwiseAbs().maxCoeff(), shift = flex.tip_phi.col(k).cwiseAbs().maxCoeff();
  if (flex.stations.psi.cols() > k) turn = std::max(turn, largest(flex.stations.psi));
  if (flex.stations.phi.cols() > k) shift = std::max(shift, largest(flex.stations.phi));
  const double most = std::max(turn, shift / flex.tip0.norm());
  return most > 0 ? 1 / most : 0;
}

class Sampler {
 public:
  Sampler(const Arm& arm, std::uint32_t seed) : arm_(arm), engine_(seed), amplitude_(VectorXd::Zero(arm.nv())) {
    for (const Link& link : arm.links())
      for (int k = 0; k < link.n_flex(); ++k)
        // So many shapes at random add up like their root.
        amplitude_[link.flex_v0() + k] = section_turn * unit_amplitude(*link.flex, k) / std::sqrt(link.n_flex());
  }

  State next() {
    State state = State::zero(arm_);
    if (arm_.root_moves()) state.t = within(0, 1);
    VectorXd step(arm_.nv());
    for (const Link& link : arm_.links()) {
      for (int k = 0; k < link.nv(); ++k) {
        step[link.v0 + k] = joint_position(link);
        state.v[link.v0 + k] = within(-joint_rate, joint_rate);
      }
      for (int k = link.flex_v0(); k < link.flex_v0() + link.n_flex(); ++k) {
        step[k] = within(-amplitude_[k], amplitude_[k]);
        state.v[k] = bending_rate * within(-amplitude_[k], amplitude_[k]);
      }
    }
    for (const Transmission& spring : arm_.transmissions())
      step[arm_.link(spring.rotor_link).v0] = step[arm_.link(spring.joint_link).v0] + within(-rotor_lead, rotor_lead);
    displace(arm_, state.q, step);
    return state;
  }

 private:
  double within(double low, double high) { return low + (high - low) * uniform_(engine_); }

  double joint_position(const Link& link) {
    if (link.is_segment) return within(-hinge_turn, hinge_turn);
    if (const auto& limits = link.forces.limits; limits && std::isfinite(limits->lower) && std::isfinite(limits->upper))
      return within(limits->lower, limits->upper);
    const double most = std::holds_alternative<Prismatic>(link.joint) ? 1 : std::numbers::pi;
    return within(-most, most);
  }

  const Arm& arm_;
  std::mt19937 engine_;
  std::uniform_real_distribution<double> uniform_{0, 1};
  VectorXd amplitude_;  // of flexible coordinates
};

}  // namespace

std::vector<State> random_states(const Arm& arm, int count, std::uint32_t seed) {
  Sampler sampler(arm, seed);
  std::vector<State> states;
  for (int i = 0; i < count; ++i) states.push_back(sampler.next());
  return states;
}

}  // namespace lithe
