#include "lithe/dynamics/articulated/beam_plan.h"

#include <algorithm>

#include "lithe/beam/shortening.h"
#include "lithe/dynamics/articulated/axial.h"

namespace lithe {

TipBody::TipBody(const RigidInertia& inertia) : mass(inertia.mass) {
  for (int i = 0; i < 3; ++i) s[i] = inertia.first_moment[i];
  for (int i = 0; i < 3; ++i)
    for (int j = i; j < 3; ++j) J[axial::at(i, j)] = inertia.J(i, j);
  const bool is_point = inertia.first_moment.isZero(0) && inertia.J.isZero(0);
  kind = !is_point ? Kind::body : mass != 0 ? Kind::point : Kind::none;
}

namespace {

enum Axis { x, y, z };

/// Whether all entries but those of one component vanish in column k.
bool only(const Matrix3Xd& A, int k, int component) {
  for (int i = 0; i < 3; ++i)
    if (i != component && A(i, k) != 0) return false;
  return true;
}

/// The component along which a shape deflects, and the one about which its sections turn; −1 where it is neither bending in one
/// plane nor torsion.
struct ShapePlane {
  int deflects = -1, turns = -1;
};
ShapePlane plane_of(const FlexBasis& b, int k) {
  for (const auto& [deflects, turns] : {std::pair{y, z}, {z, y}}) {
    bool fits = only(b.S, k, deflects) && only(b.tip_phi, k, deflects) && only(b.tip_psi, k, turns) &&
                only(b.H, k, turns) && b.P0[y].col(k).isZero(0) && b.P0[z].col(k).isZero(0) &&
                only(b.P0[x], k, deflects);
    // It moves mass along `deflects`, or none at all.
    for (int a = 0; a < 3; ++a)
      if (a != deflects && b.P[3 * a + a].coeff(k, k) != 0) fits = false;
    const bool moves = b.P[3 * deflects + deflects].coeff(k, k) != 0 || b.tip_phi(deflects, k) != 0;
    if (fits && moves) return {deflects, turns};
  }
  bool twists = b.S.col(k).isZero(0) && b.tip_phi.col(k).isZero(0) && only(b.tip_psi, k, x) && only(b.H, k, x);
  for (int a = 0; a < 3; ++a)
    if (!b.P0[a].col(k).isZero(0) || b.P[3 * a + a].coeff(k, k) != 0) twists = false;
  return twists ? ShapePlane{-1, x} : ShapePlane{};
}

}  // namespace

std::optional<BeamPlan> BeamPlan::of(const FlexBasis& b, const RigidInertia& tip_body) {
  constexpr int most = 16;  // beyond, the constants' structure matters more than the loops'
  const int m = b.size();
  if (m == 0 || m > most || !b.quadratic_inertia || int(b.tip_coordinates.size()) * 2 < m) return {};
  if (b.s0[y] != 0 || b.s0[z] != 0 || b.tip0[y] != 0 || b.tip0[z] != 0) return {};
  Matrix3d along = Matrix3d::Zero();
  along(x, x) = b.Sigma0(x, x);
  if (b.Sigma0 != along || !b.j0.isDiagonal(0)) return {};

  BeamPlan plan;
  std::vector<int> of_plane[3];  // y, z, torsion
  for (int k = 0; k < m; ++k) {
    const ShapePlane plane = plane_of(b, k);
    if (plane.turns < 0) return {};
    of_plane[plane.deflects == y ? 0 : plane.deflects == z ? 1 : 2].push_back(k);
  }
  plan.ny = int(of_plane[0].size());
  plan.nz = int(of_plane[1].size());
  plan.nt = int(of_plane[2].size());
  for (const auto& part : of_plane) plan.index.insert(plan.index.end(), part.begin(), part.end());
  auto group = [&](int k) { return k < plan.ny ? 0 : k < plan.ny + plan.nz ? 1 : 2; };
  constexpr int deflects[] = {y, z, -1}, turns[] = {z, y, x};

  for (int k = 0; k < m; ++k) {
    const int old = plan.index[k], g = group(k);
    const double tip = g == 2 ? 0 : b.tip_phi(deflects[g], old);
    plan.scale.push_back(tip == 0 ? 1 : tip);
    plan.tip.push_back(tip == 0 ? 0 : 1);
    if (plan.scale.back() != 1) plan.scaled = true;
    if (g != 2 && tip == 0) plan.unit_tips = false;
  }
  for (int k = 0; k < m; ++k) {
    const int old = plan.index[k], g = group(k);
    const double f = plan.scale[k];
    plan.psi.push_back(b.tip_psi(turns[g], old) / f);
    plan.H.push_back(b.H(turns[g], old) / f);
    plan.S.push_back(g == 2 ? 0 : b.S(deflects[g], old) / f);
    plan.X.push_back(g == 2 ? 0 : b.P0[x](deflects[g], old) / f);
    for (int l = 0; l < m; ++l) {
      const double M = b.M.coeff(old, plan.index[l]) / (f * plan.scale[l]);
      if (g != group(l) && M != 0) return {};  // rotary inertia or mass ties planes together
      plan.M.push_back(M);
    }
  }
  auto integrals = [&](int g, int h, std::vector<double>& G) {
    const int k0 = g == 0 ? 0 : plan.ny, n_k = g == 0 ? plan.ny : plan.nz;
    const int l0 = h == 0 ? 0 : plan.ny, n_l = h == 0 ? plan.ny : plan.nz;
    for (int k = k0; k < k0 + n_k; ++k)
      for (int l = l0; l < l0 + n_l; ++l)
        G.push_back(b.P[3 * deflects[g] + deflects[h]].coeff(plan.index[k], plan.index[l]) /
                    (plan.scale[k] * plan.scale[l]));
  };
  integrals(0, 0, plan.Gyy);
  integrals(1, 1, plan.Gzz);
  integrals(0, 1, plan.Gyz);

  if (b.shortening) {
    const Shortening& shortening = *b.shortening;
    for (const SparseMatrixd* off_axis : {&shortening.moment[y], &shortening.moment[z]})
      if (off_axis->nonZeros() > 0) return {};
    plan.shortens = true;
    // Shapes of different planes have no slopes in common.
    const auto planes = [&](const SparseMatrixd& G, std::vector<double>& to) {
      const int ends[] = {0, plan.ny, plan.ny + plan.nz};
      for (int g = 0; g < 2; ++g)
        for (int k = ends[g]; k < ends[g + 1]; ++k)
          for (int l = ends[g]; l < ends[g + 1]; ++l)
            to.push_back(G.coeff(plan.index[k], plan.index[l]) / (plan.scale[k] * plan.scale[l]));
    };
    planes(shortening.mass, plan.drawn);
    planes(shortening.moment[x], plan.drawn_x);
    planes(shortening.tip, plan.drawn_tip);
  }

  plan.length = b.tip0[x];
  plan.mass = b.mass;
  plan.s0 = b.s0[x];
  plan.I0 = b.Sigma0(x, x);
  for (int i = 0; i < 3; ++i) plan.j0[i] = b.j0(i, i);
  for (const double f : plan.scale) plan.inverse_scale.push_back(1 / f);
  plan.has_rotary = std::any_of(plan.H.begin(), plan.H.end(), [](double h) { return h != 0; });
  plan.tip_body = TipBody(tip_body);
  return plan;
}

}  // namespace lithe
