#pragma once

#include <span>
#include <vector>

#include "lithe/arm/kinematics.h"

namespace lithe {

/// Where sections of an exact link are in the world, at places x along the undeformed link. For figures: it allocates.
std::vector<Pose> bent_sections(const Kinematics& kinematics, int i_link, std::span<const double> x);

/// The same at so many equal distances, root and tip included.
std::vector<Pose> bent_sections(const Kinematics& kinematics, int i_link, int count);

}  // namespace lithe
