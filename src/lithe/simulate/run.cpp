#include "lithe/simulate/run.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>

#include "lithe/describe/case_checks.h"
#include "lithe/describe/case_limits.h"
#include "lithe/describe/case_writer.h"
#include "lithe/describe/field.h"
#include "lithe/describe/limits.h"
#include "lithe/describe/spelling.h"
#include "lithe/simulate/aeroelastic_march.h"
#include "lithe/simulate/columns.h"
#include "lithe/simulate/element_march.h"
#include "lithe/simulate/integrator.h"
#include "lithe/simulate/run_warnings.h"
#include "lithe/simulate/stress_watch.h"
#include "lithe/spatial/whole_number.h"

namespace lithe {
namespace {

/// Times that the integration stops at, ascending: corners of the drives, samples, checkpoints, the end.
struct Stop {
  double t;
  bool checkpoint;
};
std::vector<Stop> stops_of(const Drives& drives, const Simulate& options) {
  const double every = options.checkpoint.value_or(options.duration / 20);
  const long n_checkpoints = count_of_steps(options.duration, every, limits::checkpoints, "simulate.checkpoint",
                                            "checkpoints", "a longer interval");
  std::vector<Stop> stops;
  for (const double t : drives.breakpoints(options.duration)) stops.push_back({t, false});
  for (long k = 1; k < n_checkpoints; ++k) stops.push_back({double(k) * every, true});
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
  const Method method = simulate.method.value_or(Method::cvode);
  const bool implicit = method == Method::cvode || method == Method::esdirk || method == Method::midpoint;
  if (simulate.formulation == RunFormulation::finite_element || !implicit || arm.nv() <= limits::implicit_coordinates)
    return;
  throw FieldError(
      "simulate.method",
      fmt::format("{} solves its steps by matrices of all coordinates, here {}; at most {}: give an explicit "
                  "method (dopri5), fewer elements, or some shapes kept ({{elements: N, keep: 12}})",
                  word(method), arm.nv(), limits::implicit_coordinates));
}

std::unique_ptr<Marched> make_marched(const CaseFile& file, const Arm& arm, Drives& drives, const Simulate& simulate) {
  demand_room(arm, simulate);
  if (simulate.formulation == RunFormulation::finite_element) {
    refuse_axle(arm, "finite-element");
    return std::make_unique<ElementMarch>(file.data, arm, drives, simulate);
  }
  if (file.data.wind) return std::make_unique<AeroelasticMarch>(file.data, arm, drives, simulate);
  return std::make_unique<System>(arm, drives, std::string(word(simulate.formulation)),
                                  simulate.method == Method::midpoint, simulate);
}

/// Why a model's energy is not conserved; empty where it is.
std::string energy_reason(const Case& data, const Arm& arm, const Simulate& simulate) {
  if (simulate.formulation == RunFormulation::finite_element && simulate.model &&
      simulate.model != ElementModel::nonlinear)
    return fmt::format("`model: {}` leaves out terms of second order", word(*simulate.model));
  if (arm.small_tips()) return "`tip_rotation: small` belongs to no energy";
  if (arm.bends() && arm.inertia_order() == InertiaOrder::first_order)
    return "`inertia: first-order` drops terms of the energy";
  if (data.wind && data.wind->coupling == Coupling::once)
    return "`coupling: once` lets air and arm disagree within a step";
  return "";
}

/// An energy audit that does not close to this part shows that the motion is not to be trusted.
constexpr double largest_energy_residual = 1e-3;

std::vector<Column> all_columns(const Arm& arm, const Marched& marched) {
  std::vector<Column> columns = result_columns(arm);
  for (Column& column : marched.more_columns()) columns.push_back(std::move(column));
  return columns;
}

class Run {
 public:
  Run(const CaseFile& file, const Arm& arm, const RunOptions& options)
      : options_(options),
        simulate_(chosen(file.data.simulate.value(), options.formulation)),
        arm_(arm),
        drives_(file.data, arm),
        marched_(make_marched(file, arm, drives_, simulate_)),
        columns_(all_columns(arm, *marched_)),
        values_(columns_.size()),
        peaks_(columns_.size()),
        energy_reason_(energy_reason(file.data, arm, simulate_)),
        watch_(arm),
        stress_(arm, columns_) {
    between_.state = State::zero(arm);  // models write into it
    plan_rows();
    note_shorter_steps(file.data);
    Case as_run = file.data;
    as_run.simulate = simulate_;
    PortableCase portable = portable_case(as_run);
    const std::string name = file.locate("").file;
    header_ = {std::move(portable.text), name, LITHE_VERSION, columns_, std::move(portable.files), case_origin(name)};
  }

