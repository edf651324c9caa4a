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

/// Formulation, model, method and step that do not go together: paths of fields, and what was expected there. Apart from the
/// rest, because the formulation may come from elsewhere than the case.
std::vector<std::pair<std::string, std::string>> method_problems(const Simulate& simulate);

}  // namespace lithe
