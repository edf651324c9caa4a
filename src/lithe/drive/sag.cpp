#include "lithe/drive/sag.h"

#include <Eigen/LU>
#include <algorithm>
#include <cmath>

#include "lithe/dynamics/derivatives/inverse_derivatives.h"

namespace lithe {

struct Sag::Newton {
  explicit Newton(const Arm& arm) : slopes(arm), still(VectorXd::Zero(arm.nv())) {}
  Newton(const Newton& other)
      : slopes(other.slopes.arm()),
        still(other.still),
        places(other.places),
        stiffness(other.stiffness),
        force(other.force),
        step(other.step),
        factors(other.factors) {}

  InverseDerivatives slopes;
  VectorXd still;           // no accelerations
  std::vector<int> places;  // of the deformations, among rates
  MatrixXd stiffness;
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
  newton_ = std::make_unique<Newton>(arm);
  for (const Block& block : blocks_)
    for (int k = 0; k < block.size; ++k) newton_->places.push_back(block.v0 + k);
  const int n = int(newton_->places.size());
  newton_->stiffness.setZero(n, n);
  newton_->force.setZero(n);
  newton_->step.setZero(n);
  newton_->factors = Eigen::PartialPivLU<MatrixXd>(n);
}

Sag::Sag(const Sag& other)
    : blocks_(other.blocks_),
      newton_(other.newton_ ? std::make_unique<Newton>(*other.newton_) : nullptr),
      force_(other.force_),
      step_(other.step_) {}
Sag::Sag(Sag&&) noexcept = default;
Sag& Sag::operator=(Sag&&) noexcept = default;
Sag::~Sag() = default;

/// Into `step_`, from `force_`: no tip turns by more than half a radian at once.
void Sag::take_newtons_step(const State& state) {
  Newton& newton = *newton_;
  newton.slopes.update(state, newton.still);
  const int n = int(newton.places.size());
  for (int k = 0; k < n; ++k) {
    newton.force[k] = force_[newton.places[size_t(k)]];
    for (int l = 0; l < n; ++l)
      newton.stiffness(k, l) = newton.slopes.by_position()(newton.places[size_t(k)], newton.places[size_t(l)]);
  }
  newton.factors.compute(newton.stiffness);
  newton.step = newton.factors.solve(newton.force);
  const double largest = newton.step.cwiseAbs().maxCoeff();
  if (largest > 0.5) newton.step *= 0.5 / largest;
  for (int k = 0; k < n; ++k) step_[newton.places[size_t(k)]] = newton.step[k];
}

bool Sag::weight(State& state, Formulation& model, Eigen::Ref<VectorXd> weight) {
  constexpr int most = 100;
  constexpr double enough = 1e-13, nearly = 1e-7;
  double before = 0;
  for (int k = 0; k < most; ++k) {
    model.bias(state, Terms::gravity | Terms::elastic, force_);
    double largest = 0, bent = 0;
    if (newton_) take_newtons_step(state);
    for (const Block& block : blocks_) {
      auto step = step_.segment(block.v0, block.size);
      if (!newton_) {
        step = force_.segment(block.v0, block.size);
        block.factors.solveInPlace(step);
      }
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
