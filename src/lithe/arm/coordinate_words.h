#pragma once

#include <string>

#include "lithe/arm/arm.h"
#include "lithe/describe/units.h"

namespace lithe {

// Values of an arm's coordinates in words, as people write them: separated by commas, each a number in SI or a quantity with its
// unit (`30deg`); those of the joints in order, or of all coordinates (coordinate_list.h), then others by name (`elbow=30deg`).
// What is not mentioned is zero; "" mentions nothing. All throw std::invalid_argument with a message that says what was expected.

/// Positions q (nq), quaternions made unit.
VectorXd positions_in_words(const Arm& arm, const std::string& words);
/// Whether those words give a value for the position of this name.
bool words_give_position(const Arm& arm, const std::string& words, const std::string& name);
/// Rates v (nv).
VectorXd rates_in_words(const Arm& arm, const std::string& words);
/// Accelerations v̇ (nv).
VectorXd accelerations_in_words(const Arm& arm, const std::string& words);
/// Generalised forces (nv), without the base among the joints.
VectorXd torques_in_words(const Arm& arm, const std::string& words);

/// Exactly three values of one dimension: a place, angles.
Vector3d three_in_words(const std::string& words, const Dimension& dimension);

/// The link of that name, whose tip is to be used; "" is the last listed one. Rotors have no tip.
int tip_link_named(const Arm& arm, const std::string& name);

}  // namespace lithe
