#pragma once

#include "lithe/arm/arm.h"

namespace lithe {

/// Which links belong to what the joint of link `name` carries; with a mount there, the arm that begins at it and what it carries. None
/// for an empty name. Throws std::invalid_argument for a link that no other carries.
std::vector<bool> carried_links(const Arm& arm, const std::string& name);

/// The same arm as a carrier and one arm on it, which begins at the joint of link `name`, wherever mounts were: `Composed::blocks`
/// at mount 0 are then those of everything before that joint and everything from it on. Coordinates stay the same. An empty name
/// stands for the last mount; an arm without one comes back as it is. Throws std::invalid_argument, which names the links that may be
/// given, unless everything from that link on in the list is carried by its joint.
Arm cut_at(const Arm& arm, const std::string& name);

/// The same arm with this mount in place of those that it has (`Assembler`).
Arm with_only_mount(const Arm& arm, Mount mount);

}  // namespace lithe
