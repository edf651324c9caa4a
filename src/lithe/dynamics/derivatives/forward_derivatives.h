#pragma once

#include "lithe/dynamics/derivatives/inverse_derivatives.h"

namespace lithe {

/// How accelerations change with position, rate and torque. From M v̇ + h = τ, with ID = M v̇ + h at the accelerations that occur,
///
///   ∂v̇/∂q = −M⁻¹ ∂ID/∂q      ∂v̇/∂v = −M⁻¹ ∂ID/∂v      ∂v̇/∂τ = M⁻¹
///
/// ID's derivatives cost O(nv · depth); M is factored once by dense Cholesky and solved for all columns, O(nv³), which takes
/// most of the time from some thirty coordinates on. An implicit integrator needs none of these products: simulate/newton_matrix.h.
///
/// Memory is sized once. One per thread.
class ForwardDerivatives {
 public:
  /// Throws UnsupportedError for `tip_rotation: small`, and for constraints.
  explicit ForwardDerivatives(const Arm& arm);

  /// At a state under torques τ (nv numbers, without loads). Throws SingularError.
  void update(const State& state, const Eigen::Ref<const VectorXd>& tau, std::span<const SectionLoad> loads = {});
  /// The same where the accelerations are known.
  void update_at(const State& state, const Eigen::Ref<const VectorXd>& vdot, std::span<const SectionLoad> loads = {});

  // At the last update:
  const VectorXd& acceleration() const { return vdot_; }
  const MatrixXd& by_position() const { return by_position_; }  // along coordinate directions, see InverseDerivatives
  const MatrixXd& by_rate() const { return by_rate_; }
  const MatrixXd& by_torque() const { return by_torque_; }
  const InverseDerivatives& inverse() const { return inverse_; }

 private:
  void factor();

  InverseDerivatives inverse_;
  Eigen::LLT<MatrixXd> llt_;
  VectorXd vdot_;
  MatrixXd by_position_, by_rate_, by_torque_;
};

}  // namespace lithe
