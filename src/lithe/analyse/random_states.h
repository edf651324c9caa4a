#pragma once

#include <cstdint>
#include <vector>

#include "lithe/arm/state.h"

namespace lithe {

/// Plausible states of an arm, for comparisons and checks. The same seed gives the same states.
///
/// Joints anywhere within their limits, or ±π (±1 m) without limits, at rates within ±2; a free base near the origin in any orientation. Links
/// bend until some section is turned by up to 0.1 rad (or moved by a tenth of the length), exact links by up to 0.6, with about the same
/// strain energy in every shape: with random amplitudes nearly all energy would be in the stiffest. Hinges of segments turn by up to
/// 0.05 rad, and the rotor of an elastic transmission is at most 0.1 off its joint.
std::vector<State> random_states(const Arm& arm, int count, std::uint32_t seed);

}  // namespace lithe
