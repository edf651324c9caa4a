#pragma once

#include <optional>
#include <type_traits>

#include "lithe/dynamics/articulated/elimination.h"
#include "lithe/dynamics/articulated/forward_work.h"

namespace lithe {

/// Adds the payload on a tip, rotated into B axes, to the inertia and the wrench that the tip passes inwards.
template <class S>
void add_tip_body(const TipBody& body, const TipMotion<S>& tip, axial::Inertia<S>& P, axial::Vector6<S>& f) {
  if (body.kind == TipBody::Kind::none) return;
  if (body.kind == TipBody::Kind::point) {
    Pair<S> mass(S(0.0), S(body.mass));
    for (int k = 0; k < 3; ++k) P.JM[k] = P.JM[k] + mass;
    return;
  }
  const S* R = tip.R;
  S s[3], RJ[9], J[6];
  for (int i = 0; i < 3; ++i) {
    s[i] = R[3 * i] * body.s[0] + R[3 * i + 1] * body.s[1] + R[3 * i + 2] * body.s[2];
    for (int j = 0; j < 3; ++j)
      RJ[3 * i + j] = R[3 * i] * body.J[axial::at(0, j)] + R[3 * i + 1] * body.J[axial::at(1, j)] +
                      R[3 * i + 2] * body.J[axial::at(2, j)];
  }
  for (int i = 0; i < 3; ++i)
    for (int j = i; j < 3; ++j) J[axial::at(i, j)] = axial::dot3(RJ + 3 * i, R + 3 * j);
  axial::add_body_inertia(body.mass, s, J, P);
  axial::Products<S> w2(tip.omega_T);
  S moment[3], force[3];
  axial::euler(w2.w, J, moment);
  axial::centripetal(w2.w, s, force);
  f += axial::Vector6<S>::of(moment, force);
}

/// Inertia P_T and wrench f = p_T + P_T ζ of all that a bent link's tip carries, at T in B axes.
template <class S>
LITHE_INLINE void outboard(bool has_children, const TipBody& tip_body, const BodyWork<S>& body, const TipMotion<S>& tip,
                           axial::Inertia<S>& P, axial::Vector6<S>& f) {
  if (has_children) {
    P = body.P;
    f = body.f;
  } else {
    const double none[6] = {};
    P = axial::body_inertia<S>(0, none, none);
    f = axial::Vector6<S>::zero();
  }
  add_tip_body(tip_body, tip, P, f);
  f += axial::times(P, tip.zeta);
}

/// The steps of the recursion at a link that bends by beam shapes: NY in y, NZ in z, NT in torsion; −1 for numbers known at
/// assembly only.
template <int NY, int NZ, int NT, class S>
struct BeamStep {
  static constexpr bool fixed = NY >= 0;
  static constexpr int most = fixed ? NY + NZ + NT : 16;

  const BeamPlan& plan;
  explicit BeamStep(const BeamPlan& given) : plan(given) {}

  // Of a fixed size every loop below unrolls.
  int n_y() const { return fixed ? NY : plan.ny; }
  int n_z() const { return fixed ? NZ : plan.nz; }
  int n_t() const { return fixed ? NT : plan.nt; }
  int size() const { return n_y() + n_z() + n_t(); }

  /// Σ a_k b_k over a stretch.
  template <class A>
  static S sum(const A* a, const S* b, int n) {
    if (n == 0) return S(0.0);
    S result = a[0] * b[0];
    for (int k = 1; k < n; ++k) result += a[k] * b[k];
    return result;
  }

  void load(const S* from, S* to) const {
    for (int k = 0; k < size(); ++k) to[k] = from[plan.index[k]];
    if (plan.scaled)
      for (int k = 0; k < size(); ++k) to[k] = plan.scale[k] * to[k];
  }

