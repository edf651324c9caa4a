#include "lithe/dynamics/articulated/forward_recursion_impl.h"

namespace lithe {
template class ForwardRecursion<double>;
}
