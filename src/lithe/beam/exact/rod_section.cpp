#include "lithe/beam/exact/strain_basis.h"
#include "lithe/spatial/demand.h"

namespace lithe {

RodSection::RodSection(const StrainBasis& link, double x_) : x(x_), piece(link.piece_at(x_)), node_before(-1) {
  LITHE_DEMAND(x >= 0 && x <= link.length);
  const StrainBasis& basis = link.pieces.empty() ? link : link.pieces[size_t(piece)];
  const double on_piece = link.on_piece(piece, x);
  reach = basis.reach_at(on_piece);
  while (node_before + 1 < basis.tip() && basis.nodes[node_before + 1].x <= on_piece) ++node_before;
  const double from = node_before < 0 ? 0 : basis.nodes[node_before].x / basis.length;
  interval = basis.interval(from, on_piece / basis.length);
}

}  // namespace lithe