  /// Inertia, velocity forces and the tip's motion, from ω in B axes and the link's own coordinates.
  void move(const S* omega, const S* delta, const S* rate, bool has_outboard, BeamWork<S>& work) const {
    const int ny = n_y(), nz = n_z(), nt = n_t();
    S d[most], v[most];
    load(delta, d);
    load(rate, v);
    const S *dy = d, *dz = d + ny, *vy = v, *vz = v + ny;

    // ∫f_k u of the same plane and of the other one
    S same[most], cross[most];
    // By pointer: a plane without shapes has an empty table, which has no first entry.
    const double *Gyy = plan.Gyy.data(), *Gzz = plan.Gzz.data(), *Gyz = plan.Gyz.data();
    for (int k = 0; k < ny; ++k) {
      same[k] = sum(Gyy + k * ny, dy, ny);
      cross[k] = sum(Gyz + k * nz, dz, nz);
    }
    for (int k = 0; k < nz; ++k) {
      same[ny + k] = sum(Gzz + k * nz, dz, nz);
      S other = 0.0;
      if (ny > 0) other = Gyz[k] * dy[0];
      for (int l = 1; l < ny; ++l) other += Gyz[l * nz + k] * dy[l];
      cross[ny + k] = other;
    }
    const double *S_y = plan.S.data(), *S_z = S_y + ny, *X_y = plan.X.data(), *X_z = X_y + ny;
    S yy = sum(dy, same, ny), zz = sum(dz, same + ny, nz), yz = sum(dy, cross, ny);

    S *s = work.s, *J = work.J;
    s[0] = plan.s0;
    s[1] = sum(S_y, dy, ny);
    s[2] = sum(S_z, dz, nz);
    J[0] = yy + zz + plan.j0[0];
    J[1] = zz + (plan.I0 + plan.j0[1]);
    J[2] = yy + (plan.I0 + plan.j0[2]);
    J[3] = -sum(X_y, dy, ny);
    J[4] = -sum(X_z, dz, nz);
    J[5] = -yz;

    [[maybe_unused]] S drawn[most], drawn_x[most], drawn_square = 0.0, drawn_rate = 0.0, drawn_x_rate = 0.0;
    if (plan.shortens) {
      times_planes(plan.drawn, d, drawn);
      times_planes(plan.drawn_x, d, drawn_x);
      S along = sum(d, drawn, ny + nz), along_x = sum(d, drawn_x, ny + nz);
      s[0] -= 0.5 * along;
      J[1] -= along_x;
      J[2] -= along_x;
      drawn_rate = sum(v, drawn, ny + nz);
      drawn_x_rate = sum(v, drawn_x, ny + nz);
      S again[most];
      times_planes(plan.drawn, v, again);
      drawn_square = sum(v, again, ny + nz);
    }

    // velocity forces (8) on B
    const S* w = omega;
    axial::Products<S> w2(w);
    S moment[3], force[3];
    axial::euler(w2.w, J, moment);
    axial::centripetal(w2.w, s, force);
    S Sy = sum(S_y, vy, ny), Sz = sum(S_z, vz, nz), ty = Sy + Sy, tz = Sz + Sz;
    force[0] += w[1] * tz - w[2] * ty;
    force[1] -= w[0] * tz;
    force[2] += w[0] * ty;
    S xy_rate = sum(X_y, vy, ny), xz_rate = sum(X_z, vz, nz), yy_rate = sum(vy, same, ny),
      zz_rate = sum(vz, same + ny, nz), zy_rate = sum(vy, cross, ny), yz_rate = sum(vz, cross + ny, nz);
    S turn[3] = {(yy_rate + zz_rate) * w[0], zz_rate * w[1] - xy_rate * w[0] - zy_rate * w[2],
                 yy_rate * w[2] - xz_rate * w[0] - yz_rate * w[1]};
    for (int i = 0; i < 3; ++i) moment[i] += turn[i] + turn[i];
    if (plan.has_rotary) {
      const double* H = plan.H.data();
      S h[3] = {sum(H + ny + nz, v + ny + nz, nt), sum(H + ny, vz, nz), sum(H, vy, ny)};
      axial::add_cross(w, h, moment);
    }
    if (plan.shortens) {  // 2ω×∫u̇ dm, 2∫r×(ω×u̇) dm and (5) of beam/shortening.h
      S twice = drawn_rate + drawn_rate, twice_x = drawn_x_rate + drawn_x_rate;
      force[0] -= drawn_square;
      force[1] -= w[2] * twice;
      force[2] += w[1] * twice;
      moment[1] -= w[1] * twice_x;
      moment[2] -= w[2] * twice_x;
    }
    work.bias = axial::Vector6<S>::of(moment, force);

    // coupling with B (7) and velocity forces (9) on the coordinates
    S zero = 0.0;
    S w0_twice = w[0] + w[0];
    S yy_minus = -(w2.w[0] + w2.w[2]), zz_minus = -(w2.w[0] + w2.w[1]);
    for (int k = 0; k < ny; ++k) {
      work.N[k] = {Pair<S>(-cross[k], zero), Pair<S>(zero, S(plan.S[k])), Pair<S>(S(plan.X[k] + plan.H[k]), zero)};
      work.r[k] = w2.w[3] * plan.X[k] + yy_minus * same[k] + w2.w[5] * cross[k] - w0_twice * sum(Gyz + k * nz, vz, nz);
    }
    for (int k = 0; k < nz; ++k) {
      work.N[ny + k] = {Pair<S>(cross[ny + k], zero), Pair<S>(S(plan.H[ny + k] - plan.X[ny + k]), zero),
                        Pair<S>(zero, S(plan.S[ny + k]))};
      S coriolis = 0.0;
      if (ny > 0) coriolis = Gyz[k] * vy[0];
      for (int l = 1; l < ny; ++l) coriolis += Gyz[l * nz + k] * vy[l];
      work.r[ny + k] =
          w2.w[4] * plan.X[ny + k] + w2.w[5] * cross[ny + k] + zz_minus * same[ny + k] + w0_twice * coriolis;
    }
    for (int k = ny + nz; k < size(); ++k) {
      work.N[k] = {Pair<S>(S(plan.H[k]), zero), Pair<S>(zero, zero), Pair<S>(zero, zero)};
      work.r[k] = zero;
    }
    if (plan.shortens)
      for (int k = 0; k < ny + nz; ++k) {
        work.N[k].v[0] = work.N[k].v[0] + Pair<S>(zero, -drawn[k]);
        work.r[k] += (w2.w[1] + w2.w[2]) * drawn_x[k];
      }

    if (!has_outboard) return;
    const double* psi = plan.psi.data();
    S theta[3] = {sum(psi + ny + nz, d + ny + nz, nt), sum(psi + ny, dz, nz), sum(psi, dy, ny)};
    S theta_rate[3] = {sum(psi + ny + nz, v + ny + nz, nt), sum(psi + ny, vz, nz), sum(psi, vy, ny)};
    S u_rate[3] = {zero, tip_sum(vy, 0, ny), tip_sum(vz, ny, nz)};
    work.tip.p[0] = plan.length;
    work.tip.p[1] = tip_sum(dy, 0, ny);
    work.tip.p[2] = tip_sum(dz, ny, nz);
    if (plan.shortens) {
      times_planes(plan.drawn_tip, d, work.drawn_tip);
      work.tip.p[0] -= 0.5 * sum(d, work.drawn_tip, ny + nz);
      u_rate[0] = -sum(v, work.drawn_tip, ny + nz);
    }
    work.tip.move(theta, theta_rate, u_rate, w, w2.w);
    if (plan.shortens) {
      S again[most];
      times_planes(plan.drawn_tip, v, again);
      work.tip.zeta.v[0] = work.tip.zeta.v[0] - Pair<S>(zero, sum(v, again, ny + nz));
    }
  }

