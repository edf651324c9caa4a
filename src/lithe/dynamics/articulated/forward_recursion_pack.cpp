#include "lithe/dynamics/articulated/forward_recursion_impl.h"
#include "lithe/dynamics/articulated/pack.h"

namespace lithe {
template class ForwardRecursion<Pack>;
}
