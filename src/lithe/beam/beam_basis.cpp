#include "lithe/beam/beam_basis.h"

#include "lithe/beam/assumed_modes.h"
#include "lithe/spatial/demand.h"

namespace lithe {

FlexBasis beam_basis(const Beam& beam, bool rotary_inertia, const CarriedLoad& carried) {
  const Modes* modes = std::get_if<Modes>(&beam.flexibility);
  LITHE_DEMAND(modes != nullptr);
  return assumed_modes(beam, *modes, rotary_inertia, carried);
}

}  // namespace lithe
