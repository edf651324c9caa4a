#pragma once

#include "lithe/arm/arm.h"

namespace lithe {

/// How a frame moves in the world, in its own axes: the ω_b, α_b, a_b of a link's base. Gravity is in `a`: a frame at rest
/// accelerates by −g, so that inertia forces include the weight.
struct FrameMotion {
  Vector3d omega = Vector3d::Zero(), alpha = Vector3d::Zero(), a = Vector3d::Zero();

  /// ω×(ω×r) + α×r: the acceleration of a point at r of the frame relative to the frame's origin.
  Vector3d of_point(const Vector3d& r) const { return omega.cross(omega.cross(r)) + alpha.cross(r); }
};

/// Of the base frame R.
FrameMotion root_motion(const Arm& arm, Instant t);

/// Of a frame B fixed on A.
FrameMotion carried(const FrameMotion& A, const Pose& X_AB);

/// One joint at one moment: the link frame B on the parent's tip frame P, its motion by the parent's motion and the joint's own
/// position, rate and acceleration (ignored for a fixed joint), and the direction [turn; slide] in B axes.
struct JointStep {
  Pose X_PB;
  FrameMotion B;
  Vector6d direction;
};
JointStep across_joint(const Link& link, const FrameMotion& P, double q, double v, double vdot);
/// The same for a base on a free joint, at its rate [ω; v] and the rate of that, in B axes; it has six directions, those of B's axes.
JointStep across_free_joint(const Link& link, const FrameMotion& P, const double* q, const Vector6d& V,
                            const Vector6d& Vdot);

/// V_B = motion_transform(X_AB) V_A for velocities [ω; v] of frames fixed on each other; its transpose takes wrenches
/// [moment; force] back from B to A.
Matrix6d motion_transform(const Pose& X_AB);

/// [moment; force] about the frame's origin that moves a rigid body.
Vector6d inertia_wrench(const RigidInertia& body, const FrameMotion& motion);

}  // namespace lithe
