#pragma once

#include "lithe/analyse/case_modes.h"
#include "lithe/app/command.h"

namespace lithe::app {

inline constexpr const char* joints_help =
    "locked (default; held by their motors), free, or servo (their controllers act as springs)";

/// The word after `--joints`.
inline JointCondition joints_of(const std::string& word) {
  return with_option_name("--joints", [&] { return joints_named(word); });
}

}  // namespace lithe::app
