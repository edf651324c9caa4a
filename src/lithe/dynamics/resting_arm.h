#pragma once

#include <memory>
#include <optional>

#include "lithe/arm/small_motion.h"

namespace lithe {

namespace book83 {
class AtRest;
}

/// Inertia and weight of an arm about a state at rest, whichever way its tips turn: by SmallMotion, or by book83's matrices under
/// `tip_rotation: small`.
class RestingArm {
 public:
  /// Throws UnsupportedError for beams in guides, and with `small` for what recursive-lagrangian does not cover. The arm must
  /// outlive this.
  RestingArm(const Arm& arm, const State& state);
  ~RestingArm();

  SparseMatrixd mass_matrix() const;
  /// ∂V/∂z of the weight V = −Σ m g·r, and ∂²V/∂z².
  VectorXd weight(const Vector3d& g) const;
  void add_weight_stiffness(const Vector3d& g, Triplets& entries) const;
  /// Per unit rate of each coordinate, world axes.
  Matrix3Xd linear_momentum() const;

  /// The motion of rigid bodies, which forces from outside act on. Throws UnsupportedError under `small`; `what` is then named.
  const SmallMotion& bodies(const char* what) const;

 private:
  const Arm& arm_;
  const State state_;
  std::optional<SmallMotion> bodies_;
  std::unique_ptr<const book83::AtRest> small_;
};

}  // namespace lithe
