#pragma once

#include <span>

#include "lithe/show/film/mesh.h"

namespace lithe::film {

/// The panels of a sheet of (n_chord + 1) × (n_span + 1) points, row by row: cells with lines between them on both faces, `thickness` apart.
void add_panels(Triangles& out, std::span<const Vector3d> places, int n_chord, int n_span, double thickness,
                Colour cell, Colour line);

/// A sheet without lines, seen from both sides.
void add_sheet(Triangles& out, std::span<const Vector3d> places, int n_rows, int n_columns, Colour colour);

}  // namespace lithe::film
