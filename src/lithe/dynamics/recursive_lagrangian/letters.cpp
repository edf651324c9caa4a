#include "lithe/dynamics/recursive_lagrangian/letters.h"

#include "lithe/beam/flex_tip.h"
#include "lithe/spatial/counted.h"

namespace lithe::book83 {

template <class S>
Letters<S>::Letters(const Chain& chain) {
  const size_t size = chain.links.size();
  for (List* list :
       {&A, &U, &U_2, &E, &EA, &W, &W_hat, &WU, &G, &E_dot, &B_2, &W_dot, &W_hat_dot, &W_ddot, &W_hat_ddot})
    list->assign(size, Matrix4<S>::Zero());
  r.assign(size, Vector4<S>::Zero());
  for (auto* lists : {&M, &WM, &WD}) lists->resize(size);
  moments.resize(size);
  for (int j = 1; j <= chain.n(); ++j) {
    const ChainLink& link = chain.links[j];
    for (auto* lists : {&M, &WM, &WD}) (*lists)[j].assign(link.m(), Matrix4<S>::Zero());
    // What never changes where a joint is fixed or a link rigid.
    A[j] = link.A_0.cast<S>();
    E[j] = link.H.cast<S>();
    G[j] = link.C.cast<S>();
    r[j] = (2 * link.C.col(0)).cast<S>();
  }
}

/// A_j and its derivatives by q_j (below eq 12).
template <class S>
void Letters<S>::joint_matrices(const ChainLink& link, int j, const S& q) {
  using std::cos, std::sin;
  A[j] = link.A_0.cast<S>();
  if (link.turns) {
    const S s = sin(q), c = cos(q);
    const Matrix4<S> A_sin = link.A_sin.cast<S>(), A_cos = link.A_cos.cast<S>();
    U[j] = c * A_sin - s * A_cos;
    U_2[j] = -s * A_sin - c * A_cos;
    A[j] -= U_2[j];
  }
  if (!link.slides) return;
  const Matrix4<S> A_slide = link.A_slide.cast<S>();
  A[j] += q * A_slide;
  if (link.turns)
    U[j] += A_slide;
  else
    U[j] = A_slide;  // U_2 stays zero
}

/// E_j and M_jk = ∂E_j/∂δ_jk.
///
/// `small`:  E_j = H_j + Σ_k δ_jk M_jk with constant M_jk = [0 0; φ_k [ψ_k]×] (eqs 5–7).
/// `finite`: the rotation of E_j is R = exp[θ]×, θ = Σ_k δ_jk ψ_k, and M_jk = [0 0; φ_k [J_l ψ_k]×R].
template <class S>
void Letters<S>::link_matrices(const ChainLink& link, int j, bool small, const State& delta) {
  using Vector = Eigen::Vector3<S>;
  using Matrix = Eigen::Matrix3<S>;
  const FlexBasis& flex = *link.flex;
  const FlexTipOf<S> tip(flex, delta);
  const Matrix unit = Matrix::Identity();
  const Matrix R = small ? Matrix(unit + cross<S>(tip.turn.theta)) : tip.turn.rotation();
  const Matrix J_l = small ? unit : tip.turn.left_jacobian();
  E[j] = transformation<S>(R, tip.p_BT);
  for (const int k : flex.tip_coordinates) {
    const Vector phi = flex.tip_phi.col(k).template cast<S>(), psi = flex.tip_psi.col(k).template cast<S>();
    M[j][k] = derivative<S>(cross<S>(J_l * psi) * (small ? unit : R), phi);
  }
}

/// Row a of 2 D_k (eq 36), below its first: ∫r_a φ_k dm, and the sections' −½[H_k]× (chain.cpp).
template <class S>
Eigen::Vector3<S> Letters<S>::inertia_row(const ChainLink& link, int j, int k, int a) const {
  Eigen::Vector3<S> row = moments[j].P[a].col(k);
  if (link.has_rotary) row += (0.5 * link.flex->H.col(k).cross(Vector3d::Unit(a))).template cast<S>();
  return row;
}

/// G_j (eq 37 or, complete, B_3j of eq 29), r_j (eq 51; corrected: ε_k is *twice* the top row of C_k, which carries a ½) and
/// W_j D_jkᵀ (eq 36).
template <class S>
void Letters<S>::link_integrals(const ChainLink& link, int j) {
  const FlexBasis& flex = *link.flex;
  const FlexMomentsOf<S>& moment = moments[j];
  const S half(0.5);
  r[j] << S(flex.mass), moment.s;
  G[j] << S(flex.mass), moment.s.transpose(), moment.s, moment.Sigma;
  if (link.has_rotary) rotation(G[j]) += link.rotary_moments.template cast<S>();
  G[j] *= half;
  // D_k = ½[0 S_kᵀ; 0 P_k], so W D_kᵀ = ½[0 0; R S_k  R P_kᵀ].
  const Eigen::Matrix3<S> half_R = half * rotation(W[j]);
  for (int k = 0; k < flex.size(); ++k) {
    WD[j][k].template bottomLeftCorner<3, 1>() = half_R * flex.S.col(k).template cast<S>();
    for (int a = 0; a < 3; ++a) WD[j][k].template block<3, 1>(1, 1 + a) = half_R * inertia_row(link, j, k, a);
  }
}

template <class S>
void Letters<S>::update_positions(const Chain& chain, const RootMotion& root, const State& z) {
  // Eq 3 has Ŵ_0 = 1; here the base stands where it is.
  const Eigen::Matrix4d base = transformation(root.X_WR.R, root.X_WR.p);
  W_hat[0] = base.cast<S>();
  if (chain.base_moves) W_hat[0].template bottomRows<3>() = unknown<S>(base.bottomRows<3>());
  for (int j = 1; j <= chain.n(); ++j) {
    const ChainLink& link = chain.links[j];
    if (link.q >= 0) {
      joint_matrices(link, j, z[link.q]);
      WU[j] = W_hat[j - 1] * U[j];
    }
    W[j] = W_hat[j - 1] * A[j];  // 3
    if (link.flexible()) {
      const auto delta = z.segment(link.delta, link.m());
      link_matrices(link, j, chain.small_tip_rotation, delta);
      for (const int k : link.flex->tip_coordinates) WM[j][k] = W[j] * M[j][k];
      update_moments(*link.flex, delta, moments[j]);
      link_integrals(link, j);
    }
    W_hat[j] = W[j] * E[j];  // 13
    if (j > 1) EA[j - 1] = E[j - 1] * A[j];
  }
}

/// Ė_j and Ë_j of a link that bends, and B_2j.
///
/// `small`:  Ė_j = Σ_k δ̇_jk M_jk, Ë_j = Σ_k δ̈_jk M_jk (eqs 16, 17).
/// `finite`: Ë_j has velocity terms too: with ω = J_l θ̇ the rate of R is [ω]×R, and that of ω is J_l θ̈ + (∂J_l/∂θ·θ̇)θ̇.
template <class S>
void Letters<S>::link_rates(const ChainLink& link, int j, bool small, const State& delta, const State& rate,
                            const State& acceleration, Matrix4<S>& E_ddot) {
  using Vector = Eigen::Vector3<S>;
  using Matrix = Eigen::Matrix3<S>;
  const FlexBasis& flex = *link.flex;
  auto at_tip = [](const Matrix3Xd& shapes, const State& x) -> Vector { return shapes.template cast<S>() * x; };
  const Vector u_dot = at_tip(flex.tip_phi, rate), theta_dot = at_tip(flex.tip_psi, rate);
  const Vector u_ddot = at_tip(flex.tip_phi, acceleration), theta_ddot = at_tip(flex.tip_psi, acceleration);
  if (small) {
    E_dot[j] = derivative<S>(cross(theta_dot), u_dot);
    E_ddot = derivative<S>(cross(theta_ddot), u_ddot);
  } else {
    const ExpMapOf<S> turn(at_tip(flex.tip_psi, delta));
    const Matrix R = rotation(E[j]), J_l = turn.left_jacobian();
    const Matrix omega = cross<S>(J_l * theta_dot);
    const Matrix alpha = cross<S>(J_l * theta_ddot + turn.left_jacobian_derivative(theta_dot, theta_dot));
    E_dot[j] = derivative<S>(omega * R, u_dot);
    E_ddot = derivative<S>((alpha + omega * omega) * R, u_ddot);
  }
  const S half(0.5);
  B_2[j].template topRightCorner<1, 3>() = (half * at_tip(flex.S, rate)).transpose();
  Vector turning = Vector::Zero();  // ½ Σ_k δ̇_k H_k
  if (link.has_rotary) turning = half * at_tip(flex.H, rate);
  for (int a = 0; a < 3; ++a) {
    Vector row = moments[j].P[a] * rate;
    if (link.has_rotary) row += turning.cross(Vector(Vector3d(Vector3d::Unit(a)).template cast<S>()));
    B_2[j].template block<1, 3>(1 + a, 1) = half * row.transpose();
  }
}

template <class S>
void Letters<S>::update_rates(const Chain& chain, const RootMotion& root, const State& z, const State& zdot,
                              const State& zddot) {
  // A base of given motion: the rates of Ŵ_0 are known. A fixed one has none.
  if (chain.base_moves) {
    const Matrix3d omega = skew(root.omega), alpha = skew(root.alpha);
    W_hat_dot[0].template bottomRows<3>() =
        unknown<S>(derivative<double>(omega * root.X_WR.R, root.velocity).bottomRows<3>());
    W_hat_ddot[0].template bottomRows<3>() =
        unknown<S>(derivative<double>((alpha + omega * omega) * root.X_WR.R, root.acceleration).bottomRows<3>());
  }
  const S two(2);
  for (int j = 1; j <= chain.n(); ++j) {
    const ChainLink& link = chain.links[j];
    // 9 and 10 (corrected: hats on all factors j − 1).
    W_dot[j] = W_hat_dot[j - 1] * A[j];
    W_ddot[j] = W_hat_ddot[j - 1] * A[j];
    if (link.q >= 0) {
      const S q_dot = zdot[link.q], q_ddot = zddot[link.q];
      const Matrix4<S> A_dot = q_dot * U[j];  // 11
      W_dot[j] += q_dot * WU[j];
      W_ddot[j] += two * W_hat_dot[j - 1] * A_dot + q_ddot * WU[j];
      W_ddot[j] += W_hat[j - 1] * (q_dot * q_dot * U_2[j]);  // 12
    }
    // 14 and 15 (corrected: hats on the left).
    W_hat_dot[j] = W_dot[j] * E[j];
    W_hat_ddot[j] = W_ddot[j] * E[j];
    if (!link.flexible()) continue;
    Matrix4<S> E_ddot;
    link_rates(link, j, chain.small_tip_rotation, z.segment(link.delta, link.m()), zdot.segment(link.delta, link.m()),
               zddot.segment(link.delta, link.m()), E_ddot);
    W_hat_dot[j] += W[j] * E_dot[j];
    W_hat_ddot[j] += two * W_dot[j] * E_dot[j];
    W_hat_ddot[j] += W[j] * E_ddot;
  }
}

template <class S>
S kinetic_energy(const Chain& chain, const Letters<S>& l, const typename Letters<S>::State& zdot) {
  S K(0);
  for (int j = 1; j <= chain.n(); ++j) {
    const ChainLink& link = chain.links[j];
    K += trace_with_transpose<S>(l.W_dot[j] * l.G[j], l.W_dot[j]);  // 22, with B_3j = G_j
    if (!link.flexible()) continue;
    K += S(2) * trace_with_transpose<S>(l.W_dot[j] * l.B_2[j], l.W[j]);
    // Tr{W B_1 Wᵀ} with B_1 = Σ_kf δ̇_k δ̇_f C_kf (eq 24; corrected: both factors of eq 23 are rates).
    const Eigen::Matrix3<S> RtR = rotation(l.W[j]).transpose() * rotation(l.W[j]);
    const auto rate = zdot.segment(link.delta, link.m());
    for (int a = 0; a < 3; ++a)
      for (int b = 0; b < 3; ++b)
        for_each_entry(link.flex->P[3 * a + b],
                       [&](int k, int f, double P_kf) { K += S(P_kf / 2) * RtR(a, b) * rate[k] * rate[f]; });
    if (link.has_rotary)
      for_each_entry(link.rotary_mass, [&](int k, int f, double M_kf) { K += S(M_kf / 2) * rate[k] * rate[f]; });
  }
  return K;
}

template struct Letters<double>;
template struct Letters<Counted>;
template double kinetic_energy(const Chain&, const Letters<double>&, const Letters<double>::State&);
template Counted kinetic_energy(const Chain&, const Letters<Counted>&, const Letters<Counted>::State&);

}  // namespace lithe::book83
