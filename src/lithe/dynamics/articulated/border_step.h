#pragma once

#include "lithe/beam/shortening.h"
#include "lithe/dynamics/articulated/beam_step.h"

namespace lithe {

/// The steps of the recursion at a link with any FlexBasis (border_plan.h).
template <class S>
struct BorderStep {
  using Call = typename ForwardRecursion<S>::Call;
  const BorderPlan& plan;
  const FlexBasis& b;
  explicit BorderStep(const BorderPlan& given) : plan(given), b(*given.basis) {}

  void move(const S* w, const S* delta, const S* rate, BorderWork<S>& work) const {
    const int m = plan.size();
    S zero = 0.0;
    // P_k = ∫r φ_kᵀ, s, Σ
    S s_rate[3] = {zero, zero, zero}, H_rate[3] = {zero, zero, zero};
    S linear[9], Sigma[9], P_rate[9];
    for (int i = 0; i < 9; ++i) linear[i] = Sigma[i] = P_rate[i] = zero;
    for (int i = 0; i < 3; ++i) work.s[i] = b.s0[i];
    for (int k = 0; k < m; ++k) {
      S* P = work.P + 9 * k;
      for (int a = 0; a < 3; ++a)
        for (int c = 0; c < 3; ++c) {
          S sum = b.P0[a](c, k);
          for (SparseMatrixd::InnerIterator entry(b.P[3 * a + c], k); entry; ++entry)
            sum += entry.value() * delta[entry.row()];
          P[3 * a + c] = sum;
          linear[3 * a + c] += b.P0[a](c, k) * delta[k];
          Sigma[3 * a + c] += sum * delta[k];
          P_rate[3 * a + c] += sum * rate[k];
        }
      for (int i = 0; i < 3; ++i) {
        work.s[i] += b.S(i, k) * delta[k];
        s_rate[i] += b.S(i, k) * rate[k];
        H_rate[i] += b.H(i, k) * rate[k];
      }
      work.N[k] = {Pair<S>(P[5] - P[7] + b.H(0, k), S(b.S(0, k))), Pair<S>(P[6] - P[2] + b.H(1, k), S(b.S(1, k))),
                   Pair<S>(P[1] - P[3] + b.H(2, k), S(b.S(2, k)))};
    }
    // Σ = Σ0 + U + Uᵀ + Σδδ P, where Σ_k δ_k P_k already holds U and the terms in δ²
    S full[6];
    for (int a = 0; a < 3; ++a)
      for (int c = a; c < 3; ++c) {
        const S& first = b.quadratic_inertia ? Sigma[3 * a + c] : linear[3 * a + c];
        full[axial::at(a, c)] = first + linear[3 * c + a] + b.Sigma0(a, c);
      }
    if (b.shortening) shorten(delta, rate, work, full, s_rate, P_rate);
    S* J = work.J;
    J[0] = full[1] + full[2] + b.j0(0, 0);
    J[1] = full[0] + full[2] + b.j0(1, 1);
    J[2] = full[0] + full[1] + b.j0(2, 2);
    J[3] = b.j0(0, 1) - full[3];
    J[4] = b.j0(0, 2) - full[4];
    J[5] = b.j0(1, 2) - full[5];

    // velocity forces: on B (8)
    axial::Products<S> w2(w);
    S moment[3], force_B[3];
    axial::euler(w2.w, J, moment);
    axial::add_cross(w, H_rate, moment);
    S trace = P_rate[0] + P_rate[4] + P_rate[8];
    for (int i = 0; i < 3; ++i) {
      S turn = trace * w[i] - (P_rate[i] * w[0] + P_rate[3 + i] * w[1] + P_rate[6 + i] * w[2]);
      moment[i] += turn + turn;
    }
    axial::centripetal(w2.w, work.s, force_B);
    S twice[3] = {s_rate[0] + s_rate[0], s_rate[1] + s_rate[1], s_rate[2] + s_rate[2]};
    axial::add_cross(w, twice, force_B);
    if (b.shortening) {
      const Eigen::Vector<S, 6> bias = shortening_bias<S>(*b.shortening, rate);
      for (int i = 0; i < 3; ++i) {
        moment[i] += bias[i];
        force_B[i] += bias[3 + i];
      }
    }
    work.bias = axial::Vector6<S>::of(moment, force_B);

    // and on the coordinates (9)
    S W2[9] = {-(w2.w[1] + w2.w[2]),
               w2.w[3],
               w2.w[4],  //
               w2.w[3],
               -(w2.w[0] + w2.w[2]),
               w2.w[5],  //
               w2.w[4],
               w2.w[5],
               -(w2.w[0] + w2.w[1])};
    for (int k = 0; k < m; ++k) {
      const S* P = work.P + 9 * k;
      S force = W2[0] * P[0];
      for (int i = 1; i < 9; ++i) force += W2[i] * P[i];
      for (int c = 0; c < 3; ++c) {
        const int a = (c + 1) % 3, d = (c + 2) % 3;
        S sum = zero;
        for (SparseMatrixd::InnerIterator entry(b.P[3 * a + d], k); entry; ++entry)
          sum += entry.value() * rate[entry.row()];
        for (SparseMatrixd::InnerIterator entry(b.P[3 * d + a], k); entry; ++entry)
          sum -= entry.value() * rate[entry.row()];
        S turn = w[c] * sum;
        force += turn + turn;
      }
      work.p_f[k] = force;
    }

    S theta[3] = {zero, zero, zero}, theta_rate[3] = {zero, zero, zero}, u_rate[3] = {zero, zero, zero};
    for (int i = 0; i < 3; ++i) work.tip.p[i] = b.tip0[i];
    for (const int k : b.tip_coordinates)
      for (int i = 0; i < 3; ++i) {
        theta[i] += b.tip_psi(i, k) * delta[k];
        theta_rate[i] += b.tip_psi(i, k) * rate[k];
        work.tip.p[i] += b.tip_phi(i, k) * delta[k];
        u_rate[i] += b.tip_phi(i, k) * rate[k];
      }
    Drawn<S> drawn;
    if (b.shortening) {
      draw_in<S>(b.shortening->tip, delta, drawn);
      for (int k = 0; k < m; ++k) {
        work.tip.p[0] -= 0.5 * drawn[k] * delta[k];
        u_rate[0] -= drawn[k] * rate[k];
      }
    }
    work.tip.move(theta, theta_rate, u_rate, w, w2.w);
    for (int t = 0; t < plan.n_tip; ++t) {
      const int k = plan.index[plan.n_inner + t];
      for (int i = 0; i < 3; ++i) {
        S turn = zero;
        for (int j = 0; j < 3; ++j) turn += work.tip.J_l[3 * i + j] * b.tip_psi(j, k);
        work.Phi[t].v[i] = Pair<S>(turn, S(b.tip_phi(i, k)));
      }
      if (b.shortening) work.Phi[t].v[0] = work.Phi[t].v[0] - Pair<S>(zero, drawn[k]);
    }
    if (b.shortening) work.tip.zeta.v[0] = work.tip.zeta.v[0] - Pair<S>(zero, squared<S>(b.shortening->tip, rate));
  }

