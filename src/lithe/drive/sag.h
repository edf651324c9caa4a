#pragma once

#include <Eigen/Cholesky>
#include <vector>

#include "lithe/arm/state.h"
#include "lithe/dynamics/formulation.h"

namespace lithe {

/// The weight on an arm's joints when its links hang at rest, sagged, with the joints at given positions.
///
/// With δ all that bends, g the weight and s the springs,  g_δ(q, δ) + s_δ(δ) = 0  by steps  δ ← δ − K₀⁻¹ (g_δ + s_δ),  K₀ the links'
/// own stiffness: block by block, factored once. Each step reduces the error by the ratio of weight to stiffness, so a few suffice;
/// they start from straight links, so that the answer depends on the joints alone. Evaluations allocate nothing.
class Sag {
 public:
  explicit Sag(const Arm& arm);

  /// `state`: joints where they are to be, all that bends at zero, no rates; it is bent here. Fills the weight (nv) there. False where
  /// the steps do not converge: the arm sags too much.
  bool weight(State& state, Formulation& model, Eigen::Ref<VectorXd> weight);

 private:
  struct Block {
    int q0, v0, size;
    Eigen::LLT<MatrixXd> factors;
  };
  std::vector<Block> blocks_;
  VectorXd force_, step_;
};

}  // namespace lithe
