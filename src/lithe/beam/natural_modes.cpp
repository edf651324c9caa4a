#include "lithe/beam/natural_modes.h"

#include <Eigen/SparseCholesky>
#include <algorithm>
#include <cmath>

#include "lithe/spatial/demand.h"

namespace lithe {
namespace {

/// M φ = λ K φ, whose largest λ = 1/ω² are wanted: K is the definite one.
NaturalModes from_inverse_squares(const VectorXd& lambda, const MatrixXd& shapes, int count) {
  const int n = int(lambda.size());
  NaturalModes modes{VectorXd(count), MatrixXd(shapes.rows(), count)};
  for (int k = 0; k < count; ++k) {
    modes.omega[k] = 1 / std::sqrt(std::max(0.0, lambda[n - 1 - k]));
    modes.shapes.col(k) = shapes.col(n - 1 - k);
  }
  return modes;
}

NaturalModes dense_modes(const SparseMatrixd& K, const SparseMatrixd& M, int count) {
  // K scaled to a unit diagonal: metres and radians, or many polynomials, differ by powers of ten.
  const VectorXd scale = VectorXd(K.diagonal()).cwiseSqrt().cwiseInverse();
  const Eigen::GeneralizedSelfAdjointEigenSolver<MatrixXd> solver(
      scale.asDiagonal() * MatrixXd(M) * scale.asDiagonal(), scale.asDiagonal() * MatrixXd(K) * scale.asDiagonal());
  LITHE_DEMAND(solver.info() == Eigen::Success);
  return from_inverse_squares(solver.eigenvalues(), scale.asDiagonal() * solver.eigenvectors(), count);
}

/// Bathe's subspace iteration: solve K X′ = M X, then the small problem in the span of X′.
NaturalModes subspace_modes(const SparseMatrixd& K, const SparseMatrixd& M, int count) {
  const int n = int(K.rows()), q = std::min(n, 2 * count + 8);
  const Eigen::SimplicialLDLT<SparseMatrixd> factors(K);
  LITHE_DEMAND(factors.info() == Eigen::Success);
  // Fixed, scattered start vectors: the same answer every time.
  MatrixXd X(n, q);
  unsigned state = 12345;
  for (int k = 0; k < q; ++k)
    for (int i = 0; i < n; ++i) X(i, k) = double((state = state * 1664525u + 1013904223u) >> 8) / (1 << 24) - 0.5;
  VectorXd lambda = VectorXd::Zero(q);
  double last_change = 1;
  for (int iteration = 0; iteration < 300; ++iteration) {
    X = factors.solve(MatrixXd(M * X));
    for (int k = 0; k < q; ++k) X.col(k).normalize();
    // Orthonormal first, else the small matrices are too close to singular.
    X = Eigen::HouseholderQR<MatrixXd>(X).householderQ() * MatrixXd::Identity(n, q);
    const MatrixXd KX = K * X, MX = M * X;
    const Eigen::GeneralizedSelfAdjointEigenSolver<MatrixXd> small(X.transpose() * MX, X.transpose() * KX);
    LITHE_DEMAND(small.info() == Eigen::Success);
    X = X * small.eigenvectors();
    const VectorXd wanted = small.eigenvalues().tail(count);
    const double change = (wanted - lambda.tail(count)).cwiseQuotient(wanted).cwiseAbs().maxCoeff();
    lambda = small.eigenvalues();
    // Each round leaves a small share of the error, until the rounding of K's factors is all that is left: far above the last
    // digit where elements are many.
    if (change < 1e-14 || (change < 1e-6 && change > 0.5 * last_change)) break;
    last_change = change;
  }
  return from_inverse_squares(lambda, X, count);
}

}  // namespace

NaturalModes natural_modes(const SparseMatrixd& K, const SparseMatrixd& M, int count) {
  count = std::min(count, int(K.rows()));
  const bool few = K.rows() <= 300 || 4 * count > K.rows();
  return few ? dense_modes(K, M, count) : subspace_modes(K, M, count);
}

NaturalModes natural_modes(const SparseMatrixd& K, const SparseMatrixd& M, const std::vector<int>& coordinates,
                           int count) {
  if (coordinates.empty()) return {VectorXd(0), MatrixXd(K.rows(), 0)};
  const NaturalModes part =
      natural_modes(submatrix(K, coordinates, coordinates), submatrix(M, coordinates, coordinates), count);
  NaturalModes modes{part.omega, MatrixXd::Zero(K.rows(), part.shapes.cols())};
  for (size_t i = 0; i < coordinates.size(); ++i) modes.shapes.row(coordinates[i]) = part.shapes.row(int(i));
  return modes;
}

SparseMatrixd submatrix(const SparseMatrixd& A, const std::vector<int>& rows, const std::vector<int>& cols) {
  std::vector<int> place(A.rows(), -1);
  for (size_t i = 0; i < rows.size(); ++i) place[rows[i]] = int(i);
  std::vector<Eigen::Triplet<double>> entries;
  for (size_t j = 0; j < cols.size(); ++j)
    for (SparseMatrixd::InnerIterator entry(A, cols[j]); entry; ++entry)
      if (place[entry.row()] >= 0) entries.emplace_back(place[entry.row()], int(j), entry.value());
  SparseMatrixd result(int(rows.size()), int(cols.size()));
  result.setFromTriplets(entries.begin(), entries.end());
  return result;
}

}  // namespace lithe
