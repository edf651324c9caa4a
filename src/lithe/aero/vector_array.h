#pragma once

#include <Eigen/Dense>

namespace lithe::aero {

/// Vectors as three arrays, each padded with zeros to a whole number of packs: what the vectorised sums work on.
struct VectorArray {
  static constexpr int lanes = 4;

  int n = 0;
  Eigen::ArrayXd x, y, z;

  VectorArray() = default;
  explicit VectorArray(int size) : n(size), x(Eigen::ArrayXd::Zero(padded())), y(x), z(x) {}

  int padded() const { return (n + lanes - 1) / lanes * lanes; }
  Eigen::Vector3d operator[](int k) const { return {x[k], y[k], z[k]}; }
  void set(int k, const Eigen::Vector3d& v) {
    x[k] = v.x();
    y[k] = v.y();
    z[k] = v.z();
  }
  void set_zero() {
    x.setZero();
    y.setZero();
    z.setZero();
  }
};

}  // namespace lithe::aero
