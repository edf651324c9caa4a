#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lithe/arm/arm.h"
#include "lithe/results/results.h"
#include "lithe/show/scene.h"

namespace lithe {

/// A natural mode to show: how the coordinates move from a pose, and what stands beside it.
struct ReportMode {
  double frequency_hz = 0;
  std::string description;
  VectorXd shape;  // nv
};

/// One run as a report shows it. What could not be made carries the reason instead.
struct ReportRun {
  std::string label, file;
  Results results;

  std::optional<Arm> arm;
  Scene scene;           // of that arm
  std::string no_scene;  // why there is no arm

  /// What positions of the undeformed arm would be as commanded, row by row, for those that are not as recorded; by index.
  std::map<int, std::vector<double>> commanded;

  std::vector<ReportMode> modes;
  VectorXd modes_q;      // the pose they are about
  std::string no_modes;  // why there are none
};

/// The page without its data, as bundled by Node when lithe was built; empty where it was built without.
std::string_view report_page();

/// One self-contained page: scene, series and texts of the runs, and the program that shows them. Needs report_page().
///
/// Every series is there in full, as little-endian numbers (doubles for time and positions, floats for the rest), byte planes
/// one after the other (most significant last), deflated, in base64. web/src/data.ts reads them.
std::string report_html(const std::vector<ReportRun>& runs);

/// Numbers as a report stores them. `wide`: doubles, else floats.
std::string packed(const std::vector<double>& values, bool wide);

}  // namespace lithe
