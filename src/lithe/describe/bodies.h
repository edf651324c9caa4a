#pragma once

#include "lithe/describe/case.h"

namespace lithe {

/// Mass, mass centre and inertia of a body, in whichever form it was given.
struct BodyProperties {
  double mass = 0;
  Vector3d com = Vector3d::Zero();
  Matrix3d inertia_com = Matrix3d::Zero();
  double length = 0;  // from the link frame to the tip frame, along x
};

/// Homogeneous solids: rod mL²/12 (thin), block m(b²+c²)/12, cylinder ½mr² about its axis and m(3r²+L²)/12 across,
/// sphere ⅖mr². A centre, inertia or length that is given explicitly overrides that of the shape.
BodyProperties body_properties(const RigidBody& body);

/// A uniform beam as a rigid body: mass on the neutral axis and, with `rotary_inertia`, the section's own inertia
/// ρ(Iy+Iz), ρIy, ρIz per length (docs/model.md).
BodyProperties beam_properties(const Beam& beam, bool rotary_inertia);

}  // namespace lithe
