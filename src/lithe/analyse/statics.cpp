#include "lithe/analyse/statics.h"

#include <Eigen/SVD>

namespace lithe {

State undeformed(const Arm& arm, State state) {
  for (const Link& link : arm.links()) {
    state.q.segment(link.flex_q0(), link.n_flex()).setZero();
    if (link.role == LinkRole::segment) state.q[link.q0] = 0;
  }
  for (const Transmission& spring : arm.transmissions())
    state.q[arm.link(spring.joint_link).q0] = state.q[arm.link(spring.rotor_link).q0];
  return state;
}

namespace {

/// A tip that turned by 1 + [θ]× is sheared a little: the rotation of its polar decomposition. A rotation comes back to rounding.
Matrix3d nearest_rotation(const Matrix3d& R) {
  const Eigen::JacobiSVD<Matrix3d> svd(R, Eigen::ComputeFullU | Eigen::ComputeFullV);
  return svd.matrixU() * svd.matrixV().transpose();
}

}  // namespace

StaticResult static_deflection(const Arm& arm, const State& start, int i_tip, const OuterForces& outer) {
  StaticResult result;
  result.rest = find_equilibrium(arm, start, held_by_motors(arm), arm.gravity(), outer);
  const Pose straight = kinematics_of(arm, undeformed(arm, result.rest.state)).X_WT[i_tip];
  result.X_WT = kinematics_of(arm, result.rest.state).X_WT[i_tip];
  result.sag = result.X_WT.p - straight.p;
  result.tip_turn = log_rotation(nearest_rotation(result.X_WT.R) * straight.R.transpose());
  return result;
}

}  // namespace lithe
