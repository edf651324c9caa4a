#pragma once

#include "lithe/beam/beam_basis.h"

namespace lithe {

/// The basis of `flexibility: {modes: …}`: so many shapes of each kind, in the order bending_y, bending_z, torsion, axial.
/// Euler–Bernoulli kinematics: a bent section stays normal to the axis, θ_z = u_y′, θ_y = −u_z′, so no shear strain. No
/// damping yet.
FlexBasis assumed_modes(const Beam& beam, const Modes& modes, bool rotary_inertia, const CarriedLoad& carried,
                        std::span<const double> places = {});

}  // namespace lithe
