#include "lithe/arm/stiffening.h"

#include <fmt/format.h>

#include "lithe/beam/shortening.h"
#include "lithe/describe/field.h"

namespace lithe {
namespace {

std::string path_of(const Link& link, const ArmSpec& arm) {
  const Beam& beam = *arm.links[size_t(link.i_case)].beam;
  return fmt::format("arm.links[{}].beam.flexibility{}.stiffening", link.i_case,
                     std::holds_alternative<Modes>(beam.flexibility) ? ".modes" : "");
}

}  // namespace

const Arm& refuse_stiffening(const Arm& arm, std::string_view who) {
  for (const Link& link : arm.links())
    if (link.flex && link.flex->shortening)
      throw UnsupportedError(
          fmt::format("arm.links[{}].beam.flexibility", link.i_case),
          fmt::format("{}: link '{}' has `stiffening`, which this does not have; articulated and kane "
                      "do",
                      who, link.name));
  return arm;
}

void demand_stiffening_options(const ArmSpec& arm, const Link& link, const FlexBasis& basis) {
  if (!basis.shortening) return;
  const std::string path = path_of(link, arm);
  if (arm.tip_rotation != TipRotation::finite)
    throw FieldError(path, "stiffening needs `tip_rotation: finite`; `small` neglects terms of the same order");
  if (arm.inertia != InertiaOrder::complete)
    throw FieldError(path, "stiffening needs `inertia: complete`; `first-order` drops terms of the same order");
  if (link.guide)
    throw FieldError(path,
                     "a beam in a guide has no stiffening; the formulation finite-element with `model: "
                     "nonlinear` has its effect");
  const auto* modes = std::get_if<Modes>(&arm.links[size_t(link.i_case)].beam->flexibility);
  if (modes != nullptr && modes->axial > 0)
    throw FieldError(path_of(link, arm),
                     "a beam with stiffening keeps its length; expected no `axial` shapes, or no stiffening");
  if (basis.size() > most_shortened)
    throw FieldError(
        path, fmt::format(
                  "every coordinate of a link with stiffening moves its tip; expected at most {} coordinates, got {}: "
                  "give `keep`, fewer elements, or `modes`",
                  most_shortened, basis.size()));
}

}  // namespace lithe
