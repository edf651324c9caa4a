#include "lithe/analyse/run_modes.h"

#include <cmath>

#include "lithe/analyse/configuration.h"
#include "lithe/drive/drives.h"
#include "lithe/results/stored_case.h"

namespace lithe {
namespace {

/// Whether the arm or its laws may be others at the end than at the start.
bool changes(const Case& data) {
  for (const Event& event : data.events)
    if (event.payload || !event.torque.empty()) return true;
  return false;
}

State last_pose(const Arm& arm, const Results& results) {
  State state = State::zero(arm);
  state.t = results.time.back();  // a base with a given motion stands where it is then
  for (int i = 0; i < arm.nq(); ++i) {
    const int column = results.find(arm.positions()[size_t(i)]);
    if (column < 0) throw Error("the series are not those of the case in the file");
    state.q[i] = results.series[size_t(column)].back();
  }
  straighten(arm, state);
  return state;
}

ModesOptions as_driven(const Arm& arm, const Drives& drives, int most) {
  ModesOptions options{.joints = JointCondition::servo, .count = most, .outer = drives.forces_at_rest()};
  for (int k = 0; k < arm.nv(); ++k)
    if (drives.driven()[size_t(k)]) options.driven.push_back(k);
  for (const PlacedLaw& placed : drives.laws()) {
    if (placed.law->gives_accelerations())
      for (const Coordinate& output : placed.outputs) options.driven.push_back(output.v0);
    else if (const auto spring = placed.law->spring())
      options.servos.push_back({placed.outputs.front().v0, spring->kp, spring->kd});
  }
  return options;
}

}  // namespace

int RunModes::nearest(double frequency_hz, double reach) const {
  int best = -1;
  for (size_t k = 0; k < modes.size(); ++k) {
    const double zeta = modes[k].damping_ratio;
    const double damped = zeta < 1 ? modes[k].frequency_hz * std::sqrt(1 - zeta * zeta) : 0;
    const double distance = std::abs(damped - frequency_hz);
    if (distance > reach) continue;
    reach = distance;
    best = int(k);
  }
  return best;
}

RunModes modes_at_end(const Results& results, int most) {
  RunModes found;
  try {
    if (results.time.empty()) throw Error("the run has no rows");
    const StoredCase stored(results.header);
    const Case data = stored.read().data;
    if (changes(data)) throw Error("events change the arm or its control laws during the run");
    const Arm arm = Arm::assemble(data);
    const Drives drives(undeformed_start(data), arm);
    const ModesResult all = natural_modes_of(arm, last_pose(arm, results), as_driven(arm, drives, most));
    for (const Mode& mode : all.modes)
      if (mode.frequency_hz > 0) found.modes.push_back(mode);
    if (found.modes.empty()) found.none = "nothing vibrates with the joints as in the run";
  } catch (const std::exception& error) {
    found.none = error.what();
  }
  return found;
}

}  // namespace lithe
