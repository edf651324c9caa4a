#pragma once

#include <Eigen/Cholesky>
#include <memory>
#include <vector>

#include "lithe/arm/state.h"
#include "lithe/dynamics/formulation.h"

namespace lithe {

/// The weight on an arm's joints when its links hang at rest, sagged, with the joints at given positions.
///
/// With δ the deformations, g the weight and s the springs,  g_δ(q, δ) + s_δ(δ) = 0  by steps  δ ← δ − K₀⁻¹ (g_δ + s_δ),  K₀ the links'
/// own stiffness, factored once, block by block. Each step reduces the error by the ratio of weight to stiffness, so a few suffice. Arms
/// with exact links, which may sag as far as they like, take Newton's steps instead, with the stiffness under the weight.
/// They start from straight links, so that the result depends only on the joints. Evaluations allocate nothing.
class Sag {
 public:
  explicit Sag(const Arm& arm);
  Sag(const Sag& other);
  Sag(Sag&&) noexcept;
  Sag& operator=(const Sag& other) { return *this = Sag(other); }
  Sag& operator=(Sag&&) noexcept;
  ~Sag();

  /// `state`: joints at the given positions, deformations and rates zero; the deformations are set here. Fills the weight (nv) at that
  /// state. False if the steps do not converge because the arm sags too much.
  bool weight(State& state, Formulation& model, Eigen::Ref<VectorXd> weight);

 private:
  struct Block {
    int q0, v0, size;
    Eigen::LLT<MatrixXd> factors;
  };
  struct Newton;  // of arms with exact links

  std::vector<Block> blocks_;
  std::unique_ptr<Newton> newton_;
  VectorXd force_, step_;
};

}  // namespace lithe
