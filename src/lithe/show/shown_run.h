#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "lithe/arm/arm.h"
#include "lithe/results/results.h"
#include "lithe/show/scene.h"
#include "lithe/show/wake_sheet.h"

namespace lithe {

/// A natural mode to show: how the coordinates move from a pose, and its description.
struct ShownMode {
  double frequency_hz = 0;
  std::string description;
  VectorXd shape;  // nv
};

/// One run as reports and films show it. If the scene or the modes could not be made, it has the reason instead.
struct ShownRun {
  std::string label, file;
  Results results;
  bool measured = false;  // not a run, but data to compare with: its series are drawn as points

  std::optional<Arm> arm;
  Scene scene;           // of that arm
  std::string no_scene;  // why there is no arm
  std::optional<WindSpec> wind;
  std::optional<WakeFrames> wake;  // for a page that draws it

  /// Commanded positions of the undeformed arm, row by row, for those that differ from the recorded ones; by index.
  std::map<int, std::vector<double>> commanded;

  std::vector<ShownMode> modes;
  VectorXd modes_q;      // the pose they are about
  std::string no_modes;  // why there are none
};

/// Measured data (results/measured.h) as a page shows them beside runs: series by the names and in the units of those of the runs.
/// Throws std::invalid_argument.
ShownRun measured_run(const std::string& words, std::span<const ShownRun> runs);

/// Adds arm, scene and commanded positions from the run's case, or no_scene. A run without an arm can still be shown by its
/// series.
void add_arm(ShownRun& run);

/// Adds the natural modes at the initial pose with the joints locked, or no_modes. After add_arm.
void add_modes(ShownRun& run);

}  // namespace lithe
