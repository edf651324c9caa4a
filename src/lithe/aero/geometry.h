#pragma once

#include "lithe/aero/ring_sheet.h"
#include "lithe/aero/stencils.h"

namespace lithe::aero {

/// Where collocation points, normals and rings are, for given corners. Sized once; `place` allocates nothing.
struct Geometry {
  explicit Geometry(const Lattice& lattice);

  void place(const Stencils& stencils, const Points& corners);

  VectorArray collocation, normal;  // by panel
  std::vector<RingSheet> bound;     // by surface
};

/// a(i, k) = n_i · velocity at collocation point i by bound ring k of circulation one, image included. Prepares the sheets.
void bound_influence(Geometry& geometry, const std::optional<SymmetryPlane>& plane, double core, MatrixXd& a);

/// A flat sheet behind each surface, from the end of its last rings on, with equal rows.
std::vector<RingSheet> straight_wake(const Geometry& geometry, int rows, const Vector3d& row);

/// For each sheet, the normal velocity at the collocation points by each of its rings. Prepares the sheets.
std::vector<MatrixXd> wake_influence(const Geometry& geometry, std::vector<RingSheet>& wake,
                                     const std::optional<SymmetryPlane>& plane, double core);

}  // namespace lithe::aero