  template <bool hybrid>
  unsigned gather(const BodyPlan& body_plan, const BodyWork<S>& body, const Call& call, int v0, BorderWork<S>& work,
                  axial::Inertia<S>& P, axial::Vector6<S>& p) const {
    const int n = plan.n_inner, n_tip = plan.n_tip;
    const bool carries = body_plan.has_children || plan.tip_body.kind != TipBody::Kind::none;
    work.all_at_once = !plan.factored;
    if constexpr (hybrid)
      for (int k = 0; k < plan.size(); ++k) work.all_at_once = work.all_at_once || (*call.driven)[v0 + k];
    auto force_of = [&](int k) {
      S force = work.p_f[k];
      if (call.passive != nullptr) force += call.passive[v0 + k];
      bool takes_tau = true;
      if constexpr (hybrid) takes_tau = !(*call.driven)[v0 + k];
      if (takes_tau) force -= call.tau[v0 + k];
      return force;
    };

    p = work.bias;
    for (int t = 0; t < n_tip; ++t) {
      const int k = plan.index[n + t];
      work.N_tip[t] = work.N[k];
      work.r_tip[t] = force_of(k);
    }
    for (int k = 0; k < n_tip * n_tip; ++k) work.C[k] = work.all_at_once ? S(0.0) : S(plan.C[k]);
    if (carries) {
      axial::Vector6<S> f;
      outboard(body_plan.has_children, plan.tip_body, body, work.tip, P, f);
      const S* pt = work.tip.p;
      for (int t = 0; t < n_tip; ++t) {
        axial::Vector6<S> y = axial::times(P, work.Phi[t]);
        for (int u = 0; u <= t; ++u) work.C[u * n_tip + t] += axial::dot6(work.Phi[u], y);
        work.r_tip[t] += axial::dot6(work.Phi[t], f);
        axial::shift_in(pt, y);
        work.N_tip[t] += y;
      }
      axial::shift_in(pt, f);
      p += f;
      axial::shift_in<0>(pt[0], P);
      axial::shift_in<1>(pt[1], P);
      axial::shift_in<2>(pt[2], P);
      axial::add_body_inertia(b.mass, work.s, work.J, P);
    } else {
      P = axial::body_inertia<S>(b.mass, work.s, work.J);
    }
    if (work.all_at_once) return eliminate_all<hybrid>(call, v0, force_of, work, P, p);

    // inner coordinates, by the constant factor
    for (int i = 0; i < n; ++i) {
      const int k = plan.index[i];
      axial::Vector6<S> column = work.N[k];
      S right = force_of(k);
      for (int at = plan.L_start[i]; at < plan.L_start[i + 1]; ++at) {
        const double l = plan.L_value[at];
        Twin<S> both{S(l)};
        const axial::Vector6<S>& other = work.Y[plan.L_column[at]];
        for (int c = 0; c < 3; ++c) column.v[c] = column.v[c] - both * other.v[c];
        right -= l * work.y[plan.L_column[at]];
      }
      Twin<S> inverse{S(plan.inverse_diagonal[i])};
      for (int c = 0; c < 3; ++c) column.v[c] = inverse * column.v[c];
      right = plan.inverse_diagonal[i] * right;
      work.Y[i] = column;
      work.y[i] = right;
      axial::subtract(column, column, P);
      Twin<S> both{right};
      for (int c = 0; c < 3; ++c) p.v[c] = p.v[c] - both * column.v[c];
      for (int at = plan.W_start[i]; at < plan.W_start[i + 1]; ++at) {
        Twin<S> w{S(plan.W_value[at])};
        axial::Vector6<S>& N = work.N_tip[plan.W_column[at]];
        for (int c = 0; c < 3; ++c) N.v[c] = N.v[c] - w * column.v[c];
        work.r_tip[plan.W_column[at]] -= plan.W_value[at] * right;
      }
    }
    return eliminate(n_tip, work.N_tip, work.C, work.r_tip, P, p, work.L_tip, work.l_tip, work.e_tip);
  }

