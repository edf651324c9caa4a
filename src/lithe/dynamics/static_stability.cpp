#include "lithe/dynamics/static_stability.h"

#include <Eigen/SparseCholesky>
#include <Eigen/SparseLU>

namespace lithe {
namespace {

constexpr double rounding = 1e-9;  // of scaled pivots

SparseMatrixd scaled(const SparseMatrixd& stiffness, const VectorXd& scale) {
  const VectorXd by = scale.cwiseInverse();
  return by.asDiagonal() * stiffness * by.asDiagonal();
}

}  // namespace

double least_pivot(const SparseMatrixd& stiffness, const VectorXd& scale) {
  const SparseMatrixd K = scaled(stiffness, scale);
  const SparseMatrixd symmetric = (K + SparseMatrixd(K.transpose())) / 2;
  const Eigen::SimplicialLDLT<SparseMatrixd> factors(symmetric);
  return factors.info() == Eigen::Success ? factors.vectorD().minCoeff() : 0;
}

bool statically_stable(const SparseMatrixd& stiffness, const VectorXd& scale) {
  SparseMatrixd K = scaled(stiffness, scale);
  if ((K - SparseMatrixd(K.transpose())).norm() <= 1e-10 * K.norm()) return least_pivot(stiffness, scale) > -rounding;
  K.makeCompressed();
  Eigen::SparseLU<SparseMatrixd> factors(K);
  return factors.info() != Eigen::Success || factors.signDeterminant() > 0;
}

}  // namespace lithe
