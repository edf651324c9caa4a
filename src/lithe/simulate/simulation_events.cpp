// Events of the case in a simulation.
#include <fmt/format.h>

#include <algorithm>

#include "lithe/describe/events.h"
#include "lithe/drive/event_drives.h"
#include "lithe/simulate/element_march.h"
#include "lithe/simulate/simulation.h"
#include "lithe/spatial/demand.h"

namespace lithe {
namespace {

RigidInertia about_tip(const Payload& payload) {
  return CarriedBody{payload.mass, payload.com, payload.inertia.matrix()}.about_frame();
}

/// What the link carries on its tip after the event beyond what it carries there in `before`.
RigidInertia added_body(const Case& before, const PayloadChange& change) {
  RigidInertia added = about_tip(change.payload);
  for (const LinkSpec& link : before.arm.links) {
    if (link.name != change.link) continue;
    for (const Payload& one : carried_there(link, change.payload)) {
      const RigidInertia there = about_tip(one);
      added.mass -= there.mass;
      added.first_moment -= there.first_moment;
      added.J -= there.J;
    }
  }
  return added;
}

}  // namespace

void Simulation::prepare_events(const Case& data) {
  const auto problems = event_problems(data, simulate_);
  if (!problems.empty()) throw UnsupportedError(problems[0].first, problems[0].second);
  const StageCheck elements = [&](const Case& stage, const Arm& arm) {
    Drives drives(stage, arm, options_.additions);
    const ElementMarch march(stage, arm, drives, simulate_);
  };
  check_event_drives(data, arm_, options_.additions, uses_elements() ? elements : StageCheck());
  for (Events::Watch& watch : events_.watches(arm_))
    on_crossing(watch.quantity, watch.direction, [this, event = watch.event] { happen(event); });
  beginning_ = std::make_unique<const Beginning>(Beginning{arm_, drives_});
}

void Simulation::pass_times() {
  for (const size_t event : events_.due(t_ + 1e-12 * simulate_.duration)) happen(event);
}

void Simulation::happen(size_t i) {
  const Event& event = events_.list()[i];
  const VectorXd q = state().q;
  try {
    if (event.payload) {
      exchange_payload(i);
    } else if (!event.torque.empty()) {
      const State now = state_;
      give_up_integrator();  // made for other equations
      enter_stage(i, now);
      if (uses_elements()) simulated_->go_on_from(now, y_);
    }
    if (event.payload || !event.torque.empty()) plan_stops();
    events_.note(i, t_, q);
  } catch (const StepError&) {
    throw;
  } catch (const std::runtime_error& error) {
    throw StepError(t_, fmt::format("event {} cannot happen: {}", events_.title(i), error.what()));
  }
  fresh_ = false;
  if (!event.load) return;
  const std::vector<Load>& loads = events_.stage().loads;
  for (size_t k = 0; k < loads.size(); ++k)
    if (loads[k].name == event.load->name) drives_.set_load_factor(k, event.load->factor);
}

void Simulation::enter_stage(size_t i, const State& now) {
  const Event& event = events_.list()[i];
  const Eigen::Index first = arm_.nq() + arm_.nv(), n_before = drives_.n_law_states();
  events_.enter_stage(i);
  if (event.payload) arm_ = arm_after(events_.stage(), arm_);
  drives_ = drives_.changed(arm_, event.torque, now);
  // The states of laws follow positions and rates, before everything else. Finite elements have none.
  const Eigen::Index n_after = drives_.n_law_states();
  if (n_before > 0 || n_after > 0) {
    const Eigen::Index n_rest = y_.size() - first - n_before;
    VectorXd y(first + n_after + n_rest);
    y.head(first) = y_.head(first);
    y.segment(first, n_after) = drives_.law_states();
    y.tail(n_rest) = y_.tail(n_rest);
    y_ = std::move(y);
  }
  if (event.payload || uses_elements()) rebuild_simulated();
}

bool Simulation::uses_elements() const { return simulate_.formulation == RunFormulation::finite_element; }

void Simulation::rebuild_simulated() {
  LITHE_DEMAND(!integrator_);  // it would refer to the system that is replaced here
  const long evaluations = simulated_->evaluations();
  // It is made as at the start of the run, also for given motions.
  const double inside = drives_.instant(t_).inside;
  drives_.enter(0, 0);
  simulated_ = make_simulated(events_.stage(), arm_, drives_, simulate_);
  drives_.enter(inside, inside);
  simulated_->set_evaluations(evaluations);
  for (const Crossing& crossing : crossings_) simulated_->watch(crossing.quantity);
}

void Simulation::exchange_payload(size_t i) {
  const PayloadChange& change = *events_.list()[i].payload;
  simulated_->row(t_, y_.data(), arm_.last_link(), row_now_);
  const double kinetic = row_now_.kinetic, potential = row_now_.energy() - kinetic, put_in = row_now_.put_in;
  const RigidInertia added = added_body(events_.stage(), change);
  const State now = state();
  give_up_integrator();
  enter_stage(i, now);
  simulated_->go_on_from(now, y_);
  if (change.at_rest) {
    if (!(added.mass > 0))
      throw std::runtime_error("only a heavier payload can be caught, and the link already carries more");
    simulated_->catch_body(t_, arm_.find_link(change.link), added, y_);
  }
  simulated_->remove_drift(t_, y_);
  simulated_->row(t_, y_.data(), arm_.last_link(), row_now_);
  // The energy that a body brings or takes away is no work. The energy lost in a catch counts as dissipated.
  energy_start_ += row_now_.energy() - row_now_.kinetic - potential;
  const double gained = row_now_.kinetic - kinetic;
  if (change.at_rest)
    y_[y_.size() - 1] += row_now_.put_in - put_in - gained;
  else
    energy_start_ += gained;
}

void Simulation::plan_stops() {
  // What differs by rounding is one. A stop at this very moment is still to be passed where a crossing fell on it.
  const double near = 1e-12 * simulate_.duration;
  const bool at_stop = stops_[next_].t == t_, has_passed = next_ > 0 && t_ - stops_[next_ - 1].t < near;
  const double from = at_stop ? t_ - near : has_passed ? t_ + near : t_;
  stops_ = find_stops();
  const auto next = std::find_if(stops_.begin(), stops_.end(), [&](const Stop& stop) { return stop.t > from; });
  LITHE_DEMAND(next != stops_.end());
  next_ = size_t(next - stops_.begin());
  if (!at_stop) drives_.enter(t_, next->t);
}

void Simulation::restore_events(const double*& at, const double* end) {
  if (!events_.restore(at, end, arm_.nq())) throw std::invalid_argument("the checkpoint is not of this case");
  const std::vector<Events::Change> changes = events_.changes();
  integrator_.reset();
  y_.conservativeResize(y_.size() - drives_.n_law_states() + beginning_->drives.n_law_states());
  arm_ = beginning_->arm;
  drives_ = beginning_->drives;
  if (uses_elements() || std::any_of(events_.list().begin(), events_.list().end(),
                                     [](const Event& one) { return one.payload.has_value(); }))
    rebuild_simulated();
  State then = State::zero(arm_);
  for (const Events::Change& change : changes) {
    then.t = change.t;
    if (change.q.size() > 0) then.q = change.q;
    enter_stage(change.event, then);
  }
  const size_t n_loads = drives_.loads().factors().size();
  if (size_t(end - at) < n_loads) throw std::invalid_argument("the checkpoint is not of this case");
  for (size_t k = 0; k < n_loads; ++k) drives_.set_load_factor(k, *at++);
  stops_ = find_stops();
}

}  // namespace lithe
