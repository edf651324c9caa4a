#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "lithe/describe/case.h"

namespace lithe {

/// What an event may wait for, by its name: what it counts in, and whether per second.
struct EventQuantity {
  CoordinateUnit unit = CoordinateUnit::radians;
  bool is_rate = false;
};
/// None for a name that is no quantity of the arm's state. Of an imported link the file says how many coordinates there are: a name
/// beyond them is found when the arm is assembled.
std::optional<EventQuantity> event_quantity(const ArmSpec& arm, const std::string& name);
/// What to say of such a name.
std::string unknown_quantity(const ArmSpec& arm, const std::string& name);

/// What messages call it: its name in quotes, or its number in the file, from one.
std::string event_title(const Event& event, size_t i);

/// What the link carries at the place of `payload`, all bodies there as listed.
std::vector<Payload> carried_there(const LinkSpec& link, const Payload& payload);

/// The case as it is after the event: what links carry, and the laws on joints. Loads are switched where they act (Loads::factors).
Case after(Case data, const Event& event);

/// What runs of a kind cannot do: paths of fields and reasons. Apart from other checks, because the formulation may come from elsewhere
/// than the case.
std::vector<std::pair<std::string, std::string>> event_problems(const Case& data, const Simulate& simulate);

}  // namespace lithe
