#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "lithe/describe/checked_problems.h"
#include "lithe/describe/events.h"
#include "lithe/describe/quote.h"
#include "lithe/describe/spelling.h"

namespace lithe {
namespace {

/// Checks that every event changes something, and that what it changes exists.
class EventChecker : CheckBase {
 public:
  explicit EventChecker(CheckedProblems& problems) : CheckBase(problems) {}

  void check(const Case& data) {
    name_loads(data.loads);
    for (size_t i = 0; i < data.events.size(); ++i) event(data, i);
    if (!data.simulate) return;
    for (const auto& [path, message] : event_problems(data, *data.simulate)) error(path, message);
  }

 private:
  void name_loads(const std::vector<Load>& loads) {
    std::set<std::string> used;
    for (size_t i = 0; i < loads.size(); ++i) {
      if (loads[i].name.empty()) continue;
      if (used.insert(loads[i].name).second)
        names_.push_back(loads[i].name);
      else
        error(fmt::format("loads[{}].name", i), fmt::format("the name '{}' is taken", shortened(loads[i].name)));
    }
  }

  void event(const Case& data, size_t i) {
    const Event& event = data.events[i];
    const std::string path = fmt::format("events[{}]", i);
    if (!event.payload && event.torque.empty() && !event.load)
      error(path, "this event changes nothing: expected at least one of payload, torque, load");
    if (event.again && event.at)
      error(path + ".again", "an event with `at` happens once: expected `when` instead of `at`");
    if (event.again && event.payload)
      error(path + ".again", "an event with a payload happens once: give each change its own event");
    if (event.payload) payload(data, i, path + ".payload");
    for (const auto& [joint, torque] : event.torque)
      if (data.motion.contains(joint))
        error(fmt::format("{}.torque.{}", path, joint), fmt::format("joint '{}' already has a motion", joint));
    if (event.load && !event.load->name.empty() &&
        std::find(names_.begin(), names_.end(), event.load->name) == names_.end())
      error(path + ".load.name",
            names_.empty()
                ? fmt::format("no load '{}': none of the case's `loads` has a name", shortened(event.load->name))
                : fmt::format("no load '{}'{} Loads: {}", shortened(event.load->name),
                              guess_in_sentence(event.load->name, names_), comma_list(names_)));
  }

  void payload(const Case& data, size_t i, const std::string& path) {
    const PayloadChange& change = *data.events[i].payload;
    const Payload& payload = change.payload;
    if (change.link.empty()) return;  // not read
    std::vector<std::string> links;
    for (const LinkSpec& link : data.arm.links) links.push_back(link.name);
    const auto found = std::find(links.begin(), links.end(), change.link);
    if (found == links.end())
      return error(path + ".link", fmt::format("no link '{}'{} Links: {}", shortened(change.link),
                                               guess_in_sentence(change.link, links), comma_list(links)));
    const LinkSpec& link = data.arm.links[size_t(found - links.begin())];
    const bool gone = payload.mass == 0 && payload.inertia == InertiaEntries{};
    if (!gone) check_payload(link, payload, path, problems_);
    LinkSpec others = link;  // what other events attach there or remove
    others.payloads.clear();
    for (size_t k = 0; k < data.events.size(); ++k)
      if (const auto& other = data.events[k].payload; k != i && other && other->link == link.name)
        others.payloads.push_back(other->payload);
    const bool alone = carried_there(others, payload).empty();
    const std::vector<Payload> there = carried_there(link, payload);
    if (gone && alone && there.empty())
      error(path, fmt::format("link '{}' carries nothing there that could be released", change.link));
    if (!change.at_rest) return;
    double mass = 0;
    for (const Payload& one : there) mass += one.mass;
    if (alone && !(payload.mass > mass))
      error(path + ".at_rest",
            fmt::format("only a heavier payload can be caught: expected a mass of more than the {:g} kg that "
                        "the link carries",
                        mass));
    if (payload.at) error(path + ".at_rest", "a body is caught on the tip frame: expected no `at`");
  }

  std::vector<std::string> names_;  // of loads
};

}  // namespace

void check_events(const Case& data, CheckedProblems& problems) { EventChecker(problems).check(data); }

}  // namespace lithe
