#pragma once

#include <optional>
#include <string>

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
/// sphere ⅖mr², the inside of a mesh (mesh_solid.h), whose tip frame is at its largest x; or a solid whose density a formula gives
/// (density_formula.h). A centre, inertia or length that is given explicitly overrides that of the shape. Throws FieldError, with a path
/// within the body's field, for a faulty formula or mesh.
BodyProperties body_properties(const RigidBody& body);

/// What body_properties would throw: a field within that of the body, and a message.
struct BodyFault {
  std::string field, message;
};
std::optional<BodyFault> fault_of(const RigidBody& body);

/// From the link frame to the tip frame of a link, along x; zero where it is not known: of an imported link, and of a faulty mesh.
double length_of(const LinkSpec& link);

/// Whether a beam lies along its joint's axis: with standard Denavit–Hartenberg parameters, no common normal (a = 0) and an offset d.
bool stands_on_axis(const LinkSpec& link);

/// A uniform beam as a rigid body: mass on the neutral axis and, with `rotary_inertia`, the section's own inertia
/// ρ(Iy+Iz), ρIy, ρIz per length (docs/model.md).
BodyProperties beam_properties(const Beam& beam, bool rotary_inertia);

}  // namespace lithe
