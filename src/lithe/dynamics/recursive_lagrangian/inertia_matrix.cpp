#include "lithe/dynamics/recursive_lagrangian/inertia_matrix.h"

#include <algorithm>

#include "lithe/spatial/counted.h"

namespace lithe::book83 {
namespace {

/// 2 Tr{X Yᵀ}: what every coefficient is.
template <class S>
S coefficient(const Matrix4<S>& X, const Matrix4<S>& Y) {
  return S(2) * trace_with_transpose(X, Y);
}

/// J is symmetric: each coefficient is found once.
template <class S>
void add(Eigen::Ref<Eigen::MatrixX<S>> J, int row, int column, const S& value) {
  J(row, column) += value;
  J(column, row) = J(row, column);
}

}  // namespace

template <class S>
InertiaMatrix<S>::InertiaMatrix(const Chain& chain)
    : n_(chain.n()), F_tilde_(size_t((n_ + 1) * (n_ + 1)), Matrix4<S>::Zero()) {
  int most = 0;
  for (const ChainLink& link : chain.links) most = std::max(most, link.m());
  WMW_.assign(most, Matrix4<S>::Zero());
}

template <class S>
void InertiaMatrix<S>::recur(const Letters<S>& l) {
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
template <class S>
Matrix4<S> InertiaMatrix<S>::F(const Letters<S>& l, int j, int h) const {
  return F_tilde(j, h + 1) * l.A[h + 1].transpose();
}

// 81 (corrected: A_{j+1} ʲ⁺¹F_h, which the print gives as A_{j+1} ʲF̃_h).
template <class S>
Matrix4<S> InertiaMatrix<S>::Phi(const Letters<S>& l, int j, int h) const {
  return l.A[j + 1] * F(l, j + 1, h);
}

/// Row of q_j: 66 in the columns of joints, 68–70 in those of deflections.
template <class S>
void InertiaMatrix<S>::joint_coefficients(Matrix J, const Chain& chain, const Letters<S>& l, int j) const {
  const int row = chain.links[j].q;
  Matrix4<S> WUW = l.WU[j];  // Ŵ_{j−1}U_j ʲW̃_h = ∂W_h/∂q_j, from h = j on
  for (int h = 1; h <= n_; ++h) {
    const ChainLink& link = chain.links[h];
    if (h > j) WUW *= l.EA[h - 1];
    if (h >= j && link.q >= 0) add<S>(J, row, link.q, coefficient<S>(l.WU[j] * F_tilde(j, h), l.WU[h]));  // 66
    if (!link.flexible()) continue;
    if (h < n_) {
      const Matrix4<S> WUF = l.WU[j] * F(l, j, h);
      for (const int k : link.flex->tip_coordinates)
        add<S>(J, row, link.delta + k, coefficient(WUF, l.WM[h][k]));  // 69, 70 (corrected: W_h, printed W_n)
    }
    if (h < j) continue;
    for (int k = 0; k < link.m(); ++k) add<S>(J, row, link.delta + k, coefficient(WUW, l.WD[h][k]));  // 68, 69
  }
}

/// Rows and columns of δ_j: 72, 73 (corrected: Tr{W … Wᵀ}; the print cancels W_jᵀW_j, which is not 1 for small rotations).
template <class S>
void InertiaMatrix<S>::own_deflection_coefficients(Matrix J, const Chain& chain, const Letters<S>& l, int j) const {
  const ChainLink& link = chain.links[j];
  // 2 Tr{W C_kf Wᵀ} = Σ_ab (RᵀR)_ab ∫φ_ka φ_fb dm, and the modal mass where RᵀR = 1.
  if (!chain.small_tip_rotation || chain.shortcuts) {
    for_each_entry(link.flex->M, [&](int k, int f, double M_kf) { J(link.delta + k, link.delta + f) += S(M_kf); });
  } else {
    const Eigen::Matrix3<S> RtR = rotation(l.W[j]).transpose() * rotation(l.W[j]);
    for (int a = 0; a < 3; ++a)
      for (int b = 0; b < 3; ++b)
        for_each_entry(link.flex->P[3 * a + b],
                       [&](int k, int f, double P_kf) { J(link.delta + k, link.delta + f) += RtR(a, b) * S(P_kf); });
    if (link.has_rotary)
      for_each_entry(link.rotary_mass,
                     [&](int k, int f, double M_kf) { J(link.delta + k, link.delta + f) += S(M_kf); });
  }
  if (j == n_) return;
  const Matrix4<S> Phi_jj = Phi(l, j, j);
  const std::vector<Matrix4<S>>& M = chain.shortcuts ? l.M[j] : l.WM[j];
  for (const int f : link.flex->tip_coordinates) {
    const Matrix4<S> MPhi = M[f] * Phi_jj;
    for (const int k : link.flex->tip_coordinates)
      if (k <= f) add<S>(J, link.delta + f, link.delta + k, coefficient(MPhi, M[k]));
  }
}

/// Rows of δ_j, columns of deflections of links h > j: 74, 75 (corrected: 75 begins with W_j, and Φ_h multiplies M_hkᵀ).
template <class S>
void InertiaMatrix<S>::deflection_coefficients(Matrix J, const Chain& chain, const Letters<S>& l, int j) {
  const ChainLink& own = chain.links[j];
  for (const int f : own.flex->tip_coordinates) WMW_[f] = l.WM[j][f] * l.A[j + 1];
  for (int h = j + 1; h <= n_; ++h) {
    const ChainLink& link = chain.links[h];
    if (h > j + 1)
      for (const int f : own.flex->tip_coordinates) WMW_[f] *= l.EA[h - 1];
    if (!link.flexible()) continue;
    for (const int f : own.flex->tip_coordinates)
      for (int k = 0; k < link.m(); ++k)
        add<S>(J, own.delta + f, link.delta + k, coefficient(WMW_[f], l.WD[h][k]));  // 74, 75
    if (h == n_) continue;
    const Matrix4<S> Phi_jh = Phi(l, j, h);
    for (const int f : own.flex->tip_coordinates) {
      const Matrix4<S> WMPhi = l.WM[j][f] * Phi_jh;
      for (const int k : link.flex->tip_coordinates)
        add<S>(J, own.delta + f, link.delta + k, coefficient(WMPhi, l.WM[h][k]));  // 75
    }
  }
}

template <class S>
void InertiaMatrix<S>::put_into(Matrix J, const Chain& chain, const Letters<S>& l) {
  recur(l);
  for (int j = 1; j <= n_; ++j) {
    const ChainLink& link = chain.links[j];
    if (link.q >= 0) joint_coefficients(J, chain, l, j);
    if (!link.flexible()) continue;
    own_deflection_coefficients(J, chain, l, j);
    if (j < n_) deflection_coefficients(J, chain, l, j);
  }
}

template class InertiaMatrix<double>;
template class InertiaMatrix<Counted>;

}  // namespace lithe::book83
