#pragma once

#include "lithe/analyse/case_modes.h"
#include "lithe/app/command.h"

namespace lithe::app {

inline constexpr const char* joints_help =
    "locked (default; held by their motors), free, or servo (their controllers act as springs)";

/// The word after `--joints`.
inline JointsAre joints_of(const std::string& word) {
  return about_option("--joints", [&] { return joints_named(word); });
}

}  // namespace lithe::app
