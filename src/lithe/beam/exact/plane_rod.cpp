#include "lithe/beam/exact/plane_rod.h"

#include <algorithm>
#include <cmath>

namespace lithe {

bool PlaneRodPlan::fits(const StrainBasis& basis) {
  return basis.is_plane() && basis.size() <= most_terms && basis.strains.points == basis.size() + 2;
}

PlaneRodPlan::PlaneRodPlan(const StrainBasis& basis, int (*stride)(int))
    : along_z(basis.count[1] > 0), terms(basis.size()) {
  const int n = terms, N = basis.strains.points;
  MatrixXd S(N + 1, n);  // turn of every node per coordinate
  for (int i = 0; i <= N; ++i)
    for (int k = 0; k < n; ++k) S(i, k) = basis.nodes[i].before.moment0[k] + (i > 0 ? S(i - 1, k) : 0);
  S.row(N) = Eigen::RowVectorXd::Unit(n, 0);  // at the tip: the first coordinate is its turn
  const auto table = [&](int rows, int columns, const auto& entry) {
    const int width = stride(columns);
    std::vector<double> result(size_t(rows * width), 0);
    double largest = 0;
    for (int i = 0; i < rows; ++i)
      for (int j = 0; j < columns; ++j) {
        result[i * width + j] = entry(i, j);
        largest = std::max(largest, std::abs(result[i * width + j]));
      }
    // What vanishes but for rounding is zero: counts of work do not depend on the compiler.
    for (double& value : result)
      if (std::abs(value) < 1e-15 * largest) value = 0;
    return result;
  };
  const auto by_point = [&](const auto& entry) { return table(1, N, [&](int, int j) { return entry(j); }); };
  const auto G_at = [&](int i, int j) { return basis.G[i * N + j]; };
  c = by_point([&](int j) { return basis.c[j]; });
  reach = by_point([&](int j) { return basis.reach[j]; });
  G = table(N, N, G_at);
  step = table(n, N + 1, [&](int k, int i) { return basis.nodes[i].before.moment0[k]; });
  turn = table(n, N, [&](int k, int j) { return S(j, k); });
  turn_by_point = table(N, n, [&](int j, int k) { return S(j, k); });
  c_turn = table(N, n, [&](int j, int k) { return basis.c[j] * S(j, k); });
  reach_turn = table(N, n, [&](int j, int k) { return basis.reach[j] * S(j, k); });
  tip_turn = table(1, n, [&](int, int k) { return S(N, k); });

  // Of the section's own inertia, about the axes of the plane and across it.
  const int of_u = along_z ? 2 : 1, of_v = along_z ? 1 : 2;
  const auto j_of = [&](int j) -> const Vector3d& { return basis.nodes[j].inertia; };
  rotary_u = by_point([&](int j) { return j_of(j)[of_u]; });
  uneven = by_point([&](int j) { return j_of(j)[of_v] - j_of(j)[of_u]; });
  difference = by_point([&](int j) { return j_of(j).x() - j_of(j)[of_u]; });
  for (int j = 0; j < N; ++j) {
    has_rotary = has_rotary || basis.nodes[j].has_inertia;
    sum_u += j_of(j)[of_u];
    sum_v += j_of(j)[of_v];
    sum_difference += j_of(j).x() - j_of(j)[of_u];
  }

  const auto sum_over_points = [&](const auto& entry) {
    double sum = 0;
    for (int j = 0; j < N; ++j) sum += entry(j);
    return sum;
  };
  angular = table(1, n, [&](int, int k) { return sum_over_points([&](int j) { return j_of(j)[of_v] * S(j, k); }); });
  std::vector<std::pair<int, int>> halves, point_pairs;
  for (int k = 0; k < n; ++k)
    for (int l = k; l < n; ++l) halves.emplace_back(k, l);
  for (int i = 0; i < N; ++i)
    for (int j = i + 1; j < N; ++j) point_pairs.emplace_back(i, j);
  M_ff = table(1, int(halves.size()), [&](int, int at) {
    const auto [k, l] = halves[at];
    return sum_over_points([&](int j) { return (G_at(j, j) + j_of(j)[of_v]) * S(j, k) * S(j, l); });
  });
  pairs = table(int(point_pairs.size()), int(halves.size()), [&](int pair, int at) {
    const auto [i, j] = point_pairs[pair];
    const auto [k, l] = halves[at];
    return G_at(i, j) * (S(i, k) * S(j, l) + S(j, k) * S(i, l));
  });
}

}  // namespace lithe
