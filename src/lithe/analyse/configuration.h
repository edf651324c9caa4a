#pragma once

#include <string>

#include "lithe/drive/drives.h"

namespace lithe {

/// Where an analysis looks at the arm: at positions in words (arm/coordinate_words.h), or where the case starts when there are
/// none; at rest. Motors hold: a rotor that is not mentioned stands where its joint is. Throws std::invalid_argument.
State configuration(const Arm& arm, const Drives& drives, const std::string& words = "");

/// Takes all deformation away: links straight, transmissions at rest, joints where they are. (`undeformed` of statics.h leaves the
/// motors where they are.)
void straighten(const Arm& arm, State& state);

}  // namespace lithe
