#pragma once

#include <Eigen/Dense>
#include <string>
#include <vector>

#include "lithe/error.h"

namespace lithe::aero {

using Eigen::MatrixXd;
using Eigen::Vector3d;
using Eigen::VectorXd;
using Points = Eigen::Matrix3Xd;  // one column per corner, world axes

/// A lattice that cannot be computed: too few corners, a panel without area, a number that is not finite.
class LatticeError : public Error {
 public:
  using Error::Error;
};

/// Panels of one thin surface: n_chord from leading to trailing edge, n_span across. It has (n_chord+1)(n_span+1) corners.
struct SurfaceShape {
  int n_chord = 1, n_span = 1;
};

/// How corners and panels of one or several surfaces are numbered; where they are is given by `Points` from step to step.
///
/// Corner (i, j) of a surface lies i panels behind the leading edge and j panels along the span. Corners are numbered
/// surface by surface, row by row from the leading edge: k = first + i (n_span + 1) + j; panels likewise. A panel's
/// normal is (chord × span): with x to the rear and y along the span it is z. A wake leaves each surface at its last
/// row of corners.
class Lattice {
 public:
  explicit Lattice(std::vector<SurfaceShape> surfaces);

  int n_surfaces() const { return int(surfaces_.size()); }
  int n_corners() const { return first_corner_.back(); }
  int n_panels() const { return first_panel_.back(); }
  int n_edge_panels() const { return first_edge_.back(); }  // panels at trailing edges
  const SurfaceShape& shape(int surface) const { return surfaces_[surface]; }
  int corner(int surface, int i, int j) const {
    return first_corner_[surface] + i * (surfaces_[surface].n_span + 1) + j;
  }
  int panel(int surface, int i, int j) const { return first_panel_[surface] + i * surfaces_[surface].n_span + j; }
  /// Place of trailing-edge panel j of a surface among all such panels.
  int edge(int surface, int j) const { return first_edge_[surface] + j; }
  int edge_panel(int surface, int j) const { return panel(surface, surfaces_[surface].n_chord - 1, j); }

  std::string corner_name(int corner) const;
  std::string panel_name(int panel) const;

  /// Throws LatticeError unless there is one finite point per corner and every panel has an area.
  void check(const Points& corners) const;
  /// Throws LatticeError unless there is one finite vector per corner.
  void check_finite(const Points& values, const char* what) const;

 private:
  std::vector<SurfaceShape> surfaces_;
  std::vector<int> first_corner_, first_panel_, first_edge_;  // one more than surfaces: the last is the count
};

}  // namespace lithe::aero
