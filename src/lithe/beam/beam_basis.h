#pragma once

#include <span>

#include "lithe/beam/flex_basis.h"
#include "lithe/describe/case.h"

namespace lithe {

/// What a link carries at its tip, for shapes that depend on it (`clamped-mass`): a mass and moments of inertia about the
/// tip, link axes. Mass–inertia coupling is neglected, as by De Luca & Siciliano.
struct CarriedLoad {
  double mass = 0;
  Vector3d inertia = Vector3d::Zero();
};

/// The equivalent at the tip of a body at x, for a beam of length L that deflects as under a tip force, so that such shapes include it.
CarriedLoad seen_at_tip(const SectionBody& body, double L);

/// The basis of a beam whose flexibility is `modes`, `strains` or `elements`, with the bodies along it. A reduction takes them into account;
/// damping is that of the beam alone. At `places` it has stations in addition to its usual ones.
FlexBasis beam_basis(const Beam& beam, bool rotary_inertia, const CarriedLoad& carried,
                     std::span<const SectionBody> bodies = {}, std::span<const double> places = {});

/// One rigid piece of a segmented beam: its length, its body about its own start, and the springs of its hinge
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
