// show/film/ — pictures and films of arms, drawn without a display. Takes runs as reports do (show/shown_run.h) and how they
// should look; gives pictures, and films by the program ffmpeg (film_writer.h, make_film.h). The steps are
//   playback (a run at an instant) → arm_drawing (its triangles) → renderer (their picture, by EGL and GLES) → captions.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "lithe/show/film/theme.h"
#include "lithe/show/scene.h"

namespace lithe::film {

/// A corner of a triangle, in the world.
struct Vertex {
  float place[3];
  float normal[3];
  std::uint8_t colour[4];  // sRGB; the fourth: opacity
};

/// Surfaces in one list, ready to draw. Those of a frame are made again each time: some ten thousand corners, which cost less than a tenth of a
/// millisecond per thousand to place, against tens of milliseconds to draw.
struct Triangles {
  std::vector<Vertex> vertices;
  std::vector<std::uint32_t> indices;  // counter-clockwise seen from outside
  double detail = 500;  // pixels per metre where they will be seen: curves are made of as few parts as can hide

  void clear();
  std::uint32_t add(const Vector3d& place, const Vector3d& normal, Colour colour, double opacity = 1);
  /// Oriented like the normals of its corners.
  void triangle(std::uint32_t a, std::uint32_t b, std::uint32_t c);
  void quad(std::uint32_t a, std::uint32_t b, std::uint32_t c, std::uint32_t d);
};

/// A body swept along stations at `poses`, with its true outlines, hollow ones included, closed at its ends. A colour for each station.
void add_sweep(Triangles& out, std::span<const SceneStation> stations, std::span<const Pose> poses,
               std::span<const Colour> colours);

/// Centred; size along x, y, z.
void add_box(Triangles& out, const Pose& X, const Vector3d& size, Colour colour);
void add_ball(Triangles& out, const Vector3d& centre, double diameter, Colour colour);
/// From the origin along x, of these diameters at its start and end, with flat ends.
void add_cone(Triangles& out, const Pose& X, double length, double first, double last, Colour colour);

}  // namespace lithe::film
