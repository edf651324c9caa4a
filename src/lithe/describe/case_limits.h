#pragma once

#include <string>
#include <utility>
#include <vector>

#include "lithe/describe/case.h"

namespace lithe {

/// Where a case asks for more than limits.h allows: paths of fields, and messages with the limit and what to do
/// instead. Everything is computed from the numbers of the case, before memory of that size is allocated.
std::vector<std::pair<std::string, std::string>> limit_problems(const Case& data);

/// ⌈duration / step⌉ as a number of rows, steps or samples, without a last step that is due to rounding. Throws FieldError for
/// more than `most`: "asks for 1e+30 rows; at most 100000000: …".
long count_of_steps(double duration, double step, long most, const std::string& path, const char* what,
                    const char* instead);

}  // namespace lithe
