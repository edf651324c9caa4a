#pragma once

#include <optional>
#include <string>
#include <vector>

#include "lithe/arm/state.h"
#include "lithe/profile/profile_curve.h"

namespace lithe {

/// The indices of a coordinate in a state: of its position in q, of its rate in v. A rate without a position of its own (of a
/// free base, of a ball joint) has q0 = −1.
struct Coordinate {
  int q0 = -1, v0 = 0;
};

/// What a law may read at one time.
struct LawReading {
  const State& state;      // t, q, v of the whole arm
  double inside;           // identifies the smooth piece of profiles that applies (ProfileCurve::at)
  const VectorXd& weight;  // nv: ∂V/∂z of the arm's weight; only for laws that need it
};

/// What Drives must compute before it evaluates a law.
struct LawNeeds {
  bool weight = false;         // of the arm in its present state
  bool sagged_weight = false;  // of the arm at rest at the commanded positions, in place of the above
};

/// How a law's outputs and the rates of its states change with what it reads. Sized and zeroed by the caller; columns are those of
/// Law::reads.
struct LawSlopes {
  MatrixXd by_position, by_rate, by_state;                    // of the outputs: n_outputs × n_reads, × n_states
  VectorXd by_weight;                                         // of the outputs, by the weight on their own joint
  MatrixXd state_by_position, state_by_rate, state_by_state;  // of the states' rates: n_states × …
  MatrixXd state_by_excess;                                   // n_states × n_outputs

  void resize(int n_outputs, int n_reads, int n_states);
  void set_zero();
};

/// A control law: computes torques on joints from the state of the arm and from its own states.
///
/// A law says which coordinates it reads and what it asks for. Drives does what is the same for all laws: it limits
/// torques by the actuator, samples and holds them, integrates the law's states with the run (or keeps them between samples), asks for
/// slopes if a method or an analysis needs them, and takes differences if a law has none.
///
/// All functions except `settle` and `set_input` are const and depend only on their arguments: an integrator may evaluate any time in
/// any order. Evaluations allocate nothing. A law belongs to the drives of one run: one per thread.
class Law {
 public:
  virtual ~Law() = default;

  /// The number of joints on which it acts. Outputs are in the order in which these were given.
  virtual int n_outputs() const { return 1; }
  /// Whether its outputs are accelerations of its coordinates, which inverse dynamics turns into torques.
  virtual bool gives_accelerations() const { return false; }
  /// The coordinates on which outputs and states depend; slopes are by these.
  virtual std::vector<Coordinate> reads() const = 0;
  virtual LawNeeds needs() const { return {}; }

  /// The torques (or accelerations) that it asks for, before any limit. `x`: its states.
  virtual void outputs(const LawReading& now, const double* x, double* out) const = 0;
  /// Fills slopes of `outputs` and `state_rates`. False: it has none, and differences are taken. A law that reads the weight should
  /// have them: differences do not include how the weight changes.
  virtual bool slopes(const LawReading&, const double* /*x*/, LawSlopes&) const { return false; }

  // ---- its own states, such as an integral

  virtual int n_states() const { return 0; }
  /// "integral": a linear model calls it JOINT.integral.
  virtual std::string state_name(int /*k*/) const { return "state"; }
  virtual void start(const LawReading&, double* /*x*/) const {}
  /// Of a law that acts continuously. `excess`: what the actuator changed in each output, applied − asked.
  virtual void state_rates(const LawReading&, const double* /*x*/, const double* /*excess*/, double* /*xdot*/) const {}
  /// Of a sampled law: from one sample to the next, after its outputs were taken. By default a step of Euler's method; then
  /// `rates` is room for n_states numbers.
  virtual void advance(const LawReading& now, double interval, const double* excess, double* x, double* rates) const;

  // ---- corners

  /// Adds times at which its outputs may have a jump or a corner.
  virtual void add_breakpoints(std::vector<double>& /*times*/) const {}
  /// Quantities whose change of sign is a corner in its outputs or in the rates of its states. Limits of the actuator are not among them.
  virtual int n_switches() const { return 0; }
  virtual void switches(const LawReading&, const double* /*x*/, double* /*values*/) const {}

  // ---- what other parts ask about it

  /// The commanded motion of its joint, if it has a command.
  virtual std::optional<ProfileSample> command(double /*t*/, double /*inside*/) const { return {}; }
  /// Its answer to a deviation from the command of its own joint: −kp Δq − kd Δv (of accelerations, where it gives those).
  struct Spring {
    double kp = 0, kd = 0;
  };
  virtual std::optional<Spring> spring() const { return {}; }
  /// Whether it is only that spring.
  virtual bool only_spring() const { return false; }
  /// Whether it holds any weight with its joint at the command; otherwise the joint sinks onto its spring.
  virtual bool holds() const { return true; }
  /// Called if the run starts settled (`deformation: settled`), at a state where its joint needs `torque` to stay.
  virtual void settle(const State& /*state*/, double /*torque*/) {}

  /// For a law whose output user code sets: true, and `value` applies from now on.
  virtual bool set_input(double /*value*/) { return false; }
  virtual std::optional<double> input() const { return {}; }
};

}  // namespace lithe
