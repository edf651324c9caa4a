#include "lithe/show/film/panels.h"

namespace lithe::film {
namespace {

struct Cell {
  Vector3d corners[4];  // around it

  Vector3d normal() const {
    const Vector3d across = (corners[2] - corners[0]).cross(corners[3] - corners[1]);
    return across.norm() > 0 ? across.normalized() : Vector3d::UnitZ();
  }
  /// Smaller by a share of its size, and moved along its normal.
  Cell within(double share, double up) const {
    const Vector3d centre = (corners[0] + corners[1] + corners[2] + corners[3]) / 4, n = normal();
    Cell cell;
    for (int k = 0; k < 4; ++k) cell.corners[k] = corners[k] + share * (centre - corners[k]) + up * n;
    return cell;
  }
};

void add_cell(Triangles& out, const Cell& cell, const Vector3d& normal, Colour colour) {
  std::uint32_t at[4];
  for (int k = 0; k < 4; ++k) at[k] = out.add(cell.corners[k], normal, colour);
  out.quad(at[0], at[1], at[2], at[3]);
}

template <class Use>
void each_cell(std::span<const Vector3d> places, int n_rows, int n_columns, Use use) {
  for (int i = 0; i < n_rows; ++i)
    for (int j = 0; j < n_columns; ++j) {
      const size_t a = size_t(i * (n_columns + 1) + j), b = a + size_t(n_columns + 1);
      use(Cell{{places[a], places[a + 1], places[b + 1], places[b]}});
    }
}

}  // namespace

void add_panels(Triangles& out, std::span<const Vector3d> places, int n_chord, int n_span, double thickness,
                Colour cell, Colour line) {
  each_cell(places, n_chord, n_span, [&](const Cell& whole) {
    const Vector3d normal = whole.normal();
    for (const double side : {1.0, -1.0}) {
      add_cell(out, whole.within(0, 0.4 * side * thickness), side * normal, line);
      add_cell(out, whole.within(0.08, 0.5 * side * thickness), side * normal, cell);
    }
  });
}

void add_sheet(Triangles& out, std::span<const Vector3d> places, int n_rows, int n_columns, Colour colour) {
  each_cell(places, n_rows, n_columns, [&](const Cell& whole) {
    const Vector3d normal = whole.normal();
    for (const double side : {1.0, -1.0}) add_cell(out, whole, side * normal, colour);
  });
}

}  // namespace lithe::film
