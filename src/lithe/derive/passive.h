#pragma once

#include "lithe/derive/equations.h"

namespace lithe::derive {

/// Adds K, D, f and the elastic part of the potential: the passive forces of joints, transmissions and flexible links.
void add_passive_terms(const Arm& arm, Equations& equations);

}  // namespace lithe::derive
