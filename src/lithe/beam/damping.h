#pragma once

#include "lithe/beam/flex_basis.h"
#include "lithe/describe/case.h"

namespace lithe {

/// The number of coordinates up to which a damping ratio is given to every mode. The matrix that does so is full, so beyond it (a long
/// unreduced element model) a sparse one replaces it: D = αM + βK with the ratio at the first and the tenth natural
/// frequency, a little less between them, and above growing with frequency. A reduction (`keep`) has few coordinates
/// and is always damped mode by mode.
inline constexpr int most_modally_damped = 240;

/// Sets D. A ratio ζ is that of every natural mode of the link clamped at its root and without what it carries:
/// D = Σ 2ζω (Mφ)(Mφ)ᵀ over modes with φᵀMφ = 1. A loss factor η is the ratio η/2: at resonance both dissipate the same energy
/// per cycle.
void set_damping(FlexBasis& basis, const StructuralDamping& damping);

/// The damping ratio that corresponds to a ratio or loss factor; none for Rayleigh's α and β.
std::optional<double> damping_ratio(const StructuralDamping& damping);

}  // namespace lithe
