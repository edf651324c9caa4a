#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "lithe/drive/drives.h"
#include "lithe/results/results.h"
#include "lithe/simulate/events.h"
#include "lithe/simulate/integrator.h"
#include "lithe/simulate/simulated_system.h"

namespace lithe {

/// What a simulation is given besides case and arm.
struct SimulationOptions {
  std::string formulation = {};             // instead of the case's
  const std::atomic<bool>* stop = nullptr;  // set by another thread or a signal: ends it with a StepError
  DriveAdditions additions = {};            // laws and forces of the user's own
};

/// A simulation in memory: an arm under its case, marched in time as far as it is asked to go.
///
///   Simulation simulation(file.data, arm);
///   while (!simulation.done()) {
///     simulation.set_input("shoulder", controller(simulation.state()));
///     simulation.advance(simulation.t() + 1e-3);
///   }
///
/// `run` is this with a file. Where nobody asks for rows none are computed, and between two checkpoints of the case going on
/// allocates nothing. At a checkpoint the integrator starts anew, as in every run. Throws FieldError for a case that cannot be driven,
/// StepError where the integration cannot go on. Not to be copied or moved; one per thread.
class Simulation {
 public:
  /// At t = 0, ready to go. The case must have `simulate`.
  Simulation(const Case& data, const Arm& arm, const SimulationOptions& options = {});
  ~Simulation();
  Simulation(const Simulation&) = delete;
  Simulation& operator=(const Simulation&) = delete;

  /// As it is at this moment: events may have changed what it carries.
  const Arm& arm() const { return arm_; }
  /// As it is run: the case's, with the formulation asked for.
  const Simulate& settings() const { return simulate_; }
  double t() const { return t_; }
  double end() const { return simulate_.duration; }
  bool done() const { return t_ >= simulate_.duration; }
  /// Positions and rates at this moment. Valid until the next call.
  const State& state();

  // ---- going on

  /// To time t, or to the end of the case where that is sooner.
  void advance(double t);
  void finish() { advance(end()); }
  /// One step of the method, whatever its length, but not over a corner of the drives. Methods of `finite-element` and of arms in the
  /// wind go on by the time between two rows. Returns the time reached. Rows that fall into the step are passed over.
  double step();

  // ---- what changes on the way

  /// The torque of a joint under `torque: {JOINT: {input: …}}` from now on. The integration starts anew where it is another.
  /// Throws std::invalid_argument for a joint without one.
  void set_input(const std::string& joint, double value);
  /// Puts the arm elsewhere; driven joints stay as they are driven. Time, states of control laws and what sampled laws hold stay, and the
  /// energy that the change brings is not counted as work. Throws UnsupportedError where unknowns are not those of a state:
  /// `finite-element`, and arms in the wind.
  void set_state(const State& state);

  /// Calls `act` at the moment `quantity` of the state passes zero: upwards (1), downwards (−1) or either way (0). The integration stops
  /// there and starts anew; `act` may change inputs and the state. Before anything else is done; throws UnsupportedError where methods
  /// find no roots: `finite-element`, and arms in the wind.
  void on_crossing(const std::function<double(const State&)>& quantity, int direction, std::function<void()> act);

  /// Those of the case, so far.
  const Events& events() const { return events_; }

  // ---- rows

  /// Names and units of what a row holds; time is not among them.
  const std::vector<Column>& columns() const { return columns_; }
  /// A row at this moment, by the columns. Valid until the next call.
  std::span<const double> row();
  /// All that row() was made from.
  const Row& whole_row() const { return row_now_; }
  /// Called by `advance` at every row of the case's `output_step`, from the first at t = 0 on.
  void on_row(std::function<void(double t, std::span<const double> values)> observer);
  /// Rows by the same times, kept as they come; the same series as in a file.
  void keep_rows();
  const Results& results() const { return kept_; }

  // ---- state out and in

  /// All that the simulation needs to go on from here, in numbers of meaning to a Simulation of the same case only.
  Checkpoint save() const;
  /// Goes back to it. From a checkpoint (on_checkpoint) it goes on with the same bits as it did then; from elsewhere within the
  /// tolerances, since the integrator starts anew. Throws std::invalid_argument for numbers of another case.
  void restore(const Checkpoint& checkpoint);

  // ---- for those who know what is inside

  /// Called at the case's checkpoints, the integrator about to start anew.
  void on_checkpoint(std::function<void()> act) { at_checkpoint_ = std::move(act); }
  /// Called after every step (Integrator::after_step). Before anything else is done.
  void after_step(Integrator::Look look);
  SimulatedSystem& simulated() { return *simulated_; }
  Drives& drives() { return drives_; }
  /// Since the start, and those of runs that were restored.
  IntegratorWork work() const;
  long rows_done() const { return row_; }
  double output_step() const { return output_step_; }
  double energy_start() const { return energy_start_; }
  /// The numbers that stand for the arm (SimulatedSystem).
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
  /// What a simulation with events goes back to when it is restored.
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
  /// Has the integrator ready to go towards the next stop.
  void ready();
  /// Goes on until t_out; true where it got there, else it is at a corner.
  bool go(double t_out);
  /// At stops_[next_]: goes over to what comes after it.
  void pass_stop();
  void pass_crossings();
  void sample(bool only_new = false);
  void record();
  void make_integrator();
  void give_up_integrator();

  // Events (simulation_events.cpp).
  void prepare_events(const Case& data);
  /// Makes those happen whose time has come.
  void pass_times();
  void happen(size_t event);
  /// Laws and arm as the event leaves them, at a state. y_ gets room for the states of the laws, and those that go on or begin.
  void enter_stage(size_t event, const State& now);
  void march_anew();
  /// What a link carries has changed: positions and rates go on, but for what a catch does; the books are kept straight.
  void exchange_payload(size_t event);
  /// Stops from now on, after drives have changed.
  void plan_stops();
  /// Back through the stages of a checkpoint; `at` moves on.
  void restore_events(const double*& at, const double* end);

  const Simulate simulate_;
  const SimulationOptions options_;
  Arm arm_;
  Events events_;
  Drives drives_;
  std::unique_ptr<SimulatedSystem> simulated_;
  std::vector<Column> columns_;
  std::vector<Stop> stops_;
  size_t next_ = 0;  // of the stops
  std::unique_ptr<Integrator> integrator_;
  bool fresh_ = false;  // the integrator has been restarted, and nothing has changed since
  Integrator::Look look_;
  IntegratorWork done_;  // of integrators given up at checkpoints
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

/// Formulations that a run can march, the default first.
std::vector<std::string> run_formulations();

}  // namespace lithe
