#pragma once

#include "lithe/arm/arm.h"

namespace lithe {

/// The same arm as if its wheels could slip. Formulations are made of this one: wheels bind rates, which no coordinates express, and
/// `Axle` (dynamics/axle.h) adds what holds them.
Arm without_axle(const Arm& arm);

/// The arm back. Throws UnsupportedError for one whose wheels `who` would let slip unseen.
const Arm& refuse_wheels(const Arm& arm, std::string_view who);

}  // namespace lithe
