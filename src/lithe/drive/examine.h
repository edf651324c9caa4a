#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "lithe/arm/arm.h"
#include "lithe/describe/case_reader.h"

namespace lithe {

/// A case read, checked and assembled.
struct LoadedCase {
  CaseFile file;
  std::optional<Arm> arm;
};

/// The mistakes and doubts of a case, gathered instead of thrown; and the arm if there is no mistake.
struct Findings {
  std::vector<Problem> errors, warnings;
  std::vector<Problem> unsupported;  // valid, but beyond this version: no arm then
  LoadedCase loaded;
};

/// Reads by `read` (of case_reader.h) and assembles the arm.
Findings examine(const std::function<CaseFile()>& read);

/// Adds what only shows when the drives are put on the arm: tables, gains on coordinates that are not there, wheels that slip at
/// the start.
void examine_drives(Findings& findings);

}  // namespace lithe
