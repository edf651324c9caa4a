#pragma once

#include <memory>

#include "lithe/beam/exact/strain_basis.h"

namespace lithe {

/// The largest number of coordinates of an exact link, for callers' arrays.
inline constexpr int most_rod_coordinates = 64;

/// A section of an exact link, its tip for one, in axes of B: its pose and how coordinates move it, [turn_k; slide_k] = [W_k; U_k]. Only
/// the entries of the link's coordinates are set. On the stack: it allocates nothing.
struct RodSectionPose {
  Matrix3d R;
  Vector3d p;
  Eigen::Matrix<double, 6, Eigen::Dynamic, Eigen::ColMajor, 6, most_rod_coordinates> moves;  // 6 × m

  Vector3d turn(int k) const { return moves.col(k).head<3>(); }
  Vector3d slide(int k) const { return moves.col(k).tail<3>(); }
};

/// How the accelerations of a section's frame follow from those of B: A = Y A_B + Φ δ̈ + ζ, with its spin in B axes, ω + w.
struct RodSectionMotion {
  Vector3d spin, zeta_angular, zeta_linear;
};

/// An exact link at given coordinates, in every detail and in plain types: for kinematics, linear models, forces inside links. (Recursions
/// use ExactLink, which is faster and knows only what they need.) In axes of B, at B. A value: copies are independent; one per thread.
/// Evaluations allocate nothing.
class RodState {
 public:
  explicit RodState(std::shared_ptr<const StrainBasis> basis);
  RodState(const RodState&);
  RodState(RodState&&) noexcept;
  RodState& operator=(const RodState&);
  RodState& operator=(RodState&&) noexcept;
  ~RodState();

  const StrainBasis& basis() const;

  void place(const double* delta);
  // Of the link itself, without what its tip carries (docs/exact-links.md (8)).
  RigidInertia inertia() const;
  Vector3d angular(int k) const;
  Vector3d linear(int k) const;
  double M_ff(int k, int l) const;
  // Its tip and any other section.
  Pose X_BT() const;
  Vector3d tip_turn(int k) const;
  Vector3d tip_slide(int k) const;
  void section(const RodSection& at, RodSectionPose& pose) const;

  /// Sets the rest: what velocities do, with ω of B in B axes (docs/exact-links.md (7), (9)).
  void move(const Vector3d& omega, const double* rate);
  /// [moment; force] on B and forces on the coordinates, from velocities alone.
  Vector6d bias() const;
  double bias_of(int k) const;
  RodSectionMotion tip_motion() const;
  RodSectionMotion section_motion(const RodSection& at) const;

 private:
  struct Work;
  std::unique_ptr<Work> work_;
};

/// How what RodState gives changes with the coordinates, by forward differentiation of the same code. One per thread; allocates nothing after
/// construction.
class RodSlopes {
 public:
  explicit RodSlopes(std::shared_ptr<const StrainBasis> basis);
  RodSlopes(RodSlopes&&) noexcept;
  RodSlopes& operator=(RodSlopes&&) noexcept;
  ~RodSlopes();

  void place(const double* delta);
  // ∂/∂δ_l of the couplings of coordinate k with B, and of the tip's W_k and U_k.
  Vector3d angular(int k, int l) const;
  Vector3d linear(int k, int l) const;
  Vector3d tip_turn(int k, int l) const;
  Vector3d tip_slide(int k, int l) const;

  /// ∂W_k/∂δ_l and ∂U_k/∂δ_l at a section, [turn; slide] in column k m + l: until the next call.
  const Matrix6Xd& section(const RodSection& at);

 private:
  struct Work;
  std::unique_ptr<Work> work_;
};

}  // namespace lithe
