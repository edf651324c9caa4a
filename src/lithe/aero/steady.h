#pragma once

#include "lithe/aero/vortex_lattice.h"

namespace lithe::aero {

/// A steady flow: circulations, loads, lift and drag. A plain value.
struct SteadySolution {
  VectorXd circulation;              // by panel
  Loads loads;                       // near field: Joukowski on every segment
  Vector3d lift = Vector3d::Zero();  // N; by Joukowski in the far field, ρ Σ Γ V × b: perpendicular to the wind
  /// N; from the kinetic energy left in a plane far behind (Trefftz): converges faster than the near field's.
  double induced_drag = 0;
  VectorXd edge_circulation;  // of the trailing-edge panels, which the wake carries on
  VectorXd lift_per_length;   // N/m along the span, at the trailing-edge panels
};

/// The surfaces at rest in a steady wind. The wake is straight along the wind and 10⁶ times as long as the lattice.
/// With a plane of symmetry all forces are those on the half that is given.
SteadySolution steady(const Lattice& lattice, const Points& corners, const Wind& wind,
                      const std::optional<SymmetryPlane>& symmetry = {}, double core = 0);

/// The matrix of that flow, a_ik with each trailing-edge ring's wake: normal velocity at the collocation points by
/// circulation.
MatrixXd steady_influence(Geometry& geometry, const Lattice& lattice, const Wind& wind,
                          const std::optional<SymmetryPlane>& symmetry, double core);

/// Drag of a trailing sheet: D = −½ ρ Σ Γ_j w_j b_j, with vortices at the ends of strips j, all seen along the wind, and the
/// downwash w_j at the strips' middles.
double trefftz_drag(const std::vector<RingSheet>& bound, const Wind& wind,
                    const std::optional<SymmetryPlane>& symmetry);

}  // namespace lithe::aero
