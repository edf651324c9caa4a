#include "lithe/describe/events.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

#include "lithe/describe/bodies.h"
#include "lithe/describe/deformation_names.h"
#include "lithe/describe/joint_names.h"
#include "lithe/describe/quote.h"
#include "lithe/describe/spelling.h"

namespace lithe {
namespace {

constexpr std::string_view rate_suffix = ".rate";
constexpr std::array tip_places{"tip.x", "tip.y", "tip.z"};

/// Numbers of the state of a base whose motion is not given.
std::vector<std::pair<std::string, EventQuantity>> base_quantities(const BaseSpec& base) {
  using enum CoordinateUnit;
  if (base.type == BaseType::planar)
    return {{"base.x", {metres, false}}, {"base.y", {metres, false}}, {"base.yaw", {radians, false}}};
  if (base.type != BaseType::free) return {};
  std::vector<std::pair<std::string, EventQuantity>> list;
  for (const char* axis : {"x", "y", "z"}) {
    list.push_back({fmt::format("base.{}", axis), {metres, false}});
    list.push_back({fmt::format("base.w{}", axis), {radians, true}});
    list.push_back({fmt::format("base.v{}", axis), {metres, true}});
  }
  return list;
}

/// A coordinate, or the position of a base.
std::optional<EventQuantity> quantity_itself(const ArmSpec& arm, const std::string& name) {
  if (std::find(tip_places.begin(), tip_places.end(), name) != tip_places.end())
    return EventQuantity{CoordinateUnit::metres, false};
  for (const auto& [known, quantity] : base_quantities(arm.base))
    if (known == name) return quantity;
  const std::map<std::string, JointName> joints = joint_names(arm);
  if (const auto joint = joints.find(name); joint != joints.end()) {
    if (joint->second.kind == JointName::Kind::coordinate) return EventQuantity{joint->second.unit, false};
    if (joint->second.kind == JointName::Kind::rate) return EventQuantity{joint->second.unit, true};
    return {};
  }
  if (const auto unit = deformation_unit(arm, name)) return EventQuantity{*unit, false};
  return {};
}

/// Whether its rate is a quantity with its own name: not for the tip, and not for the position of a free base.
bool has_rate(const ArmSpec& arm, const std::string& name) {
  return !name.starts_with("tip.") && !(arm.base.type == BaseType::free && name.starts_with("base."));
}

/// Its position on the link, from the root; none if it is on the tip frame of a link whose length is not known here.
std::optional<double> place_of(const LinkSpec& link, const Payload& payload) {
  if (payload.at) return payload.at;
  if (link.beam) return link.beam->length;
  if (link.rigid) return length_of(link);
  return {};
}

bool at_same_place(const LinkSpec& link, const Payload& a, const Payload& b) {
  const auto x = place_of(link, a), y = place_of(link, b);
  return x && y ? std::abs(*x - *y) < 1e-9 : x.has_value() == y.has_value();
}

}  // namespace

std::optional<EventQuantity> event_quantity(const ArmSpec& arm, const std::string& name) {
  if (const auto quantity = quantity_itself(arm, name)) return quantity;
  if (!name.ends_with(rate_suffix)) return {};
  const std::string of = name.substr(0, name.size() - rate_suffix.size());
  const auto quantity = has_rate(arm, of) ? quantity_itself(arm, of) : std::nullopt;
  if (!quantity || quantity->is_rate) return {};
  return EventQuantity{quantity->unit, true};
}

std::string unknown_quantity(const ArmSpec& arm, const std::string& name) {
  constexpr size_t shown = 6;
  const bool of_rate = name.ends_with(rate_suffix);
  std::vector<std::string> names;
  for (const auto& [joint, known] : joint_names(arm))
    if (known.kind == JointName::Kind::coordinate || known.kind == JointName::Kind::rate) names.push_back(joint);
  for (std::string& deformation : deformations_like(arm, name)) names.push_back(std::move(deformation));
  for (const auto& [known, quantity] : base_quantities(arm.base)) names.push_back(known);
  if (of_rate) {
    std::erase_if(names, [&](const std::string& known) { return !has_rate(arm, known); });
    for (std::string& known : names) known += rate_suffix;
  } else {
    names.insert(names.end(), tip_places.begin(), tip_places.end());
  }
  const std::vector<std::string> near = nearest_words(name, names, shown);
  return fmt::format("no quantity '{}'{} {}: {}", shortened(name), guess_in_sentence(name, near),
                     near.size() < names.size() ? "Nearest" : "Known", comma_list(near));
}

std::string event_title(const Event& event, size_t i) {
  return event.name.empty() ? fmt::format("{}", i + 1) : fmt::format("'{}'", event.name);
}

std::vector<Payload> carried_there(const LinkSpec& link, const Payload& payload) {
  std::vector<Payload> there;
  for (const Payload& one : link.payloads)
    if (at_same_place(link, one, payload)) there.push_back(one);
  return there;
}

Case after(Case data, const Event& event) {
  for (const auto& [joint, torque] : event.torque) data.torque.insert_or_assign(joint, torque);
  if (!event.payload) return data;
  const Payload& payload = event.payload->payload;
  for (LinkSpec& link : data.arm.links) {
    if (link.name != event.payload->link) continue;
    std::erase_if(link.payloads, [&](const Payload& one) { return at_same_place(link, one, payload); });
    if (payload.mass > 0 || !(payload.inertia == InertiaEntries{})) link.payloads.push_back(payload);
  }
  return data;
}

std::vector<std::pair<std::string, std::string>> event_problems(const Case& data, const Simulate& simulate) {
  const bool elements = simulate.formulation == RunFormulation::finite_element;
  const bool quasi_static = elements && simulate.model == ElementModel::quasi_static;
  const bool literal = elements && simulate.model == ElementModel::literal;
  std::vector<std::pair<std::string, std::string>> problems;
  for (size_t i = 0; i < data.events.size(); ++i) {
    const Event& event = data.events[i];
    auto add = [&](const char* field, const std::string& message) {
      problems.emplace_back(fmt::format("events[{}].{}", i, field), message);
    };
    if (data.wind && !elements) {
      if (event.when) add("when", "the methods for an arm in the wind find no crossings: expected `at`");
      if (event.payload)
        add("payload",
            "an arm in the wind cannot change its payload during a run, because its unknowns are more than "
            "positions and rates");
    }
    if (quasi_static && event.when)
      add("when", "finite-element, quasi-static: nothing is known between rows: expected `at`, or another model");
    if (quasi_static && event.payload && event.payload->at_rest)
      add("payload.at_rest",
          "finite-element, quasi-static: deformations have no momentum, which a catch would keep: expected no "
          "`at_rest`, or another model");
    if (literal && (event.payload || !event.torque.empty()))
      add(event.payload ? "payload" : "torque",
          "finite-element, literal: the thesis's text has no changes during a run: expected another model");
  }
  return problems;
}

}  // namespace lithe