  /// Products with a matrix of BeamPlan that has one block for each plane.
  void times_planes(const std::vector<double>& G, const S* a, S* result) const {
    const int ny = n_y(), nz = n_z();
    const double *Gy = G.data(), *Gz = Gy + ny * ny;
    for (int k = 0; k < ny; ++k) result[k] = sum(Gy + k * ny, a, ny);
    for (int k = 0; k < nz; ++k) result[ny + k] = sum(Gz + k * nz, a + ny, nz);
  }

  /// Deflection of the tip: shapes have 1 there, or 0.
  S tip_sum(const S* d, int first, int n) const {
    S result = 0.0;
    if (plan.unit_tips) {
      if (n > 0) result = d[0];
      for (int k = 1; k < n; ++k) result += d[k];
    } else {
      for (int k = 0; k < n; ++k)
        if (plan.tip[first + k] != 0) result += d[k];
    }
    return result;
  }

  /// Everything outboard, seen through the tip (11), and the coordinates eliminated (12): P and p of B in B axes.
  /// Returns lanes in which a pivot vanished.
  template <bool hybrid>
  unsigned gather(const BodyPlan& body_plan, const BodyWork<S>& body, const typename ForwardRecursion<S>::Call& call,
                  int v0, BeamWork<S>& work, axial::Inertia<S>& P, axial::Vector6<S>& p) const {
    const int ny = n_y(), nz = n_z(), m = size();
    axial::Vector6<S> N[most];
    S F[most * most], r[most];
    for (int k = 0; k < m; ++k) N[k] = work.N[k];
    for (int k = 0; k < m * m; ++k) F[k] = plan.M[k];
    for (int k = 0; k < m; ++k) {
      const int i = v0 + plan.index[k];
      S force = call.passive != nullptr ? call.passive[i] : S(0.0);
      bool takes_tau = true;
      if constexpr (hybrid) takes_tau = !(*call.driven)[i];
      if (takes_tau) force -= call.tau[i];
      if (plan.scaled) force = force * plan.inverse_scale[k];
      r[k] = work.r[k] + force;
    }
    p = work.bias;

    if (plan.tip_body.kind != TipBody::Kind::none || body_plan.has_children) {
      axial::Vector6<S> f;
      outboard(body_plan.has_children, plan.tip_body, body, work.tip, P, f);
      const S* J_l = work.tip.J_l;
      const S* pt = work.tip.p;

      // PΦ per coordinate: shapes of one direction turn about the same axis and slide along another
      S turn[most * 3];
      axial::Vector6<S> PPhi[most];
      const auto direction = [&](int first, int n, int column, auto slide) {
        constexpr int along = decltype(slide)::value;
        if (n == 0) return;
        S axis[3] = {J_l[column], J_l[3 + column], J_l[6 + column]};
        axial::Vector6<S> once;
        if (n > 1) once = axial::times_turn(P, axis);
        for (int k = first; k < first + n; ++k) {
          Twin<S> psi(S(plan.psi[k]));
          for (int i = 0; i < 3; ++i) turn[3 * k + i] = plan.psi[k] * axis[i];
          if (n > 1) {
            for (int i = 0; i < 3; ++i) PPhi[k].v[i] = psi * once.v[i];
          } else {
            PPhi[k] = axial::times_turn(P, turn + 3 * k);
          }
          if constexpr (along >= 0)
            if (plan.unit_tips || plan.tip[k] != 0) PPhi[k] += axial::slide_column<along>(P);
        }
      };
      direction(0, ny, 2, std::integral_constant<int, 1>());
      direction(ny, nz, 1, std::integral_constant<int, 2>());
      direction(ny + nz, m - ny - nz, 0, std::integral_constant<int, -1>());
      if (plan.shortens) {
        const S* drawn = work.drawn_tip;
        axial::Vector6<S> along = axial::slide_column<0>(P);
        for (int k = 0; k < ny + nz; ++k) {
          Twin<S> back(drawn[k]);
          for (int i = 0; i < 3; ++i) PPhi[k].v[i] = PPhi[k].v[i] - back * along.v[i];
        }
        for (int k = 0; k < ny + nz; ++k) {
          for (int l = k; l < m; ++l) F[k * m + l] -= drawn[k] * PPhi[l].v[0].high();
          r[k] -= drawn[k] * f.v[0].high();
        }
      }

      S f_angular[3] = {f.v[0].low(), f.v[1].low(), f.v[2].low()};
      for (int k = 0; k < m; ++k) {
        const int slide = k < ny ? 1 : k < ny + nz ? 2 : -1;
        const bool slides = slide >= 0 && (plan.unit_tips || plan.tip[k] != 0);
        const S* t = turn + 3 * k;
        for (int l = k; l < m; ++l) {
          const Pair<S>* y = PPhi[l].v;
          S value = t[0] * y[0].low() + t[1] * y[1].low() + t[2] * y[2].low();
          if (slides) value += y[slide].high();
          F[k * m + l] += value;
        }
        r[k] += axial::dot3(t, f_angular);
        if (slides) r[k] += f.v[slide].high();
        axial::shift_in(pt, PPhi[k]);
        N[k] += PPhi[k];
      }
      axial::shift_in(pt, f);
      p += f;
      axial::shift_in<0>(pt[0], P);
      axial::shift_in<1>(pt[1], P);
      axial::shift_in<2>(pt[2], P);
      axial::add_body_inertia(plan.mass, work.s, work.J, P);
    } else {
      P = axial::body_inertia<S>(plan.mass, work.s, work.J);
    }

    work.some_driven = false;
    if constexpr (hybrid) {
      const auto given = [&](int k) -> std::optional<S> {
        const int i = v0 + plan.index[k];
        if (!(*call.driven)[i]) return {};
        return plan.scale[k] * call.vdot[i];
      };
      for (int k = 0; k < m; ++k) work.some_driven = work.some_driven || given(k);
      if (work.some_driven) impose(m, given, N, F, r, p, work.whole);
    }
    return eliminate(m, N, F, r, P, p, work.L, work.F, work.e);
  }

