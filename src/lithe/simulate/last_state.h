#pragma once

#include "lithe/arm/arm.h"
#include "lithe/results/results.h"

namespace lithe {

/// The last row of a run as the start of another one of the same arm: every coordinate with its rate, and a moving base. Throws
/// ResultsError naming the series that the results do not have.
Initial last_state(const Arm& arm, const Results& results);

}  // namespace lithe
