#pragma once

#include <string_view>

#include "lithe/arm/arm.h"

namespace lithe {

/// The matrix D of `arm.damping: {modes: ζ}`. With the natural modes φ_k (φᵀMφ = 1) of the straight arm at the chosen pose, motors
/// holding, D = M (Σ 2ζω_k φ_k φ_kᵀ) M, so that every one of them is damped by ζ there. D is constant: at other poses the modes
/// differ, and so does their damping (`lithe modes` prints it). Motions without a frequency are not damped.
///
/// Throws FieldError for an arm without anything that vibrates, for coordinates without mass, and for more coordinates than a full matrix
/// should have.
MatrixXd modal_damping(const Arm& arm, const Case& data);

/// Throws UnsupportedError if the arm has such a damping, which couples links, because `who` treats links one by one.
void refuse_modal_damping(const Arm& arm, std::string_view who);

}  // namespace lithe
