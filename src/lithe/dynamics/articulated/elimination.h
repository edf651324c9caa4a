#pragma once

#include <vector>

#include "lithe/dynamics/articulated/axial.h"
#include "lithe/spatial/lanes.h"

// Flexible coordinates out of  [P N; Nᵀ F] [A; δ̈] + [p; r] = [wrench; 0],  one by one (12). F has rows of m numbers, of which the
// upper half counts. Inlined, so that a number of coordinates known to the compiler unrolls every loop.

namespace lithe {

/// Sets P and p to the articulated inertia and wrench of everything outboard, seen from B, L and l to the rows over their pivots, and e to
/// the right-hand sides. Returns the lanes in which a pivot vanished, that is, does not exceed `least`.
template <class S>
LITHE_INLINE unsigned eliminate(int m, axial::Vector6<S>* N, S* F, S* r, axial::Inertia<S>& P, axial::Vector6<S>& p,
                                axial::Vector6<S>* L, S* l, S* e, double least = 0) {
  unsigned singular = 0;
  for (int k = 0; k < m; ++k) {
    S pivot = F[k * m + k];
    singular |= lanes_not_above(pivot, least);
    S inverse = 1.0 / pivot;
    Twin<S> scale(inverse), right(r[k]);
    axial::Vector6<S> own;
    for (int i = 0; i < 3; ++i) own.v[i] = scale * N[k].v[i];
    for (int x = k + 1; x < m; ++x) {
      S coupling = F[k * m + x], ratio = coupling * inverse;
      l[k * m + x] = ratio;
      Twin<S> both(coupling);
      for (int i = 0; i < 3; ++i) N[x].v[i] = N[x].v[i] - both * own.v[i];
      r[x] -= ratio * r[k];
      for (int y = k + 1; y <= x; ++y) F[y * m + x] -= coupling * l[k * m + y];
    }
    for (int i = 0; i < 3; ++i) p.v[i] = p.v[i] - right * own.v[i];
    e[k] = r[k] * inverse;
    axial::subtract(N[k], own, P);
    L[k] = own;
  }
  return singular;
}

/// δ̈ from B's acceleration.
template <class S>
LITHE_INLINE void recover(int m, const axial::Vector6<S>* L, const S* l, const S* e, const axial::Vector6<S>& A,
                          S* accel) {
  for (int k = m - 1; k >= 0; --k) {
    S sum = e[k] + axial::dot6(L[k], A);
    for (int x = k + 1; x < m; ++x) sum += l[k * m + x] * accel[x];
    accel[k] = -sum;
  }
}

/// The equations before elimination, where some coordinates' accelerations are given.
template <class S>
struct GivenRows {
  std::vector<axial::Vector6<S>> N;
  std::vector<S> F, r;

  void reserve(size_t m) {
    N.reserve(m);
    F.reserve(m * m);
    r.reserve(m);
  }
};

/// A driven coordinate keeps its place with a unit row, so that the solution returns what was given. `given(k)` is empty for a
/// free one. Copies the equations as they were, both halves of F.
template <class S, class Given>
void impose(int m, const Given& given, axial::Vector6<S>* N, S* F, S* r, axial::Vector6<S>& p, GivenRows<S>& whole) {
  for (int k = 0; k < m; ++k)
    for (int l = 0; l < k; ++l) F[k * m + l] = F[l * m + k];
  whole.N.assign(N, N + m);
  whole.F.assign(F, F + m * m);
  whole.r.assign(r, r + m);
  for (int k = 0; k < m; ++k) {
    const auto acceleration = given(k);
    if (!acceleration) continue;
    Twin<S> both(*acceleration);
    for (int i = 0; i < 3; ++i) p.v[i] = p.v[i] + both * whole.N[k].v[i];
    for (int l = 0; l < m; ++l) r[l] += *acceleration * whole.F[l * m + k];
  }
  for (int k = 0; k < m; ++k) {
    const auto acceleration = given(k);
    if (!acceleration) continue;
    for (int l = 0; l < m; ++l) F[k * m + l] = F[l * m + k] = 0.0;
    N[k] = axial::Vector6<S>::zero();
    F[k * m + k] = 1.0;
    r[k] = -*acceleration;
  }
}

/// What a driven coordinate takes: its row of the equations as they were.
template <class S>
S force_on(int m, int k, const GivenRows<S>& whole, const axial::Vector6<S>& A, const S* accel) {
  S force = whole.r[k] + axial::dot6(whole.N[k], A);
  for (int l = 0; l < m; ++l) force += whole.F[k * m + l] * accel[l];
  return force;
}

}  // namespace lithe
