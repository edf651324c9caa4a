#pragma once

#include <functional>
#include <vector>

#include "lithe/show/scene_surface.h"

namespace lithe {

/// A wake as a sheet of points: `rows` + 1 rows behind the trailing edge, newest first, each from root to tip.
struct WakeSheet {
  int rows = 0, columns = 0;
  std::vector<Vector3d> places;
};

/// The prescribed wake of a surface at time t: where the trailing edge has been, carried on by the wind from then to t. Before the
/// run began the edge was where it was at its start. `corners_at` gives the surface's corners at any time of the run.
WakeSheet prescribed_wake(const SceneSurface& surface, const WindSpec& wind, double t, double begin,
                          const std::function<std::vector<Vector3d>(double)>& corners_at);

}  // namespace lithe