  template <bool hybrid>
  void release(const BodyPlan& body_plan, const Call& call, int v0, BorderWork<S>& work, axial::Vector6<S>& A) const {
    const int n = plan.n_inner, n_tip = plan.n_tip, m = plan.size();
    S* accel = work.accel;
    if (work.all_at_once) {
      recover(m, work.L_all.data(), work.l_all.data(), work.e_all.data(), A, accel);
      for (int k = 0; hybrid && k < m; ++k) {
        const int i = v0 + plan.index[k];
        if ((*call.driven)[i]) call.driven_tau[i] = force_on(m, k, work.whole, A, accel);
      }
    } else {
      recover(n_tip, work.L_tip, work.l_tip, work.e_tip, A, accel + n);
      for (int i = 0; i < n; ++i) {
        S sum = work.y[i] + axial::dot6(work.Y[i], A);
        for (int at = plan.W_start[i]; at < plan.W_start[i + 1]; ++at)
          sum += plan.W_value[at] * accel[n + plan.W_column[at]];
        accel[i] = -sum;
      }
      for (int i = n - 1; i >= 0; --i) {
        accel[i] = plan.inverse_diagonal[i] * accel[i];
        for (int at = plan.L_start[i]; at < plan.L_start[i + 1]; ++at)
          accel[plan.L_column[at]] -= plan.L_value[at] * accel[i];
      }
    }
    for (int k = 0; k < m; ++k) call.vdot[v0 + plan.index[k]] = accel[k];
    if (!body_plan.has_children) return;
    axial::shift_out(work.tip.p, A);
    A += work.tip.zeta;
    for (int t = 0; t < n_tip; ++t) {
      Twin<S> both(accel[n + t]);
      for (int i = 0; i < 3; ++i) A.v[i] = A.v[i] + both * work.Phi[t].v[i];
    }
  }

