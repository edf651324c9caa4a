#pragma once

#include <vector>

#include "lithe/spatial/spatial.h"

namespace lithe {

/// How a dense mass matrix is factored: LDLᵀ, which uses its symmetry, or LU with row exchanges.
enum class DenseMethod { cholesky, lu };

/// Solves M v̇ + h = τ with a dense symmetric M. Holds its working memory, sized once: solving allocates nothing. Throws
/// SingularError where M is not positive definite to rounding. S is double or `Counted`.
template <class S>
class DenseSolverOf {
 public:
  using Vector = Eigen::VectorX<S>;
  using Matrix = Eigen::MatrixX<S>;

  explicit DenseSolverOf(int nv, DenseMethod method = DenseMethod::cholesky);

  /// τ → v̇. `vdot` may be the memory of `h`.
  void forward(const Eigen::Ref<const Matrix>& M, const Eigen::Ref<const Vector>& h,
               const Eigen::Ref<const Vector>& tau, Eigen::Ref<Vector> vdot);

  /// Per coordinate driven (v̇ given, τ found) or free (τ given, v̇ found).
  void hybrid(const Eigen::Ref<const Matrix>& M, const Eigen::Ref<const Vector>& h, const std::vector<bool>& driven,
              Eigen::Ref<Vector> tau, Eigen::Ref<Vector> vdot);

 private:
  void factor(const Eigen::Ref<const Matrix>& M);
  void solve_in_place(Eigen::Ref<Vector> x);

  DenseMethod method_;
  Matrix M_;
  Vector rhs_, diagonal_;
  Eigen::LDLT<Matrix> ldlt_;
  Eigen::PartialPivLU<Matrix> lu_;
};
using DenseSolver = DenseSolverOf<double>;

}  // namespace lithe
