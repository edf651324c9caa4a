#pragma once

#include <span>

#include "lithe/show/film/camera.h"
#include "lithe/show/film/mesh.h"

namespace lithe::film {

/// A line through points that faces the viewer, everywhere as wide on the picture: `width` is a share of its height.
void add_ribbon(Triangles& out, std::span<const Vector3d> points, const Camera& camera, double width, Colour colour,
                double opacity);

}  // namespace lithe::film
