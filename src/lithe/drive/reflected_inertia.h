#pragma once

#include "lithe/arm/arm.h"

namespace lithe {

/// The largest inertia that coordinate v0 can see: the largest diagonal entry of the mass matrix over positions of the arm.
double largest_reflected_inertia(const Arm& arm, int v0);

}  // namespace lithe
