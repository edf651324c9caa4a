#pragma once

#include <map>
#include <string>
#include <vector>

#include "lithe/describe/case.h"

namespace lithe {

/// What a name in `motion`, `torque` or `initial` stands for.
struct JointName {
  enum class Kind {
    coordinate,  // a coordinate with a position of its own
    rate,        // a coordinate that is a rate alone, such as a component of the angular velocity
    several,     // a joint with several coordinates, which are named one by one
    turned,      // such a joint whose position as a whole is a turn
    fixed,
  };
  Kind kind = Kind::coordinate;
  CoordinateUnit unit = CoordinateUnit::radians;
  std::vector<std::string> coordinates = {};  // of a joint with several: their names
};

/// A joint without a name of its own is called after its link.
std::string joint_name(const LinkSpec& link);

/// Every joint and every coordinate of a joint, by name. Joints whose type was not read count as turning ones.
std::map<std::string, JointName> joint_names(const ArmSpec& arm);

/// The unit of a joint's own fields: that of its coordinates, where they share one.
CoordinateUnit joint_unit(const std::string& type);

/// How many coordinates a joint of this type has.
int coordinate_count(const std::string& type);

}  // namespace lithe
