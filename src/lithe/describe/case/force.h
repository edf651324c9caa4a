// Forces on links: loads over time, springs and dampers between points, and points that a plane stops.
#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "lithe/describe/case/profile.h"
#include "lithe/describe/case/vectors.h"
#include "lithe/describe/case/words.h"

namespace lithe {

enum class Axes { world, link };
struct SpreadPoint {
  double at = 0, factor = 1;
  bool operator==(const SpreadPoint&) const = default;
};
/// A force and a moment per length of the undeformed link.
struct Spread {
  Vector3d force = Vector3d::Zero(), moment = Vector3d::Zero();
  std::optional<double> from = {}, to = {};  // distances from the root along x; default: the whole link
  std::vector<SpreadPoint> shape = {};       // factor along the link, linear between points; empty: 1
  bool operator==(const Spread&) const = default;
};
/// A force and a moment on a link.
struct Load {
  std::string link;
  std::optional<Vector3d> point;  // where the force acts, in link axes; default: the origin of the tip frame
  Vector3d force = Vector3d::Zero(), moment = Vector3d::Zero();
  Axes axes = Axes::world;
  std::optional<Profile> scale;       // multiplies both over time, starting from 0; default: always 1
  std::string name = {};              // by which events refer to it; empty: none does
  bool active = true;                 // from the start; false: until an event switches it on
  std::optional<Spread> spread = {};  // instead of point, force and moment
  bool operator==(const Load&) const = default;
};

/// A point fixed on a link, or in the world.
struct Attachment {
  std::optional<std::string> link = {};  // default: the world
  std::optional<Vector3d> point =
      {};  // in link axes, default: the origin of the tip frame; or in world axes, default: the origin
  bool operator==(const Attachment&) const = default;
};
/// A spring and a damper along the line between two points, with tension stiffness·(distance − length) + damping·d(distance)/dt.
struct SpringDamper {
  Attachment from, to;
  double stiffness = 0, damping = 0;
  std::optional<double> length = {};  // without force; required with a stiffness
  bool operator==(const SpringDamper&) const = default;
};
/// A plane fixed in the world. Its normal points to the side on which arms may be.
struct Plane {
  Vector3d point = Vector3d::Zero(), normal = Vector3d::UnitZ();
  bool operator==(const Plane&) const = default;
};
/// A point of a link that a plane stops: pushed out with max(0, stiffness·depth + damping·d(depth)/dt) while it is behind the plane.
struct Contact {
  std::string link = {};
  std::optional<Vector3d> point = {};  // in link axes; default: the origin of the tip frame
  Plane plane = {};
  double stiffness = 0, damping = 0;
  bool operator==(const Contact&) const = default;
};
struct ForceSpec {
  std::variant<SpringDamper, Contact> force;
  bool operator==(const ForceSpec&) const = default;
};

// The words of the choices above.
template <>
struct Words<Axes> {
  static constexpr WordList<Axes, 2> list{{{Axes::world, "world"}, {Axes::link, "link"}}};
};

}  // namespace lithe
