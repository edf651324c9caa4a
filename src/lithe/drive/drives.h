// drive/ — what moves the arm: motions of joints, torques, controllers, servos, loads. Takes the parts of a `Case` that say so and
// an `Arm`; gives, at a state, driven motions and generalised forces. Knows nothing of integration.
#pragma once

#include <cmath>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "lithe/arm/kinematics.h"
#include "lithe/drive/loads.h"
#include "lithe/dynamics/formulation.h"
#include "lithe/profile/profile_curve.h"

namespace lithe {

/// Everything that drives one arm in one run: given motions, torques, controllers, loads.
///
/// Sampled controllers hold their torque between samples; what they hold is the only memory here, and `memory` shows it so that
/// a run can be taken up again. Evaluations allocate nothing. One per thread.
class Drives {
 public:
  /// Throws FieldError for what makes no sense together (a table that cannot be read, a servo on no inertia).
  Drives(const Case& data, const Arm& arm);

  /// The state at t = 0 by the case's `initial`. Driven joints are where their motion starts and have its rate, unless `initial`
  /// gives them another: then they jump to the motion's (Marched::enter).
  State initial_state() const;

  /// Which coordinates have a given motion; empty of `true` when none has.
  const std::vector<bool>& driven() const { return driven_; }
  bool any_driven() const { return !motions_.empty(); }

  /// The undeformed arm where it should be: links straight, driven and controlled joints as commanded, others as they are.
  /// Positions only.
  void command_state(State& state) const;

  /// The commanded motion at state.t of driven and controlled coordinates: positions, rates, and accelerations in vdot. Others
  /// stay as they are.
  void command_motion(State& state, Eigen::Ref<VectorXd> vdot) const;

  /// Sets position and rate of driven coordinates at state.t, and their accelerations in vdot.
  void impose(State& state) const;
  void given_accelerations(double t, Eigen::Ref<VectorXd> vdot) const;

  /// Joint torques at a state as generalised forces; held values for sampled controllers. `model` serves gravity
  /// compensation and computed torque.
  void torques(const State& state, Formulation& model, Eigen::Ref<VectorXd> tau);
  /// The same as the laws ask for it at this moment, without saturation and sampling: for linear analysis.
  void unsaturated_torques(const State& state, Formulation& model, Eigen::Ref<VectorXd> tau);
  /// Coordinates whose acceleration a computed-torque law or a motion gives, and the accelerations that computed torque counted
  /// on in the last call above.
  const std::vector<bool>& commanded() const { return commanded_; }
  const VectorXd& computed_accelerations() const { return wanted_; }
  /// What loads add to the generalised forces.
  void add_loads(const State& state, Eigen::Ref<VectorXd> tau);
  /// The loads on each link's tip frame, [moment; force] at T's origin in world axes, one per link; those along links that bend.
  void add_load_wrenches(const State& state, const Kinematics& kinematics, std::vector<Vector6d>& on_tips,
                         std::vector<AlongLoad>& along) const;

  /// Chooses the smooth pieces in force between two stops of the integration (see ProfileCurve).
  void enter(double from, double to) { inside_ = (from + to) / 2; }
  /// A time by these pieces: what a state in the run is at, so that a moving base follows its profiles as joints do.
  Instant instant(double t) const { return {t, inside_}; }

  /// Gains that a servo's `structural_frequency` chose, with the inertia they were chosen for.
  struct ChosenGains {
    std::string joint;
    double kp = 0, kv = 0, inertia = 0;
  };
  const std::vector<ChosenGains>& chosen_gains() const { return chosen_gains_; }

  /// How far each controlled joint is from what it should do, command minus position, by joint name.
  std::vector<std::pair<std::string, double>> command_errors(const State& state) const;

  /// Times in (0, end] that an integrator must not step over: ends of profile pieces, the base's too, and samples.
  std::vector<double> breakpoints(double end) const;
  bool any_sampled() const { return any_sampled_; }
  /// Computes the held torques of the controllers whose sample falls on time t.
  void sample(const State& state, Formulation& model);

  /// Quantities whose change of sign is a corner in the forces: distances to soft stops, torques to saturation.
  int n_switches() const { return int(stops_.size()) + n_saturations_; }
  void switches(const State& state, Formulation& model, double* values);

