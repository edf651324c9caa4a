#pragma once

#include <optional>

namespace lithe {

// The only conversions from a double to an integer. A plain cast of a value that does not fit, or of NaN, is undefined; in practice it
// silently gives some other number.

/// x without its fraction, or nothing if that is not one of least … most.
inline std::optional<long> whole_number(double x, long least, long most) {
  // Written so that NaN is rejected too. The bounds are below 2^53: as doubles they are themselves.
  if (!(x > double(least) - 1 && x < double(most) + 1)) return std::nullopt;
  return static_cast<long>(x);
}

/// x without its fraction, or the bound that it exceeds: for drawing, where any number will do. NaN gives `least`.
inline int clamped_whole(double x, int least, int most) {
  if (!(x > least)) return least;
  return x < most ? static_cast<int>(x) : most;
}

}  // namespace lithe
