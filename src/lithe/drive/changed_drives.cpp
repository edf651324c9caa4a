// The drives after an event.
#include <fmt/format.h>

#include <algorithm>

#include "lithe/drive/drives.h"

namespace lithe {

Drives Drives::changed(const Arm& arm, const std::map<std::string, Torque>& torques, const State& now) const {
  Drives next = *this;
  next.arm_ = arm;
  next.laws_.clear();
  next.memory_.clear();
  next.law_states_.resize(0);
  next.sag_.reset();
  next.n_law_switches_ = 0;
  next.any_sampled_ = next.any_weight_ = next.any_computed_ = next.asks_before_slopes_ = next.asks_for_switches_ =
      false;
  std::erase_if(next.chosen_gains_, [&](const ChosenGains& gains) { return torques.contains(gains.joint); });
  // The laws of the case by the names of their joints, then those of user code: an order that does not depend on earlier events.
  std::map<std::string, const PlacedLaw*> of_case;
  for (const auto& [joint, torque] : torques) of_case.emplace(joint, nullptr);
  for (const PlacedLaw& law : laws_)
    if (!law.added) of_case.emplace(law.joint, &law);  // unless a new law replaces it
  auto go_on_with = [&](const PlacedLaw& before) {
    next.put(before);
    const PlacedLaw& law = next.laws_.back();
    const int n_states = law.law->n_states();
    if (law.sampled())
      std::copy_n(memory_.data() + before.held, law.n_outputs() + n_states, next.memory_.data() + law.held);
    else
      std::copy_n(law_states_.data() + before.states, n_states, next.law_states_.data() + law.states);
  };
  for (const auto& [joint, before] : of_case) {
    if (before != nullptr) {
      go_on_with(*before);
      continue;
    }
    next.put(next.law_of(joint, torques.at(joint), now));
    const PlacedLaw& law = next.laws_.back();
    if (law.law->n_states() == 0) continue;
    double* x = law.sampled() ? next.memory_.data() + law.states : next.law_states_.data() + law.states;
    law.law->start(next.reading(law, now), x);
  }
  for (const PlacedLaw& law : laws_) {
    if (!law.added) continue;
    for (const PlacedLaw& other : next.laws_)
      for (const Coordinate& output : law.outputs)
        if (other.outputs.front().v0 == output.v0)
          throw FieldError("torque." + other.joint, fmt::format("joint '{}' already has a law", other.joint));
    go_on_with(law);
  }
  next.update_commanded();
  next.initial_law_states_ = next.law_states_;
  next.initial_memory_ = next.memory_;
  if (next.sag_) next.demand_commands();
  return next;
}

}  // namespace lithe
