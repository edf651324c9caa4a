#include "lithe/dynamics/dense_solve.h"

#include "lithe/dynamics/formulation.h"
#include "lithe/spatial/demand.h"

namespace lithe {

DenseSolver::DenseSolver(int nv, Factors factors)
    : factors_(factors),
      M_(MatrixXd::Zero(nv, nv)),
      rhs_(VectorXd::Zero(nv)),
      solution_(VectorXd::Zero(nv)),
      ldlt_(nv),
      lu_(nv) {}

void DenseSolver::solve(const Eigen::Ref<const MatrixXd>& M, Eigen::Ref<VectorXd> x) {
  auto demand_regular = [](const auto& pivots, bool sound) {
    if (!sound || !(pivots.cwiseAbs().minCoeff() > 1e-15 * pivots.cwiseAbs().maxCoeff()))
      throw SingularError("the mass matrix is singular here");
  };
  if (factors_ == Factors::ldlt) {
    ldlt_.compute(M);
    demand_regular(ldlt_.vectorD(), ldlt_.isPositive());
    ldlt_.solveInPlace(x);
  } else {
    lu_.compute(M);
    demand_regular(lu_.matrixLU().diagonal(), true);
    solution_.noalias() = lu_.solve(x);
    x = solution_;
  }
}

void DenseSolver::forward(const Eigen::Ref<const MatrixXd>& M, const Eigen::Ref<const VectorXd>& h,
                          const Eigen::Ref<const VectorXd>& tau, Eigen::Ref<VectorXd> vdot) {
  if (M.rows() == 0) return;  // nothing moves, and a factorisation needs a row
  vdot = tau - h;
  solve(M, vdot);
}

void DenseSolver::hybrid(const Eigen::Ref<const MatrixXd>& M, const Eigen::Ref<const VectorXd>& h,
                         const std::vector<bool>& driven, Eigen::Ref<VectorXd> tau, Eigen::Ref<VectorXd> vdot) {
  const int nv = int(M.rows());
  LITHE_DEMAND_EQUAL(int(driven.size()), nv);
  if (nv == 0) return;
  // Rows of free coordinates: M_ff v̇_f = τ_f − h_f − M_fd v̇_d; then the driven rows give their τ. The driven unknowns
  // are kept in place by unit rows, so that sizes stay fixed.
  M_ = M;
  rhs_ = tau - h;
  for (int d = 0; d < nv; ++d) {
    if (!driven[d]) continue;
    for (int f = 0; f < nv; ++f)
      if (!driven[f]) rhs_[f] -= M_(f, d) * vdot[d];
    M_.row(d).setZero();
    M_.col(d).setZero();
    M_(d, d) = 1;
    rhs_[d] = vdot[d];
  }
  solve(M_, rhs_);
  vdot = rhs_;
  rhs_ = h;
  rhs_.noalias() += M * vdot;
  for (int d = 0; d < nv; ++d)
    if (driven[d]) tau[d] = rhs_[d];
}

}  // namespace lithe
