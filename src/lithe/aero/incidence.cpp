#include "lithe/aero/incidence.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace lithe::aero {

StripFlow strip_flow(const Lattice& lattice, int surface, int j, const Points& corners, const Points& velocities,
                     const Eigen::Ref<const VectorXd>& circulation, const Wind& wind, double t) {
  const int m = lattice.shape(surface).n_chord;
  const int front[] = {lattice.corner(surface, 0, j), lattice.corner(surface, 0, j + 1)},
            rear[] = {lattice.corner(surface, m, j), lattice.corner(surface, m, j + 1)};
  auto mean = [](const Points& of, const int(&at)[2]) -> Vector3d { return (of.col(at[0]) + of.col(at[1])) / 2; };
  const Vector3d leading = mean(corners, front), trailing = mean(corners, rear), chord = trailing - leading;
  const Vector3d span =
      (corners.col(front[1]) - corners.col(front[0]) + corners.col(rear[1]) - corners.col(rear[0])).normalized();
  // Only what blows across the span makes lift. A section feels its own motion, and the wind, at three quarters of its chord.
  const Vector3d air =
      wind.at(0.25 * leading + 0.75 * trailing, t) - (0.25 * mean(velocities, front) + 0.75 * mean(velocities, rear));
  const Vector3d across = air - air.dot(span) * span;
  const double gamma = std::abs(circulation[lattice.edge_panel(surface, j)]), along = across.dot(chord);
  StripFlow flow;
  flow.sine = gamma / (std::numbers::pi * chord.norm() * std::max(across.norm(), 1e-300));
  flow.front = along > 0;
  flow.angle = flow.front ? std::asin(std::min(1.0, flow.sine)) : std::atan2(across.cross(chord).norm(), along);
  return flow;
}

double largest_incidence(const Lattice& lattice, int surface, const Points& corners, const Points& velocities,
                         const Eigen::Ref<const VectorXd>& circulation, const Wind& wind, double t) {
  double largest = 0;
  for (int j = 0; j < lattice.shape(surface).n_span; ++j)
    largest = std::max(largest, strip_flow(lattice, surface, j, corners, velocities, circulation, wind, t).angle);
  return largest;
}

}  // namespace lithe::aero
