#pragma once

#include "lithe/derive/equations.h"
#include "lithe/derive/symbolic_arm.h"

namespace lithe::derive {

/// Adds K, D, f and the elastic part of the potential: the passive forces of joints, transmissions and flexible links.
void add_passive_terms(const Arm& arm, const SymbolicArm& symbolic, Equations& equations);

}  // namespace lithe::derive
