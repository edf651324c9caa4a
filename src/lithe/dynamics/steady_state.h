#pragma once

#include "lithe/dynamics/equilibrium.h"

namespace lithe {

/// The deflections that stay while joints keep the rates of `start`: of the coordinates that are not `held`, rates and all accelerations are
/// zero. A boom that spins about its weight's direction keeps them; elsewhere they are those of the moment. Its force holds every
/// coordinate. By Newton's method with the derivatives of inverse dynamics; from `start` at the full rates, or else from the arm at rest
/// with growing rates. Throws EquilibriumError, UnsupportedError.
Equilibrium find_steady_state(const Arm& arm, const State& start, const std::vector<bool>& held,
                              const OuterForces& outer = {});

}  // namespace lithe
