#include "lithe/analyse/eigenmodes.h"

#include <Spectra/SymGEigsShiftSolver.h>

#include <Eigen/SparseCholesky>
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <optional>

#include "lithe/spatial/demand.h"
#include "lithe/spatial/dense_eigen.h"

namespace lithe {
namespace {

using Factors = Eigen::SimplicialLDLT<SparseMatrixd>;

// Up to here the dense solver takes well under a second.
constexpr int dense_limit = 400;

bool definite(const Factors& factors) { return factors.info() == Eigen::Success && factors.vectorD().minCoeff() > 0; }

/// A shift that makes K + shift·M definite, of the size of the lowest elastic λ so that low modes stay well apart; 0 where K
/// is definite by itself.
double find_shift(const SparseMatrixd& K, const SparseMatrixd& M) {
  const int n = int(K.rows());
  const VectorXd k = K.diagonal(), m = M.diagonal();
  // Definite by itself, and not by rounding alone.
  const Factors plain(K);
  if (definite(plain) && plain.vectorD().minCoeff() > 1e-13 * k.maxCoeff()) return 0;
  // The scale of λ from the coordinates' own: from large to small until definiteness would be lost.
  double largest = 0;
  for (int i = 0; i < n; ++i)
    if (m[i] > 1e-13 * m.maxCoeff()) largest = std::max(largest, std::abs(k[i]) / m[i]);  // mass, not its rounding
  if (largest == 0) return 1;
  double shift = largest;
  Factors factors(K + shift * M);
  while (!definite(factors)) {
    shift *= 10;
    if (!(shift < 1e12 * largest)) throw EigenmodesError("the mass matrix is singular where the stiffness is");
    factors.compute(K + shift * M);
  }
  // Decrease the shift until inverse iteration finds almost only rigid motion: then it is slightly below the lowest elastic λ. A
  // factor of ten does not matter.
  while (shift > 1e-9 * largest) {
    const Factors next(K + shift / 10 * M);
    if (!definite(next)) break;
    VectorXd x = VectorXd::LinSpaced(n, 1, 2);
    for (int i = 0; i < n; ++i) x[i] *= (i % 3) - 0.8;
    for (int i = 0; i < 6; ++i) x = next.solve(VectorXd(M * x)).normalized();
    shift /= 10;
    if (std::abs(x.dot(K * x)) < 1e-2 * shift * x.dot(M * x)) break;
  }
  return shift;
}

/// The rounding error of λ in Rayleigh's quotient.
double rounding(const SparseMatrixd& absolute_K, const VectorXd& shape) {
  const VectorXd size = shape.cwiseAbs();
  return 100 * std::numeric_limits<double>::epsilon() * size.dot(absolute_K * size);
}

/// Rayleigh's quotients, unit modal mass, a definite sign, and zeros for what is zero: less than rounding, or than a part in
/// 10¹⁰ of the shift, which is of the size of elastic λ.
Eigenmodes finished(const SparseMatrixd& K, const SparseMatrixd& M, MatrixXd shapes, double shift) {
  const int count = int(shapes.cols());
  const SparseMatrixd absolute_K = K.cwiseAbs();
  std::vector<double> lambda(count);
  for (int k = 0; k < count; ++k) {
    VectorXd shape = shapes.col(k);
    shape /= std::sqrt(shape.dot(M * shape));
    Eigen::Index largest = 0;
    shape.cwiseAbs().maxCoeff(&largest);
    if (shape[largest] < 0) shape = -shape;
    lambda[k] = shape.dot(K * shape);
    if (std::abs(lambda[k]) <= std::max(rounding(absolute_K, shape), 1e-10 * shift)) lambda[k] = 0;
    shapes.col(k) = shape;
  }
  std::vector<int> order(count);
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return lambda[a] < lambda[b]; });
  Eigenmodes modes{VectorXd(count), MatrixXd(shapes.rows(), count)};
  for (int k = 0; k < count; ++k) {
    modes.lambda[k] = lambda[order[k]];
    modes.shapes.col(k) = shapes.col(order[k]);
  }
  return modes;
}

/// (K + shift·M)⁻¹ in the form that Spectra needs.
class ShiftInverse {
 public:
  using Scalar = double;
  ShiftInverse(const SparseMatrixd& K, const SparseMatrixd& M) : K_(K), M_(M) {}
  void set_shift(double sigma) {
    factors_.compute(K_ - sigma * M_);
    if (factors_.info() != Eigen::Success) throw EigenmodesError("the stiffness matrix cannot be factorised");
  }
  Eigen::Index rows() const { return K_.rows(); }
  Eigen::Index cols() const { return K_.cols(); }
  void perform_op(const double* x, double* y) const {
    Eigen::Map<VectorXd>(y, rows()) = factors_.solve(Eigen::Map<const VectorXd>(x, rows()));
  }

