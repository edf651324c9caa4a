#pragma once

#include "lithe/aero/stencils.h"
#include "lithe/aero/vector_array.h"

namespace lithe::aero {

/// Forces of the air on the lattice, world axes, N and N m.
struct Loads {
  Loads() = default;
  explicit Loads(const Lattice& lattice);

  Points panel_force, panel_moment;  // on each panel; the moment about the panel's centre, the mean of its corners
  Points panel_centre;
  Points corner_force;  // the same loads shared among the corners: Σ corner_force · δcorner is the work of the air
  Vector3d force = Vector3d::Zero(), moment = Vector3d::Zero();  // resultants; the moment about the world's origin
};

/// Where the loads need the velocity of the air: middles of the panels' bound segments, then of the chordwise ones.
int n_load_points(const Stencils& stencils);
Vector3d load_point(const Stencils& stencils, int k, const Points& corners);

/// Joukowski's force on every loaded vortex segment and the unsteady pressure of each ring,
///
///   F = ρ Γ V × l,        F = ρ Γ̇ A n                                                                                  (1)
///
/// with V the velocity of the air relative to the segment (wind and everything induced, less the segment's own), and A
/// n the vector area of the part of the ring that lies on the surface. The second is what a body feels of the air it
/// must push aside: added mass. `relative_wind` holds V at the load points. [Katz & Plotkin 2001] Low-Speed
/// Aerodynamics, §§12.3, 13.12. The first is multiplied by `lift_share` of its panel, where that is not empty: a limiter's.
void joukowski_loads(const Stencils& stencils, const std::vector<bool>& chord_in_plane, const Points& corners,
                     const VectorXd& circulation, const VectorXd& circulation_rate, const VectorArray& relative_wind,
                     double density, Loads& loads, const VectorXd& lift_share = {});

}  // namespace lithe::aero