 private:
  /// (3) and (4) of beam/shortening.h, with Σ as in move().
  void shorten(const S* delta, const S* rate, BorderWork<S>& work, S* Sigma, S* s_rate, S* P_rate) const {
    S zero = 0.0;
    Drawn<S> drawn;
    draw_in<S>(b.shortening->mass, delta, drawn);
    for (int k = 0; k < plan.size(); ++k) {
      work.s[0] -= 0.5 * drawn[k] * delta[k];
      s_rate[0] -= drawn[k] * rate[k];
      work.N[k].v[0] = work.N[k].v[0] - Pair<S>(zero, drawn[k]);
    }
    for (int a = 0; a < 3; ++a) {
      const SparseMatrixd& G = b.shortening->moment[size_t(a)];
      if (G.nonZeros() == 0) continue;
      draw_in<S>(G, delta, drawn);
      S both = zero;
      for (int k = 0; k < plan.size(); ++k) {
        work.P[9 * k + 3 * a] -= drawn[k];
        P_rate[3 * a] -= drawn[k] * rate[k];
        both += drawn[k] * delta[k];
        if (a == 1) work.N[k].v[2] = work.N[k].v[2] + Pair<S>(drawn[k], zero);
        if (a == 2) work.N[k].v[1] = work.N[k].v[1] - Pair<S>(drawn[k], zero);
      }
      Sigma[axial::at(0, a)] -= a == 0 ? both : S(0.5 * both);
    }
  }

  /// Where some coordinates are driven, or some inner one has no inertia of its own: no factor is known beforehand. Makes its
  /// room on first use.
  template <bool hybrid, class Force>
  unsigned eliminate_all(const Call& call, int v0, const Force& force_of, BorderWork<S>& work, axial::Inertia<S>& P,
                         axial::Vector6<S>& p) const {
    const int n = plan.n_inner, n_tip = plan.n_tip, m = plan.size();
    work.N_all.resize(size_t(m));
    work.F_all.assign(size_t(m * m), S(0.0));
    work.r_all.resize(size_t(m));
    work.L_all.resize(size_t(m));
    work.l_all.resize(size_t(m * m));
    work.e_all.resize(size_t(m));
    for (int k = 0; k < m; ++k)
      for (SparseMatrixd::InnerIterator entry(b.M, k); entry; ++entry)
        work.F_all[plan.position[entry.row()] * m + plan.position[k]] = entry.value();
    for (int i = 0; i < n; ++i) {
      work.N_all[i] = work.N[plan.index[i]];
      work.r_all[i] = force_of(plan.index[i]);
    }
    for (int t = 0; t < n_tip; ++t) {
      work.N_all[n + t] = work.N_tip[t];
      work.r_all[n + t] = work.r_tip[t];
      for (int u = 0; u <= t; ++u) work.F_all[(n + u) * m + n + t] += work.C[u * n_tip + t];
    }
    [[maybe_unused]] const auto given = [&](int k) -> std::optional<S> {
      const int i = v0 + plan.index[k];
      if (!(*call.driven)[i]) return {};
      return call.vdot[i];
    };
    if constexpr (hybrid) impose(m, given, work.N_all.data(), work.F_all.data(), work.r_all.data(), p, work.whole);
    return eliminate(m, work.N_all.data(), work.F_all.data(), work.r_all.data(), P, p, work.L_all.data(),
                     work.l_all.data(), work.e_all.data());
  }
};

}  // namespace lithe
