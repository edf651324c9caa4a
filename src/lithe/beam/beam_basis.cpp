#include "lithe/beam/beam_basis.h"

#include "lithe/beam/assumed_modes.h"
#include "lithe/beam/beam_elements.h"
#include "lithe/beam/damping.h"
#include "lithe/beam/reduction.h"
#include "lithe/spatial/demand.h"

namespace lithe {

FlexBasis beam_basis(const Beam& beam, bool rotary_inertia, const CarriedLoad& carried) {
  FlexBasis basis;
  if (const auto* modes = std::get_if<Modes>(&beam.flexibility)) {
    basis = assumed_modes(beam, *modes, rotary_inertia, carried);
  } else {
    const auto* elements = std::get_if<Elements>(&beam.flexibility);
    LITHE_DEMAND(elements != nullptr);
    basis = element_basis(beam, *elements, rotary_inertia);
    if (elements->keep) basis = reduced_basis(basis, elements->plane, elements->reduction, *elements->keep);
  }
  if (beam.damping) set_damping(basis, *beam.damping);
  return basis;
}

}  // namespace lithe
