#include "lithe/drive/event_drives.h"

#include <fmt/format.h>

#include "lithe/arm/constraint.h"
#include "lithe/describe/events.h"
#include "lithe/dynamics/formulation.h"

namespace lithe {
namespace {

bool same_shapes(const FlexBasis& a, const FlexBasis& b) {
  const SparseMatrixd difference = a.K - b.K;
  return difference.norm() <= 1e-12 * a.K.norm() && (a.tip_phi - b.tip_phi).norm() <= 1e-12 * a.tip_phi.norm();
}

/// The path, within the event, of the field that a case without events has at `path`.
std::string path_in_event(const Event& event, size_t i, const std::string& path) {
  if (path.starts_with("torque.")) {
    const std::string joint = path.substr(7);
    for (const auto& [name, torque] : event.torque)
      if (joint == name || joint.starts_with(name + ".")) return fmt::format("events[{}].{}", i, path);
  }
  return event.payload && path.starts_with("arm") ? fmt::format("events[{}].payload", i) : path;
}

}  // namespace

Arm arm_after(const Case& stage, const Arm& before) {
  Arm arm = Arm::assemble(stage);
  for (size_t k = arm.constraints().size(); k < before.constraints().size(); ++k)
    arm = arm.with_constraint(before.constraints()[k]);
  for (int i = 0; i < arm.n_links(); ++i) {
    const auto &now = arm.link(i).flex, &then = before.link(i).flex;
    if (!now || now == then || (now->size() == then->size() && same_shapes(*now, *then))) continue;
    throw FieldError("arm",
                     fmt::format("the shapes of link '{}' depend on what it carries, so its coordinates would change "
                                 "their meaning: use shapes that do not (polynomial, clamped-free, elements)",
                                 arm.link(i).name));
  }
  check_regular(arm);
  return arm;
}

void check_event_drives(const Case& data, const Arm& arm, const DriveAdditions& additions, const StageCheck& check) {
  if (data.events.empty()) return;
  Case stage = undeformed_start(data);
  Arm carrying = arm;
  for (size_t i = 0; i < data.events.size(); ++i) {
    const Event& event = data.events[i];
    if (!event.payload && event.torque.empty()) continue;
    stage = after(std::move(stage), event);
    try {
      if (event.payload) carrying = arm_after(stage, carrying);
      if (event.payload && event.payload->at_rest && arm.small_tips())
        throw UnsupportedError(fmt::format("events[{}].payload.at_rest", i),
                               "with `tip_rotation: small` the velocity of the tip, which a catch needs, is not known");
      if (!event.torque.empty()) Drives(stage, carrying, additions);
      if (check) check(stage, carrying);
    } catch (const UnsupportedError& error) {
      throw UnsupportedError(path_in_event(event, i, error.path()), error.what());
    } catch (const FieldError& error) {
      throw FieldError(path_in_event(event, i, error.path()), error.what());
    }
  }
}

}  // namespace lithe
