#include "lithe/simulate/events.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <stdexcept>

#include "lithe/arm/kinematics.h"
#include "lithe/describe/events.h"
#include "lithe/describe/limits.h"
#include "lithe/describe/spelling.h"
#include "lithe/spatial/whole_number.h"

namespace lithe {
namespace {

using Quantity = std::function<double(const State&)>;

/// By its name (event_quantity).
Quantity quantity_of(const Arm& arm, const std::string& name, const std::string& path) {
  for (int axis = 0; axis < 3; ++axis)
    if (name == std::string("tip.") + "xyz"[axis]) {
      const auto kin = std::make_shared<Kinematics>();
      return [arm, kin, axis, link = size_t(arm.last_link())](const State& state) {
        update_kinematics(arm, state, *kin);
        return kin->X_WT[link].p[axis];
      };
    }
  auto place = [](const std::vector<std::string>& names, const std::string& wanted) {
    const auto found = std::find(names.begin(), names.end(), wanted);
    return found == names.end() ? Eigen::Index(-1) : Eigen::Index(found - names.begin());
  };
  if (const Eigen::Index k = place(arm.positions(), name); k >= 0)
    return [k](const State& state) { return state.q[k]; };
  const std::string of = name.ends_with(".rate") ? name.substr(0, name.size() - 5) : name;
  if (const Eigen::Index k = place(arm.coordinates(), of); k >= 0)
    return [k](const State& state) { return state.v[k]; };
  throw FieldError(path, fmt::format("no coordinate '{}'{} Coordinates: {}", of,
                                     guess_in_sentence(of, arm.coordinates()), comma_list(arm.coordinates())));
}

}  // namespace

Events::Events(const Case& data) : list_(data.events), counts_(list_.size(), 0), positions_(list_.size()) {
  if (list_.empty()) return;
  beginning_ = stage_ = data;
}

std::string Events::title(size_t i) const { return event_title(list_[i], i); }

std::vector<double> Events::times() const {
  std::vector<double> times;
  for (const Event& event : list_)
    if (event.at) times.push_back(*event.at);
  return times;
}

std::vector<size_t> Events::due(double t) const {
  std::vector<size_t> due;
  for (size_t i = 0; i < list_.size(); ++i)
    if (list_[i].at && counts_[i] == 0 && *list_[i].at <= t) due.push_back(i);
  return due;
}

std::vector<Events::Watch> Events::watches(const Arm& arm) const {
  std::vector<Watch> watches;
  for (size_t i = 0; i < list_.size(); ++i) {
    if (!list_[i].when) continue;
    const Trigger& when = *list_[i].when;
    const double value = when.rises_above   ? *when.rises_above
                         : when.falls_below ? *when.falls_below
                                            : when.crosses.value();
    watches.push_back({i,
                       when.rises_above   ? 1
                       : when.falls_below ? -1
                                          : 0,
                       [this, i, value, quantity = quantity_of(arm, when.of, fmt::format("events[{}].when.of", i))](
                           const State& state) { return is_open(i) ? quantity(state) - value : 1.0; }});
  }
  return watches;
}

void Events::enter_stage(size_t i) { stage_ = after(std::move(stage_), list_[i]); }

void Events::note(size_t i, double t, const VectorXd& q) {
  if (happened_.size() >= size_t(limits::event_occurrences))
    throw std::runtime_error(
        fmt::format("events have happened {} times: do they switch each other on and off?", limits::event_occurrences));
  happened_.push_back({i, t});
  ++counts_[i];
  if (changes_laws(i)) positions_[i] = q;
}

void Events::reset() {
  stage_ = beginning_;
  happened_.clear();
  std::fill(counts_.begin(), counts_.end(), 0);
  for (VectorXd& q : positions_) q.resize(0);
}

void Events::save(std::vector<double>& list) const {
  list.push_back(double(happened_.size()));
  for (const HappenedEvent& one : happened_) list.insert(list.end(), {double(one.event), one.t});
  for (const VectorXd& q : positions_) list.insert(list.end(), q.begin(), q.end());
}

bool Events::restore(const double*& at, const double* end, int nq) {
  reset();
  const auto n = at < end ? whole_number(*at++, 0, limits::event_occurrences) : std::nullopt;
  if (!n || end - at < 2 * *n) return false;
  for (long k = 0; k < *n; ++k, at += 2) {
    const auto i = whole_number(at[0], 0, long(list_.size()) - 1);
    if (!i || !std::isfinite(at[1])) return false;
    happened_.push_back({size_t(*i), at[1]});
    ++counts_[size_t(*i)];
  }
  for (size_t i = 0; i < list_.size(); ++i) {
    if (counts_[i] == 0 || !changes_laws(i)) continue;
    if (end - at < nq) return false;
    positions_[i] = Eigen::Map<const VectorXd>(at, nq);
    at += nq;
  }
  return true;
}

std::vector<Events::Change> Events::changes() const {
  std::vector<Change> changes;
  std::vector<bool> seen(list_.size(), false);
  for (auto one = happened_.rbegin(); one != happened_.rend(); ++one) {
    if (seen[one->event]) continue;
    seen[one->event] = true;
    if (list_[one->event].payload || changes_laws(one->event))
      changes.push_back({one->event, one->t, positions_[one->event]});
  }
  std::reverse(changes.begin(), changes.end());
  return changes;
}

}  // namespace lithe
