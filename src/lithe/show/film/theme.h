#pragma once

#include <cstdint>
#include <vector>

namespace lithe::film {

/// Red, green and blue, of 255.
struct Colour {
  std::uint8_t r = 0, g = 0, b = 0;
  bool operator==(const Colour&) const = default;
};

/// 0xd55e00 as one writes #d55e00.
constexpr Colour colour(std::uint32_t hex) {
  return {std::uint8_t(hex >> 16), std::uint8_t(hex >> 8), std::uint8_t(hex)};
}

/// A mixture of two colours, with this share of the second.
Colour mixed(Colour first, Colour second, double share);

/// The colours of a report's page (web/src/theme.ts), so that film and page look alike. Those of runs are Okabe and
/// Ito's, which readers with any colour vision can distinguish.
struct Theme {
  bool dark = false;
  Colour sky, horizon, ink, faint, grid, ghost;
  Colour steel;  // bodies without a section
  Colour joint, payload;
  std::vector<Colour> series;
  double light, ambient;  // intensity of the lamp and of the sky
  Colour bounce;          // light reflected by the ground
  double shadow;          // darkness of the ground in the shadow

  /// Links of a single arm, in turn.
  Colour link(int index) const;
};

const Theme& theme(bool dark);

/// Colours for stress from 0 to 1: blue, green, yellow with increasing lightness, after Viridis.
Colour heat(double share);

}  // namespace lithe::film
