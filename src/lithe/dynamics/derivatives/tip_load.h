#pragma once

#include "lithe/spatial/spatial.h"

namespace lithe {

/// A force and a moment on the tip frame of a link, for derivatives: their directions stay in the world or turn with the tip.
struct TipLoad {
  int link = 0;
  Vector3d point = Vector3d::Zero();  // where the force acts, from T in T axes
  Vector3d force = Vector3d::Zero(), moment = Vector3d::Zero();
  bool in_link_axes = false;  // else world axes
};

}  // namespace lithe
