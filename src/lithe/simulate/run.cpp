#include "lithe/simulate/run.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>

#include "lithe/describe/case_writer.h"
#include "lithe/describe/field.h"
#include "lithe/simulate/run_warnings.h"
#include "lithe/simulate/stress_watch.h"

namespace lithe {
namespace {

/// Why a model's energy is not conserved; empty where it is.
std::string energy_reason(const Case& data, const Arm& arm, const Simulate& simulate) {
  if (simulate.formulation == RunFormulation::finite_element && simulate.model &&
      simulate.model != ElementModel::nonlinear)
    return fmt::format("`model: {}` neglects second-order terms", word(*simulate.model));
  if (arm.bends() && arm.inertia_order() == InertiaOrder::first_order)
    return "`inertia: first-order` drops terms of the energy";
  if (arm.small_tips() && !(data.loads.empty() && data.forces.empty()))
    return "with `tip_rotation: small`, loads and forces act on rigid bodies that the arm does not have";
  if (data.wind && data.wind->coupling == Coupling::once)
    return "`coupling: once` lets air and arm disagree within a step";
  return "";
}

/// If the energy audit does not close to this fraction, the motion is not reliable.
constexpr double largest_energy_residual = 1e-3;

class Run {
 public:
  Run(const CaseFile& file, const Arm& arm, const RunOptions& options)
      : options_(options),
        arm_(arm),
        simulation_(file.data, arm, {options.formulation, options.stop, options.additions}),
        energy_at_start_(simulation_.energy_start()),
        columns_(simulation_.columns()),
        peaks_(columns_.size()),
        energy_reason_(energy_reason(file.data, arm, simulation_.settings())),
        watch_(arm),
        stress_(arm, columns_) {
    between_.state = State::zero(arm);  // models write into it
    note_shorter_steps(file.data);
    if (!options.goes_on && file.data.initial.deformation == Deformation::zero)
      for (const std::string& doubt : doubts_about_start(file.data, arm, simulation_.state())) notes_.push_back(doubt);
    Case as_run = file.data;
    as_run.simulate = simulation_.settings();
    PortableCase portable = portable_case(as_run);
    const std::string name = file.locate("").file;
    header_ = {std::move(portable.text), name, LITHE_VERSION, columns_, std::move(portable.files), case_origin(name)};
    simulation_.on_row([this](double t, std::span<const double> values) { record(t, values); });
    simulation_.on_checkpoint([this] { save(); });
    if (watch_.any()) simulation_.after_step([this](double t, const double* y) { look(t, y); });
  }

  RunSummary go() {
    const auto start = std::chrono::steady_clock::now();
    if (!options_.overwrite) demand_same_case(options_.file, header_);
    const auto begun = options_.resume ? ResultsWriter::begun(options_.file, header_) : ResultsWriter::Begun::nothing;
    if (begun == ResultsWriter::Begun::complete) return already_there();
    if (options_.before_writing) options_.before_writing();
    open(begun == ResultsWriter::Begun::checkpoint);
    try {
      simulation_.finish();
    } catch (const StepError& error) {
      const RunError why = explained(error);
      writer_->finish(statistics(start), why.what());
      throw why;
    }
    writer_->finish(statistics(start));
    return summary(start);
  }

 private:
  /// A row falls on the end of a step, so no step is longer than the time between rows.
  void note_shorter_steps(const Case& data) {
    const Simulate& simulate = simulation_.settings();
    const double output_step = simulation_.output_step();
    auto note = [&](const char* what, const std::optional<double>& step) {
      if (step && *step > output_step * (1 + 1e-9) && simulate.duration > output_step)
        notes_.push_back(
            fmt::format("{} is {:g} s, but rows are written every {:g} s and no step is longer than that; a longer "
                        "output_step allows longer steps",
                        what, *step, output_step));
    };
    note("simulate.step", simulate.step);
    if (data.wind) note("wind.step", data.wind->step);
  }

  void open(bool resumes) {
    if (resumes) {
      Checkpoint checkpoint;
      writer_.emplace(ResultsWriter::resume(options_.file, header_, checkpoint));
      restore(checkpoint);
    } else {
      writer_.emplace(ResultsWriter::create(options_.file, header_));
      simulation_.advance(0);  // the first row
      writer_->checkpoint(memory());
    }
  }

