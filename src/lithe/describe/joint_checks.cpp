#include "lithe/describe/joint_checks.h"

#include <fmt/format.h>

#include "lithe/describe/joint_names.h"
#include "lithe/joint/kinds.h"

namespace lithe {
namespace {

using Problems = std::vector<std::pair<std::string, std::string>>;

constexpr double shortest_vector = 1e-9;

void check_limits(const std::optional<Limits>& limits, const std::string& path, Problems& problems) {
  if (limits && !(limits->lower < limits->upper))
    problems.emplace_back(path + ".limits",
                          fmt::format("expected lower < upper, got {:g} and {:g}", limits->lower, limits->upper));
}

/// Axis, axes and pitch: those that the kind takes must be given, others must not.
void check_geometry(const JointSpec& joint, const JointKind& kind, Problems& problems) {
  const std::string& word = kind.word;
  if (joint.dh && (joint.origin || joint.axis))
    problems.emplace_back(joint.origin ? ".origin" : ".axis", "expected either dh, or origin and axis");
  if (joint.dh && !kind.takes_axis && !kind.coordinates.empty())
    problems.emplace_back(
        ".dh",
        fmt::format("Denavit-Hartenberg parameters define one axis, which a {} joint does not have: expected origin",
                    word));
  if (kind.takes_axis && !joint.axis && !joint.dh)
    problems.emplace_back(".axis", fmt::format("missing; a {} joint needs an axis", word));
  if (!kind.takes_axis && joint.axis)
    problems.emplace_back(".axis", fmt::format("a {} joint has no axis{}", word,
                                               kind.takes_axes            ? " but two axes: give `axes`"
                                               : kind.coordinates.empty() ? ""
                                                                          : ": turn its frame by `origin.rpy`"));
  if (joint.axis && joint.axis->norm() < shortest_vector)
    problems.emplace_back(".axis", "expected a vector other than zero");
  if (kind.takes_axes && joint.axes.empty())
    problems.emplace_back(".axes",
                          fmt::format("missing; a {} joint needs two axes: axes: [[1, 0, 0], [0, 1, 0]]", word));
  if (!kind.takes_axes && !joint.axes.empty())
    problems.emplace_back(".axes", fmt::format("a {} joint does not have two axes", word));
  for (size_t k = 0; k < joint.axes.size(); ++k)
    if (joint.axes[k].norm() < shortest_vector)
      problems.emplace_back(fmt::format(".axes[{}]", k), "expected a vector other than zero");
  if (joint.axes.size() == 2 && joint.axes[0].norm() > 0 && joint.axes[1].norm() > 0 &&
      joint.axes[0].normalized().cross(joint.axes[1].normalized()).norm() < 1e-6)
    problems.emplace_back(".axes", "expected two axes that are not parallel: they would turn the same way");
  if (kind.takes_pitch && !joint.pitch)
    problems.emplace_back(".pitch", fmt::format("missing; a {} joint needs the advance per turn: pitch: 5 mm", word));
  if (!kind.takes_pitch && joint.pitch) problems.emplace_back(".pitch", fmt::format("a {} joint has no pitch", word));
}

/// Springs, friction and the like belong to one coordinate.
void check_forces(const JointSpec& joint, const JointKind& kind, Problems& problems) {
  if (kind.coordinates.empty()) {
    if (joint.damping != 0 || joint.friction || joint.spring || joint.limits || joint.motor)
      problems.emplace_back("", "a fixed joint takes no damping, friction, spring, limits or motor");
    return;
  }
  check_limits(joint.limits, "", problems);
  if (joint.motor && !joint.motor->stiffness && (joint.motor->hardening != 0 || joint.motor->bearing != 0))
    problems.emplace_back(".motor", "hardening and bearing belong to an elastic transmission: give its stiffness");
  if (joint.motor && !joint.motor->stiffness && joint.motor->backlash)
    problems.emplace_back(".motor.backlash",
                          "the gap is behind the spring of an elastic transmission: give its stiffness");
  if (joint.motor && joint.motor->stiffness && !(joint.motor->inertia > 0))
    problems.emplace_back(".motor.inertia", "expected more than zero for a rotor behind a spring");
  if (joint.motor && joint.motor->turns_a_slide() && kind.coordinates.size() == 1 && kind.coordinates[0].turns)
    problems.emplace_back(joint.motor->lead ? ".motor.lead" : ".motor.pinion_radius",
                          fmt::format("only for a rotary motor on a prismatic joint; this joint is {}", kind.word));
  if (joint.motor && joint.motor->lead && joint.motor->pinion_radius)
    problems.emplace_back(".motor.pinion_radius", "expected either lead or pinion_radius");
  if (kind.coordinates.size() == 1) return;
  std::string names;
  bool all_turn = true;
  for (const JointCoordinate& one : kind.coordinates) {
    names += (names.empty() ? "" : ", ") + one.suffix.substr(1);
    all_turn &= one.turns;
  }
  struct {
    const char* field;
    bool given, needs_position;
  } const of_one[] = {{"friction", joint.friction.has_value(), false},
                      {"spring", joint.spring.has_value(), true},
                      {"limits", joint.limits.has_value(), true},
                      {"damping", joint.damping != 0 && !all_turn, false}};
  const bool has_positions = kind.coordinates.front().has_position;
  for (const auto& one : of_one) {
    if (!one.given) continue;
    if (one.needs_position && !has_positions)
      problems.emplace_back(std::string(".") + one.field,
                            fmt::format("the coordinates of a {} joint are rates without positions: expected damping, "
                                        "or several joints with one axis each",
                                        kind.word));
    else
      problems.emplace_back(
          std::string(".") + one.field,
          fmt::format("a {} joint has several coordinates ({}): expected `coordinates: {{{}: {{{}: …}}}}`", kind.word,
                      names, kind.coordinates.front().suffix.substr(1), one.field));
  }
  if (joint.motor)
    problems.emplace_back(
        ".motor",
        fmt::format("a motor drives one coordinate, but a {} joint has several ({}): give each axis its own joint",
                    kind.word, names));
  for (const JointCoordinate& one : kind.coordinates) {
    const std::string name = one.suffix.substr(1), path = ".coordinates." + name;
    const auto found = joint.coordinates.find(name);
    if (found == joint.coordinates.end()) continue;
    check_limits(found->second.limits, path, problems);
    if (!one.has_position && (found->second.spring || found->second.limits))
      problems.emplace_back(path + (found->second.spring ? ".spring" : ".limits"),
                            fmt::format("'{}' of a {} joint is a rate without a position: expected damping or friction",
                                        name, kind.word));
  }
}

}  // namespace

std::vector<std::pair<std::string, std::string>> joint_problems(const JointSpec& joint) {
  Problems problems;
  const JointKind* kind = find_joint_kind(joint.type);
  if (kind == nullptr) return {{".type", fmt::format("no joint kind '{}'", joint.type)}};
  check_geometry(joint, *kind, problems);
  check_forces(joint, *kind, problems);
  return problems;
}

std::vector<std::pair<std::string, std::string>> joint_map_problems(const Case& data) {
  Problems problems;
  const std::map<std::string, JointName> names = joint_names(data.arm);
  auto need_position = [&](const std::string& name, const std::string& path, const char* instead) {
    const auto known = names.find(name);
    if (known != names.end() && known->second.kind == JointName::Kind::rate)
      problems.emplace_back(path, fmt::format("'{}' is a rate without a position: {}", name, instead));
  };
  for (const auto& [name, motion] : data.motion)
    need_position(name, "motion." + name, "give it a torque, or use several joints with one axis each");
  if (data.arm.damping)
    for (const auto& [name, position] : data.arm.damping->at)
      need_position(name, "arm.damping.at." + name, "a pose cannot include it");
  for (const auto& [name, start] : data.initial.joints) {
    const auto known = names.find(name);
    const bool whole = known != names.end() && known->second.kind == JointName::Kind::turned;
    const std::string path = "initial." + name;
    if (start.rpy && !whole)
      problems.emplace_back(path + ".rpy", "only a spherical joint has an initial roll, pitch and yaw");
    if (whole && (start.position != 0 || start.rate))
      problems.emplace_back(
          path, fmt::format("expected {{rpy: [roll, pitch, yaw]}}; give the rates of {}, {} and {}",
                            known->second.coordinates[0], known->second.coordinates[1], known->second.coordinates[2]));
    if (start.position != 0) need_position(name, path, "give its `rate`, and the orientation as `rpy` of the joint");
  }
  return problems;
}

}  // namespace lithe
