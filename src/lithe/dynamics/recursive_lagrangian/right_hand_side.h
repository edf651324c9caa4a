#pragma once

#include "lithe/dynamics/recursive_lagrangian/letters.h"

namespace lithe::book83 {

/// book83's right-hand side R (§5.3, eqs 83–90), by its parts and with the sign of h = −R: what stands on the left of
/// M z̈ + h = τ. Springs and dampers, the Σ_k δ_jk K_jkf of eqs 85–86 among them, are the arm's passive forces.
template <class S>
class RightHandSide {
 public:
  using State = typename Letters<S>::State;
  using Vector = Eigen::Ref<Eigen::VectorX<S>>;

  explicit RightHandSide(const Chain& chain);

  /// Adds the velocity terms. Needs positions, and rates at z̈ = 0.
  void add_velocity_terms(const Chain& chain, const Letters<S>& l, const State& zdot, Vector h);

  /// Adds the terms of weight. Needs positions only.
  void add_gravity(const Chain& chain, const Letters<S>& l, Vector h);

  /// The power with which the base moves the arm, against its inertia and weight. Needs positions, and rates at
  /// the accelerations `zddot`.
  S base_power(const Chain& chain, const Letters<S>& l, const State& zddot);

 private:
  void recur_Q(const Chain& chain, const Letters<S>& l);
  void recur_P(const Chain& chain, const Letters<S>& l);

  std::vector<Matrix4<S>> Q_;
  std::vector<Vector4<S>> P_;
};

}  // namespace lithe::book83
