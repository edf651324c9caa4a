#include <fmt/format.h>

#include "lithe/arm/arm.h"
#include "lithe/beam/beam_basis.h"
#include "lithe/beam/beam_matter.h"

namespace lithe {

Arm Arm::with_guides_held(const VectorXd& q) const {
  Arm arm = *this;
  for (Link& link : arm.links_) {
    if (!link.guide) continue;
    const std::string path = fmt::format("arm.links[{}].joint.guide", link.i_case);
    if (inertia_order_ != InertiaOrder::complete)
      throw UnsupportedError(path, "a beam in a guide needs `inertia: complete`");
    Beam free = link.guided->beam;
    const double length = free.length;
    free.length = length + q[link.q0] - link.guide->exit;
    if (!(free.length > 0) || free.length > length * (1 + 1e-9))
      throw FieldError(path, fmt::format("with joint '{}' at {:.9g} m the free length of link '{}' is {:.9g} m; "
                                         "expected more than zero and at most the beam's {:.9g} m",
                                         link.joint_name, q[link.q0], link.name, free.length, length));
    const SectionMatter section = BeamMatter(free, link.guided->rotary_inertia).at(0);
    FlexBasis basis = beam_basis(free, link.guided->rotary_inertia, {});
    add_straight_root(basis, length - free.length, section.mass, section.rotary);
    link.M_B = basis.undeformed();
    link.flex = std::make_shared<const FlexBasis>(std::move(basis));
    link.guide.reset();
    link.guided.reset();
  }
  return arm;
}

const Arm& refuse_guides(const Arm& arm, std::string_view who) {
  for (const Link& link : arm.links())
    if (link.guide)
      throw UnsupportedError(fmt::format("arm.links[{}].joint.guide", link.i_case),
                             fmt::format("{}: joint '{}' slides its beam through a guide, so its free length changes; "
                                         "only finite-element supports that",
                                         who, link.joint_name));
  return arm;
}

void demand_held_guides(const Arm& arm, const std::vector<bool>& held, std::string_view who) {
  for (const Link& link : arm.links())
    if (link.guide && !held[link.v0])
      throw UnsupportedError(fmt::format("arm.links[{}].joint.guide", link.i_case),
                             fmt::format("{}: joint '{}' slides its beam through a guide and must be held: the beam's "
                                         "free length would change with it, which only finite-element runs support",
                                         who, link.joint_name));
}

}  // namespace lithe
