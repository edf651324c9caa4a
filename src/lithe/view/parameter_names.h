#pragma once

#include <string>

#include "lithe/describe/case.h"
#include "lithe/describe/case_parameters.h"

namespace lithe {

/// The names of a parameter.
struct ParameterName {
  std::string group;  // the link's name, or the key at the top of the case: `motion`
  std::string label;  // within its group: `section tube outer diameter`
  std::string brief;  // on its own: `upper.outer_diameter`
};

ParameterName name_of(const Parameter& parameter, const Case& data);

}  // namespace lithe
