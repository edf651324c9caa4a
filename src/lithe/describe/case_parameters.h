#pragma once

#include <string>
#include <vector>

#include "lithe/describe/case.h"
#include "lithe/describe/document.h"

namespace lithe {

/// A value of a case that stands in its text: a quantity, a whole number, or one of some words. What is left to its default is
/// not there, nor what another file says.
struct Parameter {
  std::string path;                  // arm.links[0].beam.length
  std::string text;                  // as written: `1000 mm`
  std::string unit;                  // of plain numbers, SI; "" for pure ones
  std::string help;                  // what it is
  bool whole = false;                // counts something
  std::vector<std::string> options;  // the words it may be; of quantities none
  Location where;                    // of its first character, quotes left out; columns count bytes
  int length = 0;                    // in bytes, of `text` as it stands there
};

/// Every value in a text that `data` was read from, in the order of the fields.
std::vector<Parameter> parameters_of(const std::string& text, const std::string& name, const Case& data);

}  // namespace lithe
