#pragma once

#include "lithe/analyse/modes.h"
#include "lithe/app/command.h"
#include "lithe/drive/drives.h"

namespace lithe::app {

inline constexpr const char* joints_help =
    "locked (default: their motors hold), free, or servo (their controllers act as springs)";

/// The word after `--joints`.
JointsAre joints_of(const std::string& word);

/// The same with what a servo is to small motion.
ModesOptions modes_options(const std::string& joints, int count, const Arm& arm, const Drives& drives);

}  // namespace lithe::app
