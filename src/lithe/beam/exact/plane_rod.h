#pragma once

#include <vector>

#include "lithe/beam/exact/rod_inertia.h"
#include "lithe/beam/exact/strip.h"

namespace lithe {

/// A link that bends in one plane (StrainBasis::is_plane): angles of sections add up, so W is constant, no exponential is needed, and what
/// (8), (9) sum becomes
///
///   θ_i = Σ S_ik δ_k     t_j = (cos θ_j, sin θ_j, 0)     T_jk = S_jk n_j, n_j = (−sin θ_j, cos θ_j, 0)
///   M_ff,kl = const + Σ_{i<j} G_ij cos(θ_i − θ_j) (S_ik S_jl + S_jk S_il)     r_j = Σ_i G_ji cos(θ_i − θ_j)                   (10)
///   M_Bf,k = [(Σ S_jk r_j + const) e_v ; Σ c_j S_jk n_j]
///   ẗ_j = (−(ω_u² + s²) cos θ + ω_x ω_u sin θ, ω_x ω_u cos θ − (ω_x² + s²) sin θ, (ω_x cos θ + ω_u sin θ)(s + w)), s = ω_v + w
///
/// in the axes x, u of the plane and v = x × u: u = y, v = z for bending_y; u = z, v = −y for bending_z, whose angles are about −y.
/// The arm may move in space: ω is any. `most_terms` is the largest number of terms; links of more are left to the general code.
class PlaneRodPlan {
 public:
  static constexpr int most_terms = 8;
  static bool fits(const StrainBasis& basis);
  /// Stride: of rows of constants, which are padded with zeros, for a strip of that many numbers.
  PlaneRodPlan(const StrainBasis& basis, int (*stride)(int));

  bool along_z = false;
  int terms = 0;
  bool has_rotary = false;
  std::vector<double> c, reach;                      // [points]
  std::vector<double> G;                             // [points × points]
  std::vector<double> step;                          // [terms × nodes] turn over the interval before a node
  std::vector<double> turn, turn_by_point;           // [terms × points] S; [points × terms]
  std::vector<double> c_turn, reach_turn;            // [points × terms] c_j S_jk, reach_j S_jk
  std::vector<double> pairs;                         // [i < j × upper half of k, l] G_ij (S_ik S_jl + S_jk S_il)
  std::vector<double> M_ff, angular, tip_turn;       // constant parts; [upper half], [terms], [terms]
  std::vector<double> rotary_u, uneven, difference;  // [points] j_u, j_v − j_u, j_x − j_u
  double sum_u = 0, sum_v = 0, sum_difference = 0;
};

/// A plane link of n terms and n + 2 points.
template <class S, int n>
class PlaneRod {
 public:
  static constexpr int N = n + 2, half = n * (n + 1) / 2;
  using Points = Strip<S, N>;
  using Terms = Strip<S, n>;
  static int stride(int count) {
    return count == N       ? Points::stride
           : count == N + 1 ? Strip<S, N + 1>::stride
           : count == n     ? Terms::stride
                            : Strip<S, half>::stride;
  }

  const PlaneRodPlan& plan;
  bool with_tip;

  /// What `move` needs of `place`: cosines and sines of the points' angles.
  struct Work {
    S c[Points::stride] = {}, s[Points::stride] = {};
  };

