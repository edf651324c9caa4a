#pragma once

#include "lithe/derive/names.h"

namespace lithe::derive {

/// A folded sum as a product of its common factors and a sum gathered by masses and inertias, each times its own factors:
///   −S34 (C5 L5c m5 + (C5 L5 + C56 L6c) m6)
/// as a reader would write it by hand. Common factors are waves, parameters and sums of either. They are found as contents of a
/// polynomial in x_a = exp(iα_a): greatest common divisors of coefficients, and repeated factors. Not every factor is found, but
/// the result is multiplied out again and is equal to the sum, else the sum is written as it is. Sums with numbers that are not
/// rational, and long ones, have no factors taken out.
ex factored(const AngleSum& sum, Names& names);

}  // namespace lithe::derive
