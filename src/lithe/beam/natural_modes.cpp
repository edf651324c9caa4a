#include "lithe/beam/natural_modes.h"

#include <Eigen/SparseCholesky>
#include <algorithm>
#include <cmath>

#include "lithe/spatial/demand.h"
#include "lithe/spatial/dense_eigen.h"

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
  const SymmetricModes modes = symmetric_modes(scale.asDiagonal() * MatrixXd(M) * scale.asDiagonal(),
                                               scale.asDiagonal() * MatrixXd(K) * scale.asDiagonal());
  LITHE_DEMAND(modes.found);
  return from_inverse_squares(modes.values, scale.asDiagonal() * modes.vectors, count);
}

/// Lanczos's method by blocks on L⁻¹ M L⁻ᵀ, K = L Lᵀ, whose largest eigenvalues are the 1/ω² of the lowest modes. The factors of a beam
/// are banded and cost in proportion to its elements. Every block is made orthogonal to all before it, twice: no mode comes
/// a second time.
class BlockLanczos {
 public:
  BlockLanczos(const SparseMatrixd& K, const SparseMatrixd& M) : n_(int(K.rows())), M_(M), factors_(K) {
    LITHE_DEMAND(factors_.info() == Eigen::Success);
  }

  NaturalModes lowest(int count) {
    const int most = std::min(n_, 6 * count + 10 * block);
    MatrixXd V(n_, std::min(n_, 2 * count + 4 * block)), T;
    MatrixXd next = started();
    int m = 0;
    while (true) {
      const int width = std::min(block, n_ - m);
      if (m + width > V.cols()) V.conservativeResize(Eigen::NoChange, std::min(n_, 2 * int(V.cols())));
      V.middleCols(m, width) = next.leftCols(width);
      MatrixXd image = applied(V.middleCols(m, width));
      const MatrixXd column = V.leftCols(m + width).transpose() * image;
      T.conservativeResizeLike(MatrixXd::Zero(m + width, m + width));
      T.rightCols(width) = column;
      T.bottomRows(width) = column.transpose();
      m += width;
      const auto known = V.leftCols(m);
      for (int pass = 0; pass < 2; ++pass) image -= known * MatrixXd(known.transpose() * image);
      const Eigen::HouseholderQR<MatrixXd> qr(image);
      const MatrixXd R = qr.matrixQR().topRows(width).template triangularView<Eigen::Upper>();
      next = qr.householderQ() * MatrixXd::Identity(n_, width);
      next -= known * MatrixXd(known.transpose() * next);  // much where the image was rounding alone
      next = orthonormal(next);
      const bool exhausted = R.cwiseAbs().maxCoeff() <= 1e-15 * T.diagonal().maxCoeff();
      if (!exhausted && m < most && (m < count + 2 * block || (m / block) % 4 != 0)) continue;
      const SymmetricModes small = symmetric_modes(T);
      LITHE_DEMAND(small.found);
      if (!exhausted && m < most && !found(small, R, count)) continue;
      LITHE_DEMAND(m >= count);
      const MatrixXd shapes = known * small.vectors.rightCols(count);
      return from_inverse_squares(small.values.tail(count), back(shapes), count);
    }
  }

 private:
  static constexpr int block = 16;

  /// Fixed, scattered start vectors: the same answer every time.
  MatrixXd started() const {
    MatrixXd X(n_, std::min(block, n_));
    unsigned state = 12345;
    for (double& x : X.reshaped()) x = double((state = state * 1664525u + 1013904223u) >> 8) / (1 << 24) - 0.5;
    // Once through the operator, which removes what is not smooth: low modes are smooth.
    return orthonormal(applied(X));
  }
  static MatrixXd orthonormal(const MatrixXd& X) {
    return Eigen::HouseholderQR<MatrixXd>(X).householderQ() * MatrixXd::Identity(X.rows(), X.cols());
  }
  MatrixXd applied(const MatrixXd& X) const {
    MatrixXd Y = M_ * back(X);
    Y = factors_.permutationP() * Y;
    factors_.matrixL().solveInPlace(Y);
    return Y;
  }
  /// Pᵀ L⁻ᵀ X: from the operator's coordinates to those of K and M.
  MatrixXd back(const MatrixXd& X) const {
    MatrixXd Y = X;
    factors_.matrixU().solveInPlace(Y);
    return factors_.permutationPinv() * Y;
  }
  /// Whether the next block would change the wanted ones only by little compared with them, or with the rounding of the largest.
  static bool found(const SymmetricModes& small, const MatrixXd& R, int count) {
    const VectorXd& value = small.values;
    const auto last = small.vectors.bottomRows(R.cols());
    const double largest = value[value.size() - 1];
    for (int k = 0; k < count; ++k) {
      const Eigen::Index at = value.size() - 1 - k;
      const double residual = (R * last.col(at)).norm();
      if (residual > std::max(1e-9 * std::abs(value[at]), 1e-15 * largest)) return false;
    }
    return true;
  }

  const int n_;
  const SparseMatrixd& M_;
  Eigen::SimplicialLLT<SparseMatrixd> factors_;
};

}  // namespace

NaturalModes natural_modes(const SparseMatrixd& K, const SparseMatrixd& M, int count) {
  count = std::min(count, int(K.rows()));
  const bool few = K.rows() <= 300 || 4 * count > K.rows();
  return few ? dense_modes(K, M, count) : BlockLanczos(K, M).lowest(count);
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
