#pragma once

#include <string>
#include <utility>
#include <vector>

#include "lithe/describe/case.h"

namespace lithe {

/// Where a case asks for more than limits.h allows: paths of fields, and what was asked, what the limit is, what to do instead.
/// Everything here is counted from the case's own numbers, before anything of that size is made.
std::vector<std::pair<std::string, std::string>> limit_problems(const Case& data);

/// ⌈duration / step⌉ as a number of rows, steps or samples, a step too short by rounding alone not counted. Throws FieldError for
/// more than `most`: "asks for 1e+30 rows; at most 100000000: …".
long count_of_steps(double duration, double step, long most, const std::string& path, const char* what,
                    const char* instead);

}  // namespace lithe
