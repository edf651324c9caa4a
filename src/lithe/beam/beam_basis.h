#pragma once

#include <span>

#include "lithe/beam/flex_basis.h"
#include "lithe/describe/case.h"

namespace lithe {

/// What a link carries at its tip, as shapes that know of it (`clamped-mass`) see it: a mass and moments of inertia about the
/// tip, link axes; mass–inertia coupling is left out, as De Luca & Siciliano do.
struct CarriedLoad {
  double mass = 0;
  Vector3d inertia = Vector3d::Zero();
};

/// What a body at x does to the tip of a beam of length L that deflects as under a tip force, so that such shapes see it too.
CarriedLoad seen_at_tip(const SectionBody& body, double L);

/// The basis of a beam whose flexibility is `modes` or `elements`, with the bodies that sit along it. Shapes that a reduction
/// keeps know them; damping is that of the beam alone.
FlexBasis beam_basis(const Beam& beam, bool rotary_inertia, const CarriedLoad& carried,
                     std::span<const SectionBody> bodies = {});

/// One rigid piece of a segmented beam: its length, its body about its own start, and the springs of the hinge it hangs on
/// (bending_y about z, bending_z about y, torsion about x). The first piece belongs to the link's joint and has no springs
/// where the hinges sit inside the segments.
struct SegmentPiece {
  double length = 0;
  RigidInertia body;
  bool hinged = false;
  Vector3d stiffness = Vector3d::Zero();  // about z, y, x: in the order the hinge turns
  Vector3d damping = Vector3d::Zero();
  std::shared_ptr<const Fibres> fibres;  // of the section at its start; null where the outline is not known
};

/// The pieces of a beam whose flexibility is `segments`, from the root (abdelaziz04 §2).
std::vector<SegmentPiece> beam_segments(const Beam& beam, bool rotary_inertia);

}  // namespace lithe
