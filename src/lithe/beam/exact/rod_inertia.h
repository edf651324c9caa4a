#pragma once

#include "lithe/beam/exact/rod_move.h"

namespace lithe {

/// Inertia of an exact link about its root frame B, in axes of B: M_BB = [[J, [s]×], [−[s]×, m]] of the frame, the columns [angular;
/// linear] of M_Bf that couple frame and coordinates, and M_ff. Sums over masses are sums over arms (strain_basis.h):
///
///   s = Σ c_j t_j     Σ = ∫ppᵀ dm = Σ t_j Q_jᵀ, Q_j = Σ_i G_ji t_i     J = tr Σ 1 − Σ + Σ j
///   M_Bf,k = [Σ Q_j × T_jk + Σ j W_k ; Σ c_j T_jk]     M_ff,kl = Σ_j (C T_k)_j · (C T_l)_j + Σ W_k · j W_l                       (8)
///
/// with j = R diag Rᵀ a section's own inertia: it turns with the section (a link of shapes holds it fixed in B).
template <class S>
struct RodInertia {
  explicit RodInertia(const StrainBasis& basis)
      : angular(size_t(basis.size())),
        linear(size_t(basis.size())),
        M_ff(size_t(basis.size() * basis.size())),
        j(size_t(6 * basis.n_nodes())),
        scratch_(size_t(basis.size())) {}

  Triple<S> s;
  S J[6];                                  // xx yy zz xy xz yz
  std::vector<Triple<S>> angular, linear;  // M_Bf by coordinate
  std::vector<S> M_ff;                     // by rows; the upper half
  std::vector<S> j;                        // [6 × nodes] of sections with inertia, ordered as J

