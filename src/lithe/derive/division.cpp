#include "lithe/derive/division.h"

namespace lithe::derive {

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
    options.split = arm.case_name(arm.link(arm.mounts().back().first_link));
  return options;
}

}  // namespace lithe::derive
