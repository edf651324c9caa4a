#pragma once

#include <string>

#include "lithe/describe/case.h"

namespace lithe {

/// A solid of density one inside a closed surface of triangles.
struct MeshSolid {
  double volume = 0;
  Vector3d centre = Vector3d::Zero();
  Matrix3d inertia = Matrix3d::Zero();                       // about the centre, per density
  Vector3d low = Vector3d::Zero(), high = Vector3d::Zero();  // its bounding box
  size_t bytes = 0;                                          // of the file
};

/// The solid of an STL file's contents, text or binary, by the divergence theorem: exact but for rounding. Vertices with equal coordinates
/// are one; triangles with two equal corners are left out. Each edge must belong to exactly two triangles that pass it in opposite directions.
/// A surface that is inside-out as a whole is turned; a hollow is a surface inside another that faces the other way. Of separate pieces none
/// may be inside-out by itself or lie in another (mesh_pieces.h).
/// Throws FieldError, with an empty path, for a text that is no such surface; the message names `file`, with a line where it has lines.
MeshSolid mesh_solid_of(const std::string& text, const std::string& file, double unit);

/// The solid of a case's mesh. Remembers results and mistakes as long as the file does not change, so that asking again costs nothing. Any thread may
/// ask. Throws FieldError at `.shape.mesh.file`, also for a file that cannot be read.
MeshSolid mesh_solid(const Mesh& mesh);

}  // namespace lithe
