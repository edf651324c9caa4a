#pragma once

#include <string>
#include <vector>

namespace lithe::film {

/// Endings of films: .avi, .mp4, .gif.
const std::vector<std::string>& film_endings();
/// The ending of a file's name, in lower case, with the dot; empty if it is not that of a film.
std::string film_ending(const std::string& file);

/// How the `ffmpeg` program is called to make a film of the pictures on its standard input (picture.h), one after the other. It
/// prints only errors.
struct Encoding {
  std::string ending;
  int width = 0, height = 0;
  double fps = 30;
  std::string file;     // to write
  std::string palette;  // of a GIF: a picture with its colours
};
std::vector<std::string> encoder_words(const Encoding& encoding);

/// The arguments with which it finds the best 256 colours of some pictures; writes them to `encoding.palette`.
std::vector<std::string> palette_words(const Encoding& encoding);

}  // namespace lithe::film
