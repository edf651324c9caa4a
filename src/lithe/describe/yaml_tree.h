#pragma once

#include <string>
#include <vector>

#include "lithe/describe/document.h"
#include "lithe/describe/document_budget.h"

namespace lithe {

/// One YAML text as a tree with the places of its nodes. Syntax errors, duplicate keys and an exceeded budget are added to `problems`.
Node yaml_tree(const std::string& text, const std::string& name, DocumentBudget& budget,
               std::vector<Problem>& problems);

}  // namespace lithe
