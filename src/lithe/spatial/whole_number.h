#pragma once

#include <optional>

namespace lithe {

// The only ways from a double to an integer. A plain cast of what does not fit, or is not a number, is undefined; in practice it
// gives some other number, and what was asked for is dropped without a word.

/// x without its fraction, or nothing where that is not one of least … most.
inline std::optional<long> whole_number(double x, long least, long most) {
  // So written that NaN is refused too. The bounds are below 2^53: as doubles they are themselves.
  if (!(x > double(least) - 1 && x < double(most) + 1)) return std::nullopt;
  return static_cast<long>(x);
}

/// x without its fraction, or the bound it lies beyond: for what only draws, where any number does. NaN gives `least`.
inline int clamped_whole(double x, int least, int most) {
  if (!(x > least)) return least;
  return x < most ? static_cast<int>(x) : most;
}

}  // namespace lithe
