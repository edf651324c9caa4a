#include "lithe/simulate/simulation.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "lithe/describe/case_checks.h"
#include "lithe/describe/case_limits.h"
#include "lithe/describe/field.h"
#include "lithe/describe/limits.h"
#include "lithe/describe/spelling.h"
#include "lithe/simulate/aeroelastic_march.h"
#include "lithe/simulate/columns.h"
#include "lithe/simulate/element_march.h"
#include "lithe/simulate/examine_run.h"
#include "lithe/spatial/whole_number.h"

namespace lithe {
namespace {

/// The case's formulation, or the one asked for.
Simulate chosen(Simulate simulate, const std::string& formulation) {
  if (formulation.empty()) return simulate;
  const auto& known = Words<RunFormulation>::list;
  const auto found =
      std::find_if(known.begin(), known.end(), [&](const auto& entry) { return entry.second == formulation; });
  if (found == known.end())
    throw std::invalid_argument(fmt::format("no formulation '{}'{} Known: {}", formulation,
                                            guess_in_sentence(formulation, run_formulations()),
                                            comma_list(run_formulations())));
  simulate.formulation = found->first;
  const auto problems = method_problems(simulate);
  if (!problems.empty()) throw FieldError(problems[0].first, problems[0].second);
  return simulate;
}

/// Implicit steps are solved by dense matrices of all coordinates; refused before they are made.
void demand_room(const Arm& arm, const Simulate& simulate) {
  const Method method = simulate.chosen_method();
  const bool implicit = method == Method::cvode || method == Method::esdirk || method == Method::midpoint;
  if (simulate.formulation == RunFormulation::finite_element || !implicit || arm.nv() <= limits::implicit_coordinates)
    return;
  throw FieldError(
      "simulate.method",
      fmt::format("{} solves its steps with matrices over all coordinates, here {}; at most {}: use an explicit method "
                  "(dopri5), fewer elements, or some shapes kept ({{elements: N, keep: 12}})",
                  word(method), arm.nv(), limits::implicit_coordinates));
}

std::vector<Column> all_columns(const Arm& arm, const Gauges& gauges, const SimulatedSystem& simulated) {
  std::vector<Column> columns = result_columns(arm);
  for (size_t i = 0; i < gauges.size(); ++i) columns.push_back({gauges.name(i), ""});
  for (Column& column : simulated.more_columns()) columns.push_back(std::move(column));
  return columns;
}

}  // namespace

std::vector<std::string> run_formulations() {
  std::vector<std::string> names;
  for (const auto& entry : Words<RunFormulation>::list) names.emplace_back(entry.second);
  return names;
}

std::unique_ptr<SimulatedSystem> Simulation::make_simulated(const Case& data, const Arm& arm, Drives& drives,
                                                            const Simulate& simulate) {
  demand_room(arm, simulate);
  if (simulate.formulation == RunFormulation::finite_element) {
    refuse_constraints(arm, word(RunFormulation::finite_element));
    return std::make_unique<ElementMarch>(data, arm, drives, simulate);
  }
  if (data.wind) return std::make_unique<AeroelasticMarch>(data, arm, drives, simulate);
  if (simulate.method == Method::midpoint) refuse_jumping_forces(data, arm);
  return std::make_unique<System>(arm, drives, std::string(word(simulate.formulation)),
                                  simulate.method == Method::midpoint, simulate);
}

std::vector<Simulation::Stop> Simulation::find_stops() const {
  const Simulate& options = simulate_;
  const double every = options.checkpoint_interval();
  const long n_checkpoints = count_of_steps(options.duration, every, limits::checkpoints, "simulate.checkpoint",
                                            "checkpoints", "a longer interval");
  std::vector<Stop> stops;
  for (const double t : drives_.breakpoints(options.duration)) stops.push_back({t, false});
  for (const double t : events_.times())
    if (t < options.duration) stops.push_back({t, false});
  // Rows divide the run into whole steps of the air; one that a checkpoint cut short would disturb the forces.
  const double own = simulated_->own_step();
  const double grid = own > 0 ? output_step_ / std::max(1.0, std::ceil(output_step_ / own * (1 - 1e-9))) : 0;
  for (long k = 1; k < n_checkpoints; ++k) {
    const double t = grid > 0 ? std::round(double(k) * every / grid) * grid : double(k) * every;
    if (t > 0 && t < options.duration) stops.push_back({t, true});
  }
  stops.push_back({options.duration, true});
  std::sort(stops.begin(), stops.end(),
            [](const Stop& a, const Stop& b) { return a.t < b.t || (a.t == b.t && a.checkpoint > b.checkpoint); });
  stops.erase(std::unique(stops.begin(), stops.end(), [](const Stop& a, const Stop& b) { return a.t == b.t; }),
              stops.end());
  // Stops closer than rounding of their own time are one.
  std::vector<Stop> apart;
  for (const Stop& stop : stops) {
    if (!apart.empty() && stop.t - apart.back().t < 1e-12 * options.duration) {
      apart.back().checkpoint |= stop.checkpoint;
    } else {
      apart.push_back(stop);
    }
  }
  apart.back().t = options.duration;
  return apart;
}

Simulation::Simulation(const Case& data, const Arm& arm, const SimulationOptions& options)
    : simulate_(chosen(data.simulate.value(), options.formulation)),
      options_(options),
      arm_(arm),
      events_(data),
      drives_(data, arm, options.additions),
      simulated_(make_simulated(data, arm, drives_, simulate_)),
      gauges_(data, arm),
      columns_(all_columns(arm, gauges_, *simulated_)),
      state_(State::zero(arm)),
      values_(columns_.size()) {
  plan_rows();
  if (!events_.empty()) prepare_events(data);
  stops_ = find_stops();
  drives_.enter(0, stops_.front().t);
  y_ = simulated_->initial();
  if (drives_.any_sampled()) sample();
  // Before a jump of rates at the start.
  const long evaluations = simulated_->evaluations();
  simulated_->choose_method(y_);
  simulated_->row(t_, y_.data(), arm_.last_link(), row_now_);
  energy_start_ = row_now_.energy() - row_now_.put_in;
  simulated_->set_evaluations(evaluations);
}

Simulation::~Simulation() = default;

/// The rows, rejected before anything is computed if there would be too many.
void Simulation::plan_rows() {
  output_step_ = simulate_.row_interval();
  n_rows_ = std::max(1L, count_of_steps(simulate_.duration, output_step_, limits::result_rows, "simulate.output_step",
                                        "rows", "a longer output_step"));
  const std::int64_t numbers = (n_rows_ + 1) * std::int64_t(columns_.size() + 1);
  if (numbers > limits::result_numbers)
    throw FieldError("simulate.output_step",
                     fmt::format("asks for {} rows of {} columns, {} numbers; at most {}: a longer output_step",
                                 n_rows_, columns_.size(), numbers, limits::result_numbers));
}

const State& Simulation::state() {
  simulated_->state_of(t_, y_.data(), state_);
  return state_;
}

// ------------------------------------------------------------------------------------------- advancing

double Simulation::next_row() const {
  if (!observer_ && !keeps_) return std::numeric_limits<double>::infinity();
  return row_ == n_rows_ ? simulate_.duration : double(row_) * output_step_;
}

void Simulation::make_integrator() {
  integrator_ = simulated_->integrator(options_.stop);
  if (look_) integrator_->after_step(look_);
  fresh_ = false;
}

void Simulation::ready() {
  if (!integrator_) {
    drives_.enter(t_, stops_[next_].t);
    make_integrator();
  }
  if (fresh_) return;
  integrator_->restart(t_, y_, stops_[next_].t);
  fresh_ = true;
}

bool Simulation::go(double t_out) {
  ready();
  const double reached = integrator_->advance(t_out, y_);
  const bool there = reached >= t_out - 1e-14 * simulate_.duration;
  t_ = there ? t_out : reached;
  return there;
}

void Simulation::advance(double t) {
  if (row_ == 0 && t_ == 0 && next_row() == 0) record();
  const double target = std::min(t, simulate_.duration);
  while (t_ < target) {
    const double t_stop = stops_[next_].t, t_row = next_row();
    // What differs by rounding is one.
    const double near = 1e-12 * simulate_.duration;
    const bool row_at_stop = std::abs(t_row - t_stop) < near, target_at_stop = std::abs(target - t_stop) < near;
    double t_out = row_at_stop ? t_stop : std::min(t_row, t_stop);
    if (target < t_out && !target_at_stop) t_out = std::abs(target - t_out) < near ? t_out : target;
    const bool there = go(t_out);
    if (there && (row_at_stop ? t_out == t_stop : t_out == t_row)) record();
    if (!there || integrator_->at_root()) {
      fresh_ = false;  // a corner in the forces
      pass_crossings();
    }
    if (there && t_out == t_stop) pass_stop();
  }
}

double Simulation::step() {
  if (done()) return t_;
  ready();
  const double t_stop = stops_[next_].t;
  const double reached = integrator_->step(t_stop, std::min(t_stop, t_ + output_step_), y_);
  t_ = reached >= t_stop - 1e-14 * simulate_.duration ? t_stop : reached;
  while (row_ < n_rows_ && double(row_) * output_step_ <= t_) ++row_;
  if (integrator_->at_root()) {
    fresh_ = false;
    pass_crossings();
  }
  if (t_ == t_stop) pass_stop();
  return t_;
}

void Simulation::pass_stop() {
  const Stop stop = stops_[next_];
  const bool last = next_ + 1 == stops_.size();
  simulated_->remove_drift(t_, y_);
  // Commands, and rates where they jump, as they are from here on.
  if (!last) simulated_->enter(t_, stops_[next_ + 1].t, y_);
  if (!last) ++next_;
  if (!last && !events_.empty()) pass_times();
  if (drives_.any_sampled()) sample();
  fresh_ = false;
  if (!stop.checkpoint) return;
  give_up_integrator();
  if (at_checkpoint_) at_checkpoint_();
  // From here on exactly as a resumed run would continue, whether the file was written now or not.
  make_integrator();
}

void Simulation::give_up_integrator() {
  done_ = work();
  integrator_.reset();
}

void Simulation::sample(bool only_new) {
  simulated_->state_of(t_, y_.data(), state_);
  drives_.sample(state_, simulated_->model(), only_new);
}

IntegratorWork Simulation::work() const {
  IntegratorWork sum = done_;
  if (integrator_) {
    const IntegratorWork now = integrator_->work();
    sum.steps += now.steps;
    sum.failed_steps += now.failed_steps;
    sum.jacobians += now.jacobians;
  }
  return sum;
}

void Simulation::after_step(Integrator::Look look) {
  look_ = std::move(look);
  if (integrator_) integrator_->after_step(look_);
}

// ------------------------------------------------------------------------------------------- changes during the simulation

void Simulation::set_input(const std::string& joint, double value) {
  if (drives_.set_input(joint, value)) fresh_ = false;
}

void Simulation::set_state(const State& state) {
  simulated_->row(t_, y_.data(), arm_.last_link(), row_now_);
  const double before = row_now_.energy();
  simulated_->set_state(state, y_);
  simulated_->remove_drift(t_, y_);
  simulated_->row(t_, y_.data(), arm_.last_link(), row_now_);
  energy_start_ += row_now_.energy() - before;
  fresh_ = false;
}

void Simulation::on_crossing(const std::function<double(const State&)>& quantity, int direction,
                             std::function<void()> act) {
  simulated_->watch(quantity);
  crossings_.push_back({quantity, direction, std::move(act)});
  if (!integrator_) return;
  give_up_integrator();  // it is made for the quantities to watch
  make_integrator();
}

void Simulation::pass_crossings() {
  if (crossings_.empty()) return;
  // Watched quantities come after the corners of the drives. Acting may end the integrator.
  const std::vector<int> roots = integrator_->roots();
  const size_t first = roots.size() - crossings_.size(), n_happened = events_.happened().size();
  for (size_t k = 0; k < crossings_.size(); ++k) {
    const int direction = roots[first + k];
    if (direction != 0 && (crossings_[k].direction == 0 || crossings_[k].direction == direction)) crossings_[k].act();
  }
  if (events_.happened().size() > n_happened && drives_.any_sampled()) sample(true);
}

// ------------------------------------------------------------------------------------------- rows

std::span<const double> Simulation::row() {
  simulated_->row(t_, y_.data(), arm_.last_link(), row_now_);
  const double residual = row_now_.energy() - energy_start_ - row_now_.put_in + row_now_.lost;
  fill_row(arm_, row_now_, residual, values_);
  const auto more = values_.end() - std::ptrdiff_t(row_now_.more.size());
  std::copy(row_now_.more.begin(), row_now_.more.end(), more);
  if (gauges_.size() > 0) gauges_.strains(arm_, *row_now_.internal, &*(more - std::ptrdiff_t(gauges_.size())));
  return values_;
}

void Simulation::record() {
  row();
  ++row_;
  if (keeps_) {
    kept_.time.push_back(t_);
    for (size_t c = 0; c < values_.size(); ++c) kept_.series[c].push_back(values_[c]);
  }
  if (observer_) observer_(t_, values_);
}

void Simulation::on_row(std::function<void(double, std::span<const double>)> observer) {
  observer_ = std::move(observer);
}

void Simulation::keep_rows() {
  keeps_ = true;
  kept_.header.columns = columns_;
  kept_.series.resize(columns_.size());
}

// ------------------------------------------------------------------------------------------- saving and restoring

Checkpoint Simulation::save() const {
  const IntegratorWork work = this->work();
  std::vector<double> list{double(row_), double(work.steps), double(work.failed_steps),
                           double(simulated_->evaluations()), energy_start_};
  if (!events_.empty()) {
    events_.save(list);
    const std::vector<double> factors = drives_.loads().factors();
    list.insert(list.end(), factors.begin(), factors.end());
  }
  list.insert(list.end(), y_.begin(), y_.end());
  const std::vector<double>& held = drives_.memory();
  list.insert(list.end(), held.begin(), held.end());
  const std::vector<double> inputs = drives_.inputs();
  list.insert(list.end(), inputs.begin(), inputs.end());
  return {t_, list};
}

void Simulation::restore(const Checkpoint& checkpoint) {
  const double *at = checkpoint.memory.data(), *const end = at + checkpoint.memory.size();
  const auto demand = [](bool fits) {
    if (!fits) throw std::invalid_argument("the checkpoint is not of this case");
  };
  const auto n_rest = [&] { return y_.size() + std::ptrdiff_t(drives_.memory().size() + drives_.inputs().size()); };
  demand(events_.empty() ? end - at == 5 + n_rest() : end - at >= 5);
  auto count = [&] {
    const auto n = whole_number(*at++, 0, std::int64_t(1) << 53);
    if (!n) throw std::invalid_argument("the checkpoint is damaged");
    return *n;
  };
  row_ = count();
  done_ = {};
  done_.steps = count();
  done_.failed_steps = count();
  const long evaluations = count();
  energy_start_ = *at++;
  if (!events_.empty()) restore_events(at, end);
  demand(end - at == n_rest());
  for (double& value : y_) value = *at++;
  for (double& value : drives_.memory()) value = *at++;
  drives_.restore_inputs({at, end});
  t_ = checkpoint.t;
  const auto next = std::find_if(stops_.begin(), stops_.end(), [&](const Stop& stop) { return stop.t > t_; });
  next_ = size_t(std::min(next, stops_.end() - 1) - stops_.begin());
  // At the end there is no next piece: the last one applies.
  if (next != stops_.end())
    drives_.enter(t_, next->t);
  else
    drives_.enter(next_ > 0 ? stops_[next_ - 1].t : 0, t_);
  simulated_->row(t_, y_.data(), arm_.last_link(), row_now_);
  simulated_->set_evaluations(evaluations);
  make_integrator();
}

}  // namespace lithe
