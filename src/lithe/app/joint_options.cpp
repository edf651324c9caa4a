#include "lithe/app/joint_options.h"

#include <fmt/format.h>

namespace lithe::app {

JointsAre joints_of(const std::string& word) {
  const std::pair<const char*, JointsAre> known[] = {
      {"locked", JointsAre::locked}, {"free", JointsAre::free}, {"servo", JointsAre::servo}};
  for (const auto& [name, joints] : known)
    if (word == name) return joints;
  throw UsageError(fmt::format("--joints: expected locked, free or servo, got \"{}\"", word));
}

ModesOptions modes_options(const std::string& joints, int count, const Arm& arm, const Drives& drives) {
  ModesOptions options{.joints = joints_of(joints), .count = count, .outer = drives.forces_at_rest()};
  if (options.joints != JointsAre::servo) return options;
  for (const PlacedLaw& placed : drives.laws()) {
    if (placed.law->gives_accelerations())
      throw UsageError(
          fmt::format("--joints servo: {} has computed-torque, which is no spring: use `lithe linearise --closed-loop`",
                      placed.joint));
    if (const auto spring = placed.law->spring())
      options.servos.push_back({placed.outputs.front().v0, spring->kp, spring->kd});
  }
  if (options.servos.empty())
    throw UsageError("--joints servo: no joint of the case has a servo, pd or pid under `torque`");
  for (int k = 0; k < arm.nv(); ++k)
    if (drives.driven()[k]) options.driven.push_back(k);
  return options;
}

}  // namespace lithe::app