  /// Checkpoints are written at intervals of real time.
  void save() {
    const auto now = std::chrono::steady_clock::now();
    if (std::chrono::duration<double>(now - saved_).count() < options_.save_interval) return;
    writer_->checkpoint(memory());
    saved_ = std::chrono::steady_clock::now();
  }

  /// Between rows nothing is recorded, but the limits of the model hold there too.
  void look(double t, const double* y) {
    SimulatedSystem& simulated = simulation_.simulated();
    try {
      simulated.state_of(t, y, between_.state);
      if (!watch_.observe_step(between_.state)) return;
      simulated.row(t, y, arm_.last_link(), between_);
      watch_.observe(between_.state, between_.internal);
    } catch (const std::exception&) {
      // What cannot be evaluated here stops the integrator itself, which then explains.
    }
  }

  void record(double t, std::span<const double> values) {
    const Row& row = simulation_.whole_row();
    const double start = simulation_.energy_start();
    const double residual = row.energy() - start - row.put_in + row.lost;
    watch_.observe(row.state, row.internal);
    stress_.observe(t, values);
    writer_->append(t, values);
    for (size_t c = 0; c < values.size(); ++c)
      // The first time at which it is reached; a constant's rounding is not a peak.
      if (simulation_.rows_done() == 1 || std::abs(values[c]) > std::abs(peaks_[c].value) * (1 + 1e-13))
        peaks_[c] = {columns_[c].name, columns_[c].unit, values[c], t, columns_[c].headline};
    residual_ = std::max(residual_, std::abs(residual));
    energy_scale_ = std::max(
        {energy_scale_, std::abs(row.kinetic), std::abs(row.energy() - start), std::abs(row.put_in), row.lost});
    if (options_.progress) options_.progress(t);
  }

  // ---- what a checkpoint keeps, in one list of numbers: the simulation's, then ours

  size_t n_own() { return 2 + 2 * peaks_.size() + watch_.memory().size() + stress_.memory().size(); }
  Checkpoint memory() {
    Checkpoint checkpoint = simulation_.save();
    std::vector<double>& list = checkpoint.memory;
    list.insert(list.end(), {residual_, energy_scale_});
    for (const Peak& peak : peaks_) list.insert(list.end(), {peak.value, peak.time});
    list.insert(list.end(), watch_.memory().begin(), watch_.memory().end());
    list.insert(list.end(), stress_.memory().begin(), stress_.memory().end());
    return checkpoint;
  }
  void restore(Checkpoint checkpoint) {
    std::vector<double>& list = checkpoint.memory;
    if (list.size() < n_own()) throw ResultsError(options_.file + ": the checkpoint is not of this case");
    const std::vector<double> own(list.end() - std::ptrdiff_t(n_own()), list.end());
    list.resize(list.size() - n_own());
    try {
      simulation_.restore(checkpoint);
    } catch (const std::invalid_argument& error) {
      throw ResultsError(options_.file + ": " + error.what());
    }
    const double* at = own.data();
    residual_ = *at++;
    energy_scale_ = *at++;
    for (size_t c = 0; c < peaks_.size(); ++c) {
      peaks_[c] = {columns_[c].name, columns_[c].unit, at[0], at[1], columns_[c].headline};
      at += 2;
    }
    for (double& value : watch_.memory()) value = *at++;
    for (double& value : stress_.memory()) value = *at++;
  }

  // ---- what is said at the end

