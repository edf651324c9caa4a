#pragma once

#include "lithe/arm/link_section.h"

namespace lithe {

/// A force and a moment on a section of a link, for derivatives: their directions stay in the world or turn with the section.
struct SectionLoad {
  const LinkSection* section = nullptr;  // not owned; must exist as long as this is used
  Vector3d point = Vector3d::Zero();     // where the force acts, from S in S axes
  Vector3d force = Vector3d::Zero(), moment = Vector3d::Zero();
  bool in_link_axes = false;  // those of S; else world axes
};

}  // namespace lithe