  LITHE_INLINE void place(const S* delta, Work& work, RodInertia<S>& result, RodFrame<S>& tip) const {
    // Angles: a turn per interval, added up by the addition theorem.
    using Nodes = Strip<S, N + 1>;
    Nodes angle = Nodes::load(plan.step.data()) * Nodes(delta[0]);
    for (int k = 1; k < n; ++k) angle = angle + Nodes::load(&plan.step[k * Nodes::stride]) * Nodes(delta[k]);
    SmallAngle<Nodes> turns = SmallAngle<Nodes>::of(angle);
    S turn_c[Nodes::stride], turn_s[Nodes::stride];
    turns.cosine.store(turn_c);
    turns.sine.store(turn_s);
    S cosine = work.c[0] = turn_c[0], sine = work.s[0] = turn_s[0], before;
    for (int j = 1; j < N; ++j) {
      before = cosine;
      work.c[j] = cosine = cosine * turn_c[j] - sine * turn_s[j];
      work.s[j] = sine = sine * turn_c[j] + before * turn_s[j];
    }
    Points c = Points::load(work.c), s = Points::load(work.s);

    // (10), row by row of G.
    Points r(S(0.0)), Q(S(0.0));
    Strip<S, half> M_ff = Strip<S, half>::load(plan.M_ff.data());
    const double* pair = plan.pairs.data();
    for (int i = 0; i < N; ++i) {
      Points G = Points::load(&plan.G[i * Points::stride]);
      Points cosines = Points(work.c[i]) * c + Points(work.s[i]) * s;
      r = r + G * cosines;
      Q = Q + G * Points(work.c[i]);
      S cosine_of[Points::stride];
      cosines.store(cosine_of);
      for (int j = i + 1; j < N; ++j, pair += Strip<S, half>::stride)
        M_ff = M_ff + Strip<S, half>::load(pair) * Strip<S, half>(cosine_of[j]);
    }
    S r_of[Points::stride];
    r.store(r_of);
    Terms angular = Terms::load(plan.angular.data()), x(S(0.0)), u(S(0.0));
    for (int j = 0; j < N; ++j) {
      Terms c_turn = Terms::load(&plan.c_turn[j * Terms::stride]);
      angular = angular + Terms::load(&plan.turn_by_point[j * Terms::stride]) * Terms(r_of[j]);
      x = x - c_turn * Terms(work.s[j]);
      u = u + c_turn * Terms(work.c[j]);
    }
    S zero = 0.0;
    S angular_of[Terms::stride], x_of[Terms::stride], u_of[Terms::stride], half_of[Strip<S, half>::stride];
    angular.store(angular_of);
    x.store(x_of);
    u.store(u_of);
    M_ff.store(half_of);
    for (int k = 0, at = 0; k < n; ++k) {
      result.angular[k] = in_link({zero, zero, angular_of[k]});
      result.linear[k] = in_link({x_of[k], u_of[k], zero});
      for (int l = k; l < n; ++l, ++at) result.M_ff[k * n + l] = half_of[at];
    }
    S xx = sum(c * Q), xu = sum(s * Q), trace = sum(r);
    S J_xx = trace - xx, J_uu = xx, J_vv = trace, J_xu = -xu;
    if (plan.has_rotary) {
      Points d = Points::load(plan.difference.data()) * c;
      S square = sum(d * c);
      J_xx += plan.sum_u + square;
      J_uu += plan.sum_u + plan.sum_difference - square;
      J_vv += plan.sum_v;
      J_xu += sum(d * s);
    }
    S* J = result.J;
    J[0] = J_xx;
    J[1] = plan.along_z ? J_vv : J_uu;
    J[2] = plan.along_z ? J_uu : J_vv;
    J[3] = plan.along_z ? zero : J_xu;
    J[4] = plan.along_z ? J_xu : zero;
    J[5] = zero;
    Points weights = Points::load(plan.c.data());
    result.s = in_link({sum(weights * c), sum(weights * s), zero});
    if (!with_tip) return;

    Points reach = Points::load(plan.reach.data());
    tip.p = in_link({sum(reach * c), sum(reach * s), zero});
    before = cosine;
    cosine = cosine * turn_c[N] - sine * turn_s[N];
    sine = sine * turn_c[N] + before * turn_s[N];
    S one = 1.0;
    Triple<S> t = in_link({cosine, sine, zero}), normal = in_link({-sine, cosine, zero});
    tip.R = plan.along_z ? Columns<S>{t, {zero, one, zero}, normal} : Columns<S>{t, normal, {zero, zero, one}};
    x = u = Terms(S(0.0));
    for (int j = 0; j < N; ++j) {
      Terms turn = Terms::load(&plan.reach_turn[j * Terms::stride]);
      x = x - turn * Terms(work.s[j]);
      u = u + turn * Terms(work.c[j]);
    }
    x.store(x_of);
    u.store(u_of);
    for (int k = 0; k < n; ++k) {
      tip.turn[k] = in_link({zero, zero, S(plan.tip_turn[k])});
      tip.slide[k] = in_link({x_of[k], u_of[k], zero});
    }
  }

