#pragma once

#include <cstdint>

#include "lithe/derive/equations.h"

namespace lithe::derive {

/// Floating-point operations of an evaluation, each named quantity once. Constants of parameters alone are not counted.
struct Operations {
  std::uint64_t multiplications = 0, additions = 0, functions = 0;
};

Operations operations(const Names& names, const std::vector<ex>& expressions);
/// Of M, C and G together, or of the blocks that make up the coupling alone.
Operations operations(const Equations& equations);

}  // namespace lithe::derive
