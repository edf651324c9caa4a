#pragma once

#include "lithe/describe/case.h"

namespace lithe {

/// Mass, centre and inertia of a body, whichever way it was given.
struct BodyProperties {
  double mass = 0;
  Vector3d com = Vector3d::Zero();
  Matrix3d inertia_com = Matrix3d::Zero();
  double length = 0;  // from the link frame to the tip frame, along x
};

/// Homogeneous solids: rod mL²/12 (thin), block m(b²+c²)/12, cylinder ½mr² about its axis and m(3r²+L²)/12 across,
/// sphere ⅖mr². What is given explicitly (centre, inertia, length) goes before what the shape implies.
BodyProperties body_properties(const RigidBody& body);

/// A uniform beam taken as a rigid body: mass on the neutral axis and, with `rotary_inertia`, the section's own inertia
/// ρ(Iy+Iz), ρIy, ρIz per length (docs/model.md).
BodyProperties beam_properties(const Beam& beam, bool rotary_inertia);

}  // namespace lithe
