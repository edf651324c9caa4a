#pragma once

#include "lithe/dynamics/recursive_lagrangian/letters.h"

namespace lithe::book83 {

/// book83's right-hand side R (§5.3, eqs 83–90), by its parts and with the sign of h = −R: what stands on the left of
/// M z̈ + h = τ. Springs and dampers, the Σ_k δ_jk K_jkf of eqs 85–86 among them, are the arm's passive forces.
class RightHandSide {
 public:
  explicit RightHandSide(const Chain& chain);

  /// Adds the terms of inertia: velocity terms if `l` holds Ẅ_v. Needs positions and rates.
  void add_inertia(const Chain& chain, const State& state, const Letters& l, Eigen::Ref<VectorXd> h);

  /// Adds those of the weight. Needs positions only.
  void add_gravity(const Chain& chain, const Letters& l, Eigen::Ref<VectorXd> h);

  /// What pushing the base along takes: the power of its reaction to the arm's inertia and weight. Needs positions, and rates
  /// at the accelerations `zddot`.
  double base_power(const Chain& chain, const Letters& l, const Eigen::Ref<const VectorXd>& zddot);

 private:
  void recur_Q(const Chain& chain, const Letters& l);
  void recur_P(const Chain& chain, const Letters& l);

  std::vector<Matrix4d> Q_;
  std::vector<Vector4d> P_;
};

}  // namespace lithe::book83
