#pragma once

#include "lithe/beam/flex_basis.h"
#include "lithe/describe/case.h"

namespace lithe {

/// Shapes that replace the coordinates of an element basis: δ = T η.
struct ReducedShapes {
  MatrixXd T;
  std::vector<Deflection> kinds;
  std::vector<bool> turns;  // whether η is in radians
};

/// `keep` shapes of an element basis. A straight beam's stretch, two bendings and twist do not couple, so modes are sought
/// in each by itself and the lowest of all are taken: a round beam's equal modes stay one along y and one along z.
///
/// `craig-bampton`: first the static deformations by a unit motion of the tip node (six, in a plane three), whose amplitudes
/// are the tip's own motion, then the lowest modes with the tip held, one where they are largest. Exact for tip loads.
/// `eigenmodes`: the lowest clamped–free modes, each one at the tip in its own direction (where the tip hardly moves: one
/// where it is largest).
/// [Craig & Bampton 1968] AIAA Journal 6, 1313.
ReducedShapes reduced_shapes(const FlexBasis& elements, BendingPlane plane, Reduction reduction, int keep);

/// The element basis in these coordinates.
FlexBasis reduced_basis(const FlexBasis& elements, const ReducedShapes& shapes);

}  // namespace lithe
