#pragma once

#include <vector>

#include "lithe/describe/case.h"

namespace lithe::testing {

/// A slice of a beam as quadrature sees it: mass on the neutral axis, the section's own inertia, and what every flexible
/// coordinate does there.
struct BeamPoint {
  double x = 0, mass = 0;
  Vector3d rotary;     // ρ [Iy + Iz, Iy, Iz] times the slice's length
  Matrix3Xd phi, psi;  // u = phi δ, θ = psi δ
};

/// A uniform beam with assumed modes (or none) taken apart into slices.
struct BeamPoints {
  std::vector<BeamPoint> slices;
  BeamPoint tip;  // weightless
  MatrixXd K;     // ∫ EI φ″φ″ and its like for twist and stretch
  MatrixXd D;     // of Rayleigh damping

  BeamPoints(const Beam& beam, bool rotary_inertia);
  int size() const { return int(tip.phi.cols()); }
};

}  // namespace lithe::testing
