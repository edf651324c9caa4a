#pragma once

#include <memory>

#include "lithe/arm/arm.h"
#include "lithe/arm/kinematics.h"

namespace lithe {

/// How a link's frame B moves, in B axes. a: classical acceleration minus gravity.
struct LinkMotion {
  Vector3d omega, v, alpha, a;
};

/// What the derivatives of inverse dynamics ask of a flexible link at a state: the wrench of its own mass, without payload, on its frame B,
/// the forces on its coordinates, the motion of its tip, and how these change with its coordinates, their rates, and the motion of B.
/// docs/derivatives.md derives the terms. The mass in B axes, at B; the tip in world axes about an origin. One per thread; `update`
/// allocates nothing.
class FlexibleMatter {
 public:
  explicit FlexibleMatter(const Link& link);
  virtual ~FlexibleMatter() = default;
  static std::unique_ptr<FlexibleMatter> of(const Link& link);

  virtual void update(const Link& link, const State& state, const double* vdot, const Kinematics& kinematics,
                      int i_link, const LinkMotion& motion, const Vector3d& origin) = 0;

  RigidInertia inertia;                  // of the deformed link
  Eigen::Matrix<double, 6, 3> coriolis;  // [moment; force] that relative rates add per unit ω
  Vector6d relative;                     // [moment; force] that relative motion adds with B at rest
  Matrix6Xd momentum;                    // N_k = [∫r×φ_k + H_k ; S_k]
  Matrix6Xd by_position, by_rate;        // ∂[moment; force]/∂δ_k, ∂[moment; force]/∂δ̇_k, B held
  Matrix3Xd by_turning;  // what force_k gains per unit of ω that B gains, beyond N_k (docs/derivatives.md (9))
  VectorXd force;        // on the coordinates, without elastic forces and damping

  /// Adds ∂force_k/∂δ_l and ∂force_k/∂δ̇_l of the link itself, including elastic and damping forces.
  virtual void add_slopes(const Eigen::Ref<const VectorXd>& delta, Eigen::Ref<MatrixXd> by_position_block,
                          Eigen::Ref<MatrixXd> by_rate_block) const = 0;

  // The tip relative to B, docs/derivatives.md (7), with columns of coordinates that move it:
  Vector6d tip_V, tip_A;          // V′, A′
  Matrix6Xd tip_E, tip_G, tip_Z;  // E_k = ∂V′/∂δ_k, G_k = ∂A′/∂δ_k, Z_k = ∂A′/∂δ̇_k, B held

  /// How a wrench on the tip, held in B axes, is felt by its coordinates as they turn and slide it: `tip_felt(k, l)` is then
  /// moment·∂W_k/∂δ_l + force·∂U_k/∂δ_l.
  virtual void hold_tip_wrench(const Vector3d& moment_B, const Vector3d& force_B) = 0;
  virtual double tip_felt(int k, int l) const = 0;

 protected:
  const FlexBasis& basis() const { return *basis_; }

 private:
  const FlexBasis* basis_;
};

}  // namespace lithe
