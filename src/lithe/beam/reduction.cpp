#include "lithe/beam/reduction.h"

#include <Eigen/SparseCholesky>
#include <algorithm>
#include <array>
#include <cmath>

#include "lithe/beam/beam_elements.h"
#include "lithe/beam/natural_modes.h"
#include "lithe/spatial/demand.h"

namespace lithe {
namespace {

/// A shape in element coordinates, what it mainly does, whether its amplitude is an angle, and its frequency (zero for a static one).
struct Shape {
  VectorXd values;
  Deflection kind = Deflection::mixed;
  bool turns = false;
  double omega = 0;
};

/// Which of a node's coordinates is the deflection, twist or stretch of that kind, the others being rotations by bending.
bool is_deflection(const FlexBasis& basis, int k, Deflection kind) {
  return basis.kinds[k] == kind && basis.turns[k] == (kind == Deflection::torsion);
}

/// One at the tip in its direction, or where it is largest if the tip hardly moves.
void scale(Shape& shape, const FlexBasis& basis, int per_node) {
  const int m = basis.size();
  double largest = 0, tip = 0;
  for (int k = 0; k < m; ++k) {
    if (!is_deflection(basis, k, shape.kind)) continue;
    if (std::abs(shape.values[k]) > std::abs(largest)) largest = shape.values[k];
    if (k >= m - per_node) tip = shape.values[k];
  }
  shape.values /= std::abs(tip) < 1e-3 * std::abs(largest) ? largest : tip;
}

/// The lowest modes of the given coordinates, the others held: kind by kind, then sorted.
std::vector<Shape> lowest_shapes(const FlexBasis& basis, int n_coordinates, int count) {
  using enum Deflection;
  if (count == 0) return {};
  constexpr Deflection kinds[] = {bending_y, bending_z, torsion, axial};
  std::array<std::vector<int>, 4> own;
  std::array<NaturalModes, 4> modes;
  std::array<int, 4> asked{};
  for (int k = 0; k < n_coordinates; ++k)
    for (size_t i = 0; i < own.size(); ++i)
      if (basis.kinds[k] == kinds[i]) own[i].push_back(k);
  auto find = [&](size_t i, int n) {
    asked[i] = std::min({n, count, int(own[i].size())});
    modes[i] = natural_modes(basis.K, basis.M, own[i], asked[i]);
  };
  // Some of each kind, then more of those whose highest is still among the lowest of all.
  for (size_t i = 0; i < own.size(); ++i) find(i, count / 4 + 4);
  while (true) {
    std::vector<double> all;
    for (const NaturalModes& of_kind : modes) all.insert(all.end(), of_kind.omega.begin(), of_kind.omega.end());
    std::sort(all.begin(), all.end());
    const double highest = all.empty() ? 0 : all[std::min(all.size(), size_t(count)) - 1];
    bool complete = true;
    for (size_t i = 0; i < own.size(); ++i) {
      const bool all_found = asked[i] == std::min(count, int(own[i].size()));
      if (all_found || (int(all.size()) >= count && modes[i].omega[asked[i] - 1] > highest * (1 + 1e-6))) continue;
      find(i, 2 * asked[i]);
      complete = false;
    }
    if (complete) break;
  }
  std::vector<Shape> shapes;
  for (size_t i = 0; i < own.size(); ++i)
    for (int k = 0; k < modes[i].omega.size(); ++k)
      shapes.push_back({modes[i].shapes.col(k), kinds[i], kinds[i] == torsion, modes[i].omega[k]});
  auto lower = [](const Shape& a, const Shape& b) { return a.omega < b.omega * (1 - 1e-9); };
  std::stable_sort(shapes.begin(), shapes.end(), lower);
  shapes.resize(std::min(shapes.size(), size_t(count)));
  return shapes;
}

/// How the link deforms when the tip node moves by one in one coordinate and nothing else acts: K_ii x = −K_ib.
std::vector<Shape> tip_shapes(const FlexBasis& basis, int per_node) {
  const int m = basis.size(), inner = m - per_node;
  MatrixXd values = MatrixXd::Zero(m, per_node);
  values.bottomRows(per_node).setIdentity();
  if (inner > 0) {
    const SparseMatrixd K_ii = basis.K.topLeftCorner(inner, inner);
    const Eigen::SimplicialLDLT<SparseMatrixd> factors(K_ii);
    LITHE_DEMAND(factors.info() == Eigen::Success);
    values.topRows(inner) = factors.solve(MatrixXd(-basis.K.topRightCorner(inner, per_node)));
  }
  std::vector<Shape> shapes;
  for (int k = 0; k < per_node; ++k)
    shapes.push_back({values.col(k), basis.kinds[inner + k], basis.turns[inner + k], 0});
  return shapes;
}

}  // namespace

ReducedShapes reduced_shapes(const FlexBasis& elements, BendingPlane plane, Reduction reduction, int keep) {
  // With `stiffening` there is no stretch.
  const int per_node = int(node_kinds(plane).size()) - (elements.shortening ? 1 : 0), m = elements.size();
  LITHE_DEMAND(keep <= m);
  std::vector<Shape> shapes;
  if (reduction == Reduction::craig_bampton) {
    LITHE_DEMAND(keep >= per_node);
    shapes = tip_shapes(elements, per_node);
    for (Shape& shape : lowest_shapes(elements, m - per_node, keep - per_node)) {
      scale(shape, elements, per_node);
      shapes.push_back(std::move(shape));
    }
  } else {
    shapes = lowest_shapes(elements, m, keep);
    for (Shape& shape : shapes) scale(shape, elements, per_node);
  }

  ReducedShapes result{MatrixXd(m, int(shapes.size())), {}, {}};
  for (size_t k = 0; k < shapes.size(); ++k) {
    result.T.col(int(k)) = shapes[k].values;
    result.kinds.push_back(shapes[k].kind);
    result.turns.push_back(shapes[k].turns);
  }
  return result;
}

FlexBasis reduced_basis(const FlexBasis& elements, const ReducedShapes& shapes) {
  FlexBasis basis = transformed(elements, shapes.T);
  basis.name_shapes(shapes.kinds);
  basis.turns = shapes.turns;
  return basis;
}

}  // namespace lithe