  std::vector<double>& memory() { return memory_; }

  /// What a controller makes of any coordinate: −position·(q − start) − rate·v.
  struct Gain {
    int q0 = 0, v0 = 0;
    double start = 0, position = 0, rate = 0;
  };
  /// What a controller does about a state: τ = −kp·Δq − kd·Δv on coordinate v0, Δ of the weight on coordinate weight_v0
  /// where it carries that, and its gains on other coordinates.
  struct Feedback {
    std::string joint;
    int v0 = 0, weight_v0 = 0;
    double kp = 0, kd = 0;
    bool gravity_compensation = false;
    bool computed_torque = false;  // inverse dynamics: no spring and damper
    std::vector<Gain> gains;
  };
  std::vector<Feedback> feedback() const;

  /// Calls visit(v0, kp, kd, computed_torque, weight_v0, gains) for every controller whose torque follows the state at this
  /// moment: not sampled, not saturated. weight_v0 is the coordinate whose weight it carries, −1: of none.
  template <class Visit>
  void for_each_acting_law(const State& state, Formulation& model, Visit visit) {
    if (n_saturations_ > 0) prepare(state, model);
    for (const Law& law : laws_) {
      if (law.sample_time || (law.kind != Kind::pd && law.kind != Kind::computed_torque)) continue;
      if (law.saturation && std::abs(unlimited(law, state)) >= *law.saturation) continue;
      visit(law.v0, law.kp, law.kd, law.kind == Kind::computed_torque, law.gravity_compensation ? law.weight_v0 : -1,
            law.gains);
    }
  }
  /// Whether computed torque leaves coordinates to themselves that it takes as not accelerating.
  bool computed_torque_is_partial() const;
  /// Loads as they are at time t, for derivatives.
  void list_loads(double t, std::vector<SectionLoad>& loads) const { loads_.list(t, inside_, loads); }
  const Loads& loads() const { return loads_; }

 private:
  struct Motion {
    int q0, v0;
    ProfileCurve curve;
  };
  enum class Kind { constant, profile, pd, computed_torque };
  struct Law {
    Kind kind = Kind::constant;
    std::string joint;
    int q0 = 0, v0 = 0;  // of the coordinate the torque acts on
    int weight_v0 = 0;   // of the joint whose weight it may carry: the same, but behind an elastic transmission
    double constant = 0, kp = 0, kd = 0;
    bool gravity_compensation = false;
    std::vector<Gain> gains;
    std::optional<ProfileCurve> curve;
    std::optional<double> saturation, sample_time;
    int memory = -1;  // where a sampled law keeps its torque
  };
  struct Stop {
    int q0;
    double at;
  };

  /// Deformation::settled: controlled joints at their commands, then links, transmissions and joints on springs of controllers in
  /// equilibrium under gravity and the initial loads.
  void settle(const Case& data);
  Gain gain_of(const StateGain& given, const std::string& path) const;
  ProfileSample command(const Law& law, double t) const;
  double unlimited(const Law& law, const State& state) const;  // the law's torque before saturation; prepare() first
  void prepare(const State& state, Formulation& model);        // gravity and inverse dynamics that laws share

  const Arm arm_;
  State initial_;
  double inside_ = 0;
  std::vector<bool> driven_;
  std::vector<Motion> motions_;
  std::vector<Law> laws_;
  Loads loads_;
  std::vector<ChosenGains> chosen_gains_;
  std::vector<Stop> stops_;
  int n_saturations_ = 0;
  bool any_sampled_ = false, any_gravity_ = false, any_computed_ = false;
  std::vector<double> memory_;
  std::vector<bool> commanded_;  // coordinates whose acceleration a computed-torque law or a motion gives
  VectorXd gravity_, wanted_, computed_;
  Kinematics kin_;
};

/// Throws FieldError where `initial` says what cannot be: a coordinate that the arm does not have, or two things at once.
void check_initial(const Case& data, const Arm& arm);
/// The case with its links straight at the start: without the equilibrium that `initial` asks for.
Case undeformed_start(Case data);

/// The largest inertia coordinate v0 can see: the largest diagonal entry of the mass matrix over positions of the arm.
double largest_reflected_inertia(const Arm& arm, int v0);

}  // namespace lithe
