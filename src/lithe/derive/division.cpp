#include "lithe/derive/division.h"

#include <fmt/format.h>

#include <algorithm>

#include "lithe/describe/spelling.h"

namespace lithe::derive {

std::vector<bool> carried_links(const Arm& arm, const std::string& name) {
  std::vector<bool> carried(arm.n_links(), false);
  if (name.empty()) return carried;
  const int cut = arm.find_link(name);
  std::vector<std::string> known;
  for (const Link& link : arm.links())
    if (link.role != LinkRole::rotor && link.role != LinkRole::base && link.parent >= 0) known.push_back(link.name);
  if (cut < 0 || std::find(known.begin(), known.end(), name) == known.end())
    throw std::invalid_argument(fmt::format("no link '{}' that is carried by another{} Links: {}", name,
                                            guess_in_sentence(name, known), comma_list(known)));
  for (const Mount& mount : arm.mounts())
    if (mount.first_link == cut) {
      // An arm of its own, which may be a tree with several links on its base, and what it carries.
      int end = arm.n_links();
      for (const Mount& next : arm.mounts())
        if (next.first_link > cut) end = std::min(end, next.first_link);
      for (int i = cut; i < arm.n_links(); ++i) carried[i] = i < end || carried[arm.link(i).parent];
      return carried;
    }
  int rotor_of_cut = -1;  // belongs to what the joint carries
  for (const Transmission& spring : arm.transmissions())
    if (spring.joint_link == cut) rotor_of_cut = spring.rotor_link;
  for (int i = 0; i < arm.n_links(); ++i) {
    carried[i] = i == cut || i == rotor_of_cut || (arm.link(i).parent >= 0 && carried[arm.link(i).parent]);
  }
  return carried;
}

std::vector<int> coordinate_order(const Arm& arm, const std::vector<bool>& link_carried, CoordinateOrder order) {
  std::vector<int> list;
  auto add = [&](int first, int n) {
    for (int k = 0; k < n; ++k) list.push_back(first + k);
  };
  if (order == CoordinateOrder::by_link) {
    add(0, arm.nv());
    return list;
  }
  for (const bool carried : {false, true})
    for (const bool deformations : {false, true})
      for (int i = 0; i < arm.n_links(); ++i) {
        const Link& link = arm.link(i);
        if (link_carried[size_t(i)] != carried) continue;
        // The hinge of a segmented beam is a deformation.
        if (deformations == (link.role == LinkRole::segment)) add(link.v0, link.nv());
        if (deformations) add(link.flex_v0(), link.n_flex());
      }
  return list;
}

DeriveOptions cut_at_last_mount(const Arm& arm, DeriveOptions options) {
  // With small tips there is no such division: M_S would depend on the carrier.
  if (options.split.empty() && !arm.mounts().empty() && !arm.small_tips())
    options.split = arm.link(arm.mounts().back().first_link).name;
  return options;
}

}  // namespace lithe::derive
