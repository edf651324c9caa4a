#pragma once

#include <map>
#include <string>
#include <vector>

#include "lithe/describe/case/joint.h"

namespace lithe {

struct ArmSpec;
struct LinkSpec;

/// What a name in `motion`, `torque` or `initial` means.
struct JointName {
  enum class Kind {
    coordinate,  // a coordinate with a position
    rate,        // a coordinate that is a rate alone, such as a component of the angular velocity
    several,     // a joint with several coordinates, which are named one by one
    turned,      // such a joint whose position is an orientation
    fixed,
  };
  Kind kind = Kind::coordinate;
  CoordinateUnit unit = CoordinateUnit::radians;
  std::vector<std::string> coordinates = {};  // of a joint with several: their names
};

/// The name of a joint; by default it is made from that of its link.
std::string joint_name(const LinkSpec& link);

/// Every joint and every coordinate of a joint, by name. Joints whose type could not be read count as turning.
std::map<std::string, JointName> joint_names(const ArmSpec& arm);

/// The unit of a joint's own fields: that of its coordinates, where they share one.
CoordinateUnit joint_unit(const std::string& type);

/// The words for `type`, in the order of the reference, and what each means.
std::vector<std::string> joint_types();
std::vector<std::string> joint_type_meanings();

/// The coordinates of a joint of this type, by the part of the name after the dot. Empty where the type is unknown.
struct OwnCoordinate {
  std::string name;
  CoordinateUnit unit = CoordinateUnit::radians;
};
std::vector<OwnCoordinate> own_coordinates(const std::string& type);

/// How many coordinates a joint of this type has.
int coordinate_count(const std::string& type);

}  // namespace lithe
