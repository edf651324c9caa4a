#pragma once

#include <vector>

#include "lithe/beam/exact/rod_inertia.h"
#include "lithe/beam/exact/strip.h"

namespace lithe {

/// Constants of a link for SpatialRod, by node or point. Rows are padded with zeros, for strips.
class SpatialRodPlan {
 public:
  /// Stride: of rows of that many numbers.
  SpatialRodPlan(const StrainBasis& basis, int (*stride)(int));

  std::vector<double> moment0, moment1;  // [terms × nodes] of the interval before a node
  std::vector<double> c, reach;          // [points]
  std::vector<double> G, C;              // [points × points] by columns
  std::vector<double> inertia;           // [3 × points] of the section: j_y, j_x − j_y, j_z − j_y
  bool has_rotary = false, round = true;
};

/// A link of the sizes that KnownSize has, with the same equations as rod_place.h, rod_move.h and rod_inertia.h: all that is done alike at
/// every node or point is done for all of them at once, in strips. Along the chain go only the rotations, one product each, and sums of
/// turns, spins and angular accelerations over the nodes up to each (`running`).
template <class S, int n_y, int n_z, int n_x>
class SpatialRod {
 public:
  using Size = KnownSize<n_y, n_z, n_x>;
  static constexpr int m = Size::all(), N = Size::points();
  using Points = Strip<S, N>;
  using Nodes = Strip<S, N + 1>;  // with the tip
  static int stride(int count) { return count == N ? Points::stride : Nodes::stride; }

  const SpatialRodPlan& plan;
  bool with_tip;

  /// What `move` needs of `place`.
  struct Work {
    CurvatureMoments<Nodes> moments;
    Triple<Nodes> Omega;
    TurnSeries<Nodes> series;
    Columns<Nodes> before, B;  // before: the rotation at the start of the interval
    Triple<Nodes> W[m];
    Triple<Points> t;
    Points j[6];
  };

  void place(const S* delta, Work& work, RodInertia<S>& result, RodFrame<S>& tip) const {
    S R[9][Nodes::stride + 1] = {};  // by entry, column after column; of the root and then of the nodes
    turn(delta, work, R);
    turns(work);

    const Triple<Points> t = work.t = {Points::load(R[0] + 1), Points::load(R[1] + 1), Points::load(R[2] + 1)};
    Triple<Points> Q = Triple<Points>::zero();
    for (int i = 0; i < N; ++i)
      Q += Points::load(&plan.G[size_t(i * Points::stride)]) * all(R[0][i + 1], R[1][i + 1], R[2][i + 1]);
    if (plan.has_rotary) turn_inertia(t, R, work.j);

    const Points c = Points::load(plan.c.data()), reach = Points::load(plan.reach.data());
    Points whole[12] = {
        c * t.x,   c * t.y,   c * t.z,   t.y * Q.y + t.z * Q.z, t.x * Q.x + t.z * Q.z, t.x * Q.x + t.y * Q.y,
        t.x * Q.y, t.x * Q.z, t.y * Q.z, reach * t.x,           reach * t.y,           reach * t.z};
    S sums[12];
    store_sums(whole, sums);
    result.s = {sums[0], sums[1], sums[2]};
    for (int k = 0; k < 6; ++k) result.J[k] = k < 3 ? sums[3 + k] : -sums[3 + k];
    if (plan.has_rotary) {
      S own[6];
      store_sums(work.j, own);
      for (int k = 0; k < 6; ++k) result.J[k] += own[k];
    }

    Triple<Points> CT[m], jW[m];
    Points angular[3 * m], linear[3 * m], slide[3 * m];
    for (int k = 0; k < m; ++k) {
      const Triple<Points> W = at_points(work.W[k]), T = cross(W, t);
      S T_of[3][Points::stride];
      store(T, T_of);
      CT[k] = Triple<Points>::zero();
      for (int i = 0; i < N; ++i)
        CT[k] += Points::load(&plan.C[size_t(i * Points::stride)]) * all(T_of[0][i], T_of[1][i], T_of[2][i]);
      Triple<Points> turning = cross(Q, T);
      if (plan.has_rotary) turning += jW[k] = rod::times(work.j, W);
      put(turning, angular + 3 * k);
      put(c * T, linear + 3 * k);
      if (with_tip) put(reach * T, slide + 3 * k);
    }
    store_triples(angular, result.angular);
    store_triples(linear, result.linear);

    Points products[m * (m + 1) / 2];
    for (int k = 0, at = 0; k < m; ++k)
      for (int l = k; l < m; ++l, ++at) {
        products[at] = dot(CT[k], CT[l]);
        if (plan.has_rotary) products[at] = products[at] + dot(at_points(work.W[k]), jW[l]);
      }
    S M_ff[m * (m + 1) / 2];
    store_sums(products, M_ff);
    for (int k = 0, at = 0; k < m; ++k)
      for (int l = k; l < m; ++l, ++at) result.M_ff[size_t(k * m + l)] = M_ff[at];
    if (!with_tip) return;

    constexpr int last = N + 1;
    tip.R = {{R[0][last], R[1][last], R[2][last]},
             {R[3][last], R[4][last], R[5][last]},
             {R[6][last], R[7][last], R[8][last]}};
    tip.p = {sums[9], sums[10], sums[11]};
    for (int k = 0; k < m; ++k) tip.turn[size_t(k)] = at_tip(work.W[k]);
    store_triples(slide, tip.slide);
  }

