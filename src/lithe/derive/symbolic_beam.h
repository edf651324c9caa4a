#pragma once

#include "lithe/derive/symbolic_arm.h"

namespace lithe::derive {

/// The moments of a flexible link in terms of named modal integrals and the amplitudes `delta`; with `small_tips` also those that
/// only frames that are not orthogonal need.
SymbolicBeam symbolic_beam(const FlexBasis& flex, const std::string& link, const std::vector<ex>& delta, Names& names,
                           bool small_tips);

/// Sets the way to the tip of a bent link and its directions. Where its shapes turn the tip about one axis, the turn is an
/// angle β = Σψ_k δ_k; where they turn it about several, the entries of the rotation exp[θ]× are named quantities
///   R = (1 − x b) 1 + a[θ]× + b θθᵀ     ω_k = J_l ψ_k = a ψ_k + b θ×ψ_k + c θ(θ·ψ_k)       x = θ·θ
/// With `small_tips` R = 1 + [θ]× instead, and no directions: it is not a rotation.
void set_symbolic_tip(const FlexBasis& flex, const std::string& link, int number, const std::vector<ex>& delta,
                      Names& names, bool small_tips, SymbolicLink& result);

}  // namespace lithe::derive
