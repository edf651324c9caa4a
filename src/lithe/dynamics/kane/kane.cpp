#include "lithe/dynamics/kane/kane.h"

#include <fmt/format.h>

#include <algorithm>

#include "lithe/beam/exact/strain_basis.h"
#include "lithe/describe/field.h"

namespace lithe {
namespace {

constexpr std::string_view own_name = word(Kane::kind);

/// Returns the arm if it is in the domain.
const Arm& in_domain(const Arm& arm) {
  refuse_constraints(arm, own_name);
  const auto links = arm.links();
  // Rigid arms and segments have no shapes for these options to act on.
  if (std::none_of(links.begin(), links.end(), [](const Link& link) { return link.flex != nullptr; })) return arm;
  for (const Link& link : links) {
    if (!link.flex || !link.flex->exact) continue;
    const std::string path = fmt::format("arm.links[{}].beam.flexibility.strains", link.i_case);
    if (link.flex->exact->strains.order != 4)
      throw UnsupportedError(path, "kane needs rotations of order 4; articulated covers order 6");
    if (link.flex->exact->strains.pieces > 1)
      throw UnsupportedError(path + ".pieces",
                             fmt::format("kane has exact links of one piece, and link '{}' has {}; articulated covers "
                                         "any number, and so do links in a row joined by fixed joints",
                                         link.name, link.flex->exact->strains.pieces));
  }
  if (arm.tip_rotation() != TipRotation::finite)
    throw UnsupportedError("arm.tip_rotation", "kane needs 'finite'; recursive-lagrangian covers 'small'");
  if (arm.inertia_order() != InertiaOrder::complete)
    throw UnsupportedError("arm.inertia", "kane needs 'complete'; recursive-lagrangian covers 'first-order'");
  return refuse_guides(arm, own_name);
}

}  // namespace

Kane::Kane(const Arm& given, DenseMethod method) : DenseFormulation(kind, in_domain(given), method) {}

}  // namespace lithe
