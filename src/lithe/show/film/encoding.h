#pragma once

#include <string>
#include <vector>

namespace lithe::film {

/// Endings of films: .avi, .mp4, .gif.
const std::vector<std::string>& film_endings();
/// Of a file's name, in small letters, with the dot; empty if it is not that of a film.
std::string film_ending(const std::string& file);

/// How the `ffmpeg` program is called to make a film of pictures that come on its standard input (picture.h), one after the
/// other. It says nothing but errors.
struct Encoding {
  std::string ending;
  int width = 0, height = 0;
  double fps = 30;
  std::string file;     // to write
  std::string palette;  // of a GIF: a picture with its colours
};
std::vector<std::string> encoder_words(const Encoding& encoding);

/// The same to find the best 256 colours of some pictures; writes them to `encoding.palette`.
std::vector<std::string> palette_words(const Encoding& encoding);

}  // namespace lithe::film