  RunSummary go() {
    const auto start = std::chrono::steady_clock::now();
    if (!options_.overwrite) demand_same_case(options_.file, header_);
    const auto begun = options_.resume ? ResultsWriter::begun(options_.file, header_) : ResultsWriter::Begun::nothing;
    if (begun == ResultsWriter::Begun::complete) return already_there();
    const auto stops = stops_of(drives_, simulate_);
    drives_.enter(0, stops.front().t);
    y_ = marched_->initial();
    if (options_.before_writing) options_.before_writing();
    open(begun == ResultsWriter::Begun::checkpoint);
    try {
      march(stops);
    } catch (const StepError& error) {
      const std::string why = explain(error);
      writer_->finish(statistics(start), why);
      throw RunError(why);
    }
    writer_->finish(statistics(start));
    return summary(start);
  }

 private:
  /// The rows, refused before anything is computed where there would be too many to keep.
  void plan_rows() {
    output_step_ = simulate_.output_step.value_or(simulate_.duration / 500);
    n_rows_ = std::max(1L, count_of_steps(simulate_.duration, output_step_, limits::result_rows, "simulate.output_step",
                                          "rows", "a longer output_step"));
    const std::int64_t numbers = (n_rows_ + 1) * std::int64_t(columns_.size() + 1);
    if (numbers > limits::result_numbers)
      throw FieldError("simulate.output_step",
                       fmt::format("asks for {} rows of {} columns, {} numbers; at most {}: a longer output_step",
                                   n_rows_, columns_.size(), numbers, limits::result_numbers));
  }

  /// A row falls on the end of a step, so no step is longer than the time between rows.
  void note_shorter_steps(const Case& data) {
    auto note = [&](const char* what, const std::optional<double>& step) {
      if (step && *step > output_step_ * (1 + 1e-9) && simulate_.duration > output_step_)
        notes_.push_back(fmt::format(
            "{} is {:g} s and rows come every {:g} s: the steps taken are no longer than that; give a longer "
            "output_step to have longer steps",
            what, *step, output_step_));
    };
    note("simulate.step", simulate_.step);
    if (data.wind) note("wind.step", data.wind->step);
  }

  void open(bool resumes) {
    if (resumes) {
      Checkpoint checkpoint;
      writer_.emplace(ResultsWriter::resume(options_.file, header_, checkpoint));
      restore(checkpoint);
    } else {
      writer_.emplace(ResultsWriter::create(options_.file, header_));
      if (drives_.any_sampled()) sample();
      record();
      writer_->checkpoint(memory());
    }
  }

  void march(const std::vector<Stop>& stops) {
    auto next = std::find_if(stops.begin(), stops.end(), [&](const Stop& stop) { return stop.t > t_; });
    if (next != stops.end()) drives_.enter(t_, next->t);
    std::unique_ptr<Integrator> integrator = make_integrator();
    for (; next != stops.end(); ++next) {
      integrator->restart(t_, y_, next->t);
      while (t_ < next->t) {
        const double t_row = row_ == n_rows_ ? simulate_.duration : double(row_) * output_step_;
        // A row and a stop that differ by rounding are one.
        const bool row_at_stop = std::abs(t_row - next->t) < 1e-12 * simulate_.duration;
        const double t_out = row_at_stop ? next->t : std::min(t_row, next->t);
        const double reached = integrator->advance(t_out, y_);
        const bool there = reached >= t_out - 1e-14 * simulate_.duration;
        t_ = there ? t_out : reached;
        if (there && (row_at_stop || t_out == t_row)) record();
        if (!there) integrator->restart(t_, y_, next->t);  // a corner in the forces
      }
      marched_->tidy(t_, y_);
      // Commands, and rates where they jump, as they are from here on.
      if (next + 1 != stops.end()) marched_->enter(t_, (next + 1)->t, y_);
      if (drives_.any_sampled()) sample();
      if (!next->checkpoint) continue;
      work_ = integrator->work();
      done_.steps += work_.steps;
      done_.failed_steps += work_.failed_steps;
      const auto now = std::chrono::steady_clock::now();
      if (std::chrono::duration<double>(now - saved_).count() >= options_.save_interval) {
        writer_->checkpoint(memory());
        saved_ = std::chrono::steady_clock::now();
      }
      // From here as any later run would go on from the file, whether it was written now or not.
      integrator = make_integrator();
    }
  }

