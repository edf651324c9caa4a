#pragma once

#include <vector>

#include "lithe/results/results.h"
#include "lithe/simulate/system.h"

namespace lithe {

/// Columns of the results of an arm, in order, by the names that exported CSV has.
std::vector<Column> result_columns(const Arm& arm);

/// One row of them.
void fill_row(const Arm& arm, const System::Row& row, double residual, std::vector<double>& values);

}  // namespace lithe