  LITHE_INLINE void move(const Work& at, const Triple<S>& omega_B, const S* rate, RodForces<S>& result,
                         RodFrame<S>& tip) const {
    S o_x = omega_B.x, o_u = plan.along_z ? omega_B.z : omega_B.y, o_v = plan.along_z ? -omega_B.y : omega_B.z;
    Points c = Points::load(at.c), s = Points::load(at.s);
    Points w = Points::load(plan.turn.data()) * Points(rate[0]);
    for (int k = 1; k < n; ++k) w = w + Points::load(&plan.turn[k * Points::stride]) * Points(rate[k]);
    Points spin = w + Points(o_v), square = spin * spin;
    Points along = Points(o_x) * c + Points(o_u) * s, xu(o_x * o_u);
    Points x = xu * s - (square + Points(o_u * o_u)) * c, u = xu * c - (square + Points(o_x * o_x)) * s,
           v = along * (spin + w);
    S x_of[Points::stride], u_of[Points::stride], v_of[Points::stride];
    x.store(x_of);
    u.store(u_of);
    v.store(v_of);
    Points F_x(S(0.0)), F_u(S(0.0)), F_v(S(0.0));
    for (int i = 0; i < N; ++i) {
      Points G = Points::load(&plan.G[i * Points::stride]);
      F_x = F_x + G * Points(x_of[i]);
      F_u = F_u + G * Points(u_of[i]);
      F_v = F_v + G * Points(v_of[i]);
    }
    Points moment_x = s * F_v, moment_u = c * F_v, moment_v = c * F_u - s * F_x;  // of moment_u the opposite
    if (plan.has_rotary) {
      // n = jα + spin × j spin with α = w (ω_u, −ω_x, 0) and j = j_u 1 + (j_x − j_u) t tᵀ in the plane
      Points d = Points::load(plan.difference.data()), across = Points(o_u) * c - Points(o_x) * s;
      Points uneven = Points::load(plan.uneven.data()) * spin + Points::load(plan.rotary_u.data()) * w;
      Points turning = d * w * across, wheeling = d * along;
      moment_v = moment_v - wheeling * across;
      wheeling = wheeling * spin;
      moment_x = moment_x + uneven * Points(o_u) + turning * c - wheeling * s;
      moment_u = moment_u + uneven * Points(o_x) - turning * s - wheeling * c;
    }
    Points weights = Points::load(plan.c.data());
    result.moment = in_link({sum(moment_x), -sum(moment_u), sum(moment_v)});
    result.force = in_link({sum(weights * x), sum(weights * u), sum(weights * v)});
    moment_v.store(v_of);
    Terms p_f(S(0.0));
    for (int j = 0; j < N; ++j) p_f = p_f + Terms::load(&plan.turn_by_point[j * Terms::stride]) * Terms(v_of[j]);
    S p_of[Terms::stride];
    p_f.store(p_of);
    for (int k = 0; k < n; ++k) result.p_f[k] = p_of[k];
    if (!with_tip) return;

    Points reach = Points::load(plan.reach.data());
    S w_T = plan.tip_turn[0] * rate[0];
    for (int k = 1; k < n; ++k) w_T += plan.tip_turn[k] * rate[k];
    tip.spin = in_link({o_x, o_u, o_v + w_T});
    tip.zeta_angular = in_link({w_T * o_u, -(w_T * o_x), S(0.0)});
    tip.zeta_linear = in_link({sum(reach * x), sum(reach * u), sum(reach * v)});
  }

 private:
  LITHE_INLINE Triple<S> in_link(const Triple<S>& xuv) const {
    return plan.along_z ? Triple<S>{xuv.x, -xuv.z, xuv.y} : xuv;
  }
};

}  // namespace lithe
