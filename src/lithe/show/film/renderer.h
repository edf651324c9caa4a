#pragma once

#include <memory>
#include <vector>

#include "lithe/error.h"
#include "lithe/show/film/camera.h"
#include "lithe/show/film/mesh.h"
#include "lithe/show/film/picture.h"
#include "lithe/show/film/shadowed_ground.h"
#include "lithe/show/film/theme.h"

namespace lithe::film {

/// Drawing is not possible; the message says what is missing and what to install.
class RenderError : public Error {
 public:
  using Error::Error;
};

/// Transparent surfaces: their colour at this opacity, the nearest only.
struct Veil {
  Triangles triangles;
  double opacity = 0.2;
};

/// Everything in one frame.
struct Frame {
  Triangles solids;         // lit; cast shadows and receive them
  std::vector<Veil> veils;  // drawn one over the other
  Triangles lines;          // flat, at the opacity of their vertices

  void clear();
};

/// Draws frames by EGL and OpenGL ES 3 without a display, on the graphics processor or in software. To be used on the thread that made it.
class Renderer {
 public:
  /// Throws RenderError.
  Renderer(int width, int height);
  ~Renderer();

  /// Begins to draw and returns; collect() gives the picture. Between begin() and collect() of one frame another may begin: the
  /// processor prepares one while the last is being drawn. `picture` is memory to reuse.
  void begin(const Frame& frame, const Surroundings& surroundings, const Camera& camera, const Theme& theme,
             Picture&& picture);
  /// The oldest picture that was begun.
  Picture collect();

  /// The device that draws: "llvmpipe (LLVM 15.0.6, 256 bits)".
  const std::string& device() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace lithe::film
