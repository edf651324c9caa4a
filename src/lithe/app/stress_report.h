#pragma once

#include <string>

#include "lithe/app/json.h"
#include "lithe/dynamics/link_stress.h"

namespace lithe::app {

/// "43.1 MPa in 'upper' at x = 0 m (root)" with the moment put in between, and the share of the yield strength where it is known.
std::string stress_text(const StressedLink& link, const StressPlace& place, const std::string& moment = "");

Json stress_json(const StressedLink& link, const StressPlace& place);

}  // namespace lithe::app
