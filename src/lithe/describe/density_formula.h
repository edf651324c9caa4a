#pragma once

#include <cstdint>
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
/// an axis: evenly spaced) are doubled, up to 64 at least, until the moments agree to 1e-13, which a smooth formula reaches, or to what 128
/// points in each direction give; a formula with kinks (abs, min, max) is known to about 1e-4 then. So that these points do not all miss a
/// narrow part, 512 points along one direction at a time must agree too, on lines through 16 × 16 points of the others: a part that is
/// narrow in one direction is found down to a two-hundredth of the body, one that is narrow in all down to about a thirtieth. Remembers
/// results and failures, so that asking again costs nothing. Any thread may ask.
///
/// Throws FieldError at `.density_formula` for a mistake in the formula, a density that is negative or NaN somewhere, a shape
/// without such an integral, moments that are not known to 1e-3 with 128 points, and more operations than half of what a case may take.
DensityMoments density_moments(const std::string& formula, const BodyShape& shape);

/// What the integrals take, or took until they failed (Expression::cost for each evaluation); and a key that is the same for those that
/// are the same.
struct DensityCost {
  std::string key;
  std::int64_t operations = 0;
};
DensityCost density_cost(const std::string& formula, const BodyShape& shape);

}  // namespace lithe
