#pragma once

#include "lithe/arm/state.h"

namespace lithe::testing {

/// Inverse dynamics τ = M v̇ + h and its derivatives by q (along the directions of `displace`) and v: Kane's equations run on
/// dual numbers. Exact to rounding, and shares nothing with derivatives derived by hand.
struct InverseSlopes {
  VectorXd force;
  MatrixXd by_position, by_rate;
};
InverseSlopes kane_slopes(const Arm& arm, const State& state, const VectorXd& vdot);

}  // namespace lithe::testing
