#pragma once

#include <memory>

#include "lithe/arm/constraint.h"

namespace lithe {

/// The wheels of a planar base, whose coordinates x, y, yaw begin at q0 and v0: the point at x = `place` on the base's x axis has no
/// velocity across that axis,
///
///   −ẋ sin ψ + ẏ cos ψ + place ψ̇ = 0.
///
/// λ is the side force at the wheels, along the base's y.
std::shared_ptr<const Constraint> make_axle(double place, int q0, int v0);

}  // namespace lithe