 private:
  const SparseMatrixd &K_, &M_;
  Factors factors_;
};
class MassProduct {
 public:
  using Scalar = double;
  explicit MassProduct(const SparseMatrixd& M) : M_(M) {}
  Eigen::Index rows() const { return M_.rows(); }
  Eigen::Index cols() const { return M_.cols(); }
  void perform_op(const double* x, double* y) const {
    Eigen::Map<VectorXd>(y, rows()).noalias() = M_ * Eigen::Map<const VectorXd>(x, rows());
  }

 private:
  const SparseMatrixd& M_;
};

/// How many λ lie below a value: as many as K − λM has negative pivots.
int count_below(const SparseMatrixd& K, const SparseMatrixd& M, double value) {
  const Factors factors(K - value * M);
  if (factors.info() != Eigen::Success) return -1;
  return int((factors.vectorD().array() < 0).count());
}

}  // namespace

Eigenmodes dense_modes(const SparseMatrixd& K, const SparseMatrixd& M, int count, double shift) {
  const int n = int(K.rows());
  // M φ = μ (K + shift·M) φ with μ = 1/(λ + shift), largest first, because M may be singular. Scaled to a unit diagonal:
  // metres and radians, or many polynomials, differ by powers of ten.
  const MatrixXd full = MatrixXd(K + shift * M);
  const VectorXd scale = full.diagonal().cwiseSqrt().cwiseInverse();
  const SymmetricModes modes = symmetric_modes(scale.asDiagonal() * MatrixXd(M) * scale.asDiagonal(),
                                               scale.asDiagonal() * full * scale.asDiagonal());
  if (!modes.found) throw EigenmodesError("the stiffness matrix cannot be factorised");
  count = std::min(count, int((modes.values.array() > 1e-14 * modes.values[n - 1]).count()));
  MatrixXd shapes = scale.asDiagonal() * modes.vectors.rightCols(count);
  return finished(K, M, shapes.rowwise().reverse(), shift);
}

Eigenmodes lanczos_modes(const SparseMatrixd& K, const SparseMatrixd& M, int count, double shift) {
  const int n = int(K.rows());
  LITHE_DEMAND(count < n);
  ShiftInverse inverse(K, M);
  MassProduct product(M);
  // A few more than asked for, so that the last one asked for is not at the edge, where a twin may be missing.
  for (int wanted = std::min(n - 1, count + 4);; wanted = std::min(n - 1, 2 * wanted)) {
    const int basis = std::min(n, std::max(3 * wanted, wanted + 20));
    Spectra::SymGEigsShiftSolver<ShiftInverse, MassProduct, Spectra::GEigsMode::ShiftInvert> solver(
        inverse, product, wanted, basis, -shift);
    solver.init();
    solver.compute(Spectra::SortRule::LargestMagn, 1000, 1e-12, Spectra::SortRule::SmallestAlge);
    if (solver.info() != Spectra::CompInfo::Successful) throw EigenmodesError("Lanczos's method did not converge");
    Eigenmodes modes = finished(K, M, solver.eigenvectors(), shift);
    // Between the last mode asked for and the next that differs from it there must be as many below as were found.
    int last = count - 1;
    while (last + 1 < wanted && modes.lambda[last + 1] - modes.lambda[last] <
                                    1e-7 * std::abs(modes.lambda[last]) + 1e-12 * std::abs(modes.lambda[wanted - 1]))
      ++last;
    const bool certain =
        last + 1 < wanted && count_below(K, M, (modes.lambda[last] + modes.lambda[last + 1]) / 2) == last + 1;
    if (certain || wanted >= n - 1 || wanted > 8 * count + 64) {
      modes.lambda.conservativeResize(count);
      modes.shapes.conservativeResize(Eigen::NoChange, count);
      if (!certain && wanted < n - 1) throw EigenmodesError("some modes could not be separated from their neighbours");
      return modes;
    }
  }
}

Eigenmodes lowest_modes(const SparseMatrixd& K, const SparseMatrixd& M, int count) {
  const int n = int(K.rows());
  count = std::min(count, n);
  if (count == 0) return {VectorXd(0), MatrixXd(n, 0)};
  const double shift = find_shift(K, M);
  return n <= dense_limit || 3 * count > n ? dense_modes(K, M, count, shift) : lanczos_modes(K, M, count, shift);
}

}  // namespace lithe
