// drive/ — what moves the arm: motions of joints, torques, control laws, loads, forces. Takes these parts of a `Case` and
// an `Arm`; gives, at a state, driven motions and generalised forces. Does not depend on integration.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "lithe/arm/kinematics.h"
#include "lithe/drive/actuator.h"
#include "lithe/drive/force_slopes.h"
#include "lithe/drive/initial_state.h"
#include "lithe/drive/laws/law_site.h"
#include "lithe/drive/loads.h"
#include "lithe/drive/reflected_inertia.h"
#include "lithe/drive/sag.h"
#include "lithe/dynamics/formulation.h"
#include "lithe/profile/profile_curve.h"

namespace lithe {

/// A law that user code adds to those of the case.
struct AddedLaw {
  std::vector<std::string> joints;  // as many as it has outputs; none of them with a motion or a law in the case
  std::shared_ptr<Law> law;
  Actuation actuation = {};
};
/// Laws and forces that user code adds to those of the case.
struct DriveAdditions {
  std::vector<AddedLaw> laws = {};
  std::vector<std::shared_ptr<Force>> forces = {};
};

/// A law on its joints, with memory for its outputs.
struct PlacedLaw {
  std::string joint;  // the first it acts on
  std::shared_ptr<Law> law;
  std::vector<Coordinate> outputs;
  std::vector<int> weight_v0;     // per output: the coordinate of the joint whose weight it may hold
  std::vector<Coordinate> reads;  // those that the law reads, then those of its outputs that are not among them
  Actuator actuator;
  std::optional<double> sample_time;
  double begins = 0;   // when it began: samples count from then
  bool added = false;  // by user code, not by the case
  int states = 0;      // where its states begin: of a sampled law in Drives::memory, else in Drives::law_states
  int held = -1;       // of a sampled law: where in the memory it keeps its outputs

  int n_outputs() const { return int(outputs.size()); }
  bool sampled() const { return sample_time.has_value(); }
  VectorXd asked, excess;           // at the last evaluation: before the actuator, and what the actuator changed
  VectorXd share, own_by_rate;      // slopes of the actuator, per output
  LawSlopes slopes;                 // after the actuator
  VectorXd plus, minus, x, x_rate;  // memory for differences
};

/// Everything that drives one arm in one run: given motions, torques by control laws, loads, forces.
///
/// What laws have in common is done here, once: limits of actuators, sampling and holding, states of laws, slopes where a law
/// gives none. The values that sampled laws hold are the only memory here; `memory` gives access to it so that a run can be resumed.
/// Evaluations allocate nothing. One per thread.
class Drives {
 public:
  /// Throws FieldError for drives that cannot work (a table that cannot be read, a servo on no inertia).
  Drives(const Case& data, const Arm& arm, const DriveAdditions& additions = {});

  /// The same from the state `now` on, with other laws on some joints and on an arm whose payloads may have changed. New laws begin at
  /// that state; all others continue undisturbed with their states, held values and inputs, as do motions and loads. The law_states
  /// must have been set for that time. Throws FieldError.
  Drives changed(const Arm& arm, const std::map<std::string, Torque>& torques, const State& now) const;

  /// The state at t = 0 by the case's `initial`. Driven joints are where their motion starts and have its rate, unless `initial`
  /// gives them another: then they jump to the motion's (SimulatedSystem::enter).
  State initial_state() const;

  /// Which coordinates have a given motion; all false when none has.
  const std::vector<bool>& driven() const { return driven_; }
  bool any_driven() const { return !motions_.empty(); }

  /// The undeformed arm as commanded: links straight, driven and controlled joints as commanded, others as they are.
  /// Positions only.
  void command_state(State& state) const;

  /// The commanded motion at state.t of driven and controlled coordinates: positions, rates, and accelerations in vdot. Others
  /// stay as they are.
  void command_motion(State& state, Eigen::Ref<VectorXd> vdot) const;

  /// Sets position and rate of driven coordinates at state.t, and their accelerations in vdot.
  void impose(State& state) const;
  void given_accelerations(double t, Eigen::Ref<VectorXd> vdot) const;

  // ---- laws

  std::span<const PlacedLaw> laws() const { return laws_; }
  /// States of laws that act continuously, such as integrals. The integrator sets them before it asks for torques.
  VectorXd& law_states() { return law_states_; }
  int n_law_states() const { return int(law_states_.size()); }
  /// At t = 0.
  const VectorXd& initial_law_states() const { return initial_law_states_; }
  /// Their rates at the state of the last `torques`.
  void law_state_rates(const State& state, double* rates);

