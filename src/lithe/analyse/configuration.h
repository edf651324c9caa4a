#pragma once

#include <string>

#include "lithe/drive/drives.h"

namespace lithe {

/// The configuration, at rest, that an analysis is about: positions in words (arm/coordinate_words.h), or the start of the case if there
/// are none. Motors hold: a rotor that is not mentioned is placed where its joint is. Throws std::invalid_argument.
State configuration(const Arm& arm, const Drives& drives, const std::string& words = "");

/// Removes all deformation: links straight, transmissions at rest, joints where they are. (`undeformed` of statics.h leaves the
/// motors where they are.)
void straighten(const Arm& arm, State& state);

}  // namespace lithe
