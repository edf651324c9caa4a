#include "lithe/dynamics/articulated/border_plan.h"

#include <Eigen/SparseCholesky>

namespace lithe {

BorderPlan::BorderPlan(std::shared_ptr<const FlexBasis> basis_, const RigidInertia& body)
    : basis(std::move(basis_)), tip_body(body) {
  const int m = basis->size();
  std::vector<bool> at_tip(size_t(m), false);
  for (const int k : basis->tip_coordinates) at_tip[k] = true;
  for (const bool tip : {false, true})
    for (int k = 0; k < m; ++k)
      if (at_tip[k] == tip) index.push_back(k);
  n_tip = int(basis->tip_coordinates.size());
  n_inner = m - n_tip;
  position.resize(size_t(m));
  for (int k = 0; k < m; ++k) position[index[k]] = k;

  // M in our order, as triplets of its blocks.
  std::vector<Eigen::Triplet<double>> inner, cross;
  MatrixXd M_TT = MatrixXd::Zero(n_tip, n_tip);
  for (int l = 0; l < m; ++l)
    for (SparseMatrixd::InnerIterator entry(basis->M, l); entry; ++entry) {
      const int i = position[entry.row()], j = position[l];
      if (i < n_inner && j < n_inner) inner.emplace_back(i, j, entry.value());
      if (i < n_inner && j >= n_inner) cross.emplace_back(i, j - n_inner, entry.value());
      if (i >= n_inner && j >= n_inner) M_TT(i - n_inner, j - n_inner) = entry.value();
    }
  SparseMatrixd M_II(n_inner, n_inner), M_IT(n_inner, n_tip);
  M_II.setFromTriplets(inner.begin(), inner.end());
  M_IT.setFromTriplets(cross.begin(), cross.end());

  using RowMajor = Eigen::SparseMatrix<double, Eigen::RowMajor>;
  RowMajor L(n_inner, n_inner), W(n_inner, n_tip);
  if (n_inner > 0) {
    const Eigen::SimplicialLLT<SparseMatrixd, Eigen::Lower, Eigen::NaturalOrdering<int>> factor(M_II);
    if (factor.info() != Eigen::Success) {
      factored = false;
      return;
    }
    const SparseMatrixd lower = factor.matrixL();
    L = lower;
    SparseMatrixd solved = M_IT;
    factor.matrixL().solveInPlace(solved);
    W = solved.pruned();
    M_TT -= MatrixXd(solved.transpose() * solved);
  }
  for (int i = 0; i < n_inner; ++i) {
    L_start.push_back(int(L_value.size()));
    for (RowMajor::InnerIterator entry(L, i); entry; ++entry) {
      if (entry.col() == i) {
        inverse_diagonal.push_back(1 / entry.value());
      } else {
        L_column.push_back(int(entry.col()));
        L_value.push_back(entry.value());
      }
    }
    W_start.push_back(int(W_value.size()));
    for (RowMajor::InnerIterator entry(W, i); entry; ++entry) {
      W_column.push_back(int(entry.col()));
      W_value.push_back(entry.value());
    }
  }
  L_start.push_back(int(L_value.size()));
  W_start.push_back(int(W_value.size()));
  for (int i = 0; i < n_tip; ++i)
    for (int j = 0; j < n_tip; ++j) C.push_back(M_TT(i, j));
}

}  // namespace lithe