  /// δ̈ from the acceleration of B, and the tip's acceleration (both in B axes).
  template <bool hybrid>
  void release(const BodyPlan& body_plan, const typename ForwardRecursion<S>::Call& call, int v0, BeamWork<S>& work,
               axial::Vector6<S>& A) const {
    const int ny = n_y(), nz = n_z(), m = size();
    S accel[most];
    recover(m, work.L, work.F, work.e, A, accel);
    for (int k = 0; k < m; ++k) {
      S& vdot = call.vdot[v0 + plan.index[k]];
      vdot = plan.scaled ? accel[k] * plan.inverse_scale[k] : accel[k];
    }
    if (hybrid && work.some_driven)
      for (int k = 0; k < m; ++k) {
        const int i = v0 + plan.index[k];
        if ((*call.driven)[i]) call.driven_tau[i] = plan.scale[k] * force_on(m, k, work.whole, A, accel);
      }
    if (!body_plan.has_children) return;

    const double* psi = plan.psi.data();
    S turn[3] = {sum(psi + ny + nz, accel + ny + nz, m - ny - nz), sum(psi + ny, accel + ny, nz), sum(psi, accel, ny)};
    const S* J_l = work.tip.J_l;
    axial::shift_out(work.tip.p, A);
    A += work.tip.zeta;
    A.v[0] = A.v[0] + Pair<S>(axial::dot3(J_l, turn), S(0.0));
    A.v[1] = A.v[1] + Pair<S>(axial::dot3(J_l + 3, turn), tip_sum(accel, 0, ny));
    A.v[2] = A.v[2] + Pair<S>(axial::dot3(J_l + 6, turn), tip_sum(accel + ny, ny, nz));
    if (plan.shortens) A.v[0] = A.v[0] - Pair<S>(S(0.0), sum(accel, work.drawn_tip, ny + nz));
  }
};

}  // namespace lithe