  void move(const Work& at, const Triple<S>& omega, const S* rate, RodForces<S>& result, RodFrame<S>& tip) const {
    // (7) of all intervals.
    const CurvatureMoments<Nodes> rates = moments(rate);
    const Triple<Nodes>&a = at.moments.a, &beta = at.moments.beta, &Omega = at.Omega;
    const Triple<Nodes> Omega_d = rates.a + cross(rates.a, beta) + cross(a, rates.beta);
    const Triple<Nodes> half = cross(rates.a, rates.beta), once = cross(Omega, Omega_d);
    const Nodes x_rate = dot(Omega, Omega_d);
    const Triple<Nodes> turning =
        (at.series.two_db * x_rate) * once + cross((at.series.two_dc * x_rate) * Omega + at.series.c * Omega_d, once);
    const Triple<Nodes> own = at.B * Omega_d;
    const Triple<Nodes> spin = {Nodes(omega.x) + running(own.x), Nodes(omega.y) + running(own.y),
                                Nodes(omega.z) + running(own.z)};
    // [spin] × y = spin × y: the spin after the interval is more by y.
    const Triple<Nodes> more = cross(spin, own) + at.before * turning + at.B * (half + half);
    const Triple<Nodes> alpha = {running(more.x), running(more.y), running(more.z)};

    // (9)
    const Triple<Points> w = at_points(spin), w_rate = at_points(alpha), &t = at.t;
    const Triple<Points> t_dd = cross(w_rate, t) + cross(w, cross(w, t));
    S t_of[3][Points::stride];
    store(t_dd, t_of);
    Triple<Points> F = Triple<Points>::zero();
    for (int i = 0; i < N; ++i)
      F += Points::load(&plan.G[size_t(i * Points::stride)]) * all(t_of[0][i], t_of[1][i], t_of[2][i]);
    Triple<Points> at_node = cross(t, F);
    if (plan.has_rotary) at_node += rod::times(at.j, w_rate) + cross(w, rod::times(at.j, w));
    const Points c = Points::load(plan.c.data()), reach = Points::load(plan.reach.data());
    Points whole[9 + m] = {at_node.x,  at_node.y,      at_node.z,      c * t_dd.x,    c * t_dd.y,
                           c * t_dd.z, reach * t_dd.x, reach * t_dd.y, reach * t_dd.z};
    for (int k = 0; k < m; ++k) whole[9 + k] = dot(at_points(at.W[k]), at_node);
    S sums[9 + m];
    store_sums(whole, sums);
    result.moment = {sums[0], sums[1], sums[2]};
    result.force = {sums[3], sums[4], sums[5]};
    for (int k = 0; k < m; ++k) result.p_f[size_t(k)] = sums[9 + k];
    if (!with_tip) return;
    tip.spin = at_tip(spin);
    tip.zeta_angular = at_tip(alpha);
    tip.zeta_linear = {sums[6], sums[7], sums[8]};
  }

