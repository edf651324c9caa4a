#pragma once

#include "lithe/spatial/spatial.h"

namespace lithe {

/// The exponential of rotation vectors and its left Jacobian, as functions of x = θ·θ:
///   exp[θ]× = 1 + a[θ]× + b[θ]×²      J_l = 1 + b[θ]× + c[θ]×²      (d/dt exp[θ]×) exp[−θ]× = [J_l θ̇]×
/// with a = sin|θ|/|θ|, b = (1 − cos|θ|)/x, c = (1 − a)/x and their derivatives by x.
struct ExpMap {
  Vector3d theta;
  double a, b, c, db, dc;

  explicit ExpMap(const Vector3d& theta);

  Matrix3d rotation() const {
    const Matrix3d S = skew(theta);
    return Matrix3d::Identity() + a * S + b * S * S;
  }
  Matrix3d left_jacobian() const {
    const Matrix3d S = skew(theta);
    return Matrix3d::Identity() + b * S + c * S * S;
  }
  /// (∂J_l/∂θ · by) of: the derivative of J_l(θ) w along `by`.
  Vector3d left_jacobian_derivative(const Vector3d& by, const Vector3d& w) const {
    const Vector3d cross = theta.cross(w);
    const double dx = 2 * theta.dot(by);
    return db * dx * cross + b * by.cross(w) + dc * dx * theta.cross(cross) +
           c * (by.cross(cross) + theta.cross(by.cross(w)));
  }
};

}  // namespace lithe
