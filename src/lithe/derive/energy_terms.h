#pragma once

#include <vector>

#include "lithe/derive/algebra.h"

namespace lithe::derive {

/// Mass matrix and potential energy of gravity, separately for the carried part of a split arm.
template <class S>
struct EnergyTerms {
  using Matrix = std::vector<std::vector<S>>;
  Matrix M[2];                // of the carrier, of what it carries
  S potential[2];             // −Σ m g·r
  std::vector<S> gravity[2];  // of a free base's six directions
};

}  // namespace lithe::derive
