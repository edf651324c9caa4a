#include "lithe/describe/joint_names.h"

#include <algorithm>

#include "lithe/joint/kinds.h"

namespace lithe {
namespace {

CoordinateUnit unit_of(const JointCoordinate& coordinate) {
  return coordinate.turns ? CoordinateUnit::radians : CoordinateUnit::metres;
}

}  // namespace

std::string joint_name(const LinkSpec& link) {
  return link.joint.name.empty() ? link.name + "_joint" : link.joint.name;
}

std::map<std::string, JointName> joint_names(const ArmSpec& arm) {
  std::map<std::string, JointName> names;
  for (const LinkSpec& link : arm.links) {
    const std::string joint = joint_name(link);
    const JointKind* kind = find_joint_kind(link.joint.type);
    if (kind == nullptr) {
      names[joint] = {};
      continue;
    }
    if (kind->coordinates.empty()) names[joint] = {JointName::Kind::fixed};
    std::vector<std::string> coordinates;
    for (const JointCoordinate& one : kind->coordinates) {
      coordinates.push_back(joint + one.suffix);
      names[joint + one.suffix] = {one.has_position ? JointName::Kind::coordinate : JointName::Kind::rate,
                                   unit_of(one)};
    }
    if (coordinates.size() < 2) continue;
    const bool is_turn = std::all_of(kind->coordinates.begin(), kind->coordinates.end(),
                                     [](const JointCoordinate& one) { return one.turns && !one.has_position; });
    names[joint] = {is_turn ? JointName::Kind::turned : JointName::Kind::several, CoordinateUnit::radians, coordinates};
  }
  return names;
}

CoordinateUnit joint_unit(const std::string& type) {
  const JointKind* kind = find_joint_kind(type);
  return kind == nullptr || kind->coordinates.empty() ? CoordinateUnit::radians : unit_of(kind->coordinates.front());
}

int coordinate_count(const std::string& type) {
  const JointKind* kind = find_joint_kind(type);
  return kind == nullptr ? 1 : int(kind->coordinates.size());
}

}  // namespace lithe