 private:
  LITHE_INLINE static Triple<Points> all(const S& x, const S& y, const S& z) {
    return {Points(x), Points(y), Points(z)};
  }
  LITHE_INLINE static void put(const Triple<Points>& v, Points* to) { to[0] = v.x, to[1] = v.y, to[2] = v.z; }
  LITHE_INLINE static void store(const Triple<Points>& v, S (*to)[Points::stride]) {
    v.x.store(to[0]);
    v.y.store(to[1]);
    v.z.store(to[2]);
  }
  LITHE_INLINE static Triple<Points> at_points(const Triple<Nodes>& v) {
    return {Points::first_of(v.x), Points::first_of(v.y), Points::first_of(v.z)};
  }
  LITHE_INLINE static Triple<S> at_tip(const Triple<Nodes>& v) { return {v.x[N], v.y[N], v.z[N]}; }
  LITHE_INLINE static void store_triples(const Points (&from)[3 * m], std::vector<Triple<S>>& to) {
    S sums[3 * m];
    store_sums(from, sums);
    for (int k = 0; k < m; ++k) to[size_t(k)] = {sums[3 * k], sums[3 * k + 1], sums[3 * k + 2]};
  }

  /// Σ z_k δ_k over `count` terms, from term `from` on, at all nodes.
  template <int count, int from>
  LITHE_INLINE static Nodes sum_of_terms(const double* z, const S* delta) {
    Nodes sum(S(0.0));
    for (int k = from; k < count; ++k) sum = sum + Nodes::load(z + k * Nodes::stride) * Nodes(delta[k]);
    return sum;
  }
  LITHE_INLINE CurvatureMoments<Nodes> moments(const S* delta) const {
    const double *z0 = plan.moment0.data(), *z1 = plan.moment1.data();
    const S *y = delta, *z = y + n_y, *x = z + n_z;
    const Nodes zero(S(0.0));
    CurvatureMoments<Nodes> result;
    result.a = {sum_of_terms<n_x, 0>(z0, x), zero - sum_of_terms<n_z, 0>(z0, z), sum_of_terms<n_y, 0>(z0, y)};
    result.beta = {sum_of_terms<n_x, 1>(z1, x), zero - sum_of_terms<n_z, 1>(z1, z), sum_of_terms<n_y, 1>(z1, y)};
    return result;
  }

