#pragma once

#include <optional>
#include <string>
#include <vector>

#include "lithe/describe/case/joint.h"

namespace lithe {

struct ArmSpec;

/// The unit of a deformation coordinate of a link (`upper.1`, `upper.n3.rz`, `upper.s2.y`) or of an elastic transmission
/// (`elbow.motor`), by its name. None where the arm has no such coordinate.
std::optional<CoordinateUnit> deformation_unit(const ArmSpec& arm, const std::string& name);

/// Names to suggest in place of `wrong`: those of the link with which it begins, or else the first ones of every link. At most a few
/// hundred.
std::vector<std::string> deformations_like(const ArmSpec& arm, const std::string& wrong);

}  // namespace lithe
