#pragma once

#include <Eigen/Dense>
#include <functional>

namespace lithe::aero {

/// The air far from the surfaces, in world axes.
struct Wind {
  Eigen::Vector3d velocity = Eigen::Vector3d::Zero();  // m/s
  double density = 1.225;                              // kg/m³
  /// Added to `velocity` at a point and time; may be empty. It also carries the wake.
  std::function<Eigen::Vector3d(const Eigen::Vector3d& point, double t)> gust;

  Eigen::Vector3d at(const Eigen::Vector3d& point, double t) const {
    return gust ? Eigen::Vector3d(velocity + gust(point, t)) : velocity;
  }
};

/// A wall that the flow does not cross: what lies on the other side is the mirror image of this one. Half a wing is computed in this way.
struct SymmetryPlane {
  Eigen::Vector3d point = Eigen::Vector3d::Zero(), normal = Eigen::Vector3d::UnitY();

  double height(const Eigen::Vector3d& p) const { return (p - point).dot(normal.normalized()); }
  Eigen::Vector3d mirrored(const Eigen::Vector3d& p) const { return p - 2 * height(p) * normal.normalized(); }
  Eigen::Vector3d mirrored_vector(const Eigen::Vector3d& v) const {
    const Eigen::Vector3d n = normal.normalized();
    return v - 2 * v.dot(n) * n;
  }
};

}  // namespace lithe::aero
