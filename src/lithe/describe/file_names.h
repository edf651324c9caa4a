#pragma once

#include <string>
#include <vector>

#include "lithe/describe/problem.h"

namespace lithe {

/// A file that a case names: by `include`, `carrier`, `carries` or `file`.
struct FileName {
  Location where;
  std::string key, name;  // as written
};

/// Every one in a text; their places have `file` as the file. No file is opened.
std::vector<FileName> file_names(const std::string& text, const std::string& file);

}  // namespace lithe
