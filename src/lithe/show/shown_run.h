#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "lithe/arm/arm.h"
#include "lithe/results/results.h"
#include "lithe/show/scene.h"

namespace lithe {

/// A natural mode to show: how the coordinates move from a pose, and what stands beside it.
struct ShownMode {
  double frequency_hz = 0;
  std::string description;
  VectorXd shape;  // nv
};

/// One run as reports and films show it. What could not be made carries the reason instead.
struct ShownRun {
  std::string label, file;
  Results results;

  std::optional<Arm> arm;
  Scene scene;           // of that arm
  std::string no_scene;  // why there is no arm
  std::optional<WindSpec> wind;

  /// What positions of the undeformed arm would be as commanded, row by row, for those that are not as recorded; by index.
  std::map<int, std::vector<double>> commanded;

  std::vector<ShownMode> modes;
  VectorXd modes_q;      // the pose they are about
  std::string no_modes;  // why there are none
};

/// Adds arm, scene and commanded positions by the run's own case, or no_scene. What shows a run without an arm still has its
/// series.
void add_arm(ShownRun& run);

/// Adds the natural modes at the initial pose with the joints locked, or no_modes. After add_arm.
void add_modes(ShownRun& run);

}  // namespace lithe
