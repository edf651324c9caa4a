#pragma once

#include "lithe/arm/arm.h"

namespace lithe {

/// Where the arm is: a time, nq positions and nv rates. Nothing derived is kept here, so nothing can be stale. A plain value: copying
/// allocates, and a thread that modifies it needs its own.
struct State {
  Instant t = 0;
  VectorXd q, v;

  /// Every joint at its zero position: all numbers zero, except for quaternions, which are those of no rotation.
  static State zero(const Arm& arm);
};

/// q ⊕ dv: the position reached by moving along the coordinate directions dv (nv numbers). Plain addition, except for joints whose
/// rates are not those of coordinates, such as a free base, which turns about and slides along its own axes (Joint::displace).
void displace(const Arm& arm, Eigen::Ref<VectorXd> q, const Eigen::Ref<const VectorXd>& dv);

/// q̇ (nq numbers) at rate v: equal to v, except for those joints (Joint::position_rate).
void position_rate(const Arm& arm, const State& state, Eigen::Ref<VectorXd> qdot);

}  // namespace lithe