  std::unique_ptr<Integrator> make_integrator() {
    std::unique_ptr<Integrator> integrator = marched_->integrator(options_.stop);
    if (watch_.any()) integrator->after_step([this](double t, const double* y) { look(t, y); });
    return integrator;
  }

  /// Between rows nothing is recorded, but the limits of the model hold there too.
  void look(double t, const double* y) {
    try {
      marched_->state_of(t, y, between_.state);
      if (!watch_.observe_step(between_.state)) return;
      marched_->row(t, y, arm_.last_link(), between_);
      watch_.observe(between_.state, between_.internal);
    } catch (const std::exception&) {
      // What cannot be evaluated here stops the integrator itself, which then explains.
    }
  }

  void sample() {
    State state = State::zero(arm_);
    marched_->state_of(t_, y_.data(), state);
    drives_.sample(state, marched_->model());
  }

  void record() {
    marched_->row(t_, y_.data(), arm_.last_link(), now_);
    if (row_ == 0) energy_start_ = now_.energy() - now_.put_in;  // before a jump of rates at the start
    const double residual = now_.energy() - energy_start_ - now_.put_in + now_.lost;
    fill_row(arm_, now_, residual, values_);
    std::copy(now_.more.begin(), now_.more.end(), values_.end() - std::ptrdiff_t(now_.more.size()));
    watch_.observe(now_.state, now_.internal);
    stress_.observe(t_, values_);
    writer_->append(t_, values_);
    for (size_t c = 0; c < values_.size(); ++c)
      if (row_ == 0 || std::abs(values_[c]) > std::abs(peaks_[c].value))
        peaks_[c] = {columns_[c].name, columns_[c].unit, values_[c], t_};
    residual_ = std::max(residual_, std::abs(residual));
    energy_scale_ = std::max({energy_scale_, std::abs(now_.kinetic), std::abs(now_.energy() - energy_start_),
                              std::abs(now_.put_in), now_.lost});
    ++row_;
    if (options_.progress) options_.progress(t_);
  }

  // ---- what a checkpoint keeps, in one list of numbers

  Checkpoint memory() {
    std::vector<double> list{
        double(row_), double(done_.steps), double(done_.failed_steps), double(marched_->evaluations()), energy_start_,
        residual_,    energy_scale_};
    list.insert(list.end(), y_.begin(), y_.end());
    list.insert(list.end(), drives_.memory().begin(), drives_.memory().end());
    for (const Peak& peak : peaks_) list.insert(list.end(), {peak.value, peak.time});
    list.insert(list.end(), watch_.memory().begin(), watch_.memory().end());
    list.insert(list.end(), stress_.memory().begin(), stress_.memory().end());
    return {t_, list};
  }
  void restore(const Checkpoint& checkpoint) {
    const size_t expected = 7 + size_t(y_.size()) + drives_.memory().size() + 2 * peaks_.size() +
                            watch_.memory().size() + stress_.memory().size();
    if (checkpoint.memory.size() != expected)
      throw ResultsError(options_.file + ": its checkpoint is not of this case");
    t_ = checkpoint.t;
    const double* at = checkpoint.memory.data();
    auto count = [&] {
      const auto n = whole_number(*at++, 0, std::int64_t(1) << 53);
      if (!n) throw ResultsError(options_.file + ": its checkpoint is damaged");
      return *n;
    };
    row_ = count();
    done_.steps = count();
    done_.failed_steps = count();
    marched_->set_evaluations(count());
    energy_start_ = *at++;
    residual_ = *at++;
    energy_scale_ = *at++;
    for (double& value : y_) value = *at++;
    for (double& value : drives_.memory()) value = *at++;
    for (size_t c = 0; c < peaks_.size(); ++c) {
      peaks_[c] = {columns_[c].name, columns_[c].unit, at[0], at[1]};
      at += 2;
    }
    for (double& value : watch_.memory()) value = *at++;
    for (double& value : stress_.memory()) value = *at++;
    // The summary tells of the last row, also where there is nothing left to march.
    const long evaluations = marched_->evaluations();
    drives_.enter(t_, t_);
    marched_->row(t_, y_.data(), arm_.last_link(), now_);
    marched_->set_evaluations(evaluations);
  }

  // ---- what is said at the end

