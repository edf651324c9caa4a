#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <string>

#include "lithe/dynamics/formulation.h"
#include "lithe/dynamics/internal_forces.h"
#include "lithe/results/results.h"

namespace lithe {

class Integrator;

/// Everything that a row of results needs at one time.
struct Row {
  State state;
  VectorXd vdot, tau;
  VectorXd constraint_forces;  // λ, row by row of the arm's constraints
  double kinetic = 0, elastic = 0, gravity = 0, put_in = 0, lost = 0;
  Pose X_WT;
  Vector3d tip_error;  // from the tip of the undeformed arm as commanded (Drives::command_state), world axes
  Vector3d tip_turn;   // rotation vector that turns the tip frame of that arm into this one, world axes
  // Valid until the next row:
  const Kinematics* kinematics = nullptr;
  const InternalForces* internal = nullptr;  // null where beams slide through guides
  std::vector<double> more;                  // of SimulatedSystem::more_columns
  double energy() const { return kinetic + elastic + gravity; }
};

/// What a run integrates: an arm and its drives as numbers y, the last two of which are the work input and the work dissipated.
class SimulatedSystem {
 public:
  virtual ~SimulatedSystem() = default;

  virtual VectorXd initial() = 0;
  /// The integrator of the run's method. `stop` set by another thread or a signal ends it.
  virtual std::unique_ptr<Integrator> integrator(const std::atomic<bool>* stop) = 0;
  /// Decides on the method where the case gives none, from the start.
  virtual void choose_method(const VectorXd& /*y_start*/) {}
  /// What the run should say of that choice: "rk4: why"; empty for the usual default.
  const std::string& method_chosen() const { return method_chosen_; }
  /// Passes from the smooth piece of the drives that ends at t to the one up to t_next (Drives::enter). If the commanded rate of a
  /// driven joint jumps, the arm is struck: y gets the rates after the impulses, and their work as input.
  virtual void enter(double t, double t_next, VectorXd& y) = 0;
  /// The state that y represents, with driven coordinates as given.
  virtual void state_of(double t, const double* y, State& state) = 0;
  /// Sets the state; all other numbers of y stay. Throws UnsupportedError if y has more unknowns than a state.
  virtual void set_state(const State& state, VectorXd& y);
  /// The same where this system takes the place of another one that has come to this state, with what it leaves open filled in.
  virtual void go_on_from(const State& state, VectorXd& y) { set_state(state, y); }
  /// The link's tip catches a body at rest in the world, `added` about its tip frame T; the arm is the one that carries it. y gets the rates
  /// after the impulse; the work of driven joints and of a moving base, whose rates do not change, counts as input. Throws as set_state does.
  virtual void catch_body(double t, int link, const RigidInertia& added, VectorXd& y);
  /// Adds a quantity whose zero crossing is a corner (Integrator::roots). Throws UnsupportedError if the methods find no roots.
  virtual void watch(const std::function<double(const State&)>& quantity);
  /// Removes the effects of rounding on y, at a stop.
  virtual void remove_drift(double t, VectorXd& y) = 0;
  virtual void row(double t, const double* y, int i_tip, Row& row) = 0;
  /// Columns of its rows in addition to `result_columns`.
  virtual std::vector<Column> more_columns() const { return {}; }
  /// A warning about the largest value of the k-th of them, or "".
  virtual std::string doubt_about_peak(size_t, double, double) const { return ""; }
  /// For controllers that ask for gravity or inverse dynamics.
  virtual Formulation& model() = 0;
  /// The shortest time in which anything happens at (t, y): 1/|fastest eigenvalue|; 0 where it is not known.
  virtual double fastest_time_scale(double t, const VectorXd& y) = 0;
  /// A step that the model itself takes, that of the air: a checkpoint must not cut it. 0 if there is none.
  virtual double own_step() const { return 0; }
  /// What to try if the integration fails.
  virtual std::string advice() const = 0;

  long evaluations() const { return evaluations_; }
  void set_evaluations(long n) { evaluations_ = n; }

 protected:
  long evaluations_ = 0;
  std::string method_chosen_;
};

}  // namespace lithe
