#include "lithe/beam/assumed_modes.h"

#include <cmath>

#include "lithe/beam/integrals.h"
#include "lithe/beam/shape_set.h"
#include "lithe/spatial/quadrature.h"
#include "lithe/spatial/whole_number.h"

namespace lithe {
namespace {

/// The shapes of all four kinds and their place among the coordinates.
struct ModeField {
  ShapeSet bending_y, bending_z, torsion, axial;

  int size() const { return bending_y.count + bending_z.count + torsion.count + axial.count; }

  FieldValues at(double x) const {
    FieldValues field(size());
    const ShapeValues y = bending_y.at(x), z = bending_z.at(x), twist = torsion.at(x), stretch = axial.at(x);
    int k = 0;
    for (int i = 0; i < bending_y.count; ++i, ++k) {
      field.phi(1, k) = y.value[i];
      field.psi(2, k) = y.slope[i];
      field.curvature(2, k) = y.curvature[i];
    }
    for (int i = 0; i < bending_z.count; ++i, ++k) {
      field.phi(2, k) = z.value[i];
      field.psi(1, k) = -z.slope[i];
      field.curvature(1, k) = -z.curvature[i];
    }
    for (int i = 0; i < torsion.count; ++i, ++k) {
      field.psi(0, k) = twist.value[i];
      field.curvature(0, k) = twist.slope[i];
    }
    for (int i = 0; i < axial.count; ++i, ++k) {
      field.phi(0, k) = stretch.value[i];
      field.strain(0, k) = stretch.slope[i];
    }
    return field;
  }

  std::vector<Deflection> kinds() const {
    std::vector<Deflection> result;
    result.insert(result.end(), bending_y.count, Deflection::bending_y);
    result.insert(result.end(), bending_z.count, Deflection::bending_z);
    result.insert(result.end(), torsion.count, Deflection::torsion);
    result.insert(result.end(), axial.count, Deflection::axial);
    return result;
  }

  int degree() const { return std::max({bending_y.degree, bending_z.degree, torsion.degree, axial.degree}); }
  double wavenumber() const {
    double largest = 0;
    for (const ShapeSet* set : {&bending_y, &bending_z, &torsion, &axial})
      if (!set->wavenumbers.empty()) largest = std::max(largest, set->wavenumbers.back());
    return largest;
  }
};

/// Waves of a beam that is not uniform are those of a uniform one with its mean section; the integrals use the true section.
ModeField mode_field(const Modes& modes, const BeamMatter& matter, const CarriedLoad& carried) {
  const double L = matter.length();
  if (modes.shape == ModeShape::polynomial)
    return {polynomial_shapes(modes.bending_y, 2, L), polynomial_shapes(modes.bending_z, 2, L),
            polynomial_shapes(modes.torsion, 1, L), polynomial_shapes(modes.axial, 1, L)};

  // What the beam carries, as multiples of its own.
  double mass = 0;
  Vector3d inertia = Vector3d::Zero();
  if (modes.shape == ModeShape::clamped_mass) {
    const SectionMatter mean = matter.mean();
    const double own = mean.mass * L;
    mass = carried.mass / own;
    inertia = {carried.inertia.x() / (mean.section_inertia.x() * L), carried.inertia.y() / (own * L * L),
               carried.inertia.z() / (own * L * L)};
  }
  auto bending = [&](int count, double tip_inertia) {
    if (modes.shape == ModeShape::pinned_free) return pinned_free_shapes(count, L);
    if (modes.shape == ModeShape::pinned_pinned) return pinned_pinned_shapes(count, L);
    return clamped_shapes(count, L, mass, tip_inertia);
  };
  // Deflection along y rotates the tip about z, and vice versa.
  return {bending(modes.bending_y, inertia.z()), bending(modes.bending_z, inertia.y()),
          rod_shapes(modes.torsion, L, inertia.x()), rod_shapes(modes.axial, L, mass)};
}

/// Points for products of two shapes and the section. Polynomials are integrated exactly where the section is constant or its
/// dimensions taper (which adds up to four degrees); waves get panels of at most four radians, in which twenty points
/// leave an error far below rounding.
std::vector<QuadraturePoint> integration_points(const ModeField& field, const BeamMatter& matter) {
  std::vector<QuadraturePoint> points;
  for (size_t i = 0; i + 1 < matter.breaks().size(); ++i) {
    const double a = matter.breaks()[i], b = matter.breaks()[i + 1];
    const bool waves = field.wavenumber() > 0;
    const int n = (waves ? 20 : field.degree() + 4) + (matter.constant_between_breaks() ? 0 : 12);
    const int panels =
        waves ? 1 + clamped_whole(field.wavenumber() * (b - a) / (4 * matter.length()), 0, 1'000'000) : 1;
    const auto part = gauss_points(a, b, n, panels);
    points.insert(points.end(), part.begin(), part.end());
  }
  return points;
}

/// Where loads are integrated: polynomials as they are, waves in panels of at most four radians, in which twelve points leave an error
/// below rounding.
void set_smooth_parts(const ModeField& field, double length, FlexBasis& basis) {
  const int panels = 1 + clamped_whole(field.wavenumber() / 4, 0, 1'000'000);
  basis.smooth_points = field.wavenumber() > 0 ? 12 : field.degree() / 2 + 3;
  for (int i = 0; i <= panels; ++i) basis.smooth_between.push_back(length * i / panels);
}

SparseMatrixd sparse(const MatrixXd& dense) { return dense.sparseView(0.0, 0.0); }

void place_rows(std::vector<Eigen::Triplet<double>>& entries, int row, const Matrix3Xd& values) {
  for (int k = 0; k < values.cols(); ++k)
    for (int a = 0; a < 3; ++a)
      if (values(a, k) != 0) entries.emplace_back(row + a, k, values(a, k));
}

Stations mode_stations(const ModeField& field, const BeamMatter& matter, std::span<const double> places) {
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
    matrices[i]->resize(3 * n, field.size());
    matrices[i]->setFromTriplets(entries[i].begin(), entries[i].end());
  }
  return stations;
}

}  // namespace

FlexBasis assumed_modes(const Beam& beam, const Modes& modes, bool rotary_inertia, const CarriedLoad& carried,
                        std::span<const double> places) {
  const BeamMatter matter(beam, rotary_inertia);
  const ModeField field = mode_field(modes, matter, carried);
  const int m = field.size();

  Integrals sums(m);
  for (const QuadraturePoint& point : integration_points(field, matter)) {
    const FieldValues values = field.at(point.x);
    const SectionMatter here = matter.at(point.x);
    sums.add_inertia(point.x, point.weight, here, values);
    sums.add_stiffness(point.weight, here, values);
  }

  FlexBasis basis;
  basis.name_shapes(field.kinds());
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
  const FieldValues tip = field.at(beam.length);
  basis.tip0 = {beam.length, 0, 0};
  basis.tip_phi = tip.phi;
  basis.tip_psi = tip.psi;
  basis.find_tip_coordinates();
  basis.stations = mode_stations(field, matter, places);
  set_smooth_parts(field, beam.length, basis);
  basis.section_at = [field](double x) -> std::optional<SectionShapes> {
    const FieldValues values = field.at(x);
    return SectionShapes::of({x, 0, 0}, values.phi, values.psi);
  };
  return basis;
}

}  // namespace lithe
