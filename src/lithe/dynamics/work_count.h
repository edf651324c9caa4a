#pragma once

#include <optional>
#include <string_view>

#include "lithe/arm/state.h"
#include "lithe/spatial/counted.h"

namespace lithe {

/// One evaluation of forward dynamics on a counting number.
struct CountedForward {
  WorkCount work;
  VectorXd vdot;  // what it came to: the same as the formulation's `forward`
};

/// What (q, v, τ) → v̇ costs by a formulation, by running that formulation's own code on `Counted`: the arm is known, the state
/// and the torques are not. Empty for a formulation whose code is written for double alone.
std::optional<CountedForward> count_forward(std::string_view name, const Arm& arm, const State& state,
                                            const VectorXd& tau);

}  // namespace lithe
