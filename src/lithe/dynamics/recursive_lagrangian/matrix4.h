#pragma once

#include "lithe/spatial/spatial.h"

namespace lithe::book83 {

// Homogeneous vectors carry the 1 first, h = [1 x y z]ᵀ, so a transformation is W = [1 0; p R] (book83 eq 1). Its rates and
// derivatives have a zero first row.

using Eigen::Matrix4d;
using Eigen::Vector4d;

inline auto rotation(Matrix4d& W) { return W.bottomRightCorner<3, 3>(); }
inline auto rotation(const Matrix4d& W) { return W.bottomRightCorner<3, 3>(); }

/// [1 0; p R]
inline Matrix4d transformation(const Matrix3d& R, const Vector3d& p) {
  Matrix4d W = Matrix4d::Identity();
  W.bottomLeftCorner<3, 1>() = p;
  rotation(W) = R;
  return W;
}
inline Matrix4d transformation(const Pose& X) { return transformation(X.R, X.p); }

/// [0 0; p R]: a derivative of a transformation.
inline Matrix4d derivative(const Matrix3d& R, const Vector3d& p) {
  Matrix4d W = Matrix4d::Zero();
  W.bottomLeftCorner<3, 1>() = p;
  rotation(W) = R;
  return W;
}

/// ½∫h hᵀ dm = ½[m sᵀ; s Σ] of a body with mass m, s = ∫r dm and Σ = ∫r rᵀ dm: book83's inertia matrices carry the ½.
inline Matrix4d half_moments(double mass, const Vector3d& s, const Matrix3d& Sigma) {
  Matrix4d C;
  C(0, 0) = mass;
  C.topRightCorner<1, 3>() = s.transpose();
  C.bottomLeftCorner<3, 1>() = s;
  rotation(C) = Sigma;
  return C / 2;
}
/// The same of a rigid body. Σ = ½(tr J) 1 − J, whether or not any real body has that J.
inline Matrix4d half_moments(const RigidInertia& body) {
  return half_moments(body.mass, body.first_moment, body.J.trace() / 2 * Matrix3d::Identity() - body.J);
}

/// Tr{A Bᵀ}, without the product.
inline double trace_of_product(const Matrix4d& A, const Matrix4d& B) { return A.cwiseProduct(B).sum(); }

}  // namespace lithe::book83
