#pragma once

#include "lithe/dynamics/formulation.h"

namespace lithe {

/// The wheels of a planar base: the point at x = `Arm::axle()` on its x axis has no velocity across it,
///
///   a(q)·v = −ẋ sin ψ + ẏ cos ψ + axle ψ̇ = 0,
///
/// which no coordinates can express: it binds rates, not positions. What holds it is a side force λ at the wheels, that does no
/// work: M v̇ + h = τ + aᵀλ with a v̇ + ȧ v = 0. Accelerations are linear in λ, so that two evaluations by any formulation give it.
///
/// Formulations refuse an arm with an axle: make `model` of arm.without_axle(). Its M and h are right as they are, and
/// what its `inverse` gives has the wheels' side force in it.
///
/// Holds its working memory.
class Axle {
 public:
  /// For an arm that has an axle.
  explicit Axle(const Arm& arm);

  /// Takes the slip away: the base's velocity without its part across the wheels.
  void roll(State& state) const;

  /// a·v: the speed across the wheels.
  double slip(const State& state) const;

  /// `Formulation::hybrid` with the wheels' side force in it. Returns that force, along the base's y.
  double hybrid(Formulation& model, const State& state, const std::vector<bool>& driven, Eigen::Ref<VectorXd> tau,
                Eigen::Ref<VectorXd> vdot);

 private:
  struct Row {
    double s = 0, c = 0, axle = 0;
    double times(const double* base) const { return -s * base[0] + c * base[1] + axle * base[2]; }
  };
  Row row(const State& state) const;

  double mass_;  // of all
  double axle_;
  int q0_, v0_;  // of base.x; base.y and base.yaw follow
  VectorXd tau_pushed_, vdot_pushed_;
};

}  // namespace lithe
