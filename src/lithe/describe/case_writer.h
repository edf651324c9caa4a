#pragma once

#include <string>
#include <vector>

#include "lithe/describe/carried_file.h"

namespace lithe {

struct Case;

/// The case as a YAML text that reads back to the same Case, bit for bit: SI numbers with all their digits, includes
/// resolved, defaults written out.
std::string write_case(const Case& data);

/// A self-contained case: the text refers to files (tables, imported links) by their names in `files`, and to no others.
struct PortableCase {
  std::string text;
  std::vector<CarriedFile> files;
};

/// As write_case, together with the files that the case names. Throws Error where one cannot be read.
PortableCase portable_case(const Case& data);

}  // namespace lithe
