#pragma once

#include <optional>
#include <string>
#include <vector>

#include "lithe/describe/case.h"

namespace lithe {

/// Of the name of a coordinate by which a link deforms (`upper.1`, `upper.n3.rz`, `upper.s2.y`) or an elastic transmission winds up
/// (`elbow.motor`): whether it counts like a turn or
/// like a slide. None for a name that no link of the arm has.
std::optional<CoordinateUnit> deformation_unit(const ArmSpec& arm, const std::string& name);

/// Names for a message about `wrong`, which is none: of the link that it begins with, else the first ones of every link. At most
/// some hundreds.
std::vector<std::string> deformations_like(const ArmSpec& arm, const std::string& wrong);

}  // namespace lithe
