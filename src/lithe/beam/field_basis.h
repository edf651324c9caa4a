#pragma once

#include "lithe/beam/integrals.h"
#include "lithe/spatial/quadrature.h"

namespace lithe {

/// Shapes known at every x of a beam.
struct ShapeField {
  int size = 0;
  std::function<FieldValues(double x)> at;
};

/// The basis of shapes along a beam: its integrals by the points given, its tip, stations at 21 even places and at `places`, and its
/// sections. Names, damping and the places of smooth parts are left to the caller.
FlexBasis field_basis(const ShapeField& field, const BeamMatter& matter, std::span<const QuadraturePoint> points,
                      std::span<const double> places);

}  // namespace lithe
