#pragma once

#include <optional>

#include "lithe/derive/symbolic_arm.h"
#include "lithe/describe/case.h"

namespace lithe::derive {

/// A link placed by Denavit–Hartenberg parameters, over the parameters that the case gives: the arm knows only the frames that
/// came of them (Assembler::place_by_dh).
struct DhLink {
  const LinkSpec& spec;
  const DenavitHartenberg& dh;

  /// Rigid, and by the standard convention: what it is made of is given in the frame behind a and alpha, at its far end.
  bool ends_in_its_frame() const { return spec.rigid && dh.convention == DhConvention::standard; }

  /// From the parent's Denavit–Hartenberg frame to the joint: d and theta; by the modified convention a and alpha before them.
  /// `number` is the link's own, for the names of angles that are no joint's.
  Way to_joint(int number, Names& names) const;
  /// From the joint to the link's frame D, of a link that ends in it.
  Way to_frame(int number, Names& names) const;
  /// The same as numbers: X_PF from the parent's frame, and D in B.
  Pose joint_pose() const;
  Pose frame_pose() const;

  /// Mass, centre and inertia in D as the case has them; of a link to which something was added, as it came out.
  RigidInertia body_in_frame(const RigidInertia& M_B) const;
};

/// The link's parameters, or none: it is placed otherwise, or no link of the case.
std::optional<DhLink> dh_link(const Case* data, const Link& link);

}  // namespace lithe::derive
