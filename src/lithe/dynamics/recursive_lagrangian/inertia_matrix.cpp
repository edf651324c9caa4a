#include "lithe/dynamics/recursive_lagrangian/inertia_matrix.h"

#include <algorithm>

namespace lithe::book83 {
namespace {

/// J is symmetric: each coefficient is found once.
void put(Eigen::Ref<MatrixXd> J, int row, int column, double value) { J(row, column) = J(column, row) = value; }

}  // namespace

InertiaMatrix::InertiaMatrix(const Chain& chain)
    : n_(chain.n()), F_tilde_(size_t((n_ + 1) * (n_ + 1)), Matrix4d::Zero()) {
  int most = 0;
  for (const ChainLink& link : chain.links) most = std::max(most, link.m());
  WMW_.assign(most, Matrix4d::Zero());
}

void InertiaMatrix::recur(const Letters& l) {
  for (int h = n_; h >= 1; --h) {
    // 77, and 79 (corrected: its factor is E_h A_{h+1}).
    F_tilde(h, h) = l.G[h];
    if (h < n_) F_tilde(h, h).noalias() += F_tilde(h, h + 1) * l.EA[h].transpose();
    // 78 (corrected: it holds for j < h, with E_j A_{j+1}); the other half by symmetry.
    for (int j = h - 1; j >= 1; --j) {
      F_tilde(j, h).noalias() = l.EA[j] * F_tilde(j + 1, h);
      F_tilde(h, j) = F_tilde(j, h).transpose();
    }
  }
}

// 80 (corrected: no minus, and A_{h+1}).
Matrix4d InertiaMatrix::F(const Letters& l, int j, int h) const { return F_tilde(j, h + 1) * l.A[h + 1].transpose(); }

// 81 (corrected: A_{j+1} ʲ⁺¹F_h, which the print gives as A_{j+1} ʲF̃_h).
Matrix4d InertiaMatrix::Phi(const Letters& l, int j, int h) const { return l.A[j + 1] * F(l, j + 1, h); }

/// Row of q_j: 66 in the columns of joints, 68–70 in those of deflections.
void InertiaMatrix::joint_coefficients(Eigen::Ref<MatrixXd> J, const Chain& chain, const Letters& l, int j) const {
  const int row = chain.links[j].q;
  Matrix4d WUW = l.WU[j];  // Ŵ_{j−1}U_j ʲW̃_h = ∂W_h/∂q_j, from h = j on
  for (int h = 1; h <= n_; ++h) {
    const ChainLink& link = chain.links[h];
    if (h > j) WUW *= l.EA[h - 1];
    if (h >= j && link.q >= 0) put(J, row, link.q, 2 * trace_of_product(l.WU[j] * F_tilde(j, h), l.WU[h]));  // 66
    if (!link.flexible()) continue;
    if (h < n_) {
      const Matrix4d WUF = l.WU[j] * F(l, j, h);
      for (const int k : link.flex->tip_coordinates)
        put(J, row, link.delta + k, 2 * trace_of_product(WUF, l.WM[h][k]));  // 69, 70 (corrected: W_h, printed W_n)
    }
    if (h < j) continue;
    for (int k = 0; k < link.m(); ++k)
      put(J, row, link.delta + k, J(row, link.delta + k) + 2 * trace_of_product(WUW, l.WD[h][k]));  // 68, 69
  }
}

/// Rows and columns of δ_j: 72, 73 (corrected: Tr{W … Wᵀ}; the print cancels W_jᵀW_j, which is not 1 for small rotations).
void InertiaMatrix::own_deflection_coefficients(Eigen::Ref<MatrixXd> J, const Chain& chain, const Letters& l,
                                                int j) const {
  const ChainLink& link = chain.links[j];
  // 2 Tr{W C_kf Wᵀ} = Σ_ab (RᵀR)_ab ∫φ_ka φ_fb dm, and the modal mass where RᵀR = 1.
  if (!chain.small_tip_rotation || chain.shortcuts) {
    for_each_entry(link.flex->M, [&](int k, int f, double M_kf) { J(link.delta + k, link.delta + f) += M_kf; });
  } else {
    const Matrix3d RtR = rotation(l.W[j]).transpose() * rotation(l.W[j]);
    for (int a = 0; a < 3; ++a)
      for (int b = 0; b < 3; ++b)
        for_each_entry(link.flex->P[3 * a + b],
                       [&](int k, int f, double P_kf) { J(link.delta + k, link.delta + f) += RtR(a, b) * P_kf; });
  }
  if (j == n_) return;
  const Matrix4d Phi_jj = Phi(l, j, j);
  const std::vector<Matrix4d>& M = chain.shortcuts ? l.M[j] : l.WM[j];
  for (const int f : link.flex->tip_coordinates) {
    const Matrix4d M_Phi = M[f] * Phi_jj;
    for (const int k : link.flex->tip_coordinates)
      J(link.delta + f, link.delta + k) += 2 * trace_of_product(M_Phi, M[k]);
  }
}

/// Rows of δ_j, columns of deflections of links h > j: 74, 75 (corrected: 75 begins with W_j, and Φ_h multiplies M_hkᵀ).
void InertiaMatrix::deflection_coefficients(Eigen::Ref<MatrixXd> J, const Chain& chain, const Letters& l, int j) {
  const ChainLink& own = chain.links[j];
  for (const int f : own.flex->tip_coordinates) WMW_[f] = l.WM[j][f] * l.A[j + 1];
  for (int h = j + 1; h <= n_; ++h) {
    const ChainLink& link = chain.links[h];
    if (h > j + 1)
      for (const int f : own.flex->tip_coordinates) WMW_[f] *= l.EA[h - 1];
    if (!link.flexible()) continue;
    for (const int f : own.flex->tip_coordinates)
      for (int k = 0; k < link.m(); ++k)
        put(J, own.delta + f, link.delta + k, 2 * trace_of_product(WMW_[f], l.WD[h][k]));  // 74, 75
    if (h == n_) continue;
    const Matrix4d Phi_jh = Phi(l, j, h);
    for (const int f : own.flex->tip_coordinates) {
      const Matrix4d WMPhi = l.WM[j][f] * Phi_jh;
      for (const int k : link.flex->tip_coordinates) {
        const int row = own.delta + f, column = link.delta + k;
        put(J, row, column, J(row, column) + 2 * trace_of_product(WMPhi, l.WM[h][k]));  // 75
      }
    }
  }
}

void InertiaMatrix::add_to(Eigen::Ref<MatrixXd> J, const Chain& chain, const Letters& l) {
  recur(l);
  for (int j = 1; j <= n_; ++j) {
    const ChainLink& link = chain.links[j];
    if (link.q >= 0) joint_coefficients(J, chain, l, j);
    if (!link.flexible()) continue;
    own_deflection_coefficients(J, chain, l, j);
    if (j < n_) deflection_coefficients(J, chain, l, j);
  }
}

}  // namespace lithe::book83
