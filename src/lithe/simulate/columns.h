#pragma once

#include <vector>

#include "lithe/results/results.h"
#include "lithe/simulate/simulated_system.h"

namespace lithe {

/// Columns of the results of an arm, in order, by the names that exported CSV has.
std::vector<Column> result_columns(const Arm& arm);

/// One row of them.
void fill_row(const Arm& arm, const Row& row, double residual, std::vector<double>& values);

}  // namespace lithe
