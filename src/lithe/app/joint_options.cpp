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
  ModesOptions options{.joints = joints_of(joints), .count = count};
  if (options.joints != JointsAre::servo) return options;
  for (const Drives::Feedback& law : drives.feedback()) {
    if (law.computed_torque)
      throw UsageError(
          fmt::format("--joints servo: {} has computed-torque, which is no spring: use `lithe linearise --closed-loop`",
                      law.joint));
    options.servos.push_back({law.v0, law.kp, law.kd});
  }
  if (options.servos.empty()) throw UsageError("--joints servo: no joint of the case has a servo or pd under `torque`");
  for (int k = 0; k < arm.nv(); ++k)
    if (drives.driven()[k]) options.driven.push_back(k);
  return options;
}

}  // namespace lithe::app
