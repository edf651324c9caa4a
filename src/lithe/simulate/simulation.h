#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "lithe/drive/drives.h"
#include "lithe/dynamics/gauges.h"
#include "lithe/results/results.h"
#include "lithe/simulate/events.h"
#include "lithe/simulate/integrator.h"
#include "lithe/simulate/simulated_system.h"

namespace lithe {

/// Options of a simulation.
struct SimulationOptions {
  std::string formulation = {};             // instead of the case's
  const std::atomic<bool>* stop = nullptr;  // set by another thread or a signal: ends it with a StepError
  DriveAdditions additions = {};            // laws and forces that user code adds
};

/// A simulation of a case in memory, which user code advances in time.
///
///   Simulation simulation(file.data, arm);
///   while (!simulation.done()) {
///     simulation.set_input("shoulder", controller(simulation.state()));
///     simulation.advance(simulation.t() + 1e-3);
///   }
///
/// `run` is this with a results file. Rows are computed only if requested, and between two checkpoints of the case advancing
/// allocates nothing. At a checkpoint the integrator restarts, as in every run. Throws FieldError for a case that cannot be driven,
/// StepError if the integration cannot continue. It cannot be copied or moved; one per thread.
class Simulation {
 public:
  /// Starts at t = 0. The case must have `simulate`.
  Simulation(const Case& data, const Arm& arm, const SimulationOptions& options = {});
  ~Simulation();
  Simulation(const Simulation&) = delete;
  Simulation& operator=(const Simulation&) = delete;

  /// The arm at the present time: events may have changed what it carries.
  const Arm& arm() const { return arm_; }
  /// The settings of the run: those of the case, with the formulation of the options.
  const Simulate& settings() const { return simulate_; }
  double t() const { return t_; }
  double end() const { return simulate_.duration; }
  bool done() const { return t_ >= simulate_.duration; }
  /// Positions and rates at the present time. Valid until the next call.
  const State& state();

  // ---- advancing

  /// Advances to time t, or to the end of the case if that is earlier.
  void advance(double t);
  void finish() { advance(end()); }
  /// Where the case gives no method and its arm needs another one than the usual default: its word, and why. Else empty.
  const std::string& method_chosen() const { return simulated_->method_chosen(); }
  /// Takes one step of the method, of whatever length, but not across a corner of the drives. Methods of `finite-element` and of arms in
  /// the wind advance by the time between two rows. Returns the time reached. Rows within the step are skipped.
  double step();

  // ---- changes during the simulation

  /// The torque of a joint under `torque: {JOINT: {input: …}}` from now on. The integration restarts if the value changes.
  /// Throws std::invalid_argument for a joint without an input.
  void set_input(const std::string& joint, double value);
  /// Sets the state of the arm; driven joints keep their motion. Time, states of control laws and values that sampled laws hold do not
  /// change, and the energy that the change brings is not counted as work. Throws UnsupportedError for arms in the wind, which have more
  /// unknowns than a state, and for the quasi-static model of `finite-element`, whose state is decided by what is commanded.
  void set_state(const State& state);

  /// Calls `act` when `quantity` of the state passes zero: upwards (1), downwards (−1) or in either direction (0). The integration stops
  /// there and restarts; `act` may change inputs and the state. To be called before the simulation advances. Throws UnsupportedError for
  /// arms in the wind and for the quasi-static model of `finite-element`, which find no roots.
  void on_crossing(const std::function<double(const State&)>& quantity, int direction, std::function<void()> act);

  /// The events of the case, with those that have happened so far.
  const Events& events() const { return events_; }

  // ---- rows

  /// Names and units of the values of a row; time is not among them.
  const std::vector<Column>& columns() const { return columns_; }
  /// The row at the present time, in the order of the columns. Valid until the next call.
  std::span<const double> row();
  /// Everything from which row() was computed.
  const Row& whole_row() const { return row_now_; }
  /// Called by `advance` at every row of the case's `output_step`, from the first at t = 0 on.
  void on_row(std::function<void(double t, std::span<const double> values)> observer);
  /// Keeps the rows at the same times in memory: the same series as in a file.
  void keep_rows();
  const Results& results() const { return kept_; }

