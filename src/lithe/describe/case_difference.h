#pragma once

#include <string>
#include <vector>

#include "lithe/describe/case_writer.h"

namespace lithe {

/// One field in which two cases differ, and what each has there; `nothing` where it has none.
struct CaseDifference {
  std::string path, there, here;
};

/// Between two cases as write_case puts them, in the order of fields.
std::vector<CaseDifference> case_differences(const std::string& there, const std::string& here);

/// Of the arms alone, and of the files that imported links are made of.
std::vector<CaseDifference> arm_differences(const PortableCase& there, const PortableCase& here);

/// `arm.links[0].beam.length is "1" there and "1.2" here`, and how many more there are.
std::string first_of(const std::vector<CaseDifference>& differences);

}  // namespace lithe
