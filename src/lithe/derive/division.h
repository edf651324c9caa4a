#pragma once

#include "lithe/arm/cut.h"
#include "lithe/derive/equations.h"

namespace lithe::derive {

/// The arm's coordinates in the order of the equations.
std::vector<int> coordinate_order(const Arm& arm, const std::vector<bool>& link_carried, CoordinateOrder order);

/// The options with the cut that an arm composed of others has by default: at its last mount.
DeriveOptions cut_at_last_mount(const Arm& arm, DeriveOptions options);

}  // namespace lithe::derive
