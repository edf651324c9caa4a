#pragma once

#include "lithe/arm/arm.h"
#include "lithe/derive/equations.h"

namespace lithe::derive {

/// Which links belong to what the joint of link `name` carries; with a mount there, the arm that begins at it and what it carries. None
/// for an empty name. Throws std::invalid_argument for a link that no other carries.
std::vector<bool> carried_links(const Arm& arm, const std::string& name);

/// The arm's coordinates in the order of the equations.
std::vector<int> coordinate_order(const Arm& arm, const std::vector<bool>& link_carried, CoordinateOrder order);

/// The options with the cut that an arm composed of others has by default: at its last mount.
DeriveOptions cut_at_last_mount(const Arm& arm, DeriveOptions options);

}  // namespace lithe::derive