  /// Joint torques at a state as generalised forces; held values for sampled controllers. `model` serves gravity
  /// compensation and computed torque.
  void torques(const State& state, Formulation& model, Eigen::Ref<VectorXd> tau);
  /// The torques that the laws ask for at this time, without actuators and sampling: for linear analysis.
  void unsaturated_torques(const State& state, Formulation& model, Eigen::Ref<VectorXd> tau);
  /// Coordinates whose acceleration a computed-torque law or a motion gives, and the accelerations that computed torque assumed
  /// in the last call above.
  const std::vector<bool>& commanded() const { return commanded_; }
  const VectorXd& computed_accelerations() const { return wanted_; }
  /// Whether there are free coordinates that computed torque assumes not to accelerate.
  bool computed_torque_is_partial() const;

  /// Calls visit(placed) for every law whose outputs depend on the state at this time, with its `slopes`, `share` and `own_by_rate`: the
  /// torque of output i changes by slopes' row i and by own_by_rate[i] with the rate of its own coordinate. Of a law that gives
  /// accelerations the row is that of the acceleration where `accelerates`, else zero.
  template <class Visit>
  void for_each_acting_law(const State& state, Formulation& model, Visit visit) {
    if (asks_before_slopes_) ask(state, model);
    for (PlacedLaw& placed : laws_)
      if (update_slopes(placed, state)) visit(static_cast<const PlacedLaw&>(placed));
  }
  static bool accelerates(const PlacedLaw& placed, int output) {
    return placed.law->gives_accelerations() && placed.share[output] == 1;
  }
  /// The same for all laws as they are without actuators and sampling, at the states they start with.
  template <class Visit>
  void for_each_ideal_law(const State& state, Formulation& model, Visit visit) {
    find_what_laws_need(state, model);
    for (PlacedLaw& placed : laws_) {
      ideal_slopes(placed, state);
      visit(static_cast<const PlacedLaw&>(placed));
    }
  }

  /// Sets the torque of a joint under the law `input`; throws std::invalid_argument if it has no such law. Returns whether the value changed.
  bool set_input(const std::string& joint, double value);
  /// Their values, in the order of the laws.
  std::vector<double> inputs() const;
  void restore_inputs(std::span<const double> values);

  const std::vector<ChosenGains>& chosen_gains() const { return chosen_gains_; }
  /// The error of each controlled joint, command minus position, by joint name.
  std::vector<std::pair<std::string, double>> command_errors(const State& state) const;

  // ---- loads and forces

  /// Adds loads and forces to the generalised forces.
  void add_loads(const State& state, Eigen::Ref<VectorXd> tau);
  /// Energy and losses of the forces, at the state of the last add_loads.
  ForceEnergy force_energy(const State& state) const;
  bool any_forces() const { return !forces_.empty(); }
  /// Loads and listed forces on each link's tip frame, [moment; force] at T's origin in world axes, one per link; those along links
  /// that bend.
  void add_load_wrenches(const State& state, const Kinematics& kinematics, std::vector<Vector6d>& on_tips,
                         std::vector<AlongLoad>& along) const;
  /// The forces alone.
  void add_force_wrenches(const State& state, const Kinematics& kinematics, std::vector<Vector6d>& on_tips,
                          std::vector<AlongLoad>& along) const;
  /// Loads as they are at time t, for derivatives.
  void list_loads(double t, std::vector<SectionLoad>& loads) const { loads_.list(t, inside_, loads); }
  const Loads& loads() const { return loads_; }
  /// Of a load, by its place in the case: see Loads::factors.
  void set_load_factor(size_t i, double factor) { loads_.set_factor(i, factor); }
  /// Slopes ∂τ/∂q and ∂τ/∂v of the forces at a state, appended; what listed ones omit (Force::add_slopes) follows from `listed`.
  void list_forces(const State& state, std::vector<SectionLoad>& listed, Triplets& by_position, Triplets& by_rate);
  /// All slopes of the forces by differences, accurate to some 1e-9, also in motion.
  void difference_forces(const State& state, Triplets& by_position, Triplets& by_rate);
  /// Adds slopes of the power that forces dissipate, at the state of the last list_forces.
  void add_loss_slopes(const State& state, Eigen::Ref<VectorXd> by_position, Eigen::Ref<VectorXd> by_rate) const;
  /// Forces on an arm at rest; and with them the loads with their full value. Valid only while these Drives exist.
  OuterForces forces_at_rest() const { return lithe::forces_at_rest(forces_); }
  OuterForces all_at_rest() const { return together(loads_.unscaled(), forces_at_rest()); }

