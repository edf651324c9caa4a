#pragma once

#include "lithe/beam/shortening.h"
#include "lithe/spatial/exp_map.h"

namespace lithe {

/// Where a deformed link ends and how that changes with its coordinates. All tip kinematics goes through this class, so that a different
/// law of the tip would need a change only here. (The plans of `articulated`, derivatives and symbolic equations, which are written out
/// in full, use the shapes themselves.) In B axes, with w and u̇ the velocity of T against B:
///
///   w = Σ W_k δ̇_k     u̇ = Σ U_k δ̇_k     ẇ = Σ W_k δ̈_k + ẇ₀     ü = Σ U_k δ̈_k + b
///
/// The tip frame T is at tip0 + φ(L)δ, turned by the rotation whose rotation vector is θ = ψ(L)δ: W_k = J_l(θ) ψ_k, U_k = φ_k,
/// ẇ₀ = J̇_l θ̇ and b = 0. With `stiffening` it is drawn in besides, by ½ e_x δᵀG(L)δ: U_k = φ_k − e_x(G(L)δ)_k and b = −e_x δ̇ᵀG(L)δ̇.
/// S is double or `Counted`. The basis must outlive it.
template <class S>
struct FlexTipOf {
  using Vector = Eigen::Vector3<S>;
  using Matrix = Eigen::Matrix3<S>;
  using Coordinates = Eigen::Ref<const Eigen::VectorX<S>>;

  ExpMapOf<S> turn;
  Vector p_BT;

  FlexTipOf(const FlexBasis& basis, const Coordinates& delta)
      : turn(basis.tip_psi.template cast<S>() * delta),
        p_BT(basis.tip0.template cast<S>() + basis.tip_phi.template cast<S>() * delta),
        basis_(&basis) {
    if (!basis.shortening) return;
    draw_in<S>(basis.shortening->tip, delta, drawn_);
    p_BT[0] -= S(0.5) * drawn_.dot(delta);
  }

  Matrix R_BT() const { return turn.rotation(); }

  /// W_k and U_k in axes A.
  class Shapes {
   public:
    Vector turn(int k) const { return R_Jl_ * basis_->tip_psi.col(k).template cast<S>(); }
    Vector slide(int k) const {
      Vector U = basis_->tip_phi.col(k).template cast<S>();
      if (drawn_.size() > 0) U[0] -= drawn_[k];
      return R_AB_ * U;
    }

   private:
    friend struct FlexTipOf;
    Shapes(const FlexTipOf& tip, const Matrix& R_AB)
        : basis_(tip.basis_), R_AB_(R_AB), R_Jl_(R_AB * tip.turn.left_jacobian()) {
      if (tip.drawn_.size() > 0) drawn_ = tip.drawn_;
    }
    const FlexBasis* basis_;
    Matrix R_AB_, R_Jl_;
    Drawn<S> drawn_;
  };
  Shapes shapes_in(const Matrix& R_AB) const { return {*this, R_AB}; }

  /// U δ̇.
  Vector slide_rate(const Coordinates& rate) const {
    Vector sum = basis_->tip_phi.template cast<S>() * rate;
    if (drawn_.size() > 0) sum[0] -= drawn_.dot(rate);
    return sum;
  }

  /// ẇ₀ and b.
  Vector turn_bias(const Coordinates& rate) const {
    const Vector theta_rate = basis_->tip_psi.template cast<S>() * rate;
    return turn.left_jacobian_derivative(theta_rate, theta_rate);
  }
  Vector slide_bias(const Coordinates& rate) const {
    Vector b = Vector::Zero();
    if (basis_->shortening) b[0] = -squared<S>(basis_->shortening->tip, rate);
    return b;
  }

  /// ∂W_k/∂δ_j and ∂U_k/∂δ_j, with j = `by`.
  Vector turn_slope(int k, int by) const {
    const Vector psi_by = basis_->tip_psi.col(by).template cast<S>(), psi_k = basis_->tip_psi.col(k).template cast<S>();
    return turn.left_jacobian_derivative(psi_by, psi_k);
  }
  Vector slide_slope(int k, int by) const {
    Vector slope = Vector::Zero();
    if (basis_->shortening) slope[0] = -S(basis_->shortening->tip.coeff(k, by));
    return slope;
  }

 protected:
  const FlexBasis* basis_;
  Drawn<S> drawn_;  // G(L)δ; empty without `stiffening`
};

/// The same for double, with the tip's pose on the link. A plain value: threads may share it.
struct FlexTip : FlexTipOf<double> {
  using FlexTipOf::FlexTipOf;

  /// Of the undeformed link.
  explicit FlexTip(const FlexBasis& basis) : FlexTipOf(basis, VectorXd::Zero(basis.size())) {}

  Pose X_BT() const { return {turn.rotation(), p_BT}; }
  /// The paper's small rotation: 1 + [θ]×, which is not exactly a rotation.
  Pose X_BT_small() const { return {Matrix3d::Identity() + skew(turn.theta), p_BT}; }

  /// [W; U] in axes A, all at once.
  template <class Columns>
  void set_shapes(const Matrix3d& R_AB, Columns&& shapes) const {
    shapes.template topRows<3>().noalias() = Matrix3d(R_AB * turn.left_jacobian()) * basis_->tip_psi;
    shapes.template bottomRows<3>().noalias() = R_AB * basis_->tip_phi;
    if (drawn_.size() > 0) shapes.template bottomRows<3>().noalias() -= R_AB.col(0) * drawn_.transpose();
  }

  /// The angle by which a tip is rotated, from the coordinates that rotate it only: fast for meshes with thousands of coordinates.
  static double angle(const FlexBasis& basis, const double* delta) {
    Vector3d theta = Vector3d::Zero();
    for (const int k : basis.tip_coordinates) theta += delta[k] * basis.tip_psi.col(k);
    return theta.norm();
  }
};

}  // namespace lithe
