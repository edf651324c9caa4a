#pragma once

#include <fstream>
#include <map>
#include <numbers>
#include <sstream>
#include <string>
#include <vector>

#include "lithe/aero/vortex_lattice.h"

namespace lithe::aero::testing {

using Eigen::RowVector3d;

/// Corners (i, j) of one surface from a function of (i/n_chord, j/n_span).
template <class Place>
Points corners_of(const SurfaceShape& shape, Place place) {
  Points points(3, (shape.n_chord + 1) * (shape.n_span + 1));
  int k = 0;
  for (int i = 0; i <= shape.n_chord; ++i)
    for (int j = 0; j <= shape.n_span; ++j)
      points.col(k++) = place(double(i) / shape.n_chord, double(j) / shape.n_span);
  return points;
}

/// A flat rectangle in the plane z = 0, leading edge at x = 0, y from −span/2 to span/2.
inline Points rectangle(const SurfaceShape& shape, double chord, double span) {
  return corners_of(shape, [&](double x, double y) -> Vector3d { return {chord * x, span * (y - 0.5), 0}; });
}

/// Span of the lattice that stands for a wing: a quarter of a panel less at each tip, as the theory of uniform lattices
/// asks for.
inline double inset_span(double span, int n_span) { return span * n_span / (n_span + 0.5); }

/// Wind of unit speed that climbs by `alpha`.
inline Wind climbing_wind(double alpha, double density = 2) {
  return {.velocity = {std::cos(alpha), 0, std::sin(alpha)}, .density = density};
}

inline Points still(const Points& corners) { return Points::Zero(3, corners.cols()); }

/// Columns of a CSV file of tests/reference by their names; what is not a number becomes NaN.
inline std::map<std::string, std::vector<double>> columns_of(const std::string& name) {
  std::ifstream file(std::string(LITHE_SOURCE_DIR) + "/tests/reference/" + name);
  std::map<std::string, std::vector<double>> columns;
  std::string line, cell;
  std::vector<std::string> names;
  if (!std::getline(file, line)) throw std::runtime_error("no reference values in " + name);
  for (std::stringstream cells(line); std::getline(cells, cell, ',');) names.push_back(cell);
  while (std::getline(file, line)) {
    std::stringstream cells(line);
    for (const std::string& column : names) {
      std::getline(cells, cell, ',');
      char* end = nullptr;
      const double value = std::strtod(cell.c_str(), &end);
      columns[column].push_back(end && *end == '\0' ? value : std::nan(""));
    }
  }
  return columns;
}

/// The limit of two values whose errors fall like size^order, the second at half the size of the first.
inline double extrapolated(double coarse, double fine, int order) {
  return fine + (fine - coarse) / ((1 << order) - 1);
}

}  // namespace lithe::aero::testing
