#include "lithe/show/film/theme.h"

#include <algorithm>
#include <cmath>

#include "lithe/spatial/whole_number.h"

namespace lithe::film {

Colour mixed(Colour first, Colour second, double share) {
  auto mix = [&](std::uint8_t a, std::uint8_t b) {
    return std::uint8_t(clamped_whole(a + share * (b - a) + 0.5, 0, 255));
  };
  return {mix(first.r, second.r), mix(first.g, second.g), mix(first.b, second.b)};
}

Colour Theme::link(int index) const {
  constexpr int order[] = {0, 4, 2};
  return series[order[index % 3]];
}

const Theme& theme(bool dark) {
  static const Theme paper{
      .dark = false,
      .sky = colour(0xf7f8f8),
      .horizon = colour(0xe6eaec),
      .ink = colour(0x16212b),
      .faint = colour(0x5b6873),
      .grid = colour(0x9aa7b1),
      .ghost = colour(0x4a5864),
      .steel = colour(0x8b98a5),
      .joint = colour(0x3b4650),
      .payload = colour(0xd98a00),
      .series = {colour(0x0072b2), colour(0xd55e00), colour(0x00855f), colour(0xa5527d), colour(0x2b9fd8),
                 colour(0xa97500), colour(0x4a5864)},
      .light = 0.67,
      .ambient = 0.54,
      .bounce = colour(0xa8b2bb),
      .shadow = 0.2,
  };
  static const Theme slate{
      .dark = true,
      .sky = colour(0x141a20),
      .horizon = colour(0x1d262e),
      .ink = colour(0xe8edf1),
      .faint = colour(0x98a5b0),
      .grid = colour(0x56636f),
      .ghost = colour(0xb7c4cf),
      .steel = colour(0x8796a4),
      .joint = colour(0xc3ced7),
      .payload = colour(0xf0ad2e),
      .series = {colour(0x4aa8e0), colour(0xf28b46), colour(0x2fc49a), colour(0xdd96b8), colour(0x8fd0f5),
                 colour(0xe6b93c), colour(0xb7c4cf)},
      .light = 0.7,
      .ambient = 0.37,
      .bounce = colour(0x2a343d),
      .shadow = 0.45,
  };
  return dark ? slate : paper;
}

Colour heat(double share) {
  constexpr double stops[][3] = {{0.267, 0.005, 0.329},
                                 {0.229, 0.322, 0.546},
                                 {0.128, 0.567, 0.551},
                                 {0.369, 0.789, 0.383},
                                 {0.993, 0.906, 0.144}};
  const double at = share >= 0 ? std::min(share, 1.0) * 4 : 0;  // NaN is treated as zero
  const int k = clamped_whole(at, 0, 3);
  auto mix = [&](int c) {
    return std::uint8_t(clamped_whole(255 * (stops[k][c] + (at - k) * (stops[k + 1][c] - stops[k][c])) + 0.5, 0, 255));
  };
  return {mix(0), mix(1), mix(2)};
}

}  // namespace lithe::film
