#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "lithe/describe/case.h"

namespace lithe {

/// The unit of a quantity that an event may wait for, and whether it is a rate.
struct EventQuantity {
  CoordinateUnit unit = CoordinateUnit::radians;
  bool is_rate = false;
};
/// None for a name that is not a quantity of the arm's state. The number of coordinates of an imported link is known only from its file:
/// a name beyond them is found when the arm is assembled.
std::optional<EventQuantity> event_quantity(const ArmSpec& arm, const std::string& name);
/// The message about such a name.
std::string unknown_quantity(const ArmSpec& arm, const std::string& name);

/// Its name in messages: in quotes, or its number in the file, from one.
std::string event_title(const Event& event, size_t i);

/// The bodies that the link carries at the place of `payload`, in the order of the list.
std::vector<Payload> carried_there(const LinkSpec& link, const Payload& payload);

/// The case after the event, with changed payloads and laws. Loads are switched by Loads::factors instead.
Case after(Case data, const Event& event);

/// Events that the formulation or the wind does not allow: paths of fields and reasons. Separate from other checks, because the
/// formulation may come from elsewhere than the case.
std::vector<std::pair<std::string, std::string>> event_problems(const Case& data, const Simulate& simulate);

}  // namespace lithe
