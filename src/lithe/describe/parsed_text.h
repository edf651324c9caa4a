#pragma once

#include <string>
#include <vector>

#include "lithe/describe/document.h"

namespace lithe {

/// A YAML text as it is written: nothing is included, composed or changed, and no file is opened. Messages use `name` as the file
/// name.
Node parsed_text(const std::string& text, const std::string& name, std::vector<Problem>& problems);

}  // namespace lithe
