#pragma once

#include <fmt/format.h>

#include <string>

#include "lithe/app/command.h"
#include "lithe/describe/limits.h"

namespace lithe::app {

/// Throws CaseError for an arm of whose coordinates no whole matrix should be made. `who` wants one; `instead` says what to do.
inline void demand_dense(const LoadedCase& loaded, const std::string& who, const char* instead) {
  const int n = loaded.arm->nv();
  if (n <= limits::dense_coordinates) return;
  throw CaseError({{Problem::Severity::error, loaded.file.locate("arm.links"), "arm.links",
                    fmt::format("{} has a row and a column for each of {} coordinates; at most {}: {}", who, n,
                                limits::dense_coordinates, instead)}});
}

}  // namespace lithe::app
