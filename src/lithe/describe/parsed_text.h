#pragma once

#include <string>
#include <vector>

#include "lithe/describe/document.h"

namespace lithe {

/// A YAML text as it stands: nothing included, composed or changed, no file opened. `name` stands for the file in messages.
Node parsed_text(const std::string& text, const std::string& name, std::vector<Problem>& problems);

}  // namespace lithe
