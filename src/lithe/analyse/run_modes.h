#pragma once

#include <string>
#include <vector>

#include "lithe/analyse/modes.h"
#include "lithe/results/results.h"

namespace lithe {

/// The natural modes of a run's arm as the run ends. A plain value.
struct RunModes {
  std::vector<Mode> modes;  // that vibrate, frequencies ascending
  std::string none;         // why there are none

  /// The mode whose damped frequency f √(1 − ζ²) is nearest, if within `reach`; −1 otherwise.
  int nearest(double frequency_hz, double reach) const;
};

/// At the pose of the last row, about straight links, joints as in the run: those with a given motion or under computed torque are
/// held, those under pd, pid or servo are on its springs, others are free. From the case that the results hold.
RunModes modes_at_end(const Results& results, int most = 30);

}  // namespace lithe
