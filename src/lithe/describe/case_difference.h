#pragma once

#include <string>
#include <vector>

#include "lithe/describe/case_writer.h"

namespace lithe {

/// One field in which two cases differ, and the value in each; `nothing` where a case does not have the field.
struct CaseDifference {
  std::string path, there, here;
};

/// The differences between two cases as written by write_case, in the order of fields.
std::vector<CaseDifference> case_differences(const std::string& there, const std::string& here);

/// The differences between the arms alone, including the files of imported links.
std::vector<CaseDifference> arm_differences(const PortableCase& there, const PortableCase& here);

/// `arm.links[0].beam.length is "1" there and "1.2" here`, and the number of further differences.
std::string first_of(const std::vector<CaseDifference>& differences);

}  // namespace lithe
