#pragma once

#include "lithe/arm/arm.h"
#include "lithe/arm/kinematics.h"

namespace lithe {

/// The mass of a flexible link itself, without payload: its wrench on the frame B and the forces on its coordinates, and how
/// these change with its coordinates, their rates, and the motion of B. docs/derivatives.md derives the terms. In B axes, at B.
///
/// With a the classical acceleration of B minus gravity, Γ = [α]× + [ω]×², P_k = ∫rφ_kᵀ, Ṗ = ∫ru̇ᵀ, Δ_k = ∫φ_ku̇ᵀ:
///
///   moment     Jα + s×a + ω×(Jω + Hδ̇) + 2∫r×(ω×u̇) + Σ (∫r×φ_k + H_k) δ̈_k
///   force      m a + Γs + 2ω×Sδ̇ + S δ̈
///   force_k    n_k·α + S_k·a + ∫φ_k·ω×(ω×r) + 2∫φ_k·(ω×u̇) + (M δ̈)_k
class FlexibleMatter {
 public:
  explicit FlexibleMatter(const Link& link);

  void update(const Link& link, const State& state, const double* vdot, const FlexMoments& moments,
              const Vector3d& omega, const Vector3d& v, const Vector3d& alpha, const Vector3d& a);

  RigidInertia inertia;                  // of the deformed link
  Eigen::Matrix<double, 6, 3> coriolis;  // [moment; force] that relative rates add per unit ω
  Vector6d relative;                     // [moment; force] that relative motion adds with B at rest
  Matrix6Xd momentum;                    // N_k = [∫r×φ_k + H_k ; S_k]
  Matrix6Xd by_position, by_rate;        // ∂[moment; force]/∂δ_k, ∂[moment; force]/∂δ̇_k, B held
  Matrix3Xd by_turning;  // what force_k gains per unit of ω that B gains, beyond N_k (docs/derivatives.md (9))
  VectorXd force;        // on the coordinates, without elastic forces and damping

  /// Adds ∂force_k/∂δ_l and ∂force_k/∂δ̇_l of the link itself, including elastic and damping forces.
  void add_slopes(const Eigen::Ref<const VectorXd>& delta, Eigen::Ref<MatrixXd> by_position_block,
                  Eigen::Ref<MatrixXd> by_rate_block) const;

 private:
  void shorten(const Eigen::Ref<const VectorXd>& rate, const Eigen::Ref<const VectorXd>& acceleration);

  const FlexBasis* basis_;
  Vector3d omega_;
  Vector3d a_;
  Matrix3d Gamma_;
  Eigen::Matrix<double, 9, Eigen::Dynamic> P_rate_, P_acceleration_;  // Δ_k by rows, and the same with δ̈
};

}  // namespace lithe
