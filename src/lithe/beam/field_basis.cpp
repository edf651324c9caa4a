#include "lithe/beam/field_basis.h"

namespace lithe {
namespace {

SparseMatrixd sparse(const MatrixXd& dense) { return dense.sparseView(0.0, 0.0); }

void place_rows(std::vector<Eigen::Triplet<double>>& entries, int row, const Matrix3Xd& values) {
  for (int k = 0; k < values.cols(); ++k)
    for (int a = 0; a < 3; ++a)
      if (values(a, k) != 0) entries.emplace_back(row + a, k, values(a, k));
}

Stations field_stations(const ShapeField& field, const BeamMatter& matter, std::span<const double> places) {
  constexpr int n_even = 21;
  std::vector<double> wanted;
  for (int i = 0; i < n_even; ++i) wanted.push_back(matter.length() * i / (n_even - 1));
  add_places(wanted, places);
  const int n = int(wanted.size());
  Stations stations;
  std::array<std::vector<Eigen::Triplet<double>>, 4> entries;
  for (int i = 0; i < n; ++i) {
    const double x = wanted[size_t(i)];
    const FieldValues values = field.at(x);
    stations.x.push_back(x);
    place_rows(entries[0], 3 * i, values.phi);
    place_rows(entries[1], 3 * i, values.psi);
    place_rows(entries[2], 3 * i, values.strain);
    place_rows(entries[3], 3 * i, values.curvature);
    const SectionMatter here = matter.at(x);
    stations.stiffness.push_back(here.stretch);
    stations.bending.push_back(here.bending);
    stations.mass.push_back(here.mass);
    stations.rotary.push_back(here.rotary);
  }
  stations.fibres = matter.fibres_at(stations.x);
  SparseMatrixd* const matrices[] = {&stations.phi, &stations.psi, &stations.strain, &stations.curvature};
  for (int i = 0; i < 4; ++i) {
    matrices[i]->resize(3 * n, field.size);
    matrices[i]->setFromTriplets(entries[i].begin(), entries[i].end());
  }
  return stations;
}

}  // namespace

FlexBasis field_basis(const ShapeField& field, const BeamMatter& matter, std::span<const QuadraturePoint> points,
                      std::span<const double> places) {
  const int m = field.size;
  Integrals sums(m);
  for (const QuadraturePoint& point : points) {
    const FieldValues values = field.at(point.x);
    const SectionMatter here = matter.at(point.x);
    sums.add_inertia(point.x, point.weight, here, values);
    sums.add_stiffness(point.weight, here, values);
  }

  FlexBasis basis;
  basis.mass = sums.mass;
  basis.s0 = sums.s0;
  basis.Sigma0 = sums.Sigma0;
  basis.j0 = sums.j0;
  basis.S = sums.S;
  basis.H = sums.H;
  basis.P0 = sums.P0;
  for (int ab = 0; ab < 9; ++ab) basis.P[ab] = sparse(sums.P[ab]);
  basis.M = sparse(sums.P[0] + sums.P[4] + sums.P[8] + sums.rotary);
  basis.K = sparse(sums.K);
  basis.D.resize(m, m);
  const FieldValues tip = field.at(matter.length());
  basis.tip0 = {matter.length(), 0, 0};
  basis.tip_phi = tip.phi;
  basis.tip_psi = tip.psi;
  basis.find_tip_coordinates();
  basis.stations = field_stations(field, matter, places);
  basis.section_at = [field](double x) -> std::optional<SectionShapes> {
    const FieldValues values = field.at(x);
    return SectionShapes::of({x, 0, 0}, values.phi, values.psi);
  };
  return basis;
}

}  // namespace lithe
