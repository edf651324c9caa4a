#pragma once

#include <string>
#include <vector>

#include "lithe/describe/carried_file.h"
#include "lithe/describe/case.h"

namespace lithe {

/// The case as a YAML text that reads back to the same Case, bit for bit: SI numbers with all their digits, includes
/// resolved, defaults spelt out.
std::string write_case(const Case& data);

/// A case that stands alone: the text names files (tables, imported links) by their names in `files`, and no others.
struct PortableCase {
  std::string text;
  std::vector<CarriedFile> files;
};

/// As write_case, together with the files that the case names. Throws std::runtime_error where one cannot be read.
PortableCase portable_case(const Case& data);

}  // namespace lithe
