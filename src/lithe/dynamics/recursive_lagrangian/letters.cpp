#include "lithe/dynamics/recursive_lagrangian/letters.h"

#include "lithe/beam/flex_tip.h"

namespace lithe::book83 {

Letters::Letters(const Chain& chain) {
  const size_t size = chain.links.size();
  for (auto* list :
       {&A, &U, &U_2, &E, &EA, &W, &W_hat, &WU, &G, &E_dot, &B_2, &W_dot, &W_hat_dot, &W_ddot, &W_hat_ddot})
    list->assign(size, Matrix4d::Zero());
  r.assign(size, Vector4d::Zero());
  M.resize(size);
  WM.resize(size);
  WD.resize(size);
  moments.resize(size);
  for (int j = 1; j <= chain.n(); ++j) {
    const ChainLink& link = chain.links[j];
    for (auto* list : {&M, &WM, &WD}) (*list)[j].assign(link.m(), Matrix4d::Zero());
    // What never changes.
    A[j] = link.A_0;
    E[j] = link.H;
    G[j] = link.C;
    r[j] = 2 * link.C.col(0);
  }
}

namespace {

/// A_j and its derivatives. Turning about the axis a: dR/dq = [a]× R.
void joint_matrices(const ChainLink& link, double q, Matrix4d& A, Matrix4d& U, Matrix4d& U_2) {
  const Matrix3d a = skew(link.axis), R = axis_rotation(link.axis, q);
  A = link.A_0 * transformation(R, Vector3d::Zero());
  U = link.A_0 * derivative(a * R, Vector3d::Zero());        // below eq 12
  U_2 = link.A_0 * derivative(a * a * R, Vector3d::Zero());  // below eq 12
}

/// E_j and its derivatives by δ_jk.
///
/// `small`:  E_j = H_j + Σ_k δ_jk M_jk with constant M_jk = [0 0; φ_k [ψ_k]×] (eqs 5–7).
/// `finite`: the rotation of E_j is R = exp[θ]×, θ = Σ_k δ_jk ψ_k, and M_jk = [0 0; φ_k [J_l ψ_k]×R].
void link_matrices(const ChainLink& link, bool small, const FlexTip& tip, Matrix4d& E, std::vector<Matrix4d>& M) {
  E = transformation(small ? tip.X_BT_small() : tip.X_BT());
  const Matrix3d R = small ? Matrix3d::Identity() : Matrix3d(rotation(E));
  const Matrix3d J_l = small ? Matrix3d::Identity() : tip.turn.left_jacobian();
  for (const int k : link.flex->tip_coordinates)
    M[k] = derivative(skew(J_l * link.flex->tip_psi.col(k)) * R, link.flex->tip_phi.col(k));
}

/// Ė_j and Ë_j of a flexible link.
///
/// `small`:  Σ_k δ̇_jk M_jk and Σ_k δ̈_jk M_jk (eqs 16, 17).
/// `finite`: Ë_j has velocity terms too: with ω = J_l θ̇ the rate of R is [ω]×R, and that of ω is J_l θ̈ + (∂J_l/∂θ·θ̇)θ̇.
void link_rates(const ChainLink& link, bool small, const State& state, const Eigen::Ref<const VectorXd>& zddot,
                const Matrix4d& E, Matrix4d& E_dot, Matrix4d& E_ddot) {
  const FlexBasis& flex = *link.flex;
  const auto rate = state.v.segment(link.delta, link.m());
  const auto acceleration = zddot.segment(link.delta, link.m());
  const Vector3d u_dot = flex.tip_phi * rate, u_ddot = flex.tip_phi * acceleration;
  const Vector3d theta_dot = flex.tip_psi * rate, theta_ddot = flex.tip_psi * acceleration;
  if (small) {
    E_dot = derivative(skew(theta_dot), u_dot);
    E_ddot = derivative(skew(theta_ddot), u_ddot);
    return;
  }
  const ExpMap turn(flex.tip_psi * state.q.segment(link.delta, link.m()));
  const Matrix3d R = rotation(E), J_l = turn.left_jacobian();
  const Matrix3d omega = skew(J_l * theta_dot);
  const Matrix3d alpha = skew(J_l * theta_ddot + turn.left_jacobian_derivative(theta_dot, theta_dot));
  E_dot = derivative(omega * R, u_dot);
  E_ddot = derivative((alpha + omega * omega) * R, u_ddot);
}

/// G_j (eq 37 or, complete, B_3j of eq 29), r_j (eq 51; corrected: ε_k is *twice* the top row of C_k, which carries a ½) and
/// W_j D_jkᵀ (eq 36).
void link_integrals(const FlexBasis& flex, const Matrix4d& W, const FlexMoments& moments, Matrix4d& G, Vector4d& r,
                    std::vector<Matrix4d>& WD) {
  G = half_moments(flex.mass, moments.s, moments.Sigma);
  r << flex.mass, moments.s;
  // D_k = ½∫h φ_kᵀ dm = ½[0 S_kᵀ; 0 P_k], so W D_kᵀ = ½[0 0; R S_k  R P_kᵀ].
  const Matrix3d half_R = rotation(W) / 2;
  for (int k = 0; k < flex.size(); ++k) {
    WD[k].bottomLeftCorner<3, 1>() = half_R * flex.S.col(k);
    for (int a = 0; a < 3; ++a) WD[k].block<3, 1>(1, 1 + a) = half_R * moments.P[a].col(k);
  }
}

}  // namespace

void update_positions(const Chain& chain, const RootMotion& root, const State& state, Letters& l) {
  // Eq 3 has Ŵ_0 = 1; here the base stands where it is.
  l.W_hat[0] = transformation(root.X_WR);
  for (int j = 1; j <= chain.n(); ++j) {
    const ChainLink& link = chain.links[j];
    if (link.q >= 0) {
      joint_matrices(link, state.q[link.q], l.A[j], l.U[j], l.U_2[j]);
      l.WU[j] = l.W_hat[j - 1] * l.U[j];
    }
    l.W[j] = l.W_hat[j - 1] * l.A[j];  // 3
    if (link.flexible()) {
      const auto delta = state.q.segment(link.delta, link.m());
      link_matrices(link, chain.small_tip_rotation, FlexTip(*link.flex, delta), l.E[j], l.M[j]);
      for (const int k : link.flex->tip_coordinates) l.WM[j][k] = l.W[j] * l.M[j][k];
      update_moments(*link.flex, delta, l.moments[j]);
      link_integrals(*link.flex, l.W[j], l.moments[j], l.G[j], l.r[j], l.WD[j]);
    }
    l.W_hat[j] = l.W[j] * l.E[j];  // 13
    if (j > 1) l.EA[j - 1] = l.E[j - 1] * l.A[j];
  }
}

void update_rates(const Chain& chain, const RootMotion& root, const State& state,
                  const Eigen::Ref<const VectorXd>& zddot, Letters& l) {
  // A base of given motion: Ŵ_0 and its rates are known.
  const Matrix3d omega = skew(root.omega), alpha = skew(root.alpha);
  l.W_hat_dot[0] = derivative(omega * root.X_WR.R, root.velocity);
  l.W_hat_ddot[0] = derivative((alpha + omega * omega) * root.X_WR.R, root.acceleration);
  for (int j = 1; j <= chain.n(); ++j) {
    const ChainLink& link = chain.links[j];
    // 9 and 10 (corrected: hats on all factors j − 1).
    l.W_dot[j] = l.W_hat_dot[j - 1] * l.A[j];
    l.W_ddot[j] = l.W_hat_ddot[j - 1] * l.A[j];
    if (link.q >= 0) {
      const double q_dot = state.v[link.q], q_ddot = zddot[link.q];
      const Matrix4d A_dot = q_dot * l.U[j];  // 11
      l.W_dot[j] += q_dot * l.WU[j];
      l.W_ddot[j] += 2 * l.W_hat_dot[j - 1] * A_dot;
      l.W_ddot[j] += l.W_hat[j - 1] * (q_dot * q_dot * l.U_2[j]) + q_ddot * l.WU[j];  // 12
    }
    // 14 and 15 (corrected: hats on the left).
    l.W_hat_dot[j] = l.W_dot[j] * l.E[j];
    l.W_hat_ddot[j] = l.W_ddot[j] * l.E[j];
    if (!link.flexible()) continue;
    Matrix4d E_ddot;
    link_rates(link, chain.small_tip_rotation, state, zddot, l.E[j], l.E_dot[j], E_ddot);
    l.W_hat_dot[j] += l.W[j] * l.E_dot[j];
    l.W_hat_ddot[j] += 2 * l.W_dot[j] * l.E_dot[j] + l.W[j] * E_ddot;
    const auto rate = state.v.segment(link.delta, link.m());
    l.B_2[j].topRightCorner<1, 3>() = (link.flex->S * rate / 2).transpose();
    for (int a = 0; a < 3; ++a) l.B_2[j].block<1, 3>(1 + a, 1) = (l.moments[j].P[a] * rate / 2).transpose();
  }
}

double kinetic_energy(const Chain& chain, const State& state, const Letters& l) {
  double K = 0;
  for (int j = 1; j <= chain.n(); ++j) {
    const ChainLink& link = chain.links[j];
    K += trace_of_product(l.W_dot[j] * l.G[j], l.W_dot[j]);  // 22, with B_3j = G_j
    if (!link.flexible()) continue;
    K += 2 * trace_of_product(l.W_dot[j] * l.B_2[j], l.W[j]);
    // Tr{W B_1 Wᵀ} with B_1 = Σ_kl δ̇_k δ̇_l C_kl (eq 24).
    const Matrix3d S = rotation(l.W[j]).transpose() * rotation(l.W[j]);
    const auto rate = state.v.segment(link.delta, link.m());
    for (int a = 0; a < 3; ++a)
      for (int b = 0; b < 3; ++b)
        for_each_entry(link.flex->P[3 * a + b],
                       [&](int k, int f, double P_kf) { K += S(a, b) * P_kf * rate[k] * rate[f] / 2; });
  }
  return K;
}

}  // namespace lithe::book83
