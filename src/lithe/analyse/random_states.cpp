#include "lithe/analyse/random_states.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <random>

namespace lithe {
namespace {

constexpr double section_turn = 0.1, hinge_turn = 0.05, rotor_lead = 0.1;
constexpr double joint_rate = 2, section_rate = 0.5;
// Of an exact link, whose equations are the more nonlinear the more it bends.
constexpr double exact_turn = 0.6, exact_rate = 2;

/// How far δ turns some section (rad), or moves it in lengths of the link; of an exact link as far as small motions tell.
double largest_motion(const FlexBasis& flex, const VectorXd& delta) {
  const VectorXd turn = flex.stations.psi * delta, shift = flex.stations.phi * delta;
  return std::max(turn.cwiseAbs().maxCoeff(), shift.cwiseAbs().maxCoeff() / flex.tip0.norm());
}

class Sampler {
 public:
  Sampler(const Arm& arm, std::uint32_t seed) : arm_(arm), engine_(seed) {
    for (const Link& link : arm.links()) strain_.emplace_back(link.flex ? MatrixXd(link.flex->K) : MatrixXd());
  }

  State next() {
    State state = State::zero(arm_);
    if (arm_.root_moves()) state.t = within(0, 1);
    VectorXd step(arm_.nv());
    for (int i = 0; i < arm_.n_links(); ++i) {
      const Link& link = arm_.link(i);
      for (int k = 0; k < link.nv(); ++k) {
        step[link.v0 + k] = joint_position(link, k);
        state.v[link.v0 + k] = within(-joint_rate, joint_rate);
      }
      if (!link.flex) continue;
      step.segment(link.flex_v0(), link.n_flex()) = bent(i, link.flex->exact ? exact_turn : section_turn);
      state.v.segment(link.flex_v0(), link.n_flex()) = bent(i, link.flex->exact ? exact_rate : section_rate);
    }
    for (const Transmission& spring : arm_.transmissions())
      step[arm_.link(spring.rotor_link).v0] =
          step[arm_.link(spring.joint_link).v0] + within(-1, 1) * (rotor_lead + spring.gap);
    displace(arm_, state.q, step);
    return state;
  }

 private:
  double within(double low, double high) { return low + (high - low) * uniform_(engine_); }

  double joint_position(const Link& link, int k) {
    if (link.role == LinkRole::segment) return within(-hinge_turn, hinge_turn);
    if (const auto& limits = link.forces[k].limits;
        limits && std::isfinite(limits->lower) && std::isfinite(limits->upper))
      return within(limits->lower, limits->upper);
    // A free base moves as far in metres as in radians.
    const bool turns = link.role == LinkRole::base ? link.nv() > 1 || arm_.turns(link.v0) : arm_.turns(link.v0 + k);
    const double most = turns ? std::numbers::pi : 1;
    return within(-most, most);
  }

  /// Amplitudes by which some section of link i moves by up to `most`. K = LLᵀ, δ = L⁻ᵀr: energy ½ r·r.
  VectorXd bent(int i, double most) {
    const FlexBasis& flex = *arm_.link(i).flex;
    VectorXd delta = VectorXd::NullaryExpr(flex.size(), [&] { return within(-1, 1); });
    if (strain_[i].info() == Eigen::Success) strain_[i].matrixU().solveInPlace(delta);
    return delta * (within(0.3, 1) * most / largest_motion(flex, delta));
  }

  const Arm& arm_;
  std::mt19937 engine_;
  std::uniform_real_distribution<double> uniform_{0, 1};
  std::vector<Eigen::LLT<MatrixXd>> strain_;  // [n_links] of K
};

}  // namespace

std::vector<State> random_states(const Arm& arm, int count, std::uint32_t seed) {
  Sampler sampler(arm, seed);
  std::vector<State> states;
  for (int i = 0; i < count; ++i) states.push_back(sampler.next());
  return states;
}

}  // namespace lithe
