// Events: what changes during a run, at a given time or when a quantity passes a value.
#pragma once

#include <map>
#include <optional>
#include <string>

#include "lithe/describe/case/body.h"
#include "lithe/describe/case/torque.h"

namespace lithe {

/// A quantity of the state that passes a value, in one of three ways.
struct Trigger {
  std::string of;  // a coordinate, its rate (`shoulder.rate`), or the position of the tip (`tip.z`)
  std::optional<double> rises_above = {}, falls_below = {}, crosses = {};
  bool operator==(const Trigger&) const = default;
};
/// What a link carries after an event, at the place of the payload; nothing if it has no mass.
struct PayloadChange {
  std::string link;
  Payload payload;
  bool at_rest = false;  // what is added was at rest and is caught; otherwise it already moves with the link
  bool operator==(const PayloadChange&) const = default;
};
struct LoadChange {
  std::string name;
  double factor = 1;  // multiplies the load from then on; 0 switches it off
  bool operator==(const LoadChange&) const = default;
};
struct Event {
  std::string name = {};
  std::optional<double> at = {};  // exactly one of these two
  std::optional<Trigger> when = {};
  std::optional<PayloadChange> payload = {};
  std::map<std::string, Torque> torque = {};  // by joint
  std::optional<LoadChange> load = {};
  bool again = false;  // every time; otherwise only the first time
  bool operator==(const Event&) const = default;
};

}  // namespace lithe
