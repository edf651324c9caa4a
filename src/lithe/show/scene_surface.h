#pragma once

#include <string>
#include <vector>

#include "lithe/arm/arm.h"
#include "lithe/arm/kinematics.h"
#include "lithe/arm/state.h"
#include "lithe/describe/case.h"

namespace lithe {

/// Where a link carries a point, or a part of it: weight · X_WB (place + shape δ).
struct CarriedPart {
  int link = 0;
  double weight = 1;
  Vector3d place = Vector3d::Zero();
  Matrix3Xd shape;  // 3 × n_flex; empty on links that do not bend
};

/// The panels of a lifting surface, to be drawn. Its corners are those of the vortex lattice (drive/lifting_surfaces.h).
struct SceneSurface {
  std::string link;
  int n_chord = 0, n_span = 0;
  int colour = 0;  // counts the links of the case
  std::vector<std::vector<CarriedPart>>
      corners;  // (n_chord + 1) rows from leading to trailing edge, each from root to tip

  int corner(int i, int j) const { return i * (n_span + 1) + j; }
};

/// Those of a case. None where they cannot be placed, of which a run tells more.
std::vector<SceneSurface> surfaces_of(const Case& data, const Arm& arm);

/// Where its corners are.
std::vector<Vector3d> corner_places(const SceneSurface& surface, const Arm& arm, const State& state,
                                    const Kinematics& kinematics);

}  // namespace lithe
