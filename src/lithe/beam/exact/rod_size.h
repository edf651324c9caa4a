#pragma once

#include <algorithm>

#include "lithe/beam/exact/strain_basis.h"

namespace lithe {

/// The numbers of an exact link's terms, points and nodes, for the loops over them: as the basis has them, or known to the compiler, which
/// then unrolls every loop. A known size is that of a link without stretch, bodies on it or initial curvature, of order 4, and with
/// the points of the rule.
struct AnySize {
  static constexpr bool known = false;
  const StrainBasis& basis;

  int y() const { return basis.count[0]; }
  int z() const { return basis.count[1]; }
  int x() const { return basis.count[2]; }
  int curvatures() const { return basis.n_curvatures(); }
  int all() const { return basis.size(); }
  int points() const { return basis.strains.points; }
  int arms() const { return basis.n_arms(); }
  int tip() const { return basis.tip(); }
};

template <int n_y, int n_z, int n_x>
struct KnownSize {
  static constexpr bool known = true;
  explicit KnownSize(const StrainBasis&) {}

  static constexpr int y() { return n_y; }
  static constexpr int z() { return n_z; }
  static constexpr int x() { return n_x; }
  static constexpr int curvatures() { return n_y + n_z + n_x; }
  static constexpr int all() { return curvatures(); }
  static constexpr int points() { return std::max({n_y, n_z, n_x}) + 2; }
  static constexpr int arms() { return points(); }
  static constexpr int tip() { return points(); }

  static bool fits(const StrainBasis& basis) {
    return basis.count == std::array<int, 6>{n_y, n_z, n_x, 0, 0, 0} && basis.strains.points == points() &&
           basis.n_nodes() == points() + 1 && basis.strains.order == 4 && basis.strains.initial_curvature.isZero(0);
  }
};

}  // namespace lithe