  std::map<std::string, double> statistics(std::chrono::steady_clock::time_point start) const {
    return {{"steps", double(done_.steps)},
            {"failed_steps", double(done_.failed_steps)},
            {"evaluations", double(marched_->evaluations())},
            {"energy_residual", residual_},
            {"energy_scale", energy_scale_},
            {"wall_seconds", seconds_since(start)}};
  }
  RunSummary already_there() const {
    const Results results = Results::read(options_.file);
    RunSummary summary;
    summary.already_complete = true;
    summary.end_time = results.time.empty() ? 0 : results.time.back();
    summary.rows = long(results.time.size());
    return summary;
  }
  static double seconds_since(std::chrono::steady_clock::time_point start) {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  }
  std::vector<std::string> warnings() {
    std::vector<std::string> list = notes_;
    for (const std::string& doubt : watch_.list()) list.push_back(doubt);
    stress_.add_warnings(list);
    // An arm at rest has nothing to audit but rounding of the energy that it holds.
    const double held = std::abs(now_.elastic) + std::abs(now_.gravity) + std::abs(energy_start_);
    if (energy_reason_.empty() && residual_ > std::max(largest_energy_residual * energy_scale_, 1e-10 * held))
      list.push_back(fmt::format(
          "the energy audit does not close: its residual of {:.2g} J is {:.2g} % of the largest energy; {}", residual_,
          100 * residual_ / energy_scale_, simulate_.step ? "take a smaller step" : "take smaller rtol and atol"));
    const size_t n_more = marched_->more_columns().size();
    for (size_t k = 0; k < n_more; ++k) {
      const Peak& peak = peaks_[peaks_.size() - n_more + k];
      if (const std::string doubt = marched_->doubt_about_peak(k, peak.value, peak.time); !doubt.empty())
        list.push_back(doubt);
    }
    if (!simulate_.step) return list;
    const std::string doubt =
        unresolved_step(std::min(*simulate_.step, output_step_), marched_->fastest_time_scale(t_, y_));
    if (!doubt.empty()) list.push_back(doubt);
    return list;
  }
  RunSummary summary(std::chrono::steady_clock::time_point start) {
    return {t_,
            row_,
            done_.steps,
            done_.failed_steps,
            marched_->evaluations(),
            seconds_since(start),
            energy_start_,
            now_.energy(),
            now_.put_in,
            now_.lost,
            residual_,
            energy_scale_,
            energy_reason_,
            peaks_,
            stress_.peaks(),
            drives_.command_errors(now_.state),
            drives_.chosen_gains(),
            warnings()};
  }

  /// The coordinate that moves most wildly, the fastest time scale, and what to try.
  std::string explain(const StepError& error) {
    if (options_.stop != nullptr && *options_.stop)
      return fmt::format("interrupted at t = {:.6g} s; --resume continues", error.t());
    State state = State::zero(arm_);
    marched_->state_of(t_, y_.data(), state);
    int wildest = 0;
    if (arm_.nv() > 0) state.v.cwiseAbs().maxCoeff(&wildest);
    std::string said =
        fmt::format("stopped at t = {:.6g} s: {}. Moving fastest: '{}' at {:.3g}", error.t(), error.what(),
                    arm_.nv() > 0 ? arm_.coordinates()[wildest] : "?", arm_.nv() > 0 ? state.v[wildest] : 0.0);
    const double scale = marched_->fastest_time_scale(t_, y_);
    if (scale > 0) said += fmt::format("; fastest time scale {:.2g} s", scale);
    if (const std::string advice = marched_->advice(); !advice.empty()) said += ". Try: " + advice;
    return said;
  }

  const RunOptions& options_;
  const Simulate simulate_;
  const Arm& arm_;
  Drives drives_;
  std::unique_ptr<Marched> marched_;
  ResultsHeader header_;
  std::vector<Column> columns_;
  std::vector<std::string> notes_;  // what the run does otherwise than asked
  std::vector<double> values_;
  std::optional<ResultsWriter> writer_;
  std::chrono::steady_clock::time_point saved_ = std::chrono::steady_clock::now();
  VectorXd y_;
  double t_ = 0, output_step_ = 0;
  long row_ = 0, n_rows_ = 0;  // rows written; the last row's number
  Row now_, between_;          // the last row; what was looked at between rows
  IntegratorWork work_, done_;
  double energy_start_ = 0, residual_ = 0, energy_scale_ = 0;
  std::vector<Peak> peaks_;
  const std::string energy_reason_;
  RunWarnings watch_;
  StressWatch stress_;
};

}  // namespace

std::vector<std::string> run_formulations() {
  std::vector<std::string> names;
  for (const auto& entry : Words<RunFormulation>::list) names.emplace_back(entry.second);
  return names;
}

RunSummary run(const CaseFile& file, const Arm& arm, const RunOptions& options) { return Run(file, arm, options).go(); }

}  // namespace lithe
