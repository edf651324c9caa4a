#include "lithe/show/bent_sections.h"

#include <algorithm>

namespace lithe {

std::vector<Pose> bent_sections(const Kinematics& kinematics, int i_link, std::span<const double> x) {
  const RodState& rod = *kinematics.rods[size_t(i_link)];
  std::vector<Pose> poses;
  RodSectionPose section;
  for (const double place : x) {
    rod.section(RodSection(rod.basis(), std::min(place, rod.basis().length)), section);
    poses.push_back(kinematics.X_WB[size_t(i_link)] * Pose{section.R, section.p});
  }
  return poses;
}

std::vector<Pose> bent_sections(const Kinematics& kinematics, int i_link, int count) {
  const double length = kinematics.rods[size_t(i_link)]->basis().length;
  std::vector<double> x;
  for (int k = 0; k < count; ++k) x.push_back(length * k / (count - 1));
  return bent_sections(kinematics, i_link, x);
}

}  // namespace lithe
