#pragma once

#include <optional>
#include <string>
#include <vector>

#include "lithe/show/film/picture.h"
#include "lithe/show/film/theme.h"

namespace lithe::film {

/// A line of a legend: a patch of colour and its meaning.
struct LegendLine {
  Colour colour;
  std::string text;
};

/// What is written on a picture.
struct Captions {
  std::string title;                 // upper left
  std::string subtitle;              // below it: what a part of the film is called
  std::string time;                  // lower left, large
  std::vector<LegendLine> readings;  // beside the time; of several runs one each, with their colour
  bool coloured_readings = false;
  std::vector<std::string> notes;  // upper right: what is not realistic, such as exaggeration and speed
  std::optional<LegendLine> ghost;
  std::string scale;           // lower right: the pitch of the grid
  std::string stress_largest;  // the value at the bright end of the stress scale; empty: there is no scale
};

/// Draws them in proportion to the picture's height.
void draw_captions(Picture& picture, const Captions& captions, const Theme& theme);

/// A length in a unit that keeps its digits few: 93 mm, 1.24 m, 12.00 µm.
std::string length_text(double metres);

}  // namespace lithe::film
