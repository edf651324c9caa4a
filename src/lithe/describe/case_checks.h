#pragma once

#include <string>
#include <utility>
#include <vector>

#include "lithe/describe/problem.h"

namespace lithe {

struct Case;
struct Simulate;

/// What the numbers of a case must satisfy together: names that are unique and resolve, axes that point somewhere,
/// sections that can exist, inertias that a body can have. The reader adds the places in the file.
///
/// What is impossible is an error. An inertia that no real body has, but with which the dynamics may still be regular, is a
/// warning, because published tables often give only what can be observed. Arm::assemble checks whether the dynamics are regular.
std::vector<Problem> check_case(const Case& data);

/// Names that links and joints may not have: columns of results and keys of a case begin with them.
const std::vector<std::string>& reserved_names();

/// Combinations of formulation, model, method and step that are not possible: paths of fields, and what was expected. A function
/// of its own, because the formulation may come from the command line.
std::vector<std::pair<std::string, std::string>> method_problems(const Simulate& simulate);

}  // namespace lithe
