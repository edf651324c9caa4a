#include "lithe/arm/cut.h"

#include <fmt/format.h>

#include <algorithm>

#include "lithe/describe/spelling.h"

namespace lithe {
namespace {

/// Links of the case that stand on another one or on a moving base, by the piece that is on their joint.
std::vector<int> links_on_links(const Arm& arm) {
  std::vector<int> list;
  for (int i = 0; i < arm.n_links(); ++i) {
    const Link& link = arm.link(i);
    const bool has_joint =
        link.role != LinkRole::rotor && link.role != LinkRole::base && link.role != LinkRole::segment;
    if (has_joint && link.parent >= 0) list.push_back(i);
  }
  return list;
}

std::vector<std::string> names_of(const Arm& arm, const std::vector<int>& links) {
  std::vector<std::string> names;
  for (const int i : links) names.push_back(arm.case_name(arm.link(i)));
  return names;
}

/// The link that bears the name; −1 for none among these.
int named(const Arm& arm, const std::vector<int>& links, const std::string& name) {
  for (const int i : links)
    if (arm.case_name(arm.link(i)) == name) return i;
  return -1;
}

std::vector<bool> carried_from(const Arm& arm, int cut) {
  std::vector<bool> carried(size_t(arm.n_links()), false);
  for (const Mount& mount : arm.mounts())
    if (mount.first_link == cut) {
      // An arm of its own, which may be a tree with several links on its base, and what it carries.
      int end = arm.n_links();
      for (const Mount& next : arm.mounts())
        if (next.first_link > cut) end = std::min(end, next.first_link);
      for (int i = cut; i < arm.n_links(); ++i) carried[size_t(i)] = i < end || carried[size_t(arm.link(i).parent)];
      return carried;
    }
  int rotor_of_cut = -1;  // belongs to what the joint carries
  for (const Transmission& spring : arm.transmissions())
    if (spring.joint_link == cut) rotor_of_cut = spring.rotor_link;
  for (int i = 0; i < arm.n_links(); ++i) {
    const int parent = arm.link(i).parent;
    carried[size_t(i)] = i == cut || i == rotor_of_cut || (parent >= 0 && carried[size_t(parent)]);
  }
  return carried;
}

/// The first link after `cut` that is not carried from there; −1 if all are.
int left_behind(const Arm& arm, int cut) {
  const std::vector<bool> carried = carried_from(arm, cut);
  const auto found = std::find(carried.begin() + cut, carried.end(), false);
  return found == carried.end() ? -1 : int(found - carried.begin());
}

}  // namespace

std::vector<bool> carried_links(const Arm& arm, const std::string& name) {
  if (name.empty()) return std::vector<bool>(size_t(arm.n_links()), false);
  const std::vector<int> links = links_on_links(arm);
  const int cut = named(arm, links, name);
  if (cut >= 0) return carried_from(arm, cut);
  const std::vector<std::string> known = names_of(arm, links);
  throw std::invalid_argument(fmt::format("no link '{}' that is carried by another{} Links: {}", name,
                                          guess_in_sentence(name, known), comma_list(known)));
}

Arm cut_at(const Arm& arm, const std::string& name) {
  if (name.empty() && arm.mounts().empty()) return arm;
  const std::vector<int> links = links_on_links(arm);
  const int cut = name.empty() ? arm.mounts().back().first_link : named(arm, links, name);
  const int behind = cut < 0 ? -1 : left_behind(arm, cut);
  if (cut >= 0 && behind < 0) return with_only_mount(arm, {cut, arm.link(cut).parent});
  std::vector<int> possible;
  for (const int i : links)
    if (left_behind(arm, i) < 0) possible.push_back(i);
  const std::vector<std::string> known = names_of(arm, possible);
  if (known.empty()) throw std::invalid_argument("this arm cannot be cut: no link of it is carried by another");
  if (cut < 0)
    throw std::invalid_argument(fmt::format("no link '{}' that is carried by another{} Links: {}", name,
                                            guess_in_sentence(name, known), comma_list(known)));
  throw std::invalid_argument(
      fmt::format("the arm cannot be cut at '{}': '{}' comes after it and is not carried by it. "
                  "Links: {}",
                  name, arm.case_name(arm.link(behind)), comma_list(known)));
}

}  // namespace lithe
