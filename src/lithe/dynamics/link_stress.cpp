#include "lithe/dynamics/link_stress.h"

#include <algorithm>

#include "lithe/dynamics/segment_sections.h"

namespace lithe {

bool is_stressed(const Link& link) {
  if (!link.flex) return link.fibres != nullptr && link.role != LinkRole::segment;
  const auto& fibres = link.flex->stations.fibres;
  return std::any_of(fibres.begin(), fibres.end(), [](const auto& known) { return known != nullptr; });
}

std::vector<StressedLink> stressed_links(const Arm& arm) {
  std::vector<StressedLink> links;
  if (arm.has_guides()) return links;  // the forces inside are not known (InternalForces)
  for (int i = 0; i < arm.n_links(); ++i) {
    const Link& link = arm.link(i);
    if (!is_stressed(link)) continue;
    StressedLink stressed{link.name, i, 0, link.yield_strength};
    if (link.flex) {
      stressed.length = link.flex->stations.x.back();
    } else {
      stressed.name = arm.case_name(link);
      for_each_segment_section(arm, [&](const SegmentSection& section) {
        if (section.i_root == i) stressed.length = section.x;
      });
    }
    links.push_back(stressed);
  }
  return links;
}

StressPlace largest_stress(const Arm& arm, const InternalForces& internal, int i_link) {
  StressPlace largest;
  auto look = [&](const Fibres* fibres, double x, const Vector3d& force, const Vector3d& moment) {
    if (fibres == nullptr) return;
    const double stress = fibres->stress(force, moment);
    if (stress > largest.stress) largest = {stress, x};
  };
  if (const FlexBasis* flex = arm.link(i_link).flex.get()) {
    const InternalForces::Along& along = internal.along(i_link);
    for (size_t k = 0; k < flex->stations.x.size(); ++k)
      look(flex->stations.fibres[k].get(), flex->stations.x[k], along.force.col(k), along.moment.col(k));
    return largest;
  }
  for_each_segment_section(arm, [&](const SegmentSection& section) {
    if (section.i_root != i_link || section.kind == SegmentSection::tip) return;
    const SegmentForces forces = through(arm, internal, section);
    look(arm.link(section.i_link).fibres.get(), section.x, forces.force, forces.moment);
  });
  return largest;
}

}  // namespace lithe
