#include "lithe/beam/beam_basis.h"

#include "lithe/beam/assumed_modes.h"
#include "lithe/beam/beam_elements.h"
#include "lithe/beam/damping.h"
#include "lithe/beam/exact_basis.h"
#include "lithe/beam/reduction.h"
#include "lithe/spatial/demand.h"

namespace lithe {

CarriedLoad seen_at_tip(const SectionBody& body, double L) {
  // w = (3ξ² − ξ³)/2 and w′/w′(L) = 2ξ − ξ² under a tip force; twist grows as ξ.
  const double xi = body.x / L, deflection = xi * xi * (3 - xi) / 2, slope = xi * (2 - xi);
  const Vector3d share(xi * xi, slope * slope, slope * slope);
  return {deflection * deflection * body.body.mass, share.cwiseProduct(body.body.about_frame().J.diagonal())};
}

namespace {

/// Elements that draw their sections in as they bend keep their length (beam/shortening.h): coordinates of stretch would have to take up what the
/// beam draws in.
FlexBasis without_stretch(const FlexBasis& basis) {
  std::vector<int> kept;
  for (int k = 0; k < basis.size(); ++k)
    if (basis.kinds[size_t(k)] != Deflection::axial) kept.push_back(k);
  MatrixXd T = MatrixXd::Zero(basis.size(), Eigen::Index(kept.size()));
  for (size_t k = 0; k < kept.size(); ++k) T(kept[k], Eigen::Index(k)) = 1;
  FlexBasis result = transformed(basis, T);
  for (size_t k = 0; k < kept.size(); ++k) {
    result.names[k] = basis.names[size_t(kept[k])];
    result.kinds[k] = basis.kinds[size_t(kept[k])];
    result.turns[k] = basis.turns[size_t(kept[k])];
  }
  result.nodal = basis.nodal;
  return result;
}

}  // namespace

FlexBasis beam_basis(const Beam& beam, bool rotary_inertia, const CarriedLoad& carried,
                     std::span<const SectionBody> bodies, std::span<const double> places) {
  FlexBasis basis;
  if (const auto* modes = std::get_if<Modes>(&beam.flexibility)) {
    basis = assumed_modes(beam, *modes, rotary_inertia, carried, places);
  } else if (const auto* terms = std::get_if<StrainTerms>(&beam.flexibility)) {
    return exact_basis(beam, *terms, rotary_inertia, bodies, places);
  } else {
    const auto* elements = std::get_if<Elements>(&beam.flexibility);
    LITHE_DEMAND(elements != nullptr);
    basis = element_basis(beam, *elements, rotary_inertia, places);
    if (elements->stiffening) basis = without_stretch(basis);
    if (elements->keep) {
      FlexBasis loaded = basis;
      for (const SectionBody& body : bodies) add_section_body(loaded, *loaded.section_at(body.x), body.body);
      basis = reduced_basis(basis, reduced_shapes(loaded, elements->plane, elements->reduction, *elements->keep));
    }
  }
  if (beam.damping) set_damping(basis, *beam.damping);
  // As before the reduction: integrals and shapes are transformed to the reduced coordinates alike.
  for (const SectionBody& body : bodies) add_section_body(basis, *basis.section_at(body.x), body.body);
  return basis;
}

}  // namespace lithe
