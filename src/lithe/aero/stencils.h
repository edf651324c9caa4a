#pragma once

#include <optional>
#include <vector>

#include "lithe/aero/lattice.h"
#include "lithe/aero/wind.h"

namespace lithe::aero {

/// A point or a difference of points that is linear in the corners: Σ weight · corner. Velocities of the point follow
/// from the corners' velocities by the same weights, and a force at it is shared among the corners by them. The work
/// of the air on the lattice is therefore exactly the work of the corner forces on the corners.
struct Stencil {
  int n = 0;
  int corner[6];
  double weight[6];

  void add(int at_corner, double by) {
    corner[n] = at_corner;
    weight[n++] = by;
  }
  void add(const Stencil& other, double by) {
    for (int k = 0; k < other.n; ++k) {
      int place = 0;
      while (place < n && corner[place] != other.corner[k]) ++place;
      if (place == n) add(other.corner[k], 0);
      weight[place] += by * other.weight[k];
    }
  }
  Vector3d of(const Points& corners) const {
    Vector3d sum = Vector3d::Zero();
    for (int k = 0; k < n; ++k) sum += weight[k] * corners.col(corner[k]);
    return sum;
  }
  void share(const Vector3d& force, Points& corner_force) const {
    for (int k = 0; k < n; ++k) corner_force.col(corner[k]) += weight[k] * force;
  }
};

/// The points that the method uses on each panel (i, j): the classical ones of the vortex lattice.
///
///   vortex ring: a quarter of the panel's chord behind the panel; the last ring ends a quarter panel behind the trailing edge
///   collocation: three quarters of the chord, mid-span: where the flow must not cross the panel
///   normal:      of the panel, from its diagonals
///
/// Segments that bear load: each ring's leading one, and the chordwise ones as far as the trailing edge (what lies
/// behind is wake and bears nothing). The pressure of Γ̇ acts on the rings, on the last one as far as three quarters of
/// its panel: a vortex at a quarter point represents the sheet half a panel before and behind it, so the bound sheet
/// ends there and that of the wake begins, and where vorticity passes the edge (γ = −Γ̇/V) any other end costs an error
/// of first order in the panel's chord.
struct PanelStencils {
  int in_front;  // the panel ahead in the same strip, −1 at the leading edge: its ring's rear segment is this one's leading one
  Stencil collocation;
  Stencil diagonal_rear, diagonal_span;       // of the panel: their cross product points along the normal
  Stencil bound_middle, bound;                // leading segment of the ring: its middle and its vector along the span
  Stencil ring_centre, ring_rear, ring_span;  // the part of the ring on the surface: centre and diagonals
  Stencil centre;                             // of the panel
};

/// Chordwise segment between two panels side by side; −1 at the ends of the span.
struct ChordStencils {
  int left, right;  // panels at smaller and larger j; the segment carries Γ_left − Γ_right towards the rear
  Stencil middle, segment;
};

/// Which corners make up the middles, edges and rings of all panels of a lattice. Built once, then only read: threads may share it.
struct Stencils {
  explicit Stencils(const Lattice& lattice);

  std::vector<PanelStencils> panels;
  std::vector<ChordStencils> chords;
  std::vector<std::vector<Stencil>> ring_nodes;  // by surface: (n_chord+1) by (n_span+1) nodes of its ring sheet
};

/// For each chordwise segment, whether it lies in the plane of symmetry, where its image cancels it.
std::vector<bool> chords_in_plane(const Stencils& stencils, const Points& corners,
                                  const std::optional<SymmetryPlane>& plane);

}  // namespace lithe::aero
