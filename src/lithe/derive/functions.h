#pragma once

#include <ginac/ginac.h>

namespace lithe::derive {

// Functions that the equations use beyond sin, cos and tanh.

// Of x = θ·θ, for the rotation whose rotation vector is θ (docs/notation.md; spatial/exp_map.h has the same letters):
//   rot_a = sin|θ|/|θ|    rot_b = (1 − cos|θ|)/x    rot_c = (1 − rot_a)/x    and their derivatives by x
DECLARE_FUNCTION_1P(rot_a)
DECLARE_FUNCTION_1P(rot_b)
DECLARE_FUNCTION_1P(rot_c)
DECLARE_FUNCTION_1P(rot_da)
DECLARE_FUNCTION_1P(rot_db)
DECLARE_FUNCTION_1P(rot_dc)

// max(x, 0) and min(x, 0)
DECLARE_FUNCTION_1P(positive_part)
DECLARE_FUNCTION_1P(negative_part)

}  // namespace lithe::derive
