#pragma once

#include <vector>

#include "lithe/spatial/spatial.h"

namespace lithe {

/// How to factor M: by LDLᵀ, which takes M for positive definite, or by LU with row pivots, which takes any regular M.
enum class Factors { ldlt, lu };

/// Solves M v̇ + h = τ with a dense M. Holds its working memory, sized once: solving allocates nothing. Throws SingularError
/// where M is not positive definite (with LU: not regular) to rounding.
class DenseSolver {
 public:
  explicit DenseSolver(int nv, Factors factors = Factors::ldlt);

  /// τ → v̇. `vdot` may be the memory of `h`.
  void forward(const Eigen::Ref<const MatrixXd>& M, const Eigen::Ref<const VectorXd>& h,
               const Eigen::Ref<const VectorXd>& tau, Eigen::Ref<VectorXd> vdot);

  /// Per coordinate driven (v̇ given, τ found) or free (τ given, v̇ found).
  void hybrid(const Eigen::Ref<const MatrixXd>& M, const Eigen::Ref<const VectorXd>& h, const std::vector<bool>& driven,
              Eigen::Ref<VectorXd> tau, Eigen::Ref<VectorXd> vdot);

 private:
  /// x ← M⁻¹ x
  void solve(const Eigen::Ref<const MatrixXd>& M, Eigen::Ref<VectorXd> x);

  Factors factors_;
  MatrixXd M_;
  VectorXd rhs_, solution_;
  Eigen::LDLT<MatrixXd> ldlt_;
  Eigen::PartialPivLU<MatrixXd> lu_;
};

}  // namespace lithe