  // ---- saving and restoring

  /// The complete state of the simulation, as numbers that are meaningful only to a Simulation of the same case.
  Checkpoint save() const;
  /// Returns to a saved state. From a checkpoint (on_checkpoint) the simulation continues with the same bits as it did then; from other
  /// times it agrees within the tolerances, because the integrator restarts. Throws std::invalid_argument for numbers of another case.
  void restore(const Checkpoint& checkpoint);

  // ---- internals

  /// Called at the case's checkpoints, before the integrator restarts.
  void on_checkpoint(std::function<void()> act) { at_checkpoint_ = std::move(act); }
  /// Called after every step (Integrator::after_step). To be set before the simulation advances.
  void after_step(Integrator::Look look);
  SimulatedSystem& simulated() { return *simulated_; }
  Drives& drives() { return drives_; }
  /// Work since the start, including that of restored runs.
  IntegratorWork work() const;
  long rows_done() const { return row_; }
  double output_step() const { return output_step_; }
  double energy_start() const { return energy_start_; }
  /// The numbers that represent the arm (SimulatedSystem).
  const VectorXd& y() const { return y_; }

 private:
  /// Times that the integration stops at, ascending: corners of the drives, samples, checkpoints, the end.
  struct Stop {
    double t;
    bool checkpoint;
  };
  struct Crossing {
    std::function<double(const State&)> quantity;
    int direction;
    std::function<void()> act;
  };
  /// The beginning, to which a simulation with events returns when it is restored.
  struct Beginning {
    Arm arm;
    Drives drives;
  };
  static std::unique_ptr<SimulatedSystem> make_simulated(const Case& data, const Arm& arm, Drives& drives,
                                                         const Simulate& simulate);
  std::vector<Stop> find_stops() const;
  void plan_rows();
  /// The time of the next row, or none in reach.
  double next_row() const;
  /// Makes the integrator ready to advance to the next stop.
  void ready();
  /// Advances until t_out; true if it got there, otherwise it is at a corner.
  bool go(double t_out);
  /// At stops_[next_]: passes to the next piece.
  void pass_stop();
  void pass_crossings();
  void sample(bool only_new = false);
  void record();
  void make_integrator();
  void give_up_integrator();

  // Events (simulation_events.cpp).
  void prepare_events(const Case& data);
  /// Makes the events happen whose time is reached.
  void pass_times();
  void happen(size_t event);
  /// Changes laws and arm as the event does, at a state. y_ gets entries for the states of the laws, those that continue and new ones.
  void enter_stage(size_t event, const State& now);
  void rebuild_simulated();
  bool uses_elements() const;
  /// Changes what a link carries: positions and rates stay, except in a catch; the energy audit is adjusted.
  void exchange_payload(size_t event);
  /// Plans the stops again after drives have changed.
  void plan_stops();
  /// Enters the stages of a checkpoint again; `at` advances.
  void restore_events(const double*& at, const double* end);

  const Simulate simulate_;
  const SimulationOptions options_;
  Arm arm_;
  Events events_;
  Drives drives_;
  std::unique_ptr<SimulatedSystem> simulated_;
  const Gauges gauges_;
  std::vector<Column> columns_;
  std::vector<Stop> stops_;
  size_t next_ = 0;  // index of the next stop
  std::unique_ptr<Integrator> integrator_;
  bool fresh_ = false;  // the integrator has been restarted, and nothing has changed since
  Integrator::Look look_;
  IntegratorWork done_;  // of integrators that were discarded at checkpoints
  VectorXd y_;
  double t_ = 0, output_step_ = 0;
  long row_ = 0, n_rows_ = 0;  // rows passed; the last row's number
  State state_;
  Row row_now_;
  std::vector<double> values_;
  double energy_start_ = 0;
  std::function<void(double, std::span<const double>)> observer_;
  std::function<void()> at_checkpoint_;
  bool keeps_ = false;
  Results kept_;
  std::vector<Crossing> crossings_;
  std::unique_ptr<const Beginning> beginning_;  // null without events
};

/// Formulations that a run can use, the default first.
std::vector<std::string> run_formulations();

}  // namespace lithe
