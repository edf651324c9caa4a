#pragma once

#include "lithe/arm/arm.h"
#include "lithe/arm/state.h"
#include "lithe/beam/exact/rod_state.h"
#include "lithe/beam/flex_tip.h"
#include "lithe/dynamics/articulated/block_inertia.h"

namespace lithe {

/// What a flexible link, of shapes or exact, adds to inverse dynamics and to composite bodies: it stands between its frame B, which the joint moves,
/// and its tip frame T, which carries the rest. Its own inertia and velocity forces follow from the constants of its FlexBasis;
/// everything outboard reaches it through the tip shapes Φ.
///
/// Vectors are in B axes unless a name ends in _T. With θ = ψ(L)δ, u = φ(L)δ, p = p_BT and Y = [[1, 0], [−[p]×, 1]], as
/// docs/articulated.md numbers them:
///
///   tip      A_T = Y A_B + Φ δ̈ + ζ,  Φ = [J_l ψ(L); φ(L)],  ζ = [ω×ω_rel + J̇_l θ̇ ; ω×(ω×p) + 2 ω×u̇]          (5), (6)
///   own      M_BB = [[J, [s]×], [−[s]×, m]],  M_Bf,k = [∫r×φ_k + H_k ; S_k],  M_ff constant                   (7), (10)
///   forces   p_B = [ω×(Jω + Σ H_k δ̇_k) + 2∫r×(ω×u̇) ; ω×(ω×s) + 2 ω×Σ S_k δ̇_k]                                (8), (10)
///            p_f,k = ∫φ_k·(ω×(ω×r)) + 2∫φ_k·(ω×u̇)                                                           (9)
///   exact    all but K and D depends on δ: docs/exact-links.md (8), (9)
///   all      P = M_BB + YᵀP_T Y,  N = M_Bf + YᵀP_T Φ,  F = M_ff + ΦᵀP_T Φ                                     (11)
class FlexBody {
 public:
  FlexBody(const Link& link, const Matrix3d& R_BN);

  const FlexBasis& basis() const { return *basis_; }
  int size() const { return int(p_f.size()); }

  /// Shapes and inertia at δ; starts the sums that children add to with the payload's own part.
  void place(const State& state);
  /// Velocity terms (6), (8), (9), for ω of the link in N axes; or none.
  void move(const State& state, const Vector3d& omega_N);
  void stand();

  /// With all accelerations given (null: zero): the tip's acceleration, and the payload's force into the sums.
  void prescribe(const Vector3d& alpha_N, const Vector3d& a_N, const double* vdot);
  /// After the children added theirs: forces on the coordinates, and the whole wrench at B into moment and force (N axes).
  void collect(double* tau);

  /// Composite inertia (11) without elimination: P_N at B, and N.
  void compose();
  /// F of (11), after compose(). It is written directly to its destination: for thousands of element coordinates a copy here would take
  /// gigabytes.
  void set_own_inertia(Eigen::Ref<MatrixXd> F) const;

  // constants
  int q0, v0;
  Matrix3d R_BN;
  RigidInertia payload_T;
  // set by place()
  Pose X_BT;
  Matrix6Xd Phi;
  // set by move(), stand()
  Vector3d omega_T;
  // sums of children and payload, at and in T
  BlockInertia P_T;
  Vector3d moment_T, force_T;
  // set by compose(), collect(): in N axes, at B
  BlockInertia P_N;
  Vector3d moment_N, force_N;
  // set by prescribe()
  Vector3d alpha_T, a_T;
  Matrix6Xd N;  // (11)

 private:
  void outboard_in_B();
  void spin_payload();  // its velocity forces start the sums
  void add_own_inertia_times(const VectorXd& accelerations, Eigen::Ref<VectorXd> force) const;
  Vector6d to_B(const Vector6d& wrench_at_tip) const;  // Yᵀ
  Vector6d to_tip(const Vector6d& A_B) const;          // Y, then Φδ̈ and ζ are still to be added
  void set_tip_acceleration(const Vector6d& A);
  const double* own(const double* all) const { return all + v0; }

  std::shared_ptr<const FlexBasis> basis_;
  std::optional<RodState> rod_;  // of an exact link, which has no moments
  FlexMoments moments_;
  Vector3d s_;
  ExpMap turn_{Vector3d::Zero()};
  Matrix3d J_;
  Matrix6Xd M_Bf_;
  Vector6d zeta_, p_B_;
  VectorXd p_f, rate_;
  Matrix6d P6_;       // outboard inertia in B axes, at T
  Vector6d p6_;       // and its wrench
  Vector6d A_B_, A_;  // accelerations of B and T, B axes
  VectorXd delta_dd_;
  Matrix6Xd PPhi_;
};

}  // namespace lithe
