#include "lithe/beam/assumed_modes.h"

#include <cmath>

#include "lithe/beam/field_basis.h"
#include "lithe/beam/shape_set.h"
#include "lithe/beam/shortening.h"
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
std::vector<QuadraturePoint> integration_points(const ModeField& field, const BeamMatter& matter, double from,
                                                double to) {
  std::vector<QuadraturePoint> points;
  for (size_t i = 0; i + 1 < matter.breaks().size(); ++i) {
    const double a = std::max(from, matter.breaks()[i]), b = std::min(to, matter.breaks()[i + 1]);
    if (!(a < b)) continue;
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

}  // namespace

FlexBasis assumed_modes(const Beam& beam, const Modes& modes, bool rotary_inertia, const CarriedLoad& carried,
                        std::span<const double> places) {
  const BeamMatter matter(beam, rotary_inertia);
  const ModeField field = mode_field(modes, matter, carried);
  const ShapeField shapes{field.size(), [field](double x) { return field.at(x); }};
  FlexBasis basis = field_basis(shapes, matter, integration_points(field, matter, 0, beam.length), places);
  if (modes.stiffening) {
    basis.shortening = shortening_of(
        shapes, matter, [field, matter](double a, double b) { return integration_points(field, matter, a, b); });
    basis.find_tip_coordinates();
  }
  basis.name_shapes(field.kinds());
  set_smooth_parts(field, beam.length, basis);
  return basis;
}

}  // namespace lithe
