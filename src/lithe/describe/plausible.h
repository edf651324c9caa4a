#pragma once

#include <functional>
#include <string>
#include <vector>

#include "lithe/describe/case.h"
#include "lithe/describe/problem.h"

namespace lithe {

/// Numbers in a valid case that are probably a mistake: no material, beam, joint or arm has them, and a missing or wrong unit explains
/// them. Gives warnings with the field and the quantity that was probably meant, without their places.
///
/// `text` gives what was written for a field, or "": an angle of many turns that is written in degrees is intended.
std::vector<Problem> doubts_about(const Case& data, const std::function<std::string(const std::string& path)>& text);

}  // namespace lithe
