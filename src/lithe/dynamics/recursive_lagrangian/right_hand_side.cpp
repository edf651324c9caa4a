#include "lithe/dynamics/recursive_lagrangian/right_hand_side.h"

namespace lithe::book83 {

RightHandSide::RightHandSide(const Chain& chain)
    : Q_(chain.links.size(), Matrix4d::Zero()), P_(chain.links.size(), Vector4d::Zero()) {}

void RightHandSide::recur_Q(const Chain& chain, const Letters& l) {
  const int n = chain.n();
  for (int j = n; j >= 1; --j) {
    Q_[j].noalias() = l.G[j] * l.W_ddot[j].transpose();  // 87, 88
    if (chain.links[j].flexible()) Q_[j] += 2 * l.B_2[j] * l.W_dot[j].transpose();
    if (j < n) Q_[j].noalias() += l.EA[j] * Q_[j + 1];
  }
}

void RightHandSide::recur_P(const Chain& chain, const Letters& l) {
  const int n = chain.n();
  for (int j = n; j >= 1; --j) {
    P_[j] = l.r[j];  // 89, 90 (corrected: r_j is the mass-weighted vector of eq 51 and is not weighted again)
    if (j < n) P_[j].noalias() += l.EA[j] * P_[j + 1];
  }
}

void RightHandSide::add_inertia(const Chain& chain, const State& state, const Letters& l, Eigen::Ref<VectorXd> h) {
  recur_Q(chain, l);
  const int n = chain.n();
  for (int j = 1; j <= n; ++j) {
    const ChainLink& link = chain.links[j];
    if (link.q >= 0) h[link.q] += 2 * (l.WU[j] * Q_[j]).trace();  // 83, 84
    if (!link.flexible()) continue;
    // 85, and what 86 adds to it for j < n (corrected: a + between its two traces).
    for (int f = 0; f < link.m(); ++f) h[link.delta + f] += 2 * trace_of_product(l.W_ddot[j], l.WD[j][f]);
    // 2 Tr{2 Ẇ Σ_k δ̇_k C_kf Wᵀ} = 2 Σ_ab (RᵀṘ)_ba Σ_k δ̇_k ∫φ_ka φ_fb dm.
    const Matrix3d RtR_dot = rotation(l.W[j]).transpose() * rotation(l.W_dot[j]);
    for (int a = 0; a < 3; ++a)
      for (int b = 0; b < 3; ++b)
        for_each_entry(link.flex->P[3 * a + b], [&](int k, int f, double P_kf) {
          h[link.delta + f] += 2 * RtR_dot(b, a) * state.v[link.delta + k] * P_kf;
        });
    if (j == n) continue;
    const Matrix4d AQ = l.A[j + 1] * Q_[j + 1];
    for (const int f : link.flex->tip_coordinates) h[link.delta + f] += 2 * (l.WM[j][f] * AQ).trace();
  }
}

void RightHandSide::add_gravity(const Chain& chain, const Letters& l, Eigen::Ref<VectorXd> h) {
  recur_P(chain, l);
  const int n = chain.n();
  for (int j = 1; j <= n; ++j) {
    const ChainLink& link = chain.links[j];
    if (link.q >= 0) h[link.q] -= chain.g.dot(l.WU[j] * P_[j]);  // 84
    if (!link.flexible()) continue;
    const Vector3d g_j = rotation(l.W[j]).transpose() * chain.g.tail<3>();
    for (int f = 0; f < link.m(); ++f) h[link.delta + f] -= g_j.dot(link.flex->S.col(f));  // 85, 86: gᵀ W_j ε_jf
    if (j == n) continue;
    const Vector4d AP = l.A[j + 1] * P_[j + 1];
    for (const int f : link.flex->tip_coordinates) h[link.delta + f] -= chain.g.dot(l.WM[j][f] * AP);  // 86
  }
}

double RightHandSide::base_power(const Chain& chain, const Letters& l, const Eigen::Ref<const VectorXd>& zddot) {
  if (chain.n() == 0) return 0;
  // The base is like a joint before the first one, with Ẇ̂_0 in the place of Ŵ_{j−1}U_j in eq 84.
  const Matrix4d WA = l.W_hat_dot[0] * l.A[1];
  recur_Q(chain, l);
  recur_P(chain, l);
  double power = 2 * (WA * Q_[1]).trace() - chain.g.dot(WA * P_[1]);
  // The accelerations of deflections have a term of their own in eq 38: Σ_k δ̈_ik D_ik W_iᵀ on every link i. WAW is Ẇ̂_0 A_1 ¹W̃_i.
  Matrix4d WAW = WA;
  for (int i = 1; i <= chain.n(); ++i) {
    const ChainLink& link = chain.links[i];
    if (i > 1) WAW *= l.EA[i - 1];
    for (int k = 0; k < link.m(); ++k) power += 2 * zddot[link.delta + k] * trace_of_product(WAW, l.WD[i][k]);
  }
  return power;
}

}  // namespace lithe::book83
