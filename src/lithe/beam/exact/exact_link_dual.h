#pragma once

#include "lithe/beam/exact/exact_link.h"
#include "lithe/spatial/dual4.h"

namespace lithe {

/// An exact link with the slopes of all it gives along four directions.
extern template class ExactLink<Dual4>;

}  // namespace lithe
