#pragma once

#include "lithe/spatial/spatial.h"

namespace lithe::book83 {

// Homogeneous vectors carry the 1 first, h = [1 x y z]ᵀ, so a transformation is W = [1 0; p R] (book83 eq 1). Its rates and
// derivatives have a zero first row. S is double or `Counted`.

template <class S>
using Matrix4 = Eigen::Matrix4<S>;
template <class S>
using Vector4 = Eigen::Vector4<S>;

template <class S>
auto rotation(Matrix4<S>& W) {
  return W.template bottomRightCorner<3, 3>();
}
template <class S>
auto rotation(const Matrix4<S>& W) {
  return W.template bottomRightCorner<3, 3>();
}

/// [1 0; p R]
template <class S>
Matrix4<S> transformation(const Eigen::Matrix3<S>& R, const Eigen::Vector3<S>& p) {
  Matrix4<S> W = Matrix4<S>::Identity();
  W.template bottomLeftCorner<3, 1>() = p;
  rotation(W) = R;
  return W;
}

/// [0 0; p R]: a derivative of a transformation.
template <class S>
Matrix4<S> derivative(const Eigen::Matrix3<S>& R, const Eigen::Vector3<S>& p) {
  Matrix4<S> W = Matrix4<S>::Zero();
  W.template bottomLeftCorner<3, 1>() = p;
  rotation(W) = R;
  return W;
}

/// [a]× with [a]× b = a × b.
template <class S>
Eigen::Matrix3<S> cross(const Eigen::Vector3<S>& a) {
  Eigen::Matrix3<S> X;
  X << S(0), -a.z(), a.y(), a.z(), S(0), -a.x(), -a.y(), a.x(), S(0);
  return X;
}

/// Tr{A Bᵀ}, without the product.
template <class S>
S trace_with_transpose(const Matrix4<S>& A, const Matrix4<S>& B) {
  return A.cwiseProduct(B).sum();
}
/// Tr{A B}, likewise.
template <class S>
S trace(const Matrix4<S>& A, const Matrix4<S>& B) {
  return A.cwiseProduct(B.transpose()).sum();
}

}  // namespace lithe::book83
