#pragma once

#include "lithe/dynamics/derivatives/flexible_matter.h"

namespace lithe {

/// An exact link: forward differentiation of ExactLink, the code that gives its equations of motion. With p_B, p_f the velocity forces of
/// docs/exact-links.md (9), which are quadratic in (ω, δ̇), and a the classical acceleration of B minus gravity:
///
///   moment     Jα + s×a + p_m + Σ n_k δ̈_k        n_k, S_k: the columns of M_Bf (8)
///   force      m a + α×s + p_t + Σ S_k δ̈_k
///   force_k    n_k·α + S_k·a + p_f,k + (M_ff δ̈)_k
///
/// The link is placed once per four coordinates, and once more at rest, where four at a time of ω and δ̇ are directions of its motion.
class ExactMatter final : public FlexibleMatter {
 public:
  explicit ExactMatter(const Link& link);
  ~ExactMatter() override;

  void update(const Link& link, const State& state, const double* vdot, const Kinematics& kinematics, int i_link,
              const LinkMotion& motion, const Vector3d& origin) override;
  void add_slopes(const Eigen::Ref<const VectorXd>& delta, Eigen::Ref<MatrixXd> by_position_block,
                  Eigen::Ref<MatrixXd> by_rate_block) const override;
  void hold_tip_wrench(const Vector3d& moment_B, const Vector3d& force_B) override;
  double tip_felt(int k, int l) const override { return felt_(k, l); }

 private:
  struct Work;
  void move_mass(const VectorXd& acceleration, const LinkMotion& motion);
  void move_tip(const VectorXd& acceleration, const LinkMotion& motion, const Matrix3d& R, const Vector3d& x);

  std::unique_ptr<Work> work_;
  MatrixXd force_by_position_, force_by_rate_;  // of the link's mass
  MatrixXd felt_;
};

}  // namespace lithe
