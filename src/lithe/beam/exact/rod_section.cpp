#include "lithe/beam/exact/strain_basis.h"
#include "lithe/spatial/demand.h"

namespace lithe {

RodSection::RodSection(const StrainBasis& basis, double x_) : x(x_), node_before(-1), reach(basis.reach_at(x_)) {
  LITHE_DEMAND(x >= 0 && x <= basis.length);
  while (node_before + 1 < basis.tip() && basis.nodes[node_before + 1].x <= x) ++node_before;
  const double from = node_before < 0 ? 0 : basis.nodes[node_before].x / basis.length;
  interval = basis.interval(from, x / basis.length);
}

}  // namespace lithe
