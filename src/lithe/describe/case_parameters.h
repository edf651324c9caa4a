#pragma once

#include <string>
#include <vector>

#include "lithe/describe/document.h"

namespace lithe {

struct Case;

/// A value that is written in the text of a case: a quantity, a whole number, or one of several words. Defaults and values from
/// other files are not listed.
struct Parameter {
  std::string path;                  // arm.links[0].beam.length
  std::string text;                  // as written: `1000 mm`
  std::string unit;                  // of plain numbers, SI; "" for pure ones
  std::string help;                  // what it is
  bool whole = false;                // it is a whole number
  std::vector<std::string> options;  // the possible words; empty for quantities
  Location where;                    // of its first character, without quotes; columns count bytes
  int length = 0;                    // of `text`, in bytes
};

/// Every value in a text that `data` was read from, in the order of the fields.
std::vector<Parameter> parameters_of(const std::string& text, const std::string& name, const Case& data);

}  // namespace lithe
