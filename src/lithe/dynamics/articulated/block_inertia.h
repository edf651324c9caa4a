#pragma once

#include "lithe/spatial/spatial.h"

namespace lithe {

/// An articulated or composite inertia as blocks: [moment; force] = [[J, H], [Hᵀ, M]] [α; a] + bias. J and M are
/// symmetric; unlike a rigid body's, M need not be a multiple of the identity nor H skew.
struct BlockInertia {
  Matrix3d J, H, M;
};

/// The blocks of a rigid body.
inline BlockInertia blocks_of(const RigidInertia& inertia) {
  return {inertia.J, skew(inertia.first_moment), inertia.mass * Matrix3d::Identity()};
}

/// R S Rᵀ of a symmetric S: both halves equal by construction.
inline Matrix3d turned(const Matrix3d& R, const Matrix3d& S) {
  const Matrix3d RS = R * S;
  Matrix3d result;
  result(0, 0) = RS.row(0).dot(R.row(0));
  result(1, 1) = RS.row(1).dot(R.row(1));
  result(2, 2) = RS.row(2).dot(R.row(2));
  result(0, 1) = result(1, 0) = RS.row(0).dot(R.row(1));
  result(0, 2) = result(2, 0) = RS.row(0).dot(R.row(2));
  result(1, 2) = result(2, 1) = RS.row(1).dot(R.row(2));
  return result;
}

/// [p]× A, column by column a cross product.
inline Matrix3d cross_times(const Vector3d& p, const Matrix3d& A) {
  Matrix3d result;
  result.row(0) = p.y() * A.row(2) - p.z() * A.row(1);
  result.row(1) = p.z() * A.row(0) - p.x() * A.row(2);
  result.row(2) = p.x() * A.row(1) - p.y() * A.row(0);
  return result;
}

/// Adds to `sum` (in P, about P's origin) the inertia `I` known in B, where R turns B axes into P axes and p is B's
/// origin in P:  M′ = R M Rᵀ,  H′ = R H Rᵀ + [p]×M′,  J′ = R J Rᵀ + [p]×H′ᵀ − (R H Rᵀ)[p]×.
inline void add_moved(const Matrix3d& R, const Vector3d& p, const BlockInertia& I, BlockInertia& sum) {
  const Matrix3d M = turned(R, I.M);
  const Matrix3d H_turned = R * I.H * R.transpose();
  const Matrix3d H = H_turned + cross_times(p, M);
  // −A[p]× = ([p]×Aᵀ)ᵀ, so both shifts of J are cross products of rows.
  const Matrix3d left = cross_times(p, H.transpose());
  const Matrix3d right = cross_times(p, H_turned.transpose());
  const Matrix3d J = turned(R, I.J);
  for (int j = 0; j < 3; ++j) {
    for (int i = 0; i < j; ++i) {
      const double value = J(i, j) + left(i, j) + right(j, i);
      sum.J(i, j) += value;
      sum.J(j, i) += value;
    }
    sum.J(j, j) += J(j, j) + left(j, j) + right(j, j);
  }
  sum.H += H;
  sum.M += M;
}

}  // namespace lithe
