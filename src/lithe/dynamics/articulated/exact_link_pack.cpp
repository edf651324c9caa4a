#include "lithe/beam/exact/exact_link_impl.h"
#include "lithe/dynamics/articulated/pack.h"

namespace lithe {
template <>
inline constexpr bool has_known_links<Pack> = true;
template class ExactLink<Pack>;
}  // namespace lithe
