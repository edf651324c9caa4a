#include "lithe/simulate/last_state.h"

#include <fmt/format.h>

#include <cmath>

#include "lithe/describe/case_difference.h"

namespace lithe {
namespace {

double last(const Results& results, const std::string& name) {
  const int k = results.find(name);
  if (k < 0 || results.series[size_t(k)].empty())
    throw ResultsError(fmt::format("it has no series '{}': expected results of the same arm", name));
  return results.series[size_t(k)].back();
}

/// Roll, pitch and yaw about fixed axes (URDF's) of a rotation, the inverse of rpy_rotation.
Vector3d rpy_of(const Matrix3d& R) {
  const double pitch = std::atan2(-R(2, 0), std::hypot(R(0, 0), R(1, 0)));
  if (std::hypot(R(0, 0), R(1, 0)) > 1e-9) return {std::atan2(R(2, 1), R(2, 2)), pitch, std::atan2(R(1, 0), R(0, 0))};
  return {0, pitch, std::atan2(-R(0, 1), R(1, 1))};  // roll and yaw are about one axis here: all of it as yaw
}

}  // namespace

Initial last_state(const Arm& arm, const Results& results) {
  Initial initial;
  auto vector = [&](const char* x, const char* y, const char* z) {
    return Vector3d(last(results, x), last(results, y), last(results, z));
  };
  for (const Link& link : arm.links()) {
    auto turn = [&] {
      const int first = link.q0 + link.joint->quaternion();
      Eigen::Vector4d Q;
      for (int k = 0; k < 4; ++k) Q[k] = last(results, arm.positions()[first + k]);
      return rpy_of(Quaterniond(Q[0], Q[1], Q[2], Q[3]).normalized().toRotationMatrix());
    };
    if (link.role == LinkRole::base && link.joint->quaternion() >= 0) {
      initial.base = {vector("base.x", "base.y", "base.z"), turn(), vector("base.vx", "base.vy", "base.vz"),
                      vector("base.wx", "base.wy", "base.wz")};
    } else if (link.role == LinkRole::base) {
      if (!initial.base) initial.base.emplace();
      // Of a planar base's two slides and a turn.
      const Joint::Axis along = link.joint->single_axis().value();
      const int axis = along.turns ? 2 : along.axis.x() != 0 ? 0 : 1;
      const double position = last(results, link.joint_name), rate = last(results, link.joint_name + ".rate");
      (axis == 2 ? initial.base->rpy.z() : initial.base->xyz[axis]) = position;
      (axis == 2 ? initial.base->angular_velocity.z() : initial.base->velocity[axis]) = rate;
    } else {
      if (link.joint->quaternion() >= 0) initial.joints[link.joint_name].rpy = turn();
      for (int k = 0; k < link.nv(); ++k) {
        const std::string& name = arm.coordinates()[link.v0 + k];
        if (link.joint->coordinates()[k].has_position)
          initial.joints[name] = {last(results, name), last(results, name + ".rate")};
        else
          initial.joints[name] = {0, last(results, name)};
      }
    }
    for (int k = 0; k < link.n_flex(); ++k) {
      const std::string& name = arm.coordinates()[link.flex_v0() + k];
      initial.joints[name] = {last(results, name), last(results, name + ".rate")};
    }
  }
  return initial;
}

std::string start_where_ended(Case& data, Arm& arm, const Results& results) {
  const std::vector<CaseDifference> differences =
      arm_differences({results.header.case_text, results.header.files}, portable_case(data));
  data.initial = last_state(arm, results);
  arm = Arm::assemble(data);  // its modal damping may depend on the start
  // Coordinates of the same name may belong to other shapes. A load picked up or dropped, or another size, does not change their meaning.
  std::vector<CaseDifference> shapes = differences;
  std::erase_if(shapes, [](const CaseDifference& one) {
    return one.path.find(".flexibility") == std::string::npos && one.path.find(".imported") == std::string::npos;
  });
  if (!shapes.empty())
    throw ResultsError(fmt::format("its links deform by other shapes, so their coordinates have another meaning: {}",
                                   first_of(shapes)));
  return differences.empty() ? "" : first_of(differences);
}

}  // namespace lithe
