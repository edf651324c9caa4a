#pragma once

#include <vector>

#include "lithe/joint/joint.h"

namespace lithe {

/// How a joint is drawn: a hinge about each axis it turns about, a sleeve about each axis it slides along, a ball where it turns
/// any way.
struct JointGlyph {
  enum class Kind { hinge, sleeve, ball };
  Kind kind = Kind::hinge;
  Vector3d axis = Vector3d::UnitZ();  // in F
};
std::vector<JointGlyph> joint_glyphs(const Joint& joint);

/// Whether the joint shifts what it carries, so that a rod is seen between the two frames.
bool joint_slides(const Joint& joint);

}  // namespace lithe
