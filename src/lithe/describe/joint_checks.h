#pragma once

#include <string>
#include <utility>
#include <vector>

#include "lithe/describe/case.h"

namespace lithe {

/// What is wrong with a joint that was read: paths below its own ("" for itself, ".axis") and messages.
std::vector<std::pair<std::string, std::string>> joint_problems(const JointSpec& joint);

/// The same about maps that name joints and need positions: `motion`, `arm.damping.at`.
std::vector<std::pair<std::string, std::string>> joint_map_problems(const Case& data);

}  // namespace lithe
