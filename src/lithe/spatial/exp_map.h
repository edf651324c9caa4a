#pragma once

#include <array>

#include "lithe/spatial/spatial.h"

namespace lithe {

/// The first n terms of b = (1 − cos|θ|)/x = Σ(−x)ᵏ/(2k+2)! and c = (|θ| − sin|θ|)/|θ|³ = Σ(−x)ᵏ/(2k+3)!, x = θ·θ.
template <int n>
struct ExpSeries {
  std::array<double, n> b{}, c{};
  constexpr ExpSeries() {
    double b_k = 0.5, c_k = 1.0 / 6;
    for (int k = 0; k < n; ++k) {
      b[k] = b_k;
      c[k] = c_k;
      b_k /= -double((2 * k + 3) * (2 * k + 4));
      c_k /= -double((2 * k + 4) * (2 * k + 5));
    }
  }
};

/// The exponential of rotation vectors and its left Jacobian, as functions of x = θ·θ:
///   exp[θ]× = 1 + a[θ]× + b[θ]×²      J_l = 1 + b[θ]× + c[θ]×²      (d/dt exp[θ]×) exp[−θ]× = [J_l θ̇]×
/// with a = sin|θ|/|θ|, b = (1 − cos|θ|)/x, c = (1 − a)/x and their derivatives by x. S is double or `Counted`.
template <class S>
struct ExpMapOf {
  using Vector = Eigen::Vector3<S>;
  using Matrix = Eigen::Matrix3<S>;

  Vector theta;
  S x, a, b, c, db, dc;

  explicit ExpMapOf(const Vector& theta);

  Matrix rotation() const { return combined(S(1) - x * b, a, b); }
  Matrix left_jacobian() const { return combined(a, b, c); }
  /// (∂J_l/∂θ · by) of: the derivative of J_l(θ) w along `by`.
  Vector left_jacobian_derivative(const Vector& by, const Vector& w) const {
    const Vector cross = theta.cross(w);
    const S dx = S(2) * theta.dot(by);
    return db * dx * cross + b * by.cross(w) + dc * dx * theta.cross(cross) +
           c * (by.cross(cross) + theta.cross(by.cross(w)));
  }

 private:
  /// unit·1 + turn·[θ]× + square·θθᵀ; the functions above in this form, by [θ]×² = θθᵀ − x·1.
  Matrix combined(const S& unit, const S& turn, const S& square) const {
    const Vector t = turn * theta, s = square * theta;
    const S xy = s.x() * theta.y(), xz = s.x() * theta.z(), yz = s.y() * theta.z();
    Matrix R;
    R << unit + s.x() * theta.x(), xy - t.z(), xz + t.y(),  //
        xy + t.z(), unit + s.y() * theta.y(), yz - t.x(),   //
        xz - t.y(), yz + t.x(), unit + s.z() * theta.z();
    return R;
  }
};

using ExpMap = ExpMapOf<double>;

}  // namespace lithe
