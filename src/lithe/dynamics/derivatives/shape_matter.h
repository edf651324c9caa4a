#pragma once

#include "lithe/dynamics/derivatives/flexible_matter.h"

namespace lithe {

/// A link whose deflection is a sum of shapes.
///
/// With a the classical acceleration of B minus gravity, Γ = [α]× + [ω]×², P_k = ∫rφ_kᵀ, Ṗ = ∫ru̇ᵀ, Δ_k = ∫φ_ku̇ᵀ:
///
///   moment     Jα + s×a + ω×(Jω + Hδ̇) + 2∫r×(ω×u̇) + Σ (∫r×φ_k + H_k) δ̈_k
///   force      m a + Γs + 2ω×Sδ̇ + S δ̈
///   force_k    n_k·α + S_k·a + ∫φ_k·ω×(ω×r) + 2∫φ_k·(ω×u̇) + (M δ̈)_k
class ShapeMatter final : public FlexibleMatter {
 public:
  explicit ShapeMatter(const Link& link);

  void update(const Link& link, const State& state, const double* vdot, const Kinematics& kinematics, int i_link,
              const LinkMotion& motion, const Vector3d& origin) override;
  void add_slopes(const Eigen::Ref<const VectorXd>& delta, Eigen::Ref<MatrixXd> by_position_block,
                  Eigen::Ref<MatrixXd> by_rate_block) const override;
  void hold_tip_wrench(const Vector3d& moment_B, const Vector3d& force_B) override;
  double tip_felt(int k, int l) const override;

 private:
  void move_mass(const Link& link, const State& state, const double* vdot, const FlexMoments& moments,
                 const LinkMotion& motion);
  void move_tip(const Link& link, const State& state, const double* vdot, const Matrix3d& R, const Matrix6Xd& shapes,
                const Vector3d& x);

  void shorten(const Eigen::Ref<const VectorXd>& rate, const Eigen::Ref<const VectorXd>& acceleration);

  int tip_first_ = 0, tip_count_ = 0;  // the coordinates that move the tip are among these
  Vector3d omega_, a_;
  Matrix3d Gamma_;
  Eigen::Matrix<double, 9, Eigen::Dynamic> P_rate_, P_acceleration_;  // Δ_k by rows, and the same with δ̈
  ExpMap tip_turn_;
  Matrix3Xd felt_;     // (∂J_l/∂θ·ψ_l)ᵀ moment by column l
  double thrust_ = 0;  // the tip's force along e_x, which `stiffening` draws in
};

}  // namespace lithe
