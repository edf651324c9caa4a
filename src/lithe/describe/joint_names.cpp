#include "lithe/describe/joint_names.h"

#include "lithe/describe/case/arm.h"
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
    names[joint] = {kind->position_is_turn ? JointName::Kind::turned : JointName::Kind::several,
                    CoordinateUnit::radians, coordinates};
  }
  return names;
}

CoordinateUnit joint_unit(const std::string& type) {
  const JointKind* kind = find_joint_kind(type);
  return kind == nullptr || kind->coordinates.empty() ? CoordinateUnit::radians : unit_of(kind->coordinates.front());
}

std::vector<std::string> joint_types() {
  std::vector<std::string> words;
  for (const JointKind& kind : joint_kinds()) words.push_back(kind.word);
  return words;
}

std::vector<std::string> joint_type_meanings() {
  std::vector<std::string> meanings;
  for (const JointKind& kind : joint_kinds()) meanings.push_back(kind.meaning);
  return meanings;
}

std::vector<OwnCoordinate> own_coordinates(const std::string& type) {
  std::vector<OwnCoordinate> own;
  if (const JointKind* kind = find_joint_kind(type))
    for (const JointCoordinate& one : kind->coordinates)
      own.push_back({one.suffix.empty() ? "" : one.suffix.substr(1), unit_of(one)});
  return own;
}

int coordinate_count(const std::string& type) {
  const JointKind* kind = find_joint_kind(type);
  return kind == nullptr ? 1 : int(kind->coordinates.size());
}

}  // namespace lithe
