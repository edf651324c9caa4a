#include "lithe/aero/incidence.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace lithe::aero {

double largest_incidence(const Lattice& lattice, int surface, const Points& corners, const Points& velocities,
                         const Eigen::Ref<const VectorXd>& circulation, const Vector3d& wind) {
  const auto [m, n] = lattice.shape(surface);
  double largest = 0;
  for (int j = 0; j < n; ++j) {
    const int front[] = {lattice.corner(surface, 0, j), lattice.corner(surface, 0, j + 1)},
              rear[] = {lattice.corner(surface, m, j), lattice.corner(surface, m, j + 1)};
    auto mean = [](const Points& of, const int(&at)[2]) -> Vector3d { return (of.col(at[0]) + of.col(at[1])) / 2; };
    const Vector3d chord = mean(corners, rear) - mean(corners, front);
    const Vector3d span =
        (corners.col(front[1]) - corners.col(front[0]) + corners.col(rear[1]) - corners.col(rear[0])).normalized();
    // Only the velocity across the span causes lift. The effective velocity of a section is that at three quarters of its chord.
    const Vector3d air = wind - (0.25 * mean(velocities, front) + 0.75 * mean(velocities, rear));
    const Vector3d across = air - air.dot(span) * span;
    const double speed = across.norm(), gamma = std::abs(circulation[lattice.edge_panel(surface, j)]);
    const double along = across.dot(chord);
    const double alpha =
        along > 0 ? std::asin(std::min(1.0, gamma / (std::numbers::pi * chord.norm() * std::max(speed, 1e-300))))
                  : std::atan2(across.cross(chord).norm(), along);
    largest = std::max(largest, alpha);
  }
  return largest;
}

}  // namespace lithe::aero
