#pragma once

#include "lithe/analyse/configuration.h"
#include "lithe/app/command.h"

namespace lithe::app {

/// Does some work on a case; an error in one of its fields is reported with its location.
template <class Work>
auto with_places(const LoadedCase& loaded, Work work) {
  try {
    return work();
  } catch (const FieldError& error) {
    throw CaseError({{Problem::Severity::error, loaded.file.locate(error.path()), error.path(), error.what()}});
  }
}

/// The configuration, at rest, that an analysis is about: `--q`, or the start of the case if that is not given.
inline State configuration_at(const Arm& arm, const Drives& drives, const std::string& q) {
  return with_option_name("--q", [&] { return configuration(arm, drives, q); });
}

inline constexpr const char* q_help =
    "positions, separated by commas: of the joints in order, after those of a free or planar base (missing ones are "
    "zero); or of all coordinates; or by name (elbow=30deg); default: the case's `initial`";

}  // namespace lithe::app