  // ---- time

  /// Chooses the smooth pieces in force between two stops of the integration (see ProfileCurve).
  void enter(double from, double to) { inside_ = (from + to) / 2; }
  /// A time within these pieces, so that a moving base follows its profiles as joints do.
  Instant instant(double t) const { return {t, inside_}; }
  /// Times in (0, end] that an integrator must not step over: ends of profile pieces, the base's too, and samples.
  std::vector<double> breakpoints(double end) const;
  bool any_sampled() const { return any_sampled_; }
  /// Computes the held torques of the controllers that sample at the state's time, or only of those that begin at that time.
  void sample(const State& state, Formulation& model, bool only_new = false);

  /// Quantities whose change of sign is a corner in the forces: distances to soft stops and to flanks of gears, torques to limits of actuators, those that
  /// laws and forces name.
  int n_switches() const { return int(stops_.size()) + n_gap_switches_ + n_law_switches_ + n_force_switches_; }
  void switches(const State& state, Formulation& model, double* values);

  std::vector<double>& memory() { return memory_; }
  const std::vector<double>& memory() const { return memory_; }

 private:
  struct Motion {
    int q0, v0;
    ProfileCurve curve;
  };
  struct Stop {
    int q0;
    double at;
  };

  const TorqueInput& actuated(const std::string& joint) const;
  /// The coordinate whose weight a torque there may hold: the same one or, behind an elastic transmission, that of the joint.
  int weight_of(const TorqueInput& input) const;
  /// Makes the case's law for a joint, which begins at `now`.
  PlacedLaw law_of(const std::string& joint, const Torque& torque, const State& now);
  PlacedLaw place(const std::vector<std::string>& joints, const std::shared_ptr<Law>& law, const Actuation& actuation);
  /// Adds it to the others, with memory for its states.
  void put(PlacedLaw placed);
  void update_commanded();
  /// Deformation::settled: controlled joints at their commands, then links, transmissions and joints on springs of controllers in
  /// equilibrium under gravity, the initial loads and the forces.
  void settle(const Case& data);
  void start_laws();
  void demand_commands() const;  // for the weight of a sagged arm
  LawReading reading(const PlacedLaw& placed, const State& state) const;
  const double* states_of(const PlacedLaw& placed) const;
  /// Computes the weight and inverse dynamics that laws share.
  void find_what_laws_need(const State& state, Formulation& model);
  /// Evaluates what the law asks for at this time, after find_what_laws_need.
  void ask(PlacedLaw& placed, const State& state);
  /// Evaluates what every law asks for; sampled laws give what they hold.
  void ask(const State& state, Formulation& model);
  bool update_slopes(PlacedLaw& placed, const State& state);
  void ideal_slopes(PlacedLaw& placed, const State& state);
  void raw_slopes(PlacedLaw& placed, const State& state, const double* x);
  bool has_switches(const PlacedLaw& placed) const { return !placed.sampled() || placed.actuator.envelope; }

  Arm arm_;
  std::vector<std::shared_ptr<Force>> forces_;
  State initial_;
  double inside_ = 0;
  std::vector<bool> driven_;
  std::vector<Motion> motions_;
  std::vector<PlacedLaw> laws_;
  Loads loads_;
  std::vector<ChosenGains> chosen_gains_;
  std::vector<Stop> stops_;
  int n_gap_switches_ = 0, n_law_switches_ = 0, n_force_switches_ = 0;
  bool any_sampled_ = false, any_weight_ = false, any_computed_ = false, asks_before_slopes_ = false;
  bool asks_for_switches_ = false;
  std::optional<Sag> sag_;  // present if a law holds the weight of the sagged arm
  std::vector<double> memory_, initial_memory_;
  VectorXd law_states_, initial_law_states_;
  std::vector<bool> commanded_;  // coordinates whose acceleration a computed-torque law or a motion gives
  VectorXd weight_, sagged_weight_, wanted_, computed_;
  Kinematics kin_;
  State moved_;  // memory for differences, and for the commanded arm
  ForceSlopes force_slopes_;
  mutable std::vector<SectionLoad> listed_;
};

}  // namespace lithe
