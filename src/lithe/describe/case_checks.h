#pragma once

#include <vector>

#include "lithe/describe/case.h"
#include "lithe/describe/problem.h"

namespace lithe {

/// What the numbers of a case must satisfy together: names that are unique and resolve, axes that point somewhere,
/// sections that can exist, inertias a body can have. Places are not known here; the reader adds them.
///
/// Impossible things are errors. An inertia that no real body has but that may leave the dynamics regular (published
/// tables often give only what can be observed) is a warning; whether the dynamics is regular, Arm::assemble decides.
std::vector<Problem> check_case(const Case& data);

}  // namespace lithe