  std::vector<Triple<S>> scratch_;
};

/// The velocity forces of an exact link on B [moment; force] and on its coordinates. With F_j = Σ_i G_ji ẗ_i and m_j = t_j × F_j,
///
///   force = Σ c_j ẗ_j     moment = Σ m_j + Σ n     p_f,k = Σ W_k · (m_j + n) + Σ (R Ψ_ν,k)_j · F_j     n = jα + spin × j spin     (9)
template <class S>
struct RodForces {
  explicit RodForces(const StrainBasis& basis) : p_f(size_t(basis.size())) {}
  Triple<S> moment, force;
  std::vector<S> p_f;
};

/// A section's frame on an exact link, such as the tip frame T, in axes of B: its pose, how coordinates move it, Φ_k = [turn; slide], its
/// spin ω + w, and the velocity terms of its acceleration: A = Y A_B + Φ δ̈ + ζ with Y = [[1, 0], [−[p]×, 1]].
template <class S>
struct RodFrame {
  explicit RodFrame(const StrainBasis& basis) : turn(size_t(basis.size())), slide(size_t(basis.size())) {}
  Columns<S> R;
  Triple<S> p;
  std::vector<Triple<S>> turn, slide;
  Triple<S> spin, zeta_angular, zeta_linear;
};

namespace rod {

/// A v for a symmetric matrix: xx yy zz xy xz yz.
template <class S>
LITHE_INLINE Triple<S> times(const S* A, const Triple<S>& v) {
  return {A[0] * v.x + A[3] * v.y + A[4] * v.z, A[3] * v.x + A[1] * v.y + A[5] * v.z,
          A[4] * v.x + A[5] * v.y + A[2] * v.z};
}

/// Adds s a aᵀ.
template <class S>
LITHE_INLINE void add_square(const S& s, const Triple<S>& a, S* A) {
  Triple<S> sa = s * a;
  A[0] += sa.x * a.x;
  A[1] += sa.y * a.y;
  A[2] += sa.z * a.z;
  A[3] += sa.x * a.y;
  A[4] += sa.x * a.z;
  A[5] += sa.y * a.z;
}

/// j of a section and of bodies on it, turned into axes of B.
template <class S>
LITHE_INLINE void turn_inertia(const StrainBasis::Node& node, const Columns<S>& R, S* j) {
  const Vector3d& own = node.inertia;
  for (int k = 0; k < 3; ++k) j[k] = own.y(), j[3 + k] = 0.0;
  add_square(S(own.x() - own.y()), R.x, j);
  if (!node.round) add_square(S(own.z() - own.y()), R.z, j);
  if (!node.has_body) return;
  const Matrix3d& J = node.body;
  const auto column = [&](int k) { return R * constant<S>(J.col(k)); };
  const Columns<S> RJ{column(0), column(1), column(2)};
  j[0] += RJ.x.x * R.x.x + RJ.y.x * R.y.x + RJ.z.x * R.z.x;
  j[1] += RJ.x.y * R.x.y + RJ.y.y * R.y.y + RJ.z.y * R.z.y;
  j[2] += RJ.x.z * R.x.z + RJ.y.z * R.y.z + RJ.z.z * R.z.z;
  j[3] += RJ.x.x * R.x.y + RJ.y.x * R.y.y + RJ.z.x * R.z.y;
  j[4] += RJ.x.x * R.x.z + RJ.y.x * R.y.z + RJ.z.x * R.z.z;
  j[5] += RJ.x.y * R.x.z + RJ.y.y * R.y.z + RJ.z.y * R.z.z;
}

/// (8)
template <class S, class Size>
LITHE_INLINE void inertia(const Size& size, const StrainBasis& basis, const RodPlace<S>& place, RodInertia<S>& result) {
  const int m = size.all(), arms = size.arms();
  const Triple<S>* t = place.t.data();
  Triple<S> s = Triple<S>::zero();
  S Sigma[6];
  for (S& entry : Sigma) entry = 0.0;
  Triple<S>*angular = result.angular.data(), *linear = result.linear.data();
  S* M_ff = result.M_ff.data();
  for (int k = 0; k < m; ++k) {
    angular[k] = linear[k] = Triple<S>::zero();
    for (int l = k; l < m; ++l) M_ff[k * m + l] = 0.0;
  }

  for (int j = 0; j < arms; ++j) {
    const double* G = &basis.G[j * arms];
    S c = basis.c[j];
    s += c * t[j];
    Triple<S> Q = S(G[0]) * t[0];
    for (int i = 1; i < arms; ++i) Q += S(G[i]) * t[i];
    Sigma[0] += t[j].x * Q.x;
    Sigma[1] += t[j].y * Q.y;
    Sigma[2] += t[j].z * Q.z;
    Sigma[3] += t[j].x * Q.y;
    Sigma[4] += t[j].x * Q.z;
    Sigma[5] += t[j].y * Q.z;
    const Triple<S>* T = &place.T[j * m];
    for (int k = 0; k < m; ++k) {
      linear[k] += c * T[k];
      angular[k] += cross(Q, T[k]);
    }
    // A row of C T, which is upper triangular.
    Triple<S>* row = result.scratch_.data();
    const double* C = &basis.C[j * arms];
    for (int k = 0; k < m; ++k) {
      row[k] = S(C[j]) * T[k];
      for (int i = j + 1; i < arms; ++i) row[k] += S(C[i]) * place.T[i * m + k];
    }
    for (int k = 0; k < m; ++k)
      for (int l = k; l < m; ++l) M_ff[k * m + l] += dot(row[k], row[l]);
  }
  result.s = s;
  S* J = result.J;
  J[0] = Sigma[1] + Sigma[2];
  J[1] = Sigma[0] + Sigma[2];
  J[2] = Sigma[0] + Sigma[1];
  for (int k = 3; k < 6; ++k) J[k] = -Sigma[k];

  const int turning = size.curvatures();
  for (int i = 0; i < size.tip(); ++i) {
    const StrainBasis::Node& node = basis.nodes[i];
    if (!node.has_inertia) continue;
    S* j = &result.j[6 * i];
    turn_inertia(node, place.R[i], j);
    for (int k = 0; k < 6; ++k) J[k] += j[k];
    const Triple<S>* W = &place.W[i * turning];
    for (int k = 0; k < turning; ++k) {
      Triple<S> jW = times(j, W[k]);
      angular[k] += jW;
      for (int l = 0; l <= k; ++l) M_ff[l * m + k] += dot(W[l], jW);
    }
  }
}

/// (9); reads the j of `inertia`.
template <class S, class Size>
LITHE_INLINE void forces(const Size& size, const StrainBasis& basis, const RodPlace<S>& place,
                         const RodMotion<S>& motion, const RodInertia<S>& inertia, RodForces<S>& result) {
  const int m = size.all(), turning = size.curvatures(), arms = size.arms();
  Triple<S> moment = Triple<S>::zero(), force = Triple<S>::zero();
  S* p_f = result.p_f.data();
  for (int k = 0; k < m; ++k) p_f[k] = 0.0;
  const auto turn = [&](const Triple<S>& at_node, const Triple<S>* W) {
    moment += at_node;
    for (int k = 0; k < turning; ++k) p_f[k] += dot(W[k], at_node);
  };
  for (int j = 0; j < arms; ++j) {
    const double* G = &basis.G[j * arms];
    const Triple<S>* t_dd = motion.t_dd.data();
    force += S(basis.c[j]) * t_dd[j];
    Triple<S> F = S(G[0]) * t_dd[0];
    for (int i = 1; i < arms; ++i) F += S(G[i]) * t_dd[i];
    const int node = Size::known ? j : basis.arms[j].node;
    Triple<S> at_node = cross(place.t[j], F);
    if constexpr (Size::known) {
      if (basis.nodes[node].has_inertia) {  // the point's section, in one go
        const S* own = &inertia.j[6 * node];
        const Triple<S>& spin = motion.spin[node];
        at_node += times(own, motion.alpha[node]) + cross(spin, times(own, spin));
      }
    } else if (j < size.points()) {
      for (int k = turning; k < m; ++k) p_f[k] += dot(place.T[j * m + k], F);
    }
    turn(at_node, &place.W[node * turning]);
  }
  if constexpr (!Size::known)
    for (int i = 0; i < size.tip(); ++i) {
      if (!basis.nodes[i].has_inertia) continue;
      const S* own = &inertia.j[6 * i];
      const Triple<S>& spin = motion.spin[i];
      turn(times(own, motion.alpha[i]) + cross(spin, times(own, spin)), &place.W[i * turning]);
    }
  result.moment = moment;
  result.force = force;
}

/// Where the tip is and how coordinates move it.
template <class S, class Size>
LITHE_INLINE void tip_place(const Size& size, const StrainBasis& basis, const RodPlace<S>& place, RodFrame<S>& result) {
  const int m = size.all(), turning = size.curvatures(), tip = size.tip();
  result.R = place.R[tip];
  Triple<S> p = S(basis.reach[0]) * place.t[0];
  for (int j = 1; j < size.points(); ++j) p += S(basis.reach[j]) * place.t[j];
  result.p = p;
  for (int k = 0; k < m; ++k) {
    result.turn[k] = k < turning ? place.W[tip * turning + k] : Triple<S>::zero();
    Triple<S> slide = S(basis.reach[0]) * place.T[k];
    for (int j = 1; j < size.points(); ++j) slide += S(basis.reach[j]) * place.T[j * m + k];
    result.slide[k] = slide;
  }
}

/// Its velocity terms.
template <class S, class Size>
LITHE_INLINE void tip_motion(const Size& size, const StrainBasis& basis, const RodMotion<S>& motion,
                             RodFrame<S>& result) {
  result.spin = motion.spin[size.tip()];
  result.zeta_angular = motion.alpha[size.tip()];
  Triple<S> linear = S(basis.reach[0]) * motion.t_dd[0];
  for (int j = 1; j < size.points(); ++j) linear += S(basis.reach[j]) * motion.t_dd[j];
  result.zeta_linear = linear;
}

}  // namespace rod
}  // namespace lithe
