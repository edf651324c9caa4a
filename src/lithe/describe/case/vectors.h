// Vectors of three. Most users of a case do not need the rest of spatial/, which takes long to compile.
#pragma once

#include <Eigen/Core>

namespace lithe {

using Eigen::Matrix3d;
using Eigen::Vector3d;

}  // namespace lithe
