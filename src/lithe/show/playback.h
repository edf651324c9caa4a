#pragma once

#include <vector>

#include "lithe/show/shown_run.h"

namespace lithe {

/// y at x, linear between given places in ascending order; the first and last y outside.
double interpolated(const std::vector<double>& xs, const std::vector<double>& ys, double x);

/// A series of a run at any time, linear between rows; its first and last value outside.
double value_at(const Results& results, const std::vector<double>& series, double t);

/// Where the arm of a run is at time t: positions linear between rows. Rates are zero.
State state_at(const ShownRun& run, double t);

/// The rigid arm as commanded: driven and controlled joints at their commands, nothing deformed.
State commanded_at(const ShownRun& run, double t);

/// The distance of the tip from that of the rigid arm [m], as recorded; NaN if it was not.
double tip_error_at(const ShownRun& run, double t);

}  // namespace lithe
