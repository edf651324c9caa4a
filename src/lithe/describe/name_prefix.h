#pragma once

#include <string>

#include "lithe/describe/document.h"

namespace lithe {

/// Puts a prefix before every name that a case gives to something of its own, and before every mention of it: links, joints and their
/// coordinates, loads and events. So one file may stand in a composed arm more than once.
void prefix_names(Node& root, const std::string& prefix);

}  // namespace lithe
