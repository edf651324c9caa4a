#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "lithe/joint/joint.h"

namespace lithe {

/// What a case says about a joint's motion, checked; vectors have unit length.
struct JointParameters {
  Vector3d axis = Vector3d::UnitZ();
  Vector3d second_axis = Vector3d::UnitX();
  double pitch = 0;  // advance per turn [m]
};

/// A kind of joint, as case files know it.
struct JointKind {
  std::string word;     // its `type`
  std::string meaning;  // for the reference
  /// Which of `axis`, `axes` and `pitch` it takes. Others are rejected.
  bool takes_axis = false, takes_axes = false, takes_pitch = false;
  std::vector<JointCoordinate> coordinates;  // of any joint of this kind
  /// Whether its position as a whole is a turn, kept as a quaternion: cases may then give it by `rpy`.
  bool position_is_turn = false;
  std::function<std::shared_ptr<const Joint>(const JointParameters&)> make;
};

/// The kinds that case files may name, in the order of the reference.
const std::vector<JointKind>& joint_kinds();

/// By its word; null for an unknown one.
const JointKind* find_joint_kind(std::string_view word);

/// Adds a kind that user code defines; all cases that are read afterwards may name it. Not to be called while other threads read cases. Throws
/// std::invalid_argument for a word that is taken.
void add_joint_kind(JointKind kind);

/// The joints of which an arm's base is made.
std::shared_ptr<const Joint> fixed_joint();
std::shared_ptr<const Joint> revolute_joint(const Vector3d& unit_axis);
std::shared_ptr<const Joint> prismatic_joint(const Vector3d& unit_axis);
std::shared_ptr<const Joint> free_joint();

}  // namespace lithe
