#include "lithe/dynamics/recursive_lagrangian/right_hand_side.h"

#include "lithe/spatial/counted.h"

namespace lithe::book83 {
namespace {

/// gᵀ x with gᵀ = [0 g_x g_y g_z] (below eq 49).
template <class S>
S weight(const Chain& chain, const Vector4<S>& x) {
  return chain.g.cast<S>().dot(x.template tail<3>());
}

}  // namespace

template <class S>
RightHandSide<S>::RightHandSide(const Chain& chain)
    : Q_(chain.links.size(), Matrix4<S>::Zero()), P_(chain.links.size(), Vector4<S>::Zero()) {}

template <class S>
void RightHandSide<S>::recur_Q(const Chain& chain, const Letters<S>& l) {
  const int n = chain.n();
  for (int j = n; j >= 1; --j) {
    Q_[j].noalias() = l.G[j] * l.W_ddot[j].transpose();  // 87, 88
    if (chain.links[j].flexible()) Q_[j] += S(2) * l.B_2[j] * l.W_dot[j].transpose();
    if (j < n) Q_[j].noalias() += l.EA[j] * Q_[j + 1];
  }
}

template <class S>
void RightHandSide<S>::recur_P(const Chain& chain, const Letters<S>& l) {
  const int n = chain.n();
  for (int j = n; j >= 1; --j) {
    P_[j] = l.r[j];  // 89, 90 (corrected: the printed M_j r_j means the r_jj of eq 51; its r_j has the mass already)
    if (j < n) P_[j].noalias() += l.EA[j] * P_[j + 1];
  }
}

template <class S>
void RightHandSide<S>::add_velocity_terms(const Chain& chain, const Letters<S>& l, const State& zdot, Vector h) {
  recur_Q(chain, l);
  const int n = chain.n();
  const S two(2);
  for (int j = 1; j <= n; ++j) {
    const ChainLink& link = chain.links[j];
    if (link.q >= 0) h[link.q] += two * trace(l.WU[j], Q_[j]);  // 83, 84
    if (!link.flexible()) continue;
    // 85, and what 86 adds to it for j < n (corrected: a + between its two traces).
    for (int f = 0; f < link.m(); ++f) h[link.delta + f] += two * trace_with_transpose(l.W_ddot[j], l.WD[j][f]);
    // 2 Tr{2 Ẇ Σ_k δ̇_k C_kf Wᵀ} = 2 Σ_ab (RᵀṘ)_ba Σ_k δ̇_k ∫φ_ka φ_fb dm.
    const Eigen::Matrix3<S> twice_RtR_dot = two * rotation(l.W[j]).transpose() * rotation(l.W_dot[j]);
    for (int a = 0; a < 3; ++a)
      for (int b = 0; b < 3; ++b)
        for_each_entry(link.flex->P[3 * a + b], [&](int k, int f, double P_kf) {
          h[link.delta + f] += twice_RtR_dot(b, a) * zdot[link.delta + k] * S(P_kf);
        });
    if (j == n) continue;
    const Matrix4<S> AQ = l.A[j + 1] * Q_[j + 1];
    for (const int f : link.flex->tip_coordinates) h[link.delta + f] += two * trace(l.WM[j][f], AQ);
  }
}

template <class S>
void RightHandSide<S>::add_gravity(const Chain& chain, const Letters<S>& l, Vector h) {
  recur_P(chain, l);
  const int n = chain.n();
  for (int j = 1; j <= n; ++j) {
    const ChainLink& link = chain.links[j];
    if (link.q >= 0) h[link.q] -= weight<S>(chain, l.WU[j] * P_[j]);  // 84
    if (!link.flexible()) continue;
    const Eigen::Vector3<S> g_j = rotation(l.W[j]).transpose() * chain.g.cast<S>();
    for (int f = 0; f < link.m(); ++f)
      h[link.delta + f] -= g_j.dot(link.flex->S.col(f).template cast<S>());  // 85, 86: gᵀ W_j ε_jf
    if (j == n) continue;
    const Vector4<S> AP = l.A[j + 1] * P_[j + 1];
    for (const int f : link.flex->tip_coordinates) h[link.delta + f] -= weight<S>(chain, l.WM[j][f] * AP);  // 86
  }
}

template <class S>
S RightHandSide<S>::base_power(const Chain& chain, const Letters<S>& l, const State& zddot) {
  if (chain.n() == 0) return S(0);
  // The base is like a joint before the first one, with Ẇ̂_0 A_1 in the place of Ŵ_{j−1}U_j in eq 84.
  Matrix4<S> WA = l.W_hat_dot[0] * l.A[1];
  recur_Q(chain, l);
  recur_P(chain, l);
  S power = S(2) * trace(WA, Q_[1]) - weight<S>(chain, WA * P_[1]);
  // Accelerations of deflections have a term of their own in eq 38: Σ_k δ̈_ik D_ik W_iᵀ on every link i.
  for (int i = 1; i <= chain.n(); ++i) {
    const ChainLink& link = chain.links[i];
    if (i > 1) WA *= l.EA[i - 1];
    for (int k = 0; k < link.m(); ++k) power += S(2) * zddot[link.delta + k] * trace_with_transpose(WA, l.WD[i][k]);
  }
  return power;
}

template class RightHandSide<double>;
template class RightHandSide<Counted>;

}  // namespace lithe::book83
