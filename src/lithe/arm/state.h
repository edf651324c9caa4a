#pragma once

#include "lithe/arm/arm.h"

namespace lithe {

/// Where the arm is. Nothing derived is kept here, so nothing can be stale.
struct State {
  Instant t = 0;
  VectorXd q, v;

  /// All zero; a free base stands at the origin, unturned.
  static State zero(const Arm& arm);
};

/// q ⊕ dv: the position reached by moving along the coordinate directions dv (nv numbers). Plain addition, but for a
/// free base, which turns about and slides along its own axes.
void displace(const Arm& arm, Eigen::Ref<VectorXd> q, const Eigen::Ref<const VectorXd>& dv);

/// q̇ (nq numbers) at rate v: equal to v, but for a free base, whose position moves by R v and whose quaternion by ½
/// q∘ω.
void position_rate(const Arm& arm, const State& state, Eigen::Ref<VectorXd> qdot);

}  // namespace lithe
