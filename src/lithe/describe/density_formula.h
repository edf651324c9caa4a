#pragma once

#include <string>

#include "lithe/describe/case.h"

namespace lithe {

/// What a density adds up to over a body, link axes.
struct DensityMoments {
  double mass = 0;
  Vector3d first = Vector3d::Zero();   // ∫ r dm
  Matrix3d second = Matrix3d::Zero();  // ∫ r rᵀ dm
};

/// Of a density in kg/m³ that a formula of x, y, z gives, over a solid block, cylinder or sphere. Gauss's points in each direction (around
/// an axis: evenly spaced) are doubled until the moments agree to 1e-13, which a smooth formula reaches, or to what 128 points in each
/// direction give; a formula with kinks (abs, min, max) is known to about 1e-4 then. Remembers results, so that asking again costs nothing.
/// Any thread may ask.
///
/// Throws FieldError at `.density_formula` for a mistake in the formula, a density that is negative or NaN somewhere, a shape
/// without such an integral, and moments that 64 and 128 points do not agree on to 1e-3.
DensityMoments density_moments(const std::string& formula, const BodyShape& shape);

}  // namespace lithe
