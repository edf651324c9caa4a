#pragma once

#include "lithe/spatial/spatial.h"

namespace lithe {

/// An external force and moment at a point along a flexible link.
struct AlongLoad {
  int link = 0;
  double x = 0;           // of the section that carries it, along the undeformed link
  Vector3d place, force;  // world axes
  Vector3d moment = Vector3d::Zero();
};

/// Along a flexible link, at its basis' stations: a section's displacement and rotation vector from its unloaded place, in B axes, and
/// what it bears. Force and moment are stress resultants, by which the outboard part acts on the inboard one: [N, V_y, V_z] with tension
/// positive, [T, M_y, M_z] with M = EI κ. In axes of B; on an exact link, which may turn far, in those of the section.
struct AlongLink {
  Matrix3Xd u, theta, force, moment;
};

}  // namespace lithe