  /// (5): rotations of all nodes, and what (6), (7) need of their intervals.
  LITHE_INLINE void turn(const S* delta, Work& work, S (*R)[Nodes::stride + 1]) const {
    work.moments = moments(delta);
    const Triple<Nodes> Omega = work.Omega = work.moments.a + cross(work.moments.a, work.moments.beta);
    const Nodes xx = Omega.x * Omega.x, yy = Omega.y * Omega.y, zz = Omega.z * Omega.z, one(S(1.0));
    work.series = TurnSeries<Nodes>::at(xx + yy + zz);
    const Nodes c = work.series.c;
    const Triple<Nodes> skew = work.series.b * Omega;
    const Nodes xy = c * (Omega.x * Omega.y), xz = c * (Omega.x * Omega.z), yz = c * (Omega.y * Omega.z);
    const Columns<Nodes> J{{one - c * (yy + zz), xy + skew.z, xz - skew.y},
                           {xy - skew.z, one - c * (xx + zz), yz + skew.x},
                           {xz + skew.y, yz - skew.x, one - c * (xx + yy)}};
    // exp[Ω] = 1 + J_l [Ω]×, one after the other.
    Columns<Nodes> own{Omega.z * J.y - Omega.y * J.z, Omega.x * J.z - Omega.z * J.x, Omega.y * J.x - Omega.x * J.y};
    own.x.x = own.x.x + one;
    own.y.y = own.y.y + one;
    own.z.z = own.z.z + one;
    S E[9][Nodes::stride];
    store(own, E);
    for (int k = 0; k < 9; k += 4) R[k][0] = S(1.0);
    for (int k = 0; k < 9; ++k) R[k][1] = E[k][0];
    for (int i = 1; i <= N; ++i)
      for (int column = 0; column < 9; column += 3)
        for (int row = 0; row < 3; ++row)
          R[column + row][i + 1] =
              R[row][i] * E[column][i] + R[3 + row][i] * E[column + 1][i] + R[6 + row][i] * E[column + 2][i];
    const Columns<Nodes> before{{Nodes::load(R[0]), Nodes::load(R[1]), Nodes::load(R[2])},
                                {Nodes::load(R[3]), Nodes::load(R[4]), Nodes::load(R[5])},
                                {Nodes::load(R[6]), Nodes::load(R[7]), Nodes::load(R[8])}};
    work.before = before;
    work.B = {before * J.x, before * J.y, before * J.z};
  }
  LITHE_INLINE static void store(const Columns<Nodes>& A, S (*to)[Nodes::stride]) {
    int k = 0;
    for (const Triple<Nodes>* column : {&A.x, &A.y, &A.z})
      for (const Nodes* entry : {&column->x, &column->y, &column->z}) entry->store(to[k++]);
  }

  /// (6)
  LITHE_INLINE void turns(Work& work) const {
    const Columns<Nodes>& B = work.B;
    const Triple<Nodes>&a = work.moments.a, &beta = work.moments.beta;
    if constexpr (n_y > 0) turns_of_kind<n_y>(B.z - beta.y * B.x + beta.x * B.y, a.y * B.x - a.x * B.y, work.W);
    if constexpr (n_z > 0)
      turns_of_kind<n_z>(beta.x * B.z - beta.z * B.x - B.y, a.z * B.x - a.x * B.z, work.W + n_y);  // −e_y
    if constexpr (n_x > 0)
      turns_of_kind<n_x>(B.x - beta.z * B.y + beta.y * B.z, a.z * B.y - a.y * B.z, work.W + n_y + n_z);
  }
  template <int count>
  LITHE_INLINE void turns_of_kind(const Triple<Nodes>& per0, const Triple<Nodes>& per1, Triple<Nodes>* W) const {
    for (int k = 0; k < count; ++k) {
      Triple<Nodes> turn = Nodes::load(&plan.moment0[size_t(k * Nodes::stride)]) * per0;
      if (k > 0) turn += Nodes::load(&plan.moment1[size_t(k * Nodes::stride)]) * per1;
      W[k] = {running(turn.x), running(turn.y), running(turn.z)};
    }
  }

  /// j = R diag Rᵀ of the points' sections.
  LITHE_INLINE void turn_inertia(const Triple<Points>& t, const S (*R)[Nodes::stride + 1], Points* j) const {
    const double* own = plan.inertia.data();
    const Points even = Points::load(own), zero(S(0.0));
    for (int k = 0; k < 6; ++k) j[k] = k < 3 ? even : zero;
    add_square(Points::load(own + Points::stride), t, j);
    if (!plan.round)
      add_square(Points::load(own + 2 * Points::stride),
                 {Points::load(R[6] + 1), Points::load(R[7] + 1), Points::load(R[8] + 1)}, j);
  }
  LITHE_INLINE static void add_square(const Points& s, const Triple<Points>& a, Points* A) {
    const Triple<Points> sa = s * a;
    A[0] = A[0] + sa.x * a.x;
    A[1] = A[1] + sa.y * a.y;
    A[2] = A[2] + sa.z * a.z;
    A[3] = A[3] + sa.x * a.y;
    A[4] = A[4] + sa.x * a.z;
    A[5] = A[5] + sa.y * a.z;
  }
};

}  // namespace lithe
