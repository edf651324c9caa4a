#pragma once

#include <vector>

#include "lithe/arm/arm.h"
#include "lithe/arm/state.h"

namespace lithe {

/// What elimination from the tips inwards leaves of a coordinate's inertia: a pivot of the mass matrix.
struct InertiaPivot {
  double left = 0;
  double measure = 0;  // rounding may have left some 1e-16 of this where nothing should be left
  bool sound() const { return left > 1e-12 * measure; }
};

/// The pivots of all coordinates, of the undeformed arm at the joint positions of `state`: by articulated bodies, in time and
/// memory proportional to the links and to what is stored of their shapes (the mass matrix of a long chain is full). Stops at
/// the first one, from the last coordinate on, that is not sound: those before it stay zero.
std::vector<InertiaPivot> inertia_pivots(const Arm& arm, const State& state);

}  // namespace lithe
