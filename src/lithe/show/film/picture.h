#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace lithe::film {

/// A picture in memory, row by row from the top, four bytes per pixel: blue, green, red, and one unused. Cairo (RGB24) and
/// ffmpeg (bgr0) read it directly.
struct Picture {
  int width = 0, height = 0;
  std::vector<std::uint8_t> pixels;

  Picture() = default;
  Picture(int w, int h) : width(w), height(h), pixels(size_t(4) * w * h) {}
  const std::uint8_t* at(int x, int y) const { return &pixels[4 * (size_t(y) * width + x)]; }
  /// Copies another picture into this one, with its upper left corner at x, y.
  void paste(const Picture& other, int x, int y);
  /// Half as large: each pixel the mean of four. Sides must be even.
  Picture halved() const;
};

/// As a PNG file's bytes.
std::string png_of(const Picture& picture);

}  // namespace lithe::film
