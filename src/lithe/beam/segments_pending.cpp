#include "lithe/beam/beam_basis.h"

namespace lithe {
std::vector<SegmentPiece> beam_segments(const Beam&, bool) { return {}; }
}  // namespace lithe
