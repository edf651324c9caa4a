#pragma once

#include "lithe/app/command.h"
#include "lithe/drive/drives.h"

namespace lithe::app {

/// Does some work on a case; what is wrong with one of its fields is told with its place.
template <class Work>
auto with_places(const LoadedCase& loaded, Work work) {
  try {
    return work();
  } catch (const FieldError& error) {
    throw CaseError({{Problem::Severity::error, loaded.file.locate(error.path()), error.path(), error.what()}});
  }
}

/// Where an analysis looks at the arm: at `--q`, or where the case starts when that is not given; at rest.
State configuration(const Arm& arm, const Drives& drives, const std::string& q);

inline constexpr const char* q_help =
    "positions, comma-separated, in coordinate order; 30deg and 0.2m are fine; missing ones are zero. Without it: the "
    "case's `initial`";

}  // namespace lithe::app
