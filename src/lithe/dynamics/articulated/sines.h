#pragma once

namespace lithe {

/// Sine and cosine of n angles, several at a time. Arrays have room for n rounded up to a multiple of 4; what lies beyond n in
/// `angle` must be finite.
void sines_and_cosines(int n, const double* angle, double* sine, double* cosine);

}  // namespace lithe
