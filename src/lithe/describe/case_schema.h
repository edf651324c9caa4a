#pragma once

#include <string>

namespace lithe {

/// JSON Schema (2020-12) of case files, as text. Each quantity carries its SI `unit` and its `default` as annotations.
std::string case_schema();

/// The case-file reference, in Markdown, made from the schema.
std::string case_reference();

}  // namespace lithe
