#pragma once

#include "lithe/dynamics/equilibrium.h"

namespace lithe {

/// The initial state of the case: joints, base, rotors with their joints, and with `deformation: static` links in equilibrium under gravity,
/// the initial loads and `forces`. `settled` needs the controllers: see Drives.
State start_of(const Case& data, const Arm& arm, const OuterForces& forces);

/// Throws FieldError for an impossible `initial`: a coordinate that the arm does not have, or two contradictory values.
void check_initial(const Case& data, const Arm& arm);
/// The case with its links straight at the start: without the equilibrium that `initial` asks for.
Case undeformed_start(Case data);

}  // namespace lithe
