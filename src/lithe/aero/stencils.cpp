#include "lithe/aero/stencils.h"

namespace lithe::aero {
namespace {

Stencil sum(double a, const Stencil& x, double b, const Stencil& y) {
  Stencil result;
  result.add(x, a);
  result.add(y, b);
  return result;
}

Stencil mean(const Stencil& a, const Stencil& b) { return sum(0.5, a, 0.5, b); }

Stencil difference(const Stencil& to, const Stencil& from) { return sum(1, to, -1, from); }

Stencil at(int corner) {
  Stencil result;
  result.add(corner, 1);
  return result;
}

}  // namespace

Stencils::Stencils(const Lattice& lattice) : panels(lattice.n_panels()) {
  for (int s = 0; s < lattice.n_surfaces(); ++s) {
    const auto [m, n] = lattice.shape(s);
    auto corner = [&](int i, int j) { return at(lattice.corner(s, i, j)); };
    // A quarter of the way from corner row i to the next; behind the last row, a quarter of the last panel further.
    auto ring_node = [&](int i, int j) {
      return i < m ? sum(0.75, corner(i, j), 0.25, corner(i + 1, j)) : sum(1.25, corner(m, j), -0.25, corner(m - 1, j));
    };
    // The same, but nothing beyond the trailing edge.
    auto loaded_node = [&](int i, int j) { return i < m ? ring_node(i, j) : corner(m, j); };
    // Where the pressure of Γ̇ ends: see PanelStencils.
    auto pressed_node = [&](int i, int j) {
      return i < m ? ring_node(i, j) : sum(0.25, corner(m - 1, j), 0.75, corner(m, j));
    };

    std::vector<Stencil>& nodes = ring_nodes.emplace_back();
    for (int i = 0; i <= m; ++i)
      for (int j = 0; j <= n; ++j) nodes.push_back(ring_node(i, j));
    for (int i = 0; i < m; ++i)
      for (int j = 0; j < n; ++j) {
        PanelStencils& p = panels[lattice.panel(s, i, j)];
        p.in_front = i > 0 ? lattice.panel(s, i - 1, j) : -1;
        const Stencil front = mean(corner(i, j), corner(i, j + 1)), rear = mean(corner(i + 1, j), corner(i + 1, j + 1));
        p.collocation = sum(0.25, front, 0.75, rear);
        p.centre = mean(front, rear);
        p.diagonal_rear = difference(corner(i + 1, j + 1), corner(i, j));
        p.diagonal_span = difference(corner(i, j + 1), corner(i + 1, j));
        p.bound_middle = mean(ring_node(i, j), ring_node(i, j + 1));
        p.bound = difference(ring_node(i, j + 1), ring_node(i, j));
        p.ring_centre = mean(p.bound_middle, mean(pressed_node(i + 1, j), pressed_node(i + 1, j + 1)));
        p.ring_rear = difference(pressed_node(i + 1, j + 1), ring_node(i, j));
        p.ring_span = difference(ring_node(i, j + 1), pressed_node(i + 1, j));
      }
    for (int i = 0; i < m; ++i)
      for (int j = 0; j <= n; ++j)
        chords.push_back({j > 0 ? lattice.panel(s, i, j - 1) : -1, j < n ? lattice.panel(s, i, j) : -1,
                          mean(ring_node(i, j), loaded_node(i + 1, j)),
                          difference(loaded_node(i + 1, j), ring_node(i, j))});
  }
}

std::vector<bool> chords_in_plane(const Stencils& stencils, const Points& corners,
                                  const std::optional<SymmetryPlane>& plane) {
  std::vector<bool> result(stencils.chords.size(), false);
  if (!plane) return result;
  for (size_t c = 0; c < stencils.chords.size(); ++c) {
    const ChordStencils& chord = stencils.chords[c];
    const double size = chord.segment.of(corners).norm();
    bool inside = true;
    for (int k = 0; k < chord.segment.n; ++k)
      inside = inside && std::abs(plane->height(corners.col(chord.segment.corner[k]))) < 1e-9 * size;
    result[c] = inside;
  }
  return result;
}

}  // namespace lithe::aero
