#pragma once

#include "lithe/beam/flex_basis.h"
#include "lithe/describe/imported_link.h"

namespace lithe {

/// The basis of a link given by nodes, shapes and matrices. Shapes that move or turn the node at the link frame are taken relative
/// to that node: its motion is the joint's. Integrals are sums over the nodes with the given mass matrix. Its
/// stations are the nodes in order of x; strains are not known and are zero.
FlexBasis imported_basis(const ImportedLink& link);

}  // namespace lithe
