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

/// The mistakes and warnings of a case, collected instead of thrown, and the arm if there is no mistake.
struct Findings {
  std::vector<Problem> errors, warnings;
  std::vector<Problem> unsupported;  // valid, but not supported by this version; then there is no arm
  LoadedCase loaded;
};

/// Reads by `read` (of case_reader.h) and assembles the arm.
Findings examine(const std::function<CaseFile()>& read);

/// Adds problems that appear only when the drives are made: in tables, gains on coordinates that do not exist, wheels that slip at
/// the start.
void examine_drives(Findings& findings);

}  // namespace lithe
