#include "lithe/beam/exact/exact_link_impl.h"

namespace lithe {
template class ExactLink<Counted>;
}