  std::map<std::string, double> statistics(std::chrono::steady_clock::time_point start) {
    const IntegratorWork work = simulation_.work();
    std::map<std::string, double> numbers{{"steps", double(work.steps)},
                                          {"failed_steps", double(work.failed_steps)},
                                          {"evaluations", double(simulation_.simulated().evaluations())},
                                          {"energy_residual", residual_},
                                          {"energy_scale", energy_scale_},
                                          {"wall_seconds", seconds_since(start)}};
    if (!simulation_.events().empty()) numbers["events"] = double(simulation_.events().happened().size());
    return numbers;
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
    const Row& now = simulation_.whole_row();
    const Simulate& simulate = simulation_.settings();
    const double held = std::abs(now.elastic) + std::abs(now.gravity) + std::abs(simulation_.energy_start());
    if (energy_reason_.empty() && residual_ > std::max(largest_energy_residual * energy_scale_, 1e-10 * held))
      list.push_back(fmt::format(
          "the energy audit does not close: its residual of {:.2g} J is {:.2g} % of the largest energy; {}", residual_,
          100 * residual_ / energy_scale_, simulate.step ? "use a smaller step" : "use smaller rtol and atol"));
    const SimulatedSystem& simulated = simulation_.simulated();
    const size_t n_more = simulated.more_columns().size();
    for (size_t k = 0; k < n_more; ++k) {
      const Peak& peak = peaks_[peaks_.size() - n_more + k];
      if (const std::string doubt = simulated.doubt_about_peak(k, peak.value, peak.time); !doubt.empty())
        list.push_back(doubt);
    }
    if (!simulate.step) return list;
    const std::string doubt =
        unresolved_step(std::min(*simulate.step, simulation_.output_step()),
                        simulation_.simulated().fastest_time_scale(simulation_.t(), simulation_.y()));
    if (!doubt.empty()) list.push_back(doubt);
    return list;
  }
  std::vector<std::pair<std::string, double>> events() const {
    std::vector<std::pair<std::string, double>> list;
    for (const HappenedEvent& one : simulation_.events().happened()) {
      const std::string& name = simulation_.events().list()[one.event].name;
      list.emplace_back(name.empty() ? std::to_string(one.event + 1) : name, one.t);
    }
    return list;
  }
  RunSummary summary(std::chrono::steady_clock::time_point start) {
    const Row& now = simulation_.whole_row();
    const IntegratorWork work = simulation_.work();
    return {simulation_.t(),
            simulation_.rows_done(),
            work.steps,
            work.failed_steps,
            simulation_.simulated().evaluations(),
            seconds_since(start),
            energy_at_start_,
            now.energy(),
            now.put_in,
            now.lost,
            residual_,
            energy_scale_,
            energy_reason_,
            peaks_,
            stress_.peaks(),
            simulation_.drives().command_errors(now.state),
            simulation_.drives().chosen_gains(),
            warnings(),
            events(),
            simulation_.energy_start() - energy_at_start_,
            simulation_.method_chosen()};
  }
  /// The coordinate that moves fastest, the fastest time scale, and what to try.
  RunError explained(const StepError& error) {
    if (options_.stop != nullptr && *options_.stop)
      return RunError(fmt::format("interrupted at t = {:.6g} s; --resume continues", error.t()));
    SimulatedSystem& simulated = simulation_.simulated();
    const State state = simulation_.state();
    int wildest = 0;
    if (arm_.nv() > 0) state.v.cwiseAbs().maxCoeff(&wildest);
    std::string said =
        fmt::format("stopped at t = {:.6g} s: {}. Moving fastest: '{}' at {:.3g}", error.t(), error.what(),
                    arm_.nv() > 0 ? arm_.coordinates()[wildest] : "?", arm_.nv() > 0 ? state.v[wildest] : 0.0);
    const double scale = simulated.fastest_time_scale(simulation_.t(), simulation_.y());
    if (scale > 0) said += fmt::format("; fastest time scale {:.2g} s", scale);
    const std::string advice = simulated.advice();
    if (!advice.empty()) said += ". Try: " + advice;
    return RunError(said, "", advice);
  }

  const RunOptions& options_;
  const Arm& arm_;
  Simulation simulation_;
  const double energy_at_start_;  // at t = 0, also of a resumed run
  ResultsHeader header_;
  std::vector<Column> columns_;
  std::vector<std::string> notes_;  // how the run differs from what was requested
  std::optional<ResultsWriter> writer_;
  std::chrono::steady_clock::time_point saved_ = std::chrono::steady_clock::now();
  Row between_;  // the state that is checked between rows
  double residual_ = 0, energy_scale_ = 0;
  std::vector<Peak> peaks_;
  const std::string energy_reason_;
  RunWarnings watch_;
  StressWatch stress_;
};

}  // namespace

RunSummary run(const CaseFile& file, const Arm& arm, const RunOptions& options) { return Run(file, arm, options).go(); }

}  // namespace lithe
