#pragma once

#include "lithe/simulate/run.h"

namespace lithe {

/// How much a run depends on the number of its shapes.
struct ShapeEstimate {
  double tip_change = 0;  // [m] largest distance between the tips of the two runs
  double tip_error = 0;   // [m] largest tip error of the run itself
};

/// The same arm with one more shape of every kind that its links have, one more term of every strain (up to the most there may be), one
/// more element, one more segment (unless its springs are given).
Case refined(const Case& data);

/// Runs the refined case into a separate file beside that of the first run and compares the tips row by row.
ShapeEstimate estimate_shapes(const CaseFile& file, const RunOptions& options);

}  // namespace lithe
