#pragma once

#include <vector>

#include "lithe/describe/case.h"
#include "lithe/spatial/spatial.h"

namespace lithe::testing {

struct GaussPoint {
  double x, weight;
};

/// Gauss's rule with n points on [0, L]: roots of Legendre's polynomial by Newton's iteration.
std::vector<GaussPoint> gauss_rule(int n, double L);

/// A slice of a beam as quadrature sees it: mass on the neutral axis, the section's own inertia, and what every flexible
/// coordinate does there.
struct BeamPoint {
  double x = 0, mass = 0;
  Vector3d rotary;     // ρ [Iy + Iz, Iy, Iz] times the slice's length
  Matrix3Xd phi, psi;  // u = phi δ, θ = psi δ
};

/// Where a segmented beam turns, about z, then y, then x.
struct BeamHinge {
  double x = 0;
  Vector3d stiffness;  // about z, y, x
  double damping_per_stiffness = 0;
};

/// A uniform beam with assumed modes, elements or segments (or none of them) taken apart into slices.
struct BeamPoints {
  std::vector<BeamPoint> slices;
  BeamPoint tip;  // weightless
  MatrixXd K;     // ∫ EI θ′θ′ and its like for shear, twist and stretch
  MatrixXd D;     // of Rayleigh damping
  std::vector<BeamHinge> hinges;

  /// `places`: where bodies sit.
  BeamPoints(const Beam& beam, bool rotary_inertia, const std::vector<double>& places = {});
  std::vector<BeamPoint> at;  // those places, weightless
  /// Coordinates: of the shapes, or three per hinge.
  int size() const { return int(tip.phi.cols() + 3 * hinges.size()); }
};

}  // namespace lithe::testing
