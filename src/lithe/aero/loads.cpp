#include "lithe/aero/loads.h"

namespace lithe::aero {
namespace {

/// Adds a force at a point given by its stencil to a panel's load.
void add(const Stencil& at, const Vector3d& point, const Vector3d& force, int panel, double share, Loads& loads) {
  const Vector3d part = share * force;
  loads.panel_force.col(panel) += part;
  loads.panel_moment.col(panel) += (point - loads.panel_centre.col(panel)).cross(part);
  at.share(part, loads.corner_force);
  loads.force += part;
  loads.moment += point.cross(part);
}

}  // namespace

Loads::Loads(const Lattice& lattice)
    : panel_force(Points::Zero(3, lattice.n_panels())),
      panel_moment(panel_force),
      panel_centre(panel_force),
      corner_force(Points::Zero(3, lattice.n_corners())) {}

int n_load_points(const Stencils& stencils) { return int(stencils.panels.size() + stencils.chords.size()); }

Vector3d load_point(const Stencils& stencils, int k, const Points& corners) {
  const int n_panels = int(stencils.panels.size());
  return k < n_panels ? stencils.panels[k].bound_middle.of(corners) : stencils.chords[k - n_panels].middle.of(corners);
}

void joukowski_loads(const Stencils& stencils, const std::vector<bool>& chord_in_plane, const Points& corners,
                     const VectorXd& circulation, const VectorXd& circulation_rate, const VectorArray& relative_wind,
                     double density, Loads& loads, const VectorXd& lift_share) {
  auto share_of = [&](int panel) { return lift_share.size() > 0 ? lift_share[panel] : 1.0; };
  loads.panel_force.setZero();
  loads.panel_moment.setZero();
  loads.corner_force.setZero();
  loads.force.setZero();
  loads.moment.setZero();
  const int n_panels = int(stencils.panels.size());
  for (int p = 0; p < n_panels; ++p) loads.panel_centre.col(p) = stencils.panels[p].centre.of(corners);

  for (int p = 0; p < n_panels; ++p) {
    const PanelStencils& panel = stencils.panels[p];
    const double net = circulation[p] - (panel.in_front >= 0 ? circulation[panel.in_front] : 0);
    add(panel.bound_middle, panel.bound_middle.of(corners),
        density * net * relative_wind[p].cross(panel.bound.of(corners)), p, share_of(p), loads);
    const Vector3d area = 0.5 * panel.ring_rear.of(corners).cross(panel.ring_span.of(corners));
    add(panel.ring_centre, panel.ring_centre.of(corners), density * circulation_rate[p] * area, p, 1, loads);
  }
  for (int c = 0; c < int(stencils.chords.size()); ++c) {
    if (chord_in_plane[c]) continue;
    const ChordStencils& chord = stencils.chords[c];
    const double net =
        (chord.left >= 0 ? circulation[chord.left] : 0) - (chord.right >= 0 ? circulation[chord.right] : 0);
    const Vector3d force = density * net * relative_wind[n_panels + c].cross(chord.segment.of(corners));
    const Vector3d point = chord.middle.of(corners);
    const double share = chord.left >= 0 && chord.right >= 0 ? 0.5 : 1;
    for (const int p : {chord.left, chord.right})
      if (p >= 0) add(chord.middle, point, force, p, share * share_of(p), loads);
  }
}

}  // namespace lithe::aero
