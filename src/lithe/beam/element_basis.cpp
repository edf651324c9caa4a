#include <fmt/format.h>

#include <algorithm>

#include "lithe/beam/beam_elements.h"
#include "lithe/beam/shortening.h"

namespace lithe {
namespace {

using Triplets = std::vector<Eigen::Triplet<double>>;

/// Where the coordinates of an element go among those of the beam.
class Numbering {
 public:
  /// With `first_node` 1 the root is clamped: its coordinates do not exist.
  Numbering(BendingPlane plane, int n_nodes, int first_node) : n_nodes_(n_nodes), first_node_(first_node) {
    if (plane == BendingPlane::both) in_node_ = {0, 1, 2, 3, 4, 5};
    if (plane == BendingPlane::y) in_node_ = {0, 1, 5};
    if (plane == BendingPlane::z) in_node_ = {0, 2, 4};
  }
  int size() const { return int(in_node_.size()) * (n_nodes_ - first_node_); }

  /// Pairs (column of the element, coordinate of the beam) of element i, which joins nodes i and i + 1.
  std::vector<std::pair<int, int>> of_element(int i) const {
    std::vector<std::pair<int, int>> pairs;
    const int per_node = int(in_node_.size());
    for (int end = 0; end < 2; ++end)
      for (int k = 0; k < per_node; ++k)
        if (i + end >= first_node_) pairs.emplace_back(6 * end + in_node_[k], per_node * (i + end - first_node_) + k);
    return pairs;
  }

  std::vector<std::string> names() const {
    static const char* const words[] = {"ux", "uy", "uz", "rx", "ry", "rz"};
    std::vector<std::string> result;
    for (int node = first_node_; node < n_nodes_; ++node)
      for (int k : in_node_) result.push_back(fmt::format("n{}.{}", node, words[k]));
    return result;
  }
  std::vector<bool> turns() const {
    std::vector<bool> result;
    for (int node = first_node_; node < n_nodes_; ++node)
      for (int k : in_node_) result.push_back(k >= 3);
    return result;
  }

