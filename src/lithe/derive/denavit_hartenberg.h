#pragma once

#include <optional>

#include "lithe/derive/symbolic_arm.h"
#include "lithe/describe/case.h"

namespace lithe::derive {

/// A link placed by Denavit–Hartenberg parameters, over the parameters that the case gives: the arm has only the frames that
/// follow from them (Assembler::place_by_dh).
struct DhLink {
  const LinkSpec& spec;
  const DenavitHartenberg& dh;

  /// Whether it is rigid and placed by the standard convention: mass and inertia are then given in the frame after a and alpha, at its far end.
  bool ends_in_its_frame() const { return spec.rigid && dh.convention == DhConvention::standard; }

  /// From the parent's Denavit–Hartenberg frame to the joint: d and theta; by the modified convention a and alpha before them.
  /// `number` is that of the link, for the names of angles that belong to no joint.
  Way to_joint(int number, Names& names) const;
  /// From the joint to the link's frame D, of a link that ends in it.
  Way to_frame(int number, Names& names) const;
  /// The same as numbers: X_PF from the parent's frame, and D in B.
  Pose joint_pose() const;
  Pose frame_pose() const;

  /// Mass, centre and inertia in D as in the case or, if something was added to the link, as they result.
  RigidInertia body_in_frame(const RigidInertia& M_B) const;
};

/// The link's parameters; none if it is placed otherwise or is not a link of the case.
std::optional<DhLink> dh_link(const Case* data, const Link& link);

}  // namespace lithe::derive
