#pragma once

#include "lithe/beam/flex_basis.h"
#include "lithe/spatial/exp_map.h"

namespace lithe {

/// Where a deformed link ends: the tip frame T at tip0 + φ(L)δ, turned by the rotation whose rotation vector is θ = ψ(L)δ.
template <class S>
struct FlexTipOf {
  ExpMapOf<S> turn;
  Eigen::Vector3<S> p_BT;

  FlexTipOf(const FlexBasis& basis, const Eigen::Ref<const Eigen::VectorX<S>>& delta)
      : turn(basis.tip_psi.template cast<S>() * delta),
        p_BT(basis.tip0.template cast<S>() + basis.tip_phi.template cast<S>() * delta) {}
};

struct FlexTip : FlexTipOf<double> {
  using FlexTipOf::FlexTipOf;

  Pose X_BT() const { return {turn.rotation(), p_BT}; }
  /// The paper's small rotation: 1 + [θ]×, which is not quite a rotation.
  Pose X_BT_small() const { return {Matrix3d::Identity() + skew(turn.theta), p_BT}; }
};

}  // namespace lithe
