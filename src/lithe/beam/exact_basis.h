#pragma once

#include "lithe/beam/flex_basis.h"
#include "lithe/describe/case.h"

namespace lithe {

/// The basis of `flexibility: {strains: …}`, with the bodies along it. Its `exact` is the link itself. The shapes, integrals and stations of
/// the FlexBasis are those of its small motions about the unloaded link, where it is a link of the shapes
///
///   ψ_k = ∫ Ψ_κ,k        φ_k = ∫ (ψ_k × e_x + Ψ_ν,k)                             (W and U of docs/exact-links.md (4) at δ = 0)
///
/// K and D are constants of the link at any deflection. Damping is that of the beam alone.
FlexBasis exact_basis(const Beam& beam, const StrainTerms& terms, bool rotary_inertia,
                      std::span<const SectionBody> bodies, std::span<const double> places);

}  // namespace lithe
