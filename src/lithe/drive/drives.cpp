#include "lithe/drive/drives.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "lithe/describe/case_limits.h"
#include "lithe/describe/limits.h"
#include "lithe/drive/forces/make_forces.h"
#include "lithe/dynamics/articulated/articulated.h"
#include "lithe/spatial/demand.h"

namespace lithe {
namespace {

/// Throws if a given motion jumps from one position to another during the run: no force can follow it.
void refuse_leaps(const ProfileCurve& curve, const std::string& path, double until) {
  if (const auto leap = first_leap(curve, &ProfileSample::value, until))
    throw FieldError(path, fmt::format("jumps from {:.6g} to {:.6g} at t = {:.6g} s, which a driven joint cannot do: "
                                       "end this part where the next begins, or let a controller `follow` the profile",
                                       leap->from, leap->to, leap->t));
}

std::vector<std::shared_ptr<Force>> forces_of(const Case& data, const Arm& arm, const DriveAdditions& additions) {
  std::vector<std::shared_ptr<Force>> forces = make_forces(data.forces, arm);
  forces.insert(forces.end(), additions.forces.begin(), additions.forces.end());
  return forces;
}

}  // namespace

Drives::Drives(const Case& data, const Arm& arm, const DriveAdditions& additions)
    : arm_(arm),
      forces_(forces_of(data, arm, additions)),
      initial_(start_of(data, arm, forces_at_rest())),
      driven_(arm.nv(), false),
      loads_(data.loads, "loads", arm),
      weight_(VectorXd::Zero(arm.nv())),
      sagged_weight_(VectorXd::Zero(arm.nv())),
      wanted_(VectorXd::Zero(arm.nv())),
      computed_(VectorXd::Zero(arm.nv())),
      moved_(State::zero(arm)),
      force_slopes_(arm) {
  for (const auto& [joint, profile] : data.motion) {
    const TorqueInput& input = actuated(joint);
    LITHE_DEMAND(input.q >= 0);
    motions_.push_back({input.q, input.v, ProfileCurve(profile, initial_.q[input.q], "motion." + joint)});
    driven_[input.v] = true;
    refuse_leaps(motions_.back().curve, "motion." + joint,
                 data.simulate ? data.simulate->duration : std::numeric_limits<double>::infinity());
  }
  for (const auto& [joint, torque] : data.torque) put(law_of(joint, torque, initial_));
  for (const AddedLaw& added : additions.laws) {
    put(place(added.joints, added.law, added.actuation));
    laws_.back().added = true;
  }
  update_commanded();
  for (const Link& link : arm_.links())
    for (int k = 0; k < link.nv(); ++k) {
      const auto& limits = link.forces[k].limits;
      if (!limits || limits->stiffness == 0) continue;
      stops_.push_back({link.q0 + k, limits->lower});
      stops_.push_back({link.q0 + k, limits->upper});
    }
  for (const Transmission& one : arm_.transmissions()) n_gap_switches_ += one.n_switches();
  for (const auto& force : forces_) n_force_switches_ += force->n_switches();
  if (sag_) demand_commands();
  if (data.initial.deformation == Deformation::settled) settle(data);
  const VectorXd given_rates = initial_.v;
  impose(initial_);
  for (const auto& [joint, profile] : data.motion)
    if (const auto given = data.initial.joints.find(joint); given != data.initial.joints.end() && given->second.rate)
      initial_.v[actuated(joint).v] = given_rates[actuated(joint).v];
  update_kinematics(arm_, initial_, kin_);
  start_laws();
}

/// The coordinate that a joint's motion or torque acts on: behind an elastic transmission the rotor.
const TorqueInput& Drives::actuated(const std::string& joint) const {
  if (const TorqueInput* input = arm_.find_torque_input(joint)) return *input;
  throw FieldError("torque." + joint, fmt::format("no joint '{}'", joint));
}

int Drives::weight_of(const TorqueInput& input) const {
  for (const Transmission& spring : arm_.transmissions())
    if (spring.rotor_link == input.link) return arm_.link(spring.joint_link).v0;
  return input.v;
}

PlacedLaw Drives::law_of(const std::string& joint, const Torque& torque, const State& now) {
  const TorqueInput& input = actuated(joint);
  const LawSite site{arm_, now, joint, "torque." + joint, {input.q, input.v}, weight_of(input), now.t};
  MadeLaw made = make_law(torque, site);
  if (made.chosen) chosen_gains_.push_back(*made.chosen);
  PlacedLaw law = place({joint}, made.law, made.actuation);
  law.begins = now.t;
  return law;
}

void Drives::update_commanded() {
  commanded_ = driven_;
  for (const PlacedLaw& placed : laws_)
    if (placed.law->gives_accelerations())
      for (const Coordinate& output : placed.outputs) commanded_[output.v0] = true;
}

PlacedLaw Drives::place(const std::vector<std::string>& joints, const std::shared_ptr<Law>& law,
                        const Actuation& actuation) {
  LITHE_DEMAND(law != nullptr && int(joints.size()) == law->n_outputs() && !joints.empty());
  PlacedLaw placed;
  placed.joint = joints.front();
  placed.law = law;
  placed.actuator = {actuation.saturation, actuation.envelope};
  placed.sample_time = actuation.sample_time;
  placed.reads = law->reads();
  for (const std::string& joint : joints) {
    const TorqueInput& input = actuated(joint);
    const auto taken = [&](const PlacedLaw& other) {
      return std::any_of(other.outputs.begin(), other.outputs.end(),
                         [&](const Coordinate& output) { return output.v0 == input.v; });
    };
    if (driven_[input.v]) throw FieldError("torque." + joint, fmt::format("joint '{}' already has a motion", joint));
    if (std::any_of(laws_.begin(), laws_.end(), taken) || taken(placed))
      throw FieldError("torque." + joint, fmt::format("joint '{}' already has a law", joint));
    LITHE_DEMAND(input.q >= 0 || !law->command(0, 0));  // a command is a position
    placed.outputs.push_back({input.q, input.v});
    placed.weight_v0.push_back(weight_of(input));
    const auto same = [&](const Coordinate& read) { return read.v0 == input.v; };
    if (std::none_of(placed.reads.begin(), placed.reads.end(), same)) placed.reads.push_back(placed.outputs.back());
  }
  return placed;
}

void Drives::put(PlacedLaw placed) {
  const std::shared_ptr<Law>& law = placed.law;
  const int n = placed.n_outputs(), n_states = law->n_states();
  for (VectorXd* vector : {&placed.asked, &placed.excess, &placed.own_by_rate}) vector->setZero(n);
  placed.share.setOnes(n);
  placed.slopes.resize(n, int(placed.reads.size()), n_states);
  for (VectorXd* vector : {&placed.plus, &placed.minus}) vector->setZero(n + n_states);
  for (VectorXd* vector : {&placed.x, &placed.x_rate}) vector->setZero(n_states);
  const LawNeeds needs = law->needs();
  any_weight_ |= needs.weight;
  if (needs.sagged_weight && arm_.has_backlash())
    throw UnsupportedError("torque." + placed.joint + ".pd.gravity_of",
                           "`command` needs gears without backlash, behind which joints hang by their stiffness; use "
                           "`state`");
  if (needs.sagged_weight && !sag_) sag_.emplace(arm_);
  any_computed_ |= law->gives_accelerations();
  // Limits, states that depend on the limits, and differences need the torques that are asked for.
  asks_before_slopes_ |= placed.actuator.limits() || n_states > 0;
  if (placed.sampled()) {
    any_sampled_ = true;
    placed.held = int(memory_.size());
    placed.states = placed.held + n;
    memory_.resize(memory_.size() + size_t(n + n_states), 0);
  } else {
    placed.states = int(law_states_.size());
    law_states_.conservativeResize(law_states_.size() + n_states);
    n_law_switches_ += law->n_switches();
    asks_for_switches_ |= law->n_switches() > 0;
  }
  if (has_switches(placed)) {
    n_law_switches_ += n * placed.actuator.n_switches();
    asks_for_switches_ |= placed.actuator.n_switches() > 0;
  }
  laws_.push_back(std::move(placed));
}

State Drives::initial_state() const { return initial_; }

void Drives::demand_commands() const {
  std::vector<bool> known = driven_;
  std::string who;
  for (const PlacedLaw& placed : laws_) {
    if (placed.law->command(0, 0))
      for (const Coordinate& output : placed.outputs) known[output.v0] = true;
    if (placed.law->needs().sagged_weight) who = placed.joint;
  }
  for (const TorqueInput& input : arm_.torque_inputs())
    if (!known[input.v])
      throw FieldError(
          "torque." + who + ".pd.gravity_of",
          fmt::format(
              "`command`: joint '{}' has no commanded position; give it a motion or a controller, or use `state`",
              input.name));
  for (const Link& link : arm_.links())
    if (link.role == LinkRole::base)
      throw FieldError("torque." + who + ".pd.gravity_of",
                       "`command`: a free or planar base has no commanded position; use `state`");
}

void Drives::settle(const Case& data) {
  const Loads loads(data.initial.loads, "initial.loads", arm_);
  std::vector<bool> held = held_by_motors(arm_);
  struct Sunk {
    const PlacedLaw* placed;
    Coordinate at;
    double kp, command;
    double pull(const State& state) const { return kp * (command - state.q[at.q0]); }
  };
  std::vector<Sunk> springs;
  for (const PlacedLaw& placed : laws_) {
    const auto commanded = placed.law->command(0, inside_);
    if (!commanded) continue;
    const Coordinate at = placed.outputs.front();
    const auto given = data.initial.joints.find(placed.joint);
    if (given != data.initial.joints.end() && std::abs(given->second.position - commanded->value) > 1e-12)
      throw FieldError("initial." + placed.joint,
                       "`deformation: settled` starts the joint at its command: give only one of the two");
    initial_.q[at.q0] = commanded->value;
    // Joints whose laws hold the weight stay there.
    const auto spring = placed.law->spring();
    if (placed.law->holds() || !spring || !(spring->kp > 0)) continue;
    springs.push_back({&placed, at, spring->kp, commanded->value});
    held[at.v0] = false;
  }
  if (!springs.empty() && arm_.small_tips())
    throw UnsupportedError("initial.deformation",
                           "`settled` needs `tip_rotation: finite` where joints yield; with `small` use `static`");
  const OuterForces yielding{[&](const SmallMotion& motion, Eigen::Ref<VectorXd> force) {
                               for (const Sunk& law : springs) force[law.at.v0] += law.pull(motion.state());
                             },
                             [&](const SmallMotion&, Triplets& entries) {
                               for (const Sunk& law : springs) entries.emplace_back(law.at.v0, law.at.v0, law.kp);
                             }};
  const OuterForces sunk = springs.empty() ? OuterForces{} : yielding;
  const OuterForces outer = together(together(loads.unscaled(), forces_at_rest()), sunk);
  const Equilibrium rest = find_equilibrium(arm_, initial_, held, arm_.gravity(), outer);
  initial_.q = rest.state.q;
  for (const PlacedLaw& placed : laws_) placed.law->settle(initial_, rest.force[placed.outputs.front().v0]);
  for (const Sunk& law : springs) {
    const double needed = law.pull(initial_), left = law.placed->actuator.apply(needed, 0);
    if (left != needed)
      throw FieldError("torque." + law.placed->joint,
                       fmt::format("cannot hold the arm where it would settle: that takes {:.4g}, but its {} is {:.4g}",
                                   std::abs(needed), law.placed->actuator.saturation ? "saturation" : "stall torque",
                                   std::abs(left)));
  }
}

void Drives::start_laws() {
  for (PlacedLaw& placed : laws_) {
    if (placed.law->n_states() == 0) continue;
    double* x = placed.sampled() ? memory_.data() + placed.states : law_states_.data() + placed.states;
    placed.law->start(reading(placed, initial_), x);
  }
  initial_law_states_ = law_states_;
  initial_memory_ = memory_;
}

void Drives::impose(State& state) const {
  for (const Motion& motion : motions_) {
    const ProfileSample sample = motion.curve.at(state.t, inside_);
    state.q[motion.q0] = sample.value;
    state.v[motion.v0] = sample.rate;
  }
}

void Drives::command_state(State& state) const {
  impose(state);
  for (const PlacedLaw& placed : laws_)
    if (const auto want = placed.law->command(state.t, inside_)) state.q[placed.outputs.front().q0] = want->value;
  for (const Link& link : arm_.links()) {
    state.q.segment(link.flex_q0(), link.n_flex()).setZero();
    if (link.role == LinkRole::segment) state.q[link.q0] = 0;
  }
  // Behind an elastic transmission the command applies to the rotor.
  for (const Transmission& spring : arm_.transmissions()) {
    const Link &joint = arm_.link(spring.joint_link), &rotor = arm_.link(spring.rotor_link);
    state.q[joint.q0] = state.q[rotor.q0];
  }
}

void Drives::command_motion(State& state, Eigen::Ref<VectorXd> vdot) const {
  impose(state);
  given_accelerations(state.t, vdot);
  for (const PlacedLaw& placed : laws_) {
    const auto want = placed.law->command(state.t, inside_);
    if (!want) continue;
    const Coordinate at = placed.outputs.front();
    state.q[at.q0] = want->value;
    state.v[at.v0] = want->rate;
    vdot[at.v0] = want->acceleration;
  }
}

void Drives::given_accelerations(double t, Eigen::Ref<VectorXd> vdot) const {
  for (const Motion& motion : motions_) vdot[motion.v0] = motion.curve.at(t, inside_).acceleration;
}

// ------------------------------------------------------------------------------------------- loads and forces

void Drives::add_load_wrenches(const State& state, const Kinematics& kin, std::vector<Vector6d>& on_tips,
                               std::vector<AlongLoad>& along) const {
  loads_.add_wrenches(arm_, state, kin, inside_, on_tips, along);
  add_force_wrenches(state, kin, on_tips, along);
}

void Drives::add_force_wrenches(const State& state, const Kinematics& kin, std::vector<Vector6d>& on_tips,
                                std::vector<AlongLoad>& along) const {
  listed_.clear();
  for (const auto& force : forces_) force->list({state, kin}, listed_);
  for (const SectionLoad& load : listed_) add_wrench(load, arm_, state, kin, on_tips, along);
}

void Drives::add_loads(const State& state, Eigen::Ref<VectorXd> tau) {
  if (loads_.empty() && forces_.empty()) return;
  update_kinematics(arm_, state, kin_);
  loads_.add(arm_, state, kin_, inside_, tau);
  for (const auto& force : forces_) force->add({state, kin_}, tau);
}

ForceEnergy Drives::force_energy(const State& state) const {
  ForceEnergy sum;
  for (const auto& force : forces_) {
    const ForceEnergy one = force->energy({state, kin_});
    sum.stored += one.stored;
    sum.stored_rate += one.stored_rate;
    sum.lost += one.lost;
  }
  return sum;
}

void Drives::list_forces(const State& state, std::vector<SectionLoad>& listed, Triplets& by_position,
                         Triplets& by_rate) {
  if (forces_.empty()) return;
  update_kinematics(arm_, state, kin_);
  for (const auto& force : forces_) force_slopes_.add(*force, {state, kin_}, by_position, by_rate, listed);
}

void Drives::difference_forces(const State& state, Triplets& by_position, Triplets& by_rate) {
  update_kinematics(arm_, state, kin_);
  for (const auto& force : forces_) force_slopes_.add_differences(*force, {state, kin_}, by_position, by_rate);
}

void Drives::add_loss_slopes(const State& state, Eigen::Ref<VectorXd> by_position, Eigen::Ref<VectorXd> by_rate) const {
  for (const auto& force : forces_) force->add_loss_slopes({state, kin_}, by_position, by_rate);
}

// ------------------------------------------------------------------------------------------- time

std::vector<double> Drives::breakpoints(double end) const {
  std::vector<double> times;
  for (const Motion& motion : motions_)
    times.insert(times.end(), motion.curve.breakpoints().begin(), motion.curve.breakpoints().end());
  times.insert(times.end(), arm_.root_corners().begin(), arm_.root_corners().end());
  loads_.add_breakpoints(times);
  for (const auto& force : forces_) force->add_breakpoints(times);
  for (const PlacedLaw& placed : laws_) {
    placed.law->add_breakpoints(times);
    if (!placed.sample_time) continue;
    const long n = count_of_steps(end - placed.begins, *placed.sample_time, limits::stops - long(times.size()),
                                  "torque." + placed.joint, "samples of the controllers", "a longer sample_time");
    for (long k = 1; k < n; ++k) times.push_back(placed.begins + double(k) * *placed.sample_time);
  }
  std::erase_if(times, [&](double t) { return t <= 0 || t > end; });
  std::sort(times.begin(), times.end());
  times.erase(std::unique(times.begin(), times.end()), times.end());
  return times;
}

void Drives::switches(const State& state, Formulation& model, double* values) {
  for (const Stop& stop : stops_) *values++ = state.q[stop.q0] - stop.at;
  for (const Transmission& one : arm_.transmissions()) {
    const Link &joint = arm_.link(one.joint_link), &rotor = arm_.link(one.rotor_link);
    values = one.switches(state.q[rotor.q0] - state.q[joint.q0], state.v[rotor.v0] - state.v[joint.v0], values);
  }
  if (n_law_switches_ > 0) {
    if (asks_for_switches_) ask(state, model);
    for (const PlacedLaw& placed : laws_) {
      if (!has_switches(placed)) continue;
      for (int i = 0; i < placed.n_outputs(); ++i)
        values = placed.actuator.switches(placed.asked[i], state.v[placed.outputs[size_t(i)].v0], values);
      if (placed.sampled()) continue;
      placed.law->switches(reading(placed, state), states_of(placed), values);
      values += placed.law->n_switches();
    }
  }
  if (n_force_switches_ == 0) return;
  update_kinematics(arm_, state, kin_);
  for (const auto& force : forces_) {
    force->switches({state, kin_}, values);
    values += force->n_switches();
  }
}

}  // namespace lithe
