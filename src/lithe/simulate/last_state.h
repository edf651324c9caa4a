#pragma once

#include "lithe/arm/arm.h"
#include "lithe/results/results.h"

namespace lithe {

/// The last row of a run as the start of another one of the same arm: every coordinate with its rate, and a moving base. Throws
/// ResultsError naming the series that the results do not have.
Initial last_state(const Arm& arm, const Results& results);

/// Makes a case, and the arm that was assembled from it, start where another run of its arm ended. Returns a description of
/// differences between the two arms that do not change the meaning of coordinates, such as a load picked up; "" if there are none. Throws
/// ResultsError if links deform by other shapes, or if results lack a series.
std::string start_where_ended(Case& data, Arm& arm, const Results& results);

}  // namespace lithe
