#include "lithe/dynamics/static_stability.h"

#include <Eigen/SparseCholesky>
#include <Eigen/SparseLU>
#include <cmath>

namespace lithe {
namespace {

constexpr double rounding = 1e-9;  // of scaled pivots

SparseMatrixd scaled(const SparseMatrixd& stiffness, const VectorXd& scale) {
  const VectorXd by = scale.cwiseInverse();
  return by.asDiagonal() * stiffness * by.asDiagonal();
}

}  // namespace

double least_stiffness(const SparseMatrixd& stiffness, const VectorXd& scale) {
  const SparseMatrixd K = scaled(stiffness, scale);
  const SparseMatrixd symmetric = (K + SparseMatrixd(K.transpose())) / 2;
  const Eigen::SimplicialLDLT<SparseMatrixd> factors(symmetric);
  if (factors.info() != Eigen::Success) return 0;
  // Uneven, so that it is not across what is sought.
  VectorXd direction = VectorXd::LinSpaced(K.rows(), 1, 2).normalized();
  double grown = 1;
  for (int k = 0; k < 50; ++k) {
    direction = factors.solve(direction);
    grown = direction.norm();
    if (!std::isfinite(grown)) return 0;
    direction /= grown;
  }
  return 1 / grown;
}

bool statically_stable(const SparseMatrixd& stiffness, const VectorXd& scale) {
  SparseMatrixd K = scaled(stiffness, scale);
  if ((K - SparseMatrixd(K.transpose())).norm() <= 1e-10 * K.norm()) {
    const Eigen::SimplicialLDLT<SparseMatrixd> factors(SparseMatrixd((K + SparseMatrixd(K.transpose())) / 2));
    return factors.info() != Eigen::Success || factors.vectorD().minCoeff() > -rounding;
  }
  K.makeCompressed();
  Eigen::SparseLU<SparseMatrixd> factors(K);
  return factors.info() != Eigen::Success || factors.signDeterminant() > 0;
}

}  // namespace lithe