 private:
  std::vector<int> in_node_;
  int n_nodes_, first_node_;
};

/// Sums of sparse matrices, one entry at a time.
struct SparseSum {
  Triplets entries;
  void add(const MatrixXd& element, const std::vector<std::pair<int, int>>& places) {
    for (const auto& [i, k] : places)
      for (const auto& [j, l] : places)
        if (element(i, j) != 0) entries.emplace_back(k, l, element(i, j));
  }
  void add_rows(const Matrix3Xd& element, int row, const std::vector<std::pair<int, int>>& places) {
    for (const auto& [i, k] : places)
      for (int a = 0; a < 3; ++a)
        if (element(a, i) != 0) entries.emplace_back(row + a, k, element(a, i));
  }
  SparseMatrixd matrix(int rows, int cols) const {
    SparseMatrixd result(rows, cols);
    result.setFromTriplets(entries.begin(), entries.end());
    return result;
  }
};

void add_columns(Matrix3Xd& sum, const Matrix3Xd& element, const std::vector<std::pair<int, int>>& places) {
  for (const auto& [i, k] : places) sum.col(k) += element.col(i);
}

MatrixXd mass_matrix(const Integrals& sums) { return sums.P[0] + sums.P[4] + sums.P[8] + sums.rotary; }

/// At the nodes, where these are few between them, and at `places`. A node belongs to the element beyond it, as a step does to the section
/// beyond it.
Stations element_stations(const std::vector<double>& x, const BeamMatter& matter, const Elements& elements,
                          const Numbering& numbering, std::span<const double> wanted) {
  const int n = int(x.size()) - 1, per_element = std::max(1, (20 + n - 1) / n);
  std::vector<double> all;
  for (int i = 0; i < n; ++i)
    for (int k = 0; k < per_element; ++k) all.push_back(x[i] + (x[i + 1] - x[i]) * k / per_element);
  all.push_back(x.back());
  add_places(all, wanted);
  const int rows = 3 * int(all.size());
  Stations stations;
  SparseSum phi, psi, strain, curvature;
  size_t next = 0;
  for (int i = 0; i < n; ++i) {
    const double l = x[i + 1] - x[i];
    const SectionMatter middle = matter.at(x[i] + l / 2);
    const auto places = numbering.of_element(i);
    const FieldValues centre = element_field(elements.element, middle, l, l / 2);
    for (; next < all.size() && (i == n - 1 || all[next] < x[i + 1]); ++next) {
      const double s = all[next] - x[i];
      FieldValues field = element_field(elements.element, middle, l, s);
      // The linear element's shear strain is meaningful only in its middle.
      if (elements.element == ElementKind::linear) field.strain = centre.strain;
      const int row = 3 * int(stations.x.size());
      phi.add_rows(field.phi, row, places);
      psi.add_rows(field.psi, row, places);
      strain.add_rows(field.strain, row, places);
      curvature.add_rows(field.curvature, row, places);
      stations.x.push_back(all[next]);
      const SectionMatter here = matter.at(stations.x.back());
      stations.stiffness.push_back(here.stretch);
      stations.bending.push_back(here.bending);
      stations.mass.push_back(here.mass);
      stations.rotary.push_back(here.rotary);
    }
  }
  stations.fibres = matter.fibres_at(stations.x);
  stations.phi = phi.matrix(rows, numbering.size());
  stations.psi = psi.matrix(rows, numbering.size());
  stations.strain = strain.matrix(rows, numbering.size());
  stations.curvature = curvature.matrix(rows, numbering.size());
  return stations;
}

/// The shortening of elements, up to the place `end` along the beam and with a weight for each place.
SparseMatrixd drawn_in(const std::vector<double>& x, const BeamMatter& matter, const Elements& elements,
                       const Numbering& numbering, double end, const std::function<double(double)>& weight) {
  SparseSum sum;
  for (size_t i = 0; i + 1 < x.size() && x[i] < end; ++i) {
    const double l = x[i + 1] - x[i];
    const SectionMatter middle = matter.at(x[i] + l / 2);
    MatrixXd G = MatrixXd::Zero(12, 12);
    for (const QuadraturePoint& point :
         gauss_points(0, std::min(l, end - x[i]), matter.constant_between_breaks() ? 4 : 8)) {
      const Eigen::Matrix2Xd slopes = axis_slopes(element_field(elements.element, middle, l, point.x));
      G.noalias() += point.weight * weight(x[i] + point.x) * slopes.transpose() * slopes;
    }
    sum.add(G, numbering.of_element(int(i)));
  }
  return sum.matrix(numbering.size(), numbering.size());
}

std::shared_ptr<const Shortening> element_shortening(const std::vector<double>& x, const BeamMatter& matter,
                                                     const Elements& elements, const Numbering& numbering) {
  Shortening shortening;
  const auto sum = [=](double end, const std::function<double(double)>& weight) {
    return drawn_in(x, matter, elements, numbering, end, weight);
  };
  const double L = matter.length();
  shortening.mass = sum(L, [&](double s) { return matter_beyond(matter, s)[0]; });
  shortening.moment[0] = sum(L, [&](double s) { return matter_beyond(matter, s)[1]; });
  for (int a = 1; a < 3; ++a) shortening.moment[size_t(a)].resize(numbering.size(), numbering.size());
  shortening.at = [sum](double end) { return sum(end, [](double) { return 1.0; }); };
  shortening.tip = shortening.at(L);
  return std::make_shared<const Shortening>(std::move(shortening));
}

}  // namespace

std::vector<Deflection> node_kinds(BendingPlane plane) {
  using enum Deflection;
  if (plane == BendingPlane::y) return {axial, bending_y, bending_y};
  if (plane == BendingPlane::z) return {axial, bending_z, bending_z};
  return {axial, bending_y, bending_z, torsion, bending_z, bending_y};
}

FlexBasis element_basis(const Beam& beam, const Elements& elements, bool rotary_inertia,
                        std::span<const double> gauged) {
  const BeamMatter matter(beam, rotary_inertia);
  const std::vector<double> x = element_nodes(beam, elements);
  const int n = int(x.size()) - 1;
  const Numbering numbering(elements.plane, n + 1, 1);
  const int m = numbering.size();

  FlexBasis basis;
  basis.names = numbering.names();
  basis.turns = numbering.turns();
  basis.nodal = true;
  const auto kinds = node_kinds(elements.plane);
  for (int k = 0; k < m; ++k) basis.kinds.push_back(kinds[k % kinds.size()]);
  basis.S = basis.H = Matrix3Xd::Zero(3, m);
  basis.P0.fill(Matrix3Xd::Zero(3, m));

  std::array<SparseSum, 9> P;
  SparseSum M, K;
  for (int i = 0; i < n; ++i) {
    const Integrals sums = element_integrals(matter, elements, x[i], x[i + 1] - x[i]);
    const auto places = numbering.of_element(i);
    basis.mass += sums.mass;
    basis.s0 += sums.s0;
    basis.Sigma0 += sums.Sigma0;
    basis.j0 += sums.j0;
    add_columns(basis.S, sums.S, places);
    add_columns(basis.H, sums.H, places);
    for (int a = 0; a < 3; ++a) add_columns(basis.P0[a], sums.P0[a], places);
    for (int ab = 0; ab < 9; ++ab) P[ab].add(sums.P[ab], places);
    M.add(mass_matrix(sums), places);
    K.add(sums.K, places);
  }
  for (int ab = 0; ab < 9; ++ab) basis.P[ab] = P[ab].matrix(m, m);
  basis.M = M.matrix(m, m);
  basis.K = K.matrix(m, m);
  basis.D.resize(m, m);

  basis.tip0 = {beam.length, 0, 0};
  basis.tip_phi = basis.tip_psi = Matrix3Xd::Zero(3, m);
  const FieldValues tip =
      element_field(ElementKind::linear, {}, 1, 1);  // at a node every kind is that node's coordinates
  add_columns(basis.tip_phi, tip.phi, numbering.of_element(n - 1));
  add_columns(basis.tip_psi, tip.psi, numbering.of_element(n - 1));
  if (elements.stiffening) basis.shortening = element_shortening(x, matter, elements, numbering);
  basis.find_tip_coordinates();
  basis.stations = element_stations(x, matter, elements, numbering, gauged);
  basis.smooth_between = x;
  basis.smooth_points = 3;  // a cubic times a straight line
  basis.section_at = [x, matter, elements, numbering](double at) -> std::optional<SectionShapes> {
    const ElementPlace place = element_at(x, at);
    const double l = x[place.element + 1] - x[place.element];
    const FieldValues field = element_field(elements.element, matter.at(x[place.element] + l / 2), l, place.s);
    SectionShapes section{{at, 0, 0}, {}, {}, {}};
    std::vector<int> columns;
    for (const auto& [column, coordinate] : numbering.of_element(place.element)) {
      if (field.phi.col(column).isZero(0) && field.psi.col(column).isZero(0)) continue;
      columns.push_back(column);
      section.coordinates.push_back(coordinate);
    }
    section.phi = field.phi(Eigen::all, columns);
    section.psi = field.psi(Eigen::all, columns);
    return section;
  };
  return basis;
}

ElementPlace element_at(const std::vector<double>& nodes, double x) {
  const auto beyond = std::upper_bound(nodes.begin() + 1, nodes.end() - 1, x);
  const int element = int(beyond - nodes.begin()) - 1;
  return {element, std::clamp(x - nodes[element], 0.0, nodes[element + 1] - nodes[element])};
}

FreeBeam free_beam(const Beam& beam, const Elements& elements, bool rotary_inertia) {
  const BeamMatter matter(beam, rotary_inertia);
  FreeBeam result;
  result.x = element_nodes(beam, elements);
  const int n = int(result.x.size()) - 1;
  const Numbering numbering(elements.plane, n + 1, 0);
  result.names = numbering.names();
  SparseSum M, K;
  for (int i = 0; i < n; ++i) {
    const Integrals sums = element_integrals(matter, elements, result.x[i], result.x[i + 1] - result.x[i]);
    M.add(mass_matrix(sums), numbering.of_element(i));
    K.add(sums.K, numbering.of_element(i));
  }
  result.M = M.matrix(numbering.size(), numbering.size());
  result.K = K.matrix(numbering.size(), numbering.size());
  return result;
}

}  // namespace lithe
