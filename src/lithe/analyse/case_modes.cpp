#include "lithe/analyse/case_modes.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "lithe/analyse/configuration.h"
#include "lithe/analyse/eigenmodes.h"
#include "lithe/describe/deformation_names.h"
#include "lithe/describe/spelling.h"

namespace lithe {

JointCondition joints_named(const std::string& word) {
  const std::pair<const char*, JointCondition> known[] = {
      {"locked", JointCondition::locked}, {"free", JointCondition::free}, {"servo", JointCondition::servo}};
  for (const auto& [name, joints] : known)
    if (word == name) return joints;
  throw std::invalid_argument(fmt::format("expected locked, free or servo, got \"{}\"", word));
}

std::pair<End, End> supports_named(const std::string& words) {
  auto end_of = [&](const std::string& word) {
    const std::pair<const char*, End> known[] = {
        {"clamped", End::clamped}, {"pinned", End::pinned}, {"free", End::free}};
    for (const auto& [name, end] : known)
      if (word == name) return end;
    throw std::invalid_argument(fmt::format(
        "expected two of clamped, pinned and free (root, then tip), as in clamped-free, got \"{}\"", words));
  };
  const size_t dash = std::min(words.find('-'), words.size());
  return {end_of(words.substr(0, dash)), end_of(words.substr(std::min(dash + 1, words.size())))};
}

const Link& bending_link_named(const Arm& arm, const std::string& name) {
  std::vector<std::string> names;
  for (const Link& link : arm.links()) {
    if (!link.flex) continue;
    if (link.name == name && link.guide)
      throw std::invalid_argument(
          fmt::format("'{}' slides through a guide, which is its support; modes of the arm without "
                      "--link show it over its free length",
                      name));
    if (link.name == name) return link;
    names.push_back(link.name);
  }
  throw std::invalid_argument(fmt::format("no bending link '{}'{} Links with modes or elements: {}", name,
                                          guess_in_sentence(name, names), names.empty() ? "none" : comma_list(names)));
}

ModesOptions modes_options(JointCondition joints, int count, const Arm& arm, const Drives& drives) {
  ModesOptions options{.joints = joints, .count = count, .outer = drives.forces_at_rest()};
  if (options.joints != JointCondition::servo) return options;
  for (const PlacedLaw& placed : drives.laws()) {
    if (placed.law->gives_accelerations())
      throw std::invalid_argument(fmt::format(
          "{} has computed-torque, which is not a spring: use `lithe linearise --closed-loop`", placed.joint));
    if (const auto spring = placed.law->spring())
      options.servos.push_back({placed.outputs.front().v0, spring->kp, spring->kd});
  }
  if (options.servos.empty()) throw std::invalid_argument("no joint of the case has a servo, pd or pid under `torque`");
  for (int k = 0; k < arm.nv(); ++k)
    if (drives.driven()[k]) options.driven.push_back(k);
  return options;
}

CaseModes modes_of_case(const Arm& arm, const Drives& drives, const CaseModesOptions& options) {
  CaseModes modes;
  if (options.about) {
    modes.about = *options.about;
  } else {
    modes.about = configuration(arm, drives);
    // A case may start bent (`deformation: static`); modes are about the straight arm unless asked otherwise.
    straighten(arm, modes.about);
  }
  ModesOptions how = modes_options(options.joints, options.count, arm, drives);
  if (options.loads) how.outer = drives.all_at_rest();
  if (options.deformed)
    modes.about = find_equilibrium(arm, modes.about, held_by_motors(arm), effective_gravity(arm), how.outer).state;
  if (options.loads) {
    const SparseMatrixd K = small_system(arm, modes.about, how).K;
    if (SparseMatrixd(K - SparseMatrixd(K.transpose())).norm() > 1e-9 * K.norm())
      throw std::invalid_argument(
          "loads that turn with their links, and moments, make a stiffness that is not symmetric, which has no natural "
          "modes: `lithe linearise --joints locked` has its poles");
  }
  modes.result = natural_modes_of(arm, modes.about, how);
  return modes;
}

std::vector<Mode> damped_modes(const Case& data, const Arm& arm) {
  constexpr int most_coordinates = 400, most_modes = 4;
  if (!arm.bends() || arm.nv() > most_coordinates || !arm.constraints().empty() || arm.has_guides() ||
      arm.small_tips() || arm.has_backlash())
    return {};
  std::vector<Mode> modes;
  try {
    const Drives drives(undeformed_start(data), arm);
    State start = drives.initial_state();
    straighten(arm, start);
    const ModesOptions locked{.joints = JointCondition::locked, .count = most_modes, .outer = drives.forces_at_rest()};
    for (Mode& mode : natural_modes_of(arm, start, locked).modes)
      if (mode.frequency_hz > 0) modes.push_back(std::move(mode));
  } catch (const EigenmodesError&) {
    return {};
  }
  const bool any = std::any_of(modes.begin(), modes.end(), [](const Mode& mode) { return mode.damping_ratio > 0; });
  return any ? modes : std::vector<Mode>{};
}

}  // namespace lithe
