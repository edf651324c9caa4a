#include "lithe/drive/laws/law_site.h"

#include <fmt/format.h>

#include <algorithm>

#include "lithe/describe/spelling.h"

namespace lithe {

MadeLaw make_law(const Torque& torque, const LawSite& site) {
  return std::visit([&](const auto& spec) { return make_law(spec, site); }, torque.law);
}

CommandCurve::CommandCurve(const Command& command, const LawSite& site) : target_(command.target.value_or(0)) {
  if (site.own.q0 < 0)
    throw FieldError(site.path, fmt::format("'{}' is a rate without a position of its own, but a controller needs one: "
                                            "expected `constant` or a profile",
                                            site.joint));
  if (command.follow) curve_.emplace(*command.follow, site.initial.q[site.own.q0], site.path + ".follow", site.begins);
}

Coordinate find_coordinate(const Arm& arm, const std::string& name, const std::string& path) {
  const std::vector<std::string>& names = arm.coordinates();
  const auto found = std::find(names.begin(), names.end(), name);
  if (found == names.end())
    throw FieldError(path, fmt::format("no coordinate '{}'{} Coordinates: {}", name, guess_in_sentence(name, names),
                                       comma_list(names)));
  const int v0 = int(found - names.begin());
  for (const Link& link : arm.links()) {
    if (v0 < link.v0 || v0 >= link.flex_v0() + link.n_flex()) continue;
    if (v0 < link.flex_v0() && !link.joint->coordinates()[v0 - link.v0].has_position) break;
    return {v0 < link.flex_v0() ? link.q0 + (v0 - link.v0) : link.flex_q0() + (v0 - link.flex_v0()), v0};
  }
  return {-1, v0};
}

}  // namespace lithe
