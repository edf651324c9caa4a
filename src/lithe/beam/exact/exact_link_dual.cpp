#include "lithe/beam/exact/exact_link_dual.h"

#include "lithe/beam/exact/exact_link_impl.h"

namespace lithe {

template class ExactLink<Dual4>;

}  // namespace lithe
