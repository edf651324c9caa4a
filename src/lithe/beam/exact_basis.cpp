#include "lithe/beam/exact_basis.h"

#include <numeric>

#include "lithe/beam/damping.h"
#include "lithe/beam/exact/strain_basis.h"
#include "lithe/beam/field_basis.h"

namespace lithe {
namespace {

/// Small motions of the unloaded link: a curvature at s turns what is beyond s, and moves it as far as it is from s.
FieldValues tangent_at(const StrainBasis& link, double x) {
  FieldValues field(link.size());
  const Matrix6Xd here = link.strain_shapes(x / link.length);
  field.curvature = here.topRows<3>();
  field.strain = here.bottomRows<3>();
  for (size_t i = 0; i + 1 < link.breaks.size() && link.breaks[i] < x; ++i)
    for (const QuadraturePoint& point :
         gauss_points(link.breaks[i], std::min(x, link.breaks[i + 1]), link.most_terms() + 1)) {
      const Matrix6Xd strains = point.weight * link.strain_shapes(point.x / link.length);
      field.psi += strains.topRows<3>();
      field.phi.row(1) += (x - point.x) * strains.row(2);
      field.phi.row(2) -= (x - point.x) * strains.row(1);
      field.phi += strains.bottomRows<3>();
    }
  return field;
}

Deflection deflection_of(StrainKind kind) {
  switch (kind) {
    case StrainKind::bending_y:
    case StrainKind::shear_y:
      return Deflection::bending_y;
    case StrainKind::bending_z:
    case StrainKind::shear_z:
      return Deflection::bending_z;
    case StrainKind::torsion:
      return Deflection::torsion;
    case StrainKind::axial:
      return Deflection::axial;
  }
  return Deflection::mixed;
}

SparseMatrixd sparse(const MatrixXd& dense) { return dense.sparseView(0.0, 0.0); }

}  // namespace

FlexBasis exact_basis(const Beam& beam, const StrainTerms& terms, bool rotary_inertia,
                      std::span<const SectionBody> bodies, std::span<const double> places) {
  const BeamMatter matter(beam, rotary_inertia);
  Strains strains;
  strains.bending_y = terms.bending_y;
  strains.bending_z = terms.bending_z;
  strains.torsion = terms.torsion;
  strains.axial = terms.axial;
  strains.shear_y = terms.shear_y;
  strains.shear_z = terms.shear_z;
  strains.pieces = terms.pieces;
  const auto link = std::make_shared<const StrainBasis>(RodMatter::of(matter), strains, bodies);

  // As many points as integrate products of two shapes, and of a taper, exactly.
  std::vector<QuadraturePoint> points;
  for (size_t i = 0; i + 1 < link->breaks.size(); ++i) {
    const auto part = gauss_points(link->breaks[i], link->breaks[i + 1],
                                   link->most_terms() + 2 + (matter.constant_between_breaks() ? 0 : 12));
    points.insert(points.end(), part.begin(), part.end());
  }
  FlexBasis basis =
      field_basis({link->size(), [link](double x) { return tangent_at(*link, x); }}, matter, points, places);
  basis.names = link->names;
  basis.turns = link->turns;
  for (const StrainBasis::Term& term : link->terms) basis.kinds.push_back(deflection_of(term.kind));
  basis.K = sparse(link->K);
  if (beam.damping) set_damping(basis, *beam.damping);
  for (const SectionBody& body : bodies) add_section_body(basis, *basis.section_at(body.x), body.body);
  basis.M = sparse(link->M);
  // A deflected link is not a polynomial, but nearly one.
  basis.smooth_between = link->breaks;
  basis.smooth_points = link->most_terms() + 3;
  basis.exact = link;
  // Once it is bent, every coordinate moves the tip.
  basis.tip_coordinates.resize(size_t(link->size()));
  std::iota(basis.tip_coordinates.begin(), basis.tip_coordinates.end(), 0);
  return basis;
}

}  // namespace lithe
