#pragma once

#include "lithe/arm/kinematics.h"

namespace lithe {

/// A section of a link: the frame S that loads act on. On a flexible link it is displaced by the link's shapes there and turned by
/// the rotation whose rotation vector is θ = ψδ, like the tip; on a rigid link it is fixed to B.
struct LinkSection {
  int link = -1;
  Pose X_BS;             // of the undeformed link
  SectionShapes shapes;  // empty on a rigid link
  bool is_tip = true;    // whether it moves as the tip frame does
};

/// The link's tip frame as a section.
LinkSection tip_section(const Arm& arm, int i_link);

/// A place on a link: a section, and the offset from it that the section carries rigidly, in S axes.
struct LinkPlace {
  LinkSection section;
  Vector3d offset = Vector3d::Zero();
};

/// The place that the case gives as a point of the straight link: on a link that bends, the section at x = point.x with the
/// offset (0, y, z); of a segmented one, on the piece that holds x; on a rigid link, fixed to its tip frame. Throws FieldError
/// at `path` where the link has no such section.
LinkPlace place_on_link(const Arm& arm, int i_link, const Vector3d& point, const std::string& path);

/// Whether a point of the straight link is the tip frame's origin, up to rounding.
bool at_tip(const Link& link, const Vector3d& point);

/// The message that an imported link has no node at x on its axis, with the nodes that it has.
std::string no_node_text(const FlexBasis& basis, const std::string& link, double x);

/// Where a section is, and how its link's coordinates move it there.
struct SectionFrame {
  SectionFrame(const Arm& arm, const LinkSection& section, const State& state, const Kinematics& kinematics);

  ExpMap turn;  // of θ, B axes
  Pose X_WS;
  Matrix3d turning;  // world: θ̇ turns S by turning·θ̇, R_WB J_l(θ)
};

}  // namespace lithe
