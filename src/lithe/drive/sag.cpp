#include "lithe/drive/sag.h"

#include <algorithm>
#include <cmath>

namespace lithe {

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
}

bool Sag::weight(State& state, Formulation& model, Eigen::Ref<VectorXd> weight) {
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
