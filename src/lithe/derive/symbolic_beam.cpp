#include "lithe/derive/symbolic_beam.h"

#include <fmt/format.h>

#include <algorithm>

#include "lithe/derive/functions.h"

namespace lithe::derive {
namespace {

constexpr const char* axes = "xyz";

double largest(const SparseMatrixd& A) { return A.nonZeros() == 0 ? 0 : A.coeffs().abs().maxCoeff(); }

/// Names numbers of one kind; those within the rounding error of the largest are zero.
class Integrals {
 public:
  Integrals(Names& names, std::string link, double largest) : names_(names), link_(link), least_(1e-13 * largest) {}
  ex operator()(const char* letter, const std::string& suffix, double value, const char* meaning,
                bool heavy = true) const {
    return names_.parameter(letter, link_, suffix, std::abs(value) < least_ ? 0 : value, meaning, heavy);
  }

 private:
  Names& names_;
  std::string link_;
  double least_;
};

Triple cross(const Triple& a, const Triple& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

}  // namespace

SymbolicBeam symbolic_beam(const FlexBasis& flex, const std::string& link, const std::vector<ex>& delta, Names& names,
                           bool small_tips) {
  const int n = flex.size();
  SymbolicBeam beam;
  const Integrals body(names, link, flex.mass + flex.s0.norm() + flex.Sigma0.norm());
  beam.mass = body("m", "", flex.mass, "mass");
  for (int a = 0; a < 3; ++a)
    beam.first_moment[a] = body("s", std::string(1, axes[a]), flex.s0[a], "first moment of the undeformed link");
  const Matrix3d J0 = flex.undeformed().J;
  const Integrals turning(names, link, J0.norm());
  for (int a = 0; a < 3; ++a)
    for (int b = a; b < 3; ++b)
      beam.inertia[a][b] = beam.inertia[b][a] = turning("J", fmt::format("{}{}", axes[a], axes[b]), J0(a, b),
                                                        "inertia of the undeformed link about its root");

  // ∫φ_k dm
  const Integrals slide(names, link, flex.S.size() ? flex.S.cwiseAbs().maxCoeff() : 0);
  for (int k = 0; k < n; ++k) {
    beam.linear.emplace_back();
    for (int a = 0; a < 3; ++a) {
      beam.linear[k][a] = slide("S", fmt::format("{}{}", k + 1, axes[a]), flex.S(a, k), "mass integral of a shape");
      beam.first_moment[a] += beam.linear[k][a] * delta[k];
    }
  }
  // P_kl,ab = ∫φ_k,a φ_l,b dm: P_lk,ba is the same.
  double most = 0, most0 = 0;
  for (const SparseMatrixd& P : flex.P) most = std::max(most, largest(P));
  for (const Matrix3Xd& P0 : flex.P0) most0 = std::max(most0, P0.size() ? P0.cwiseAbs().maxCoeff() : 0.0);
  const Integrals product(names, link, most), lever(names, link, most0);
  std::map<std::array<int, 4>, ex> P;   // a, b, k, l
  std::map<std::array<int, 3>, ex> P0;  // a, b, k
  for (int a = 0; a < 3; ++a)
    for (int b = 0; b < 3; ++b)
      for (int l = 0; l < n; ++l) {
        P0[{a, b, l}] = lever("N", fmt::format("{}{}{}", l + 1, axes[a], axes[b]), flex.P0[a](b, l),
                              "integral of position times a shape");
        for (SparseMatrixd::InnerIterator entry(flex.P[3 * a + b], l); entry; ++entry) {
          const int k = int(entry.row());
          if (P.contains({a, b, k, l})) continue;
          const ex value = product("P", fmt::format("{}{}_{}{}", k + 1, axes[a], l + 1, axes[b]), entry.value(),
                                   "integral of the product of two shapes");
          P[{a, b, k, l}] = P[{b, a, l, k}] = value;
        }
      }
  auto at = [](const auto& table, const auto& key) {
    const auto found = table.find(key);
    return found == table.end() ? ex(0) : found->second;
  };
  // J = J0 + tr(ΔΣ) 1 − ΔΣ with ΔΣ = Σ δ_k (P0_k + P0_kᵀ) + Σ δ_k δ_l P_kl
  Table grown;
  for (int a = 0; a < 3; ++a)
    for (int b = 0; b < 3; ++b)
      for (int l = 0; l < n; ++l) {
        grown[a][b] += delta[l] * (P0[{a, b, l}] + P0[{b, a, l}]);
        for (int k = 0; k < n; ++k) grown[a][b] += at(P, std::array{a, b, k, l}) * delta[k] * delta[l];
      }
  const ex trace = grown[0][0] + grown[1][1] + grown[2][2];
  for (int a = 0; a < 3; ++a)
    for (int b = 0; b < 3; ++b) beam.inertia[a][b] += (a == b ? trace : ex(0)) - grown[a][b];

  // ∫r×φ_k dm + H_k: its constant part is one integral.
  Matrix3Xd angular0 = flex.H;
  for (int k = 0; k < n; ++k)
    for (int c = 0; c < 3; ++c) {
      const int a = (c + 1) % 3, b = (c + 2) % 3;
      angular0(c, k) += flex.P0[a](b, k) - flex.P0[b](a, k);
    }
  const Integrals spin(names, link, n ? angular0.cwiseAbs().maxCoeff() : 0), modal(names, link, largest(flex.M));
  for (int k = 0; k < n; ++k) {
    beam.angular.emplace_back();
    for (int c = 0; c < 3; ++c) {
      const int a = (c + 1) % 3, b = (c + 2) % 3;
      beam.angular[k][c] =
          spin("h", fmt::format("{}{}", k + 1, axes[c]), angular0(c, k), "angular momentum of a shape about the root");
      for (int l = 0; l < n; ++l)
        beam.angular[k][c] += (at(P, std::array{a, b, l, k}) - at(P, std::array{b, a, l, k})) * delta[l];
    }
    beam.modal_mass.emplace_back(n);
    for (int l = 0; l < n; ++l)
      beam.modal_mass[k][l] = l < k ? beam.modal_mass[l][k]
                                    : modal("mu", fmt::format("{}{}", k + 1, l + 1), flex.M.coeff(k, l), "modal mass");
  }
  if (!small_tips) return beam;
  const Integrals rotary(names, link, n ? angular0.cwiseAbs().maxCoeff() : 0);
  for (int k = 0; k < n; ++k) {
    Table Q;
    for (int a = 0; a < 3; ++a)
      for (int b = 0; b < 3; ++b) {
        Q[a][b] = P0[{a, b, k}];
        for (int l = 0; l < n; ++l) Q[a][b] += at(P, std::array{a, b, l, k}) * delta[l];
      }
    for (int c = 0; c < 3; ++c) {
      const int a = (c + 1) % 3, b = (c + 2) % 3;
      const ex H =
          rotary("H", fmt::format("{}{}", k + 1, axes[c]), flex.H(c, k), "rotary inertia times a shape's rotation");
      Q[a][b] += H / 2;
      Q[b][a] -= H / 2;
    }
    beam.spread.push_back(Q);
    beam.products.emplace_back(n);
    for (int l = 0; l < n; ++l)
      for (int a = 0; a < 3; ++a)
        for (int b = 0; b < 3; ++b) beam.products[k][l][a][b] = at(P, std::array{a, b, k, l});
  }
  return beam;
}

void set_symbolic_tip(const FlexBasis& flex, const std::string& link, int number, const std::vector<ex>& delta,
                      Names& names, bool small_tips, SymbolicLink& result) {
  const int n = flex.size();
  const Integrals place(names, link, flex.tip0.norm()), shape(names, link, n ? flex.tip_phi.cwiseAbs().maxCoeff() : 0),
      slope(names, link, n ? flex.tip_psi.cwiseAbs().maxCoeff() : 0);
  std::vector<Triple> phi(n), psi(n);
  Triple moved, theta;
  int turning = 0;  // axes about which the tip turns
  for (int a = 0; a < 3; ++a) {
    int shapes = 0;
    bool turns = false;
    for (int k = 0; k < n; ++k) {
      const std::string suffix = fmt::format("{}{}", k + 1, axes[a]);
      phi[k][a] = shape("phi", suffix, flex.tip_phi(a, k), "shape at the tip", false);
      psi[k][a] = slope("psi", suffix, flex.tip_psi(a, k), "rotation of a shape at the tip", false);
      moved[a] += phi[k][a] * delta[k];
      theta[a] += psi[k][a] * delta[k];
      shapes += !phi[k][a].is_zero();
      turns = turns || !psi[k][a].is_zero();
    }
    turning += turns;
    // One shape is written out, several as the deflection they add up to.
    if (shapes > 1)
      moved[a] =
          names.define(fmt::format("u{}{}", number, axes[a]), fmt::format("u_{{{}{}}}", number, axes[a]), moved[a]);
    const char* meaning = a == 0 ? "length" : "position of the tip";
    result.tip_place[a] = place("l", a == 0 ? "" : std::string(1, axes[a]), flex.tip0[a], meaning, false) + moved[a];
  }
  result.tip = {Shift{result.tip_place}};
  if (small_tips) {
    EntryTurn turn;
    for (int a = 0; a < 3; ++a)
      for (int b = 0; b < 3; ++b) {
        if (a == b)
          turn.R[a][b] = 1;
        else
          turn.R[a][b] = ((a + 1) % 3 == b ? -1 : 1) * theta[3 - a - b];
      }
    result.tip.push_back(turn);
    return;
  }
  std::vector<Triple> omega = psi;
  if (turning == 1) {
    for (int a = 0; a < 3; ++a)
      if (!theta[a].is_zero()) {
        const std::string token = fmt::format("b{}", number);
        result.tip.push_back(Turn{a, 1, token, fmt::format("\\beta_{{{}}}", number), theta[a]});
      }
  } else if (turning > 1) {
    auto named = [&](const std::string& letter, const std::string& latex, const std::string& suffix, const ex& value) {
      std::string below = suffix;
      std::replace(below.begin(), below.end(), '_', ',');
      return names.define(fmt::format("{}{}{}", letter, number, suffix),
                          fmt::format("{}_{{{}{}}}", latex, number, below), value);
    };
    for (int a = 0; a < 3; ++a) theta[a] = named("t", "\\theta", std::string(1, axes[a]), theta[a]);
    const ex x = named("xx", "x", "", theta[0] * theta[0] + theta[1] * theta[1] + theta[2] * theta[2]);
    const ex A = named("ra", "a", "", rot_a(x)), B = named("rb", "b", "", rot_b(x)), C = named("rc", "c", "", rot_c(x));
    EntryTurn turn;
    for (int a = 0; a < 3; ++a)
      for (int b = 0; b < 3; ++b) {
        const int c = 3 - a - b;
        const ex entry = a == b ? 1 - x * B + B * theta[a] * theta[a]
                                : B * theta[a] * theta[b] + ((a + 1) % 3 == b ? -1 : 1) * A * theta[c];
        turn.R[a][b] = named("R", "R", fmt::format("{}{}", axes[a], axes[b]), entry);
      }
    result.tip.push_back(turn);
    for (int k = 0; k < n; ++k) {
      const Triple across = cross(theta, psi[k]);
      const ex along = theta[0] * psi[k][0] + theta[1] * psi[k][1] + theta[2] * psi[k][2];
      for (int a = 0; a < 3; ++a)
        omega[k][a] =
            named("w", "w", fmt::format("_{}{}", k + 1, axes[a]), A * psi[k][a] + B * across[a] + C * theta[a] * along);
    }
  }
  for (const int k : flex.tip_coordinates) result.tip_directions.push_back({result.first_own + k, omega[k], phi[k]});
}

}  // namespace lithe::derive
