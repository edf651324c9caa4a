#pragma once

#include <vector>

#include "lithe/show/shown_run.h"

namespace lithe::film {

/// y at x, linear between given places in ascending order; the first and last y outside.
double interpolated(const std::vector<double>& xs, const std::vector<double>& ys, double x);

/// A series of a run at any time, linear between rows; its first and last value outside.
double value_at(const Results& results, const std::vector<double>& series, double t);

/// Where the arm of a run is at time t: positions linear between rows. Rates are zero.
State state_at(const ShownRun& run, double t);

/// Where its rigid arm should be: driven and controlled joints as commanded, nothing deformed.
State commanded_at(const ShownRun& run, double t);

/// How far the tip is from where the rigid arm would have it [m], as recorded; NaN where it was not.
double tip_error_at(const ShownRun& run, double t);

}  // namespace lithe::film
