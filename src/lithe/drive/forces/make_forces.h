#pragma once

#include <memory>

#include "lithe/drive/force.h"

namespace lithe {

/// By the kinds that the case names. Throws FieldError.
std::vector<std::shared_ptr<Force>> make_forces(const std::vector<ForceSpec>& specs, const Arm& arm);

}  // namespace lithe
