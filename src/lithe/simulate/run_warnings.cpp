#include "lithe/simulate/run_warnings.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "lithe/drive/forces/contact.h"

namespace lithe {

RunWarnings::RunWarnings(const Arm& arm)
    : arm_(arm),
      limits_(arm.with_tip_rotation(TipRotation::finite)),
      exact_(arm),
      seen_(1 + 4 * size_t(limits_.size() + exact_.size()), 0) {}

double RunWarnings::joint_speed(const State& state) const {
  double sum = 0;
  for (const Link& link : arm_.links())
    if (link.role != LinkRole::rotor && link.role != LinkRole::segment)
      sum += state.v.segment(link.v0, link.nv()).squaredNorm();
  return sum;
}

bool RunWarnings::observe_step(const State& state) {
  double* seen = seen_.data() + 1;
  const auto keep = [&](double value, double* largest) {
    if (!(value > largest[0])) return;
    largest[0] = value;
    largest[1] = state.t;
  };
  for (int k = 0; k < limits_.size(); ++k, seen += 4) keep(limits_.tip_rotation(k, state), seen);
  for (int k = 0; k < exact_.size(); ++k, seen += 4) {
    keep(exact_.strain(k, state), seen);
    keep(exact_.turn(k, state), seen + 2);
  }
  // Axial forces grow with the square of the rates; a tenth more is worth a look.
  return joint_speed(state) > 1.1 * seen_[0];
}

void RunWarnings::observe(const State& state, const InternalForces* forces) {
  observe_step(state);
  seen_[0] = std::max(seen_[0], joint_speed(state));
  if (forces == nullptr) return;
  double* seen = seen_.data() + 1;
  for (int k = 0; k < limits_.size(); ++k, seen += 4)
    if (const double part = limits_.stiffening(k, *forces); std::abs(part) > std::abs(seen[2])) {
      seen[2] = part;
      seen[3] = state.t;
    }
}

std::vector<std::string> RunWarnings::list() const {
  std::vector<std::string> warnings;
  const double* seen = seen_.data() + 1;
  const auto at = [](double t) { return fmt::format(" at t = {:.4g} s", t); };
  for (int k = 0; k < limits_.size(); ++k, seen += 4) {
    if (seen[0] > DeflectionLimits::largest_tip_rotation)
      warnings.push_back(limits_.rotation_text(k, seen[0], at(seen[1])));
    if (std::abs(seen[2]) > DeflectionLimits::largest_stiffening)
      warnings.push_back(limits_.stiffening_text(k, seen[2], seen[0], at(seen[3])));
  }
  for (int k = 0; k < exact_.size(); ++k, seen += 4) {
    if (seen[0] > ExactLimits::largest_strain) warnings.push_back(exact_.strain_text(k, seen[0], at(seen[1])));
    if (seen[2] > ExactLimits::largest_turn) warnings.push_back(exact_.turn_text(k, seen[2], at(seen[3])));
  }
  return warnings;
}

std::vector<std::string> doubts_about_start(const Case& data, const Arm& arm, const State& start) {
  std::vector<std::string> doubts;
  const Kinematics kin = kinematics_of(arm, start);
  for (size_t i = 0; i < data.forces.size(); ++i) {
    const auto* contact = std::get_if<Contact>(&data.forces[i].force);
    if (contact == nullptr) continue;
    const std::string path = fmt::format("forces[{}].contact", i);
    const double depth = ContactForce(*contact, path, arm).depth(kin).depth;
    if (depth > 0)
      doubts.push_back(
          fmt::format("{}: the point of '{}' is {:.3g} m behind the plane at the start: does `normal` "
                      "point to the side where the arm is?",
                      path, contact->link, depth));
  }
  return doubts;
}

std::string unresolved_step(double step, double fastest_time_scale) {
  if (!(fastest_time_scale > 0) || step < fastest_time_scale) return "";
  return fmt::format(
      "the step of {:.2g} s is longer than the arm's fastest time scale of {:.2g} s, so its highest modes are not "
      "resolved; use a smaller step, fewer shapes, or an adaptive method (cvode, esdirk)",
      step, fastest_time_scale);
}

}  // namespace lithe
