#include "lithe/aero/steady.h"

#include <numbers>

namespace lithe::aero {
namespace {

/// The wake's length in lattice extents: what lies behind induces some 1e-13 of the wake's downwash.
constexpr double wake_length = 1e6;

/// One row of wake along the wind, so long that its end does not matter; the image counts, so that half a wing has the
/// wake of the whole.
Vector3d long_row(const std::vector<RingSheet>& sheets, const Wind& wind,
                  const std::optional<SymmetryPlane>& symmetry) {
  Vector3d least = sheets[0].nodes[0], largest = least;
  auto include = [&](const Vector3d& p) {
    least = least.cwiseMin(p);
    largest = largest.cwiseMax(p);
  };
  for (const RingSheet& sheet : sheets)
    for (int k = 0; k < sheet.n_nodes(); ++k) {
      include(sheet.nodes[k]);
      if (symmetry) include(symmetry->mirrored(sheet.nodes[k]));
    }
  return wake_length * (largest - least).norm() * wind.velocity.normalized();
}

/// One strip of the trailing sheet as seen along the wind.
struct Strip {
  Vector3d left, right;
  double circulation;
};

}  // namespace

MatrixXd steady_influence(Geometry& geometry, const Lattice& lattice, const Wind& wind,
                          const std::optional<SymmetryPlane>& symmetry, double core) {
  MatrixXd a;
  bound_influence(geometry, symmetry, core, a);
  std::vector<RingSheet> wake = straight_wake(geometry, 1, long_row(geometry.bound, wind, symmetry));
  const std::vector<MatrixXd> by_wake = wake_influence(geometry, wake, symmetry, core);
  for (int s = 0; s < lattice.n_surfaces(); ++s)
    for (int j = 0; j < lattice.shape(s).n_span; ++j) a.col(lattice.edge_panel(s, j)) += by_wake[s].col(j);
  return a;
}

double trefftz_drag(const std::vector<RingSheet>& bound, const Wind& wind,
                    const std::optional<SymmetryPlane>& symmetry) {
  const Vector3d along = wind.velocity.normalized();
  auto seen = [&along](const Vector3d& p) -> Vector3d { return p - p.dot(along) * along; };
  std::vector<Strip> strips;
  for (const RingSheet& sheet : bound)
    for (int j = 0; j < sheet.columns(); ++j)
      strips.push_back({seen(sheet.nodes[sheet.node(sheet.rows, j)]), seen(sheet.nodes[sheet.node(sheet.rows, j + 1)]),
                        sheet.circulation[sheet.ring(sheet.rows - 1, j)]});
  // Velocity at a point by endless straight vortices to the rear: −Γ at the left end of each strip, +Γ at its right end.
  auto induced = [&](const Vector3d& p) {
    Vector3d v = Vector3d::Zero();
    for (const Strip& strip : strips)
      for (const int end : {0, 1}) {
        const Vector3d r = p - (end ? strip.right : strip.left);
        v += (end ? 1 : -1) * strip.circulation / (2 * std::numbers::pi) * along.cross(r) / r.squaredNorm();
      }
    return v;
  };
  double drag = 0;
  for (const Strip& strip : strips) {
    const Vector3d middle = (strip.left + strip.right) / 2, normal_length = along.cross(strip.right - strip.left);
    Vector3d v = induced(middle);
    if (symmetry) v += symmetry->mirrored_vector(induced(seen(symmetry->mirrored(middle))));
    drag -= 0.5 * wind.density * strip.circulation * v.dot(normal_length);
  }
  return drag;
}

SteadySolution steady(const Lattice& lattice, const Points& corners, const Wind& wind,
                      const std::optional<SymmetryPlane>& symmetry, double core) {
  check_wind(wind, symmetry);
  if (!(wind.velocity.norm() > 0)) throw LatticeError("a steady flow needs a wind");
  lattice.check(corners);
  const Stencils stencils(lattice);
  Geometry geometry(lattice);
  geometry.place(stencils, corners);
  const int n = lattice.n_panels();

  SteadySolution solution;
  VectorXd wash(n);
  for (int p = 0; p < n; ++p) wash[p] = -wind.at(geometry.collocation[p], 0).dot(geometry.normal[p]);
  const MatrixXd a = steady_influence(geometry, lattice, wind, symmetry, core);
  solution.circulation = a.partialPivLu().solve(wash);
  if (!solution.circulation.allFinite())
    throw LatticeError("the influence matrix is singular: do two surfaces coincide?");

  // Rings and wake with their circulation.
  std::vector<RingSheet> wake = straight_wake(geometry, 1, long_row(geometry.bound, wind, symmetry));
  solution.edge_circulation.resize(lattice.n_edge_panels());
  for (int s = 0; s < lattice.n_surfaces(); ++s) {
    geometry.bound[s].circulation = solution.circulation.segment(lattice.panel(s, 0, 0), geometry.bound[s].n_rings());
    for (int j = 0; j < lattice.shape(s).n_span; ++j)
      wake[s].circulation[j] = solution.edge_circulation[lattice.edge(s, j)] =
          solution.circulation[lattice.edge_panel(s, j)];
  }

  VectorArray points(n_load_points(stencils)), velocity(points.n);
  for (int k = 0; k < points.n; ++k) {
    points.set(k, load_point(stencils, k, corners));
    velocity.set(k, wind.at(points[k], 0));
  }
  for (auto* sheets : {&geometry.bound, &wake})
    for (RingSheet& sheet : *sheets) {
      sheet.prepare(core);
      sheet.add_velocity(points, 0, symmetry, velocity);
    }
  solution.loads = Loads(lattice);
  joukowski_loads(stencils, chords_in_plane(stencils, corners, symmetry), corners, solution.circulation,
                  VectorXd::Zero(n), velocity, wind.density, solution.loads);

  // Far behind.
  solution.lift_per_length.resize(lattice.n_edge_panels());
  for (int s = 0; s < lattice.n_surfaces(); ++s)
    for (int j = 0; j < lattice.shape(s).n_span; ++j) {
      const RingSheet& sheet = geometry.bound[s];
      const Vector3d across = sheet.nodes[sheet.node(sheet.rows, j + 1)] - sheet.nodes[sheet.node(sheet.rows, j)];
      const double gamma = solution.edge_circulation[lattice.edge(s, j)];
      solution.lift += wind.density * gamma * wind.velocity.cross(across);
      solution.lift_per_length[lattice.edge(s, j)] =
          wind.density * gamma * wind.velocity.cross(across.normalized()).norm();
    }
  solution.induced_drag = trefftz_drag(geometry.bound, wind, symmetry);
  return solution;
}

}  // namespace lithe::aero
