// Bodies: imported ones, rigid ones and payloads.
#pragma once

#include <optional>
#include <string>
#include <variant>

#include "lithe/describe/case/matter.h"
#include "lithe/describe/case/vectors.h"

namespace lithe {

/// A flexible link of any form, given by shapes and matrices in a file (imported_link.h).
struct ImportedFile {
  std::string file;
  bool operator==(const ImportedFile&) const = default;
};

// Shapes of bodies. Rod, block and cylinder start at the link frame and extend along x; a sphere is centred on the link frame.
struct Rod {
  double length = 0;
  bool operator==(const Rod&) const = default;
};
struct Block {
  double x = 0, y = 0, z = 0;
  bool operator==(const Block&) const = default;
};
struct Cylinder {
  double length = 0, diameter = 0;
  bool operator==(const Cylinder&) const = default;
};
struct Sphere {
  double diameter = 0;
  bool operator==(const Sphere&) const = default;
};
/// A closed surface of triangles in an STL file, in link axes.
struct Mesh {
  std::string file;
  double unit = 1;  // [m] that one unit of the file stands for
  bool operator==(const Mesh&) const = default;
};
using BodyShape = std::variant<Rod, Block, Cylinder, Sphere, Mesh>;

struct RigidBody {
  std::optional<double> length;    // to the tip frame, along x; default: the extent of the shape, or 0
  std::optional<BodyShape> shape;  // gives mass centre and inertia
  std::optional<double> mass;      // required, unless a shape and its density, or a formula for it, are given
  std::optional<double> density;
  std::string density_formula = {};       // of x, y, z in metres, link axes; in kg/m³; empty: none
  std::optional<Vector3d> com;            // default: that of the shape, or the link frame
  std::optional<InertiaEntries> inertia;  // default: that of the shape, or zero (a point mass)
  bool operator==(const RigidBody&) const = default;
};

/// A body on the tip frame of a link, or on one of its sections.
struct Payload {
  double mass = 0;
  Vector3d com = Vector3d::Zero();
  InertiaEntries inertia;
  std::optional<double> at = {};  // distance from the root along x of the undeformed link; default: the tip frame
  bool operator==(const Payload&) const = default;
};

}  // namespace lithe
