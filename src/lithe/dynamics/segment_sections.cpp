#include "lithe/dynamics/segment_sections.h"

namespace lithe {

SegmentForces through(const Arm& arm, const InternalForces& internal, const SegmentSection& section) {
  const Kinematics& kin = internal.kinematics();
  const Pose& X_WB = kin.X_WB[section.i_root];
  const bool at_root = section.kind == SegmentSection::root, at_tip = section.kind == SegmentSection::tip;
  // The frame inboard of the section, in whose axes forces are given.
  const Pose& X_WS = at_root ? X_WB : kin.X_WT[at_tip ? section.i_link : arm.link(section.i_link).parent];
  SegmentForces result;
  result.u = X_WB.R.transpose() * (X_WS.p - X_WB.p) - Vector3d(section.x, 0, 0);
  auto twist_of = [&](const Matrix3d& R_WS) { return log_rotation(X_WB.R.transpose() * R_WS).x(); };
  result.twist = twist_of(X_WS.R);
  // A hinge represents the middle of a part of the beam, where half of its rotation has occurred.
  if (section.kind == SegmentSection::hinge) result.twist = (result.twist + twist_of(kin.X_WB[section.i_piece].R)) / 2;
  const Matrix3d R_SB = X_WS.R.transpose() * kin.X_WB[section.i_link].R;
  const Vector6d& reaction = internal.reaction(section.i_link);
  // The joint acts on the outboard part; the resultants are what that part does to the inboard one.
  result.moment = -(R_SB * reaction.head<3>());
  result.force = -(R_SB * reaction.tail<3>());
  return result;
}

}  // namespace lithe
