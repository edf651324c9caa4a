#include "lithe/beam/exact/spatial_rod.h"

namespace lithe {

SpatialRodPlan::SpatialRodPlan(const StrainBasis& basis, int (*stride)(int)) {
  const int n = basis.most_terms(), N = basis.strains.points;
  const auto table = [&](int rows, int columns, const auto& entry) {
    const int width = stride(columns);
    std::vector<double> result(size_t(rows * width), 0);
    for (int i = 0; i < rows; ++i)
      for (int j = 0; j < columns; ++j) result[size_t(i * width + j)] = entry(i, j);
    return result;
  };
  const auto node = [&](int i) -> const StrainBasis::Node& { return basis.nodes[size_t(i)]; };
  moment0 = table(n, N + 1, [&](int k, int i) { return node(i).before.moment0[size_t(k)]; });
  moment1 = table(n, N + 1, [&](int k, int i) { return node(i).before.moment1[size_t(k)]; });
  c = table(1, N, [&](int, int j) { return basis.c[size_t(j)]; });
  reach = table(1, N, [&](int, int j) { return basis.reach[size_t(j)]; });
  G = table(N, N, [&](int i, int j) { return basis.G[size_t(j * N + i)]; });
  C = table(N, N, [&](int i, int j) { return basis.C[size_t(j * N + i)]; });
  inertia = table(3, N, [&](int i, int j) {
    const Vector3d& own = node(j).inertia;
    return i == 0 ? own.y() : i == 1 ? own.x() - own.y() : own.z() - own.y();
  });
  for (int j = 0; j < N; ++j) {
    has_rotary = has_rotary || node(j).has_inertia;
    round = round && node(j).round;
  }
}

}  // namespace lithe
