#include "lithe/show/film/picture.h"

#include <algorithm>
#include <cstring>

namespace lithe::film {

void Picture::paste(const Picture& other, int x, int y) {
  const int wide = std::min(other.width, width - x), high = std::min(other.height, height - y);
  for (int row = 0; row < high; ++row)
    std::memcpy(&pixels[4 * (size_t(y + row) * width + x)], other.at(0, row), size_t(4) * wide);
}

Picture Picture::halved() const {
  Picture half(width / 2, height / 2);
  std::uint8_t* out = half.pixels.data();
  for (int y = 0; y < half.height; ++y)
    for (int x = 0; x < half.width; ++x) {
      const std::uint8_t *above = at(2 * x, 2 * y), *below = at(2 * x, 2 * y + 1);
      for (int c = 0; c < 4; ++c) *out++ = std::uint8_t((above[c] + above[c + 4] + below[c] + below[c + 4] + 2) / 4);
    }
  return half;
}

}  // namespace lithe::film
