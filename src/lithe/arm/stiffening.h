#pragma once

#include <string_view>

#include "lithe/arm/arm.h"

namespace lithe {

/// The arm itself; throws UnsupportedError naming the first link with `stiffening`, for models that do not have it.
const Arm& refuse_stiffening(const Arm& arm, std::string_view who);

/// Throws FieldError where a link with `stiffening` meets options that contradict it.
void demand_stiffening_options(const ArmSpec& arm, const Link& link, const FlexBasis& basis);

}  // namespace lithe
