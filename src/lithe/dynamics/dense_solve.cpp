#include "lithe/dynamics/dense_solve.h"

#include "lithe/dynamics/formulation.h"
#include "lithe/spatial/counted.h"
#include "lithe/spatial/demand.h"

namespace lithe {
namespace {

/// Pivots of a positive definite matrix, none lost to rounding. A pivot is measured by the diagonal entry it comes from: a
/// joint's inertia may exceed that of a node's twist by more than rounding. What rounding of a lever arm leaves on the
/// diagonal is not inertia. Uses values only, so that it is not counted as work.
template <class Pivots, class Diagonal>
bool sound(const Pivots& pivots, const Diagonal& diagonal) {
  double most = 0;
  for (Eigen::Index i = 0; i < pivots.size(); ++i) most = std::max(most, double(diagonal[i]));
  for (Eigen::Index i = 0; i < pivots.size(); ++i) {
    const double pivot = double(pivots[i]);
    if (!(pivot > 1e-15 * double(diagonal[i]) && pivot > 1e-28 * most)) return false;  // NaN fails too
  }
  return true;
}

}  // namespace

template <class S>
DenseSolverOf<S>::DenseSolverOf(int nv, DenseMethod method)
    : method_(method),
      M_(Matrix::Zero(nv, nv)),
      rhs_(Vector::Zero(nv)),
      diagonal_(Vector::Zero(nv)),
      ldlt_(method == DenseMethod::cholesky ? nv : 0),
      lu_(method == DenseMethod::lu ? nv : 0) {}

template <class S>
void DenseSolverOf<S>::factor(const Eigen::Ref<const Matrix>& M) {
  bool regular;
  diagonal_ = M.diagonal();
  if (method_ == DenseMethod::cholesky) {
    ldlt_.compute(M);
    for (Eigen::Index k = 0; k < diagonal_.size(); ++k)
      std::swap(diagonal_[k], diagonal_[ldlt_.transpositionsP().coeff(k)]);  // in the order of the pivots
    regular = ldlt_.isPositive() && sound(ldlt_.vectorD(), diagonal_);
  } else {
    lu_.compute(M);
    regular = sound(lu_.matrixLU().diagonal().cwiseAbs(), diagonal_);
  }
  if (!regular) throw SingularError("the mass matrix is singular here");
}

template <class S>
void DenseSolverOf<S>::solve_in_place(Eigen::Ref<Vector> x) {
  if (method_ == DenseMethod::cholesky) {
    ldlt_.solveInPlace(x);
  } else {
    rhs_ = lu_.permutationP() * x;
    lu_.matrixLU().template triangularView<Eigen::UnitLower>().solveInPlace(rhs_);
    lu_.matrixLU().template triangularView<Eigen::Upper>().solveInPlace(rhs_);
    x = rhs_;
  }
}

template <class S>
void DenseSolverOf<S>::forward(const Eigen::Ref<const Matrix>& M, const Eigen::Ref<const Vector>& h,
                               const Eigen::Ref<const Vector>& tau, Eigen::Ref<Vector> vdot) {
  if (M.rows() == 0) return;  // nothing moves, and a factorisation needs a row
  vdot = tau - h;
  factor(M);
  solve_in_place(vdot);
}

template <class S>
void DenseSolverOf<S>::hybrid(const Eigen::Ref<const Matrix>& M, const Eigen::Ref<const Vector>& h,
                              const std::vector<bool>& driven, Eigen::Ref<Vector> tau, Eigen::Ref<Vector> vdot) {
  const int nv = int(M.rows());
  LITHE_DEMAND_EQUAL(int(driven.size()), nv);
  if (nv == 0) return;
  // Rows of free coordinates: M_ff v̇_f = τ_f − h_f − M_fd v̇_d; then the driven rows give their τ. The driven unknowns
  // are kept in place by unit rows, so that sizes stay fixed.
  M_ = M;
  for (int f = 0; f < nv; ++f) {
    if (driven[f]) continue;
    S force = tau[f] - h[f];
    for (int d = 0; d < nv; ++d)
      if (driven[d]) force -= M(f, d) * vdot[d];
    vdot[f] = force;
  }
  for (int d = 0; d < nv; ++d) {
    if (!driven[d]) continue;
    M_.row(d).setZero();
    M_.col(d).setZero();
    M_(d, d) = 1;
  }
  factor(M_);
  solve_in_place(vdot);
  for (int d = 0; d < nv; ++d)
    if (driven[d]) tau[d] = h[d] + M.row(d).dot(vdot);
}

template class DenseSolverOf<double>;
template class DenseSolverOf<Counted>;

}  // namespace lithe
