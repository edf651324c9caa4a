// The vectors that SUNDIALS integrates.
#pragma once

#include <sundials/sundials_nvector.h>

namespace lithe {

/// A serial vector of SUNDIALS whose operations are compiled for this machine, each in one pass. The operations that come with the
/// library compute a sum of seven stages in seven passes, through as many calls; for the dozen entries of a small arm this is half
/// of the time of an explicit step. Vectors cloned from it have the same operations.
N_Vector new_state_vector(int size, SUNContext context);

/// weights = 1/(rtol |y| + atol).
void error_weights(double rtol, double atol, N_Vector y, N_Vector weights);

}  // namespace lithe
