#pragma once

#include <string>

#include "lithe/describe/case.h"

namespace lithe {

/// The case as a YAML text that reads back to the same Case, bit for bit: SI numbers with all their digits, includes
/// resolved, defaults spelt out.
std::string write_case(const Case& data);

}  // namespace lithe
