#include "lithe/dynamics/finite_element/frame_motion.h"

namespace lithe {

FrameMotion root_motion(const Arm& arm, Instant t) {
  const RootMotion root = arm.root(t);
  const Matrix3d R_RW = root.X_WR.R.transpose();
  return {R_RW * root.omega, R_RW * root.alpha, R_RW * (root.acceleration - arm.gravity())};
}

FrameMotion carried(const FrameMotion& A, const Pose& X_AB) {
  const Matrix3d R_BA = X_AB.R.transpose();
  return {R_BA * A.omega, R_BA * A.alpha, R_BA * (A.a + A.of_point(X_AB.p))};
}

JointStep across_joint(const Link& link, const FrameMotion& P, double q, double v, double vdot) {
  JointStep step;
  step.direction.setZero();
  step.X_PB = link.X_PF;
  if (link.nv() == 1) {
    step.X_PB = link.X_PF * link.joint->X_FM(&q);
    JointDirections H;
    link.joint->directions(&q, H);
    step.direction = H.col(0);
  }
  step.B = carried(P, step.X_PB);
  const Vector3d turn = step.direction.head<3>(), slide = step.direction.tail<3>();
  // Of the parent seen in B axes, so ω×(axis q̇) turns the axis and 2ω×(axis q̇) is Coriolis' for a slide.
  const Vector3d omega = step.B.omega;
  step.B.omega += turn * v;
  step.B.alpha += turn * vdot + omega.cross(turn) * v;
  step.B.a += slide * vdot + 2 * omega.cross(slide) * v;
  return step;
}

JointStep across_free_joint(const Link& link, const FrameMotion& P, const double* q, const Vector6d& V,
                            const Vector6d& Vdot) {
  JointStep step;
  step.direction.setZero();
  step.X_PB = link.X_PF * link.joint->X_FM(q);
  step.B = carried(P, step.X_PB);
  const Vector3d carrier = step.B.omega, turning = V.head<3>(), sliding = V.tail<3>();
  step.B.omega += turning;
  step.B.alpha += Vdot.head<3>() + carrier.cross(turning);
  step.B.a += Vdot.tail<3>() + (2 * carrier + turning).cross(sliding);
  return step;
}

Matrix6d motion_transform(const Pose& X_AB) {
  Matrix6d X = Matrix6d::Zero();
  X.topLeftCorner<3, 3>() = X.bottomRightCorner<3, 3>() = X_AB.R.transpose();
  X.bottomLeftCorner<3, 3>().noalias() = -X_AB.R.transpose() * skew(X_AB.p);
  return X;
}

Vector6d inertia_wrench(const RigidInertia& body, const FrameMotion& motion) {
  Vector6d wrench;
  wrench << body.J * motion.alpha + motion.omega.cross(body.J * motion.omega) + body.first_moment.cross(motion.a),
      body.mass * motion.a + motion.of_point(body.first_moment);
  return wrench;
}

}  // namespace lithe
