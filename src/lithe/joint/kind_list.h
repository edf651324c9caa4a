#pragma once

#include "lithe/joint/kinds.h"

// The functions of the kinds' files that kinds.cpp lists.

namespace lithe {

JointKind fixed_kind();
JointKind revolute_kind();
JointKind prismatic_kind();
JointKind helical_kind();
JointKind cylindrical_kind();
JointKind universal_kind();
JointKind spherical_kind();
JointKind planar_kind();

}  // namespace lithe
