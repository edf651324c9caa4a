#include "lithe/aero/lattice.h"

#include <fmt/format.h>

#include <cmath>

namespace lithe::aero {
namespace {

/// A panel whose area is smaller than this fraction of the square of its longer diagonal has no well-defined normal.
constexpr double least_area = 1e-10;

}  // namespace

Lattice::Lattice(std::vector<SurfaceShape> surfaces)
    : surfaces_(std::move(surfaces)), first_corner_{0}, first_panel_{0}, first_edge_{0} {
  if (surfaces_.empty()) throw LatticeError("a lattice needs at least one surface");
  for (int s = 0; s < n_surfaces(); ++s) {
    const auto [m, n] = surfaces_[s];
    if (m < 1 || n < 1)
      throw LatticeError(fmt::format("surface {}: {} by {} corners; a surface needs at least 2 by 2", s, m + 1, n + 1));
    first_corner_.push_back(first_corner_.back() + (m + 1) * (n + 1));
    first_panel_.push_back(first_panel_.back() + m * n);
    first_edge_.push_back(first_edge_.back() + n);
  }
}

std::string Lattice::corner_name(int corner) const {
  int s = 0;
  while (corner >= first_corner_[s + 1]) ++s;
  const int k = corner - first_corner_[s], columns = surfaces_[s].n_span + 1;
  return fmt::format("surface {}, corner ({}, {})", s, k / columns, k % columns);
}

std::string Lattice::panel_name(int panel) const {
  int s = 0;
  while (panel >= first_panel_[s + 1]) ++s;
  const int k = panel - first_panel_[s], columns = surfaces_[s].n_span;
  return fmt::format("surface {}, panel ({}, {})", s, k / columns, k % columns);
}

void Lattice::check_finite(const Points& values, const char* what) const {
  if (values.cols() != n_corners())
    throw LatticeError(fmt::format("{} of {} corners given, but the lattice has {}", what, values.cols(), n_corners()));
  if (values.allFinite()) return;
  for (int k = 0; k < n_corners(); ++k)
    if (!values.col(k).allFinite())
      throw LatticeError(fmt::format("{}: {} is not a finite number", corner_name(k), what));
}

void Lattice::check(const Points& corners) const {
  check_finite(corners, "position");
  for (int s = 0; s < n_surfaces(); ++s)
    for (int i = 0; i < shape(s).n_chord; ++i)
      for (int j = 0; j < shape(s).n_span; ++j) {
        const Vector3d down = corners.col(corner(s, i + 1, j + 1)) - corners.col(corner(s, i, j));
        const Vector3d up = corners.col(corner(s, i, j + 1)) - corners.col(corner(s, i + 1, j));
        const double area = down.cross(up).norm() / 2;
        if (!(area > least_area * std::max(down.squaredNorm(), up.squaredNorm())))
          throw LatticeError(fmt::format("{} has no area ({:g} m²)", panel_name(panel(s, i, j)), area));
      }
}

}  // namespace lithe::aero
