#pragma once

#include <string>

#include "lithe/describe/json_tree.h"

namespace lithe {

/// JSON Schema (2020-12) of case files, as text. Each quantity carries its SI `unit` and its `default` as annotations.
std::string case_schema();

/// The same as a tree.
JsonTree case_schema_tree();

/// The case-file reference, in Markdown, made from the schema.
std::string case_reference();

}  // namespace lithe
