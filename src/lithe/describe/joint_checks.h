#pragma once

#include <string>
#include <utility>
#include <vector>

#include "lithe/describe/case.h"

namespace lithe {

/// The mistakes in a joint: paths relative to it ("" for the joint itself, ".axis") and messages.
std::vector<std::pair<std::string, std::string>> joint_problems(const JointSpec& joint);

/// The same for maps that name joints and need positions: `motion`, `arm.damping.at`.
std::vector<std::pair<std::string, std::string>> joint_map_problems(const Case& data);

}  // namespace lithe
