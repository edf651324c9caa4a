#include "lithe/drive/sag.h"

#include <Eigen/LU>
#include <algorithm>
#include <cmath>

#include "lithe/arm/small_motion.h"
#include "lithe/dynamics/derivatives/inverse_derivatives.h"

namespace lithe {

struct Sag::Newton {
  Newton(const Arm& arm, const std::vector<Block>& blocks)
      : slopes(arm), still(VectorXd::Zero(arm.nv())), weight(arm.nv()) {
    for (const Block& block : blocks)
      for (int k = 0; k < block.size; ++k) {
        rates.push_back(block.v0 + k);
        places.push_back(block.q0 + k);
      }
    const int n = int(rates.size());
    Triplets entries;
    add_elastic_stiffness(arm, State::zero(arm), entries);
    elastic = MatrixXd(assembled(arm.nv(), entries))(rates, rates);
    stiffness = elastic;
    force.setZero(n);
    step.setZero(n);
    factors = Eigen::PartialPivLU<MatrixXd>(n);
  }
  Newton(const Newton& other)
      : slopes(other.slopes.arm()),
        still(other.still),
        weight(other.weight),
        rates(other.rates),
        places(other.places),
        elastic(other.elastic),
        stiffness(other.stiffness),
        force(other.force),
        step(other.step),
        factors(other.factors) {}

  bool settle(State& state, Formulation& model, double part);

  InverseDerivatives slopes;
  VectorXd still, weight;          // no accelerations
  std::vector<int> rates, places;  // of the deformations, among v and q
  MatrixXd elastic, stiffness;     // without and with that part of the weight
  VectorXd force, step;
  Eigen::PartialPivLU<MatrixXd> factors;
};

Sag::Sag(const Arm& arm) : force_(arm.nv()), step_(arm.nv()) {
  auto spring = [&](int q0, int v0, double stiffness) {
    blocks_.push_back({q0, v0, 1, Eigen::LLT<MatrixXd>(MatrixXd::Constant(1, 1, stiffness))});
  };
  for (const Link& link : arm.links()) {
    if (link.role == LinkRole::segment && link.forces[0].spring)
      spring(link.q0, link.v0, link.forces[0].spring->stiffness);
    if (link.n_flex() > 0)
      blocks_.push_back({link.flex_q0(), link.flex_v0(), link.n_flex(), Eigen::LLT<MatrixXd>(MatrixXd(link.flex->K))});
  }
  for (const Transmission& transmission : arm.transmissions()) {
    const Link& joint = arm.link(transmission.joint_link);
    spring(joint.q0, joint.v0, transmission.stiffness);
  }
  const auto is_exact = [](const Link& link) { return link.flex && link.flex->exact; };
  if (std::none_of(arm.links().begin(), arm.links().end(), is_exact)) return;
  newton_ = std::make_unique<Newton>(arm, blocks_);
}

Sag::Sag(const Sag& other)
    : blocks_(other.blocks_),
      newton_(other.newton_ ? std::make_unique<Newton>(*other.newton_) : nullptr),
      force_(other.force_),
      step_(other.step_) {}
Sag::Sag(Sag&&) noexcept = default;
Sag& Sag::operator=(Sag&&) noexcept = default;
Sag::~Sag() = default;

/// To rest under this part of the weight; no tip turns by more than half a radian at once.
bool Sag::Newton::settle(State& state, Formulation& model, double part) {
  constexpr int most = 40;
  constexpr double enough = 1e-13, nearly = 1e-7;
  const int n = int(rates.size());
  double before = 0;
  for (int k = 0; k < most; ++k) {
    model.bias(state, Terms::gravity, weight);
    model.bias(state, Terms::gravity | Terms::elastic, still);
    for (int i = 0; i < n; ++i) force[i] = still[rates[size_t(i)]] - (1 - part) * weight[rates[size_t(i)]];
    still.setZero();
    slopes.update(state, still);
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j)
        stiffness(i, j) = part * slopes.by_position()(rates[size_t(i)], rates[size_t(j)]) + (1 - part) * elastic(i, j);
    factors.compute(stiffness);
    step = factors.solve(force);
    const double largest = step.cwiseAbs().maxCoeff();
    if (!std::isfinite(largest)) return false;
    if (largest > 0.5) step *= 0.5 / largest;
    double bent = 0;
    for (int i = 0; i < n; ++i) {
      state.q[places[size_t(i)]] -= step[i];
      bent = std::max(bent, std::abs(state.q[places[size_t(i)]]));
    }
    if (!(largest > enough * bent) || (largest < nearly * bent && largest > before / 2)) return true;
    before = largest;
  }
  return false;
}

bool Sag::weight(State& state, Formulation& model, Eigen::Ref<VectorXd> weight) {
  if (newton_) {
    // At once, or as a growing weight bends them.
    if (!newton_->settle(state, model, 1)) {
      for (const int place : newton_->places) state.q[place] = 0;
      constexpr int parts = 16;
      for (int part = 1; part <= parts; ++part)
        if (!newton_->settle(state, model, double(part) / parts)) return false;
    }
    model.bias(state, Terms::gravity, weight);
    return true;
  }
  constexpr int most = 100;
  constexpr double enough = 1e-13, nearly = 1e-7;
  double before = 0;
  for (int k = 0; k < most; ++k) {
    model.bias(state, Terms::gravity | Terms::elastic, force_);
    double largest = 0, bent = 0;
    for (const Block& block : blocks_) {
      auto step = step_.segment(block.v0, block.size);
      step = force_.segment(block.v0, block.size);
      block.factors.solveInPlace(step);
      state.q.segment(block.q0, block.size) -= step;
      largest = std::max(largest, step.cwiseAbs().maxCoeff());
      bent = std::max(bent, state.q.segment(block.q0, block.size).cwiseAbs().maxCoeff());
    }
    if (!std::isfinite(largest)) return false;
    // For stiff meshes rounding ends the iteration earlier: when steps no longer shrink.
    if (!(largest > enough * bent) || (largest < nearly * bent && largest > before / 2)) {
      model.bias(state, Terms::gravity, weight);
      return true;
    }
    before = largest;
  }
  return false;
}

}  // namespace lithe
