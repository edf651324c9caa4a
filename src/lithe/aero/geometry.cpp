#include "lithe/aero/geometry.h"

namespace lithe::aero {

Geometry::Geometry(const Lattice& lattice) : collocation(lattice.n_panels()), normal(lattice.n_panels()) {
  for (int s = 0; s < lattice.n_surfaces(); ++s) {
    const auto [m, n] = lattice.shape(s);
    bound.emplace_back(m, n);
    bound.back().rows = m;
  }
}

void Geometry::place(const Stencils& stencils, const Points& corners) {
  for (int p = 0; p < collocation.n; ++p) {
    const PanelStencils& panel = stencils.panels[p];
    collocation.set(p, panel.collocation.of(corners));
    normal.set(p, panel.diagonal_rear.of(corners).cross(panel.diagonal_span.of(corners)).normalized());
  }
  for (size_t s = 0; s < bound.size(); ++s)
    for (int k = 0; k < bound[s].n_nodes(); ++k) bound[s].nodes.set(k, stencils.ring_nodes[s][k].of(corners));
}

void bound_influence(Geometry& geometry, const std::optional<SymmetryPlane>& plane, double core, MatrixXd& a) {
  a.setZero(geometry.collocation.n, geometry.collocation.n);
  int first = 0;
  for (RingSheet& sheet : geometry.bound) {
    sheet.prepare(core);
    sheet.add_influence(geometry.collocation, geometry.normal, plane, a, first);
    first += sheet.n_rings();
  }
}

std::vector<MatrixXd> wake_influence(const Geometry& geometry, std::vector<RingSheet>& wake,
                                     const std::optional<SymmetryPlane>& plane, double core) {
  std::vector<MatrixXd> result;
  for (RingSheet& sheet : wake) {
    sheet.prepare(core);
    MatrixXd& a = result.emplace_back(MatrixXd::Zero(geometry.collocation.n, sheet.n_rings()));
    sheet.add_influence(geometry.collocation, geometry.normal, plane, a, 0);
  }
  return result;
}

std::vector<RingSheet> straight_wake(const Geometry& geometry, int rows, const Vector3d& row) {
  std::vector<RingSheet> wake;
  for (const RingSheet& bound : geometry.bound) {
    RingSheet& sheet = wake.emplace_back(rows, bound.columns());
    sheet.rows = rows;
    for (int i = 0; i <= rows; ++i)
      for (int j = 0; j <= bound.columns(); ++j)
        sheet.nodes.set(sheet.node(i, j), bound.nodes[bound.node(bound.rows, j)] + i * row);
  }
  return wake;
}

}  // namespace lithe::aero
