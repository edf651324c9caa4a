#pragma once

#include "lithe/beam/flex_basis.h"
#include "lithe/spatial/exp_map.h"

namespace lithe {

/// Where a deformed link ends: the tip frame T at tip0 + φ(L)δ, turned by the rotation whose rotation vector is θ = ψ(L)δ.
struct FlexTip {
  ExpMap turn;
  Vector3d p_BT;

  FlexTip(const FlexBasis& basis, const Eigen::Ref<const VectorXd>& delta)
      : turn(basis.tip_psi * delta), p_BT(basis.tip0 + basis.tip_phi * delta) {}

  Pose X_BT() const { return {turn.rotation(), p_BT}; }
  /// The paper's small rotation: 1 + [θ]×, which is not quite a rotation.
  Pose X_BT_small() const { return {Matrix3d::Identity() + skew(turn.theta), p_BT}; }
};

}  // namespace lithe
