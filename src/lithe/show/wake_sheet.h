#pragma once

#include <functional>
#include <span>
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

struct ShownRun;

/// That of a surface of a run, with deformations multiplied.
WakeSheet wake_of(const ShownRun& run, const SceneSurface& surface, double t, double exaggeration = 1);

/// Throws std::invalid_argument where no run has wind, or where the wake of one moved itself, which results do not record.
void demand_wakes(std::span<const ShownRun> runs);

/// The wakes of a run's surfaces at some of its rows, for a page: of each sheet at most 25 rows, first and last among them, and as many
/// instants as a number of numbers holds.
struct WakeFrames {
  /// How many rows and columns a surface's sheet has, as in WakeSheet.
  struct Sheet {
    int rows = 0, columns = 0;
  };
  std::vector<int> at;         // rows of the run, the first and the last among them
  std::vector<Sheet> sheets;   // of each surface
  std::vector<double> places;  // instant by instant, sheet by sheet, row by row: x, y, z
};
/// At most 600 instants, and about `most_numbers` places' numbers, but two instants in any case. None of a run without wind.
WakeFrames wake_frames(const ShownRun& run, std::size_t most_numbers);

}  // namespace lithe
