#include "lithe/analyse/static_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "lithe/dynamics/deflection_limits.h"
#include "lithe/dynamics/exact_limits.h"

namespace lithe {

std::vector<HoldingForce> holding_forces(const Arm& arm, const VectorXd& force) {
  std::vector<HoldingForce> list;
  auto add = [&](int v) { list.push_back({arm.coordinates()[v], force[v], arm.turns(v)}); };
  for (const Link& link : arm.links()) {
    if (link.role != LinkRole::base) continue;
    for (int k = 0; k < link.nv(); ++k) add(link.v0 + k);
  }
  for (const TorqueInput& input : arm.torque_inputs()) add(input.v);
  return list;
}

StressAtRest stress_at_rest(const Arm& arm, const Drives& drives, const State& rest) {
  StressAtRest found;
  if (arm.root_moves()) return found;
  if (arm.has_guides()) return stress_at_rest(arm.with_guides_held(rest.q), drives, rest);
  // As in runs: by true rotations, even where the arm's tips turn by 1 + [θ]×.
  InternalForces internal(arm.with_tip_rotation(TipRotation::finite));
  State still = rest;
  still.v.setZero();
  Loads::Wrenches outer = drives.loads().wrenches_in_full(arm, still);
  drives.add_force_wrenches(still, kinematics_of(arm, still), outer.on_tips, outer.along);
  internal.update(still, VectorXd::Zero(arm.nv()), outer.on_tips, outer.along);
  for (const StressedLink& link : stressed_links(arm))
    found.stresses.push_back({link, largest_stress(arm, internal, link.i_link)});
  found.warnings = DeflectionLimits(arm).exceeded(still, internal);
  for (std::string& warning : ExactLimits(arm).exceeded(still)) found.warnings.push_back(std::move(warning));
  for (const LinkStress& s : found.stresses)
    if (s.link.yield_strength && s.place.stress > *s.link.yield_strength)
      found.warnings.push_back(
          fmt::format("'{}': its stress is {:.3g} times its material's yield strength: it would stay bent", s.link.name,
                      s.place.stress / *s.link.yield_strength));
  return found;
}

StaticReport static_report(const Arm& arm, const Drives& drives, const State& start, int i_tip) {
  StaticReport report;
  report.result = static_deflection(arm, start, i_tip, drives.all_at_rest());
  report.holding = holding_forces(arm, report.result.rest.force);
  report.inside = stress_at_rest(arm, drives, report.result.rest.state);
  return report;
}

std::string stress_text(const StressedLink& link, const StressPlace& place, const std::string& moment) {
  const char* end = place.x <= 0 ? " (root)" : place.x >= link.length ? " (tip)" : "";
  std::string text =
      fmt::format("{:.4g} MPa in '{}' at x = {:.4g} m{}{}", place.stress / 1e6, link.name, place.x, end, moment);
  if (link.yield_strength) text += fmt::format(", {:.3g} % of yield", 100 * place.stress / *link.yield_strength);
  return text;
}

}  // namespace lithe
