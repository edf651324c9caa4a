#include "lithe/drive/drives.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <random>
#include <set>

#include "lithe/describe/case_limits.h"
#include "lithe/describe/limits.h"
#include "lithe/describe/spelling.h"
#include "lithe/dynamics/articulated/articulated.h"
#include "lithe/dynamics/axle.h"
#include "lithe/spatial/demand.h"

namespace lithe {
namespace {

/// The case's own start: joints, base, rotors with their joints.
State start_of(const Case& data, const Arm& arm) {
  check_initial(data, arm);
  State state = State::zero(arm);
  for (const Link& link : arm.links()) {
    for (int k = 0; k < link.nv(); ++k) {
      const auto given = data.initial.joints.find(arm.coordinates()[link.v0 + k]);
      if (given == data.initial.joints.end()) continue;
      if (link.joint->coordinates()[k].has_position) state.q[link.q0 + k] = given->second.position;
      state.v[link.v0 + k] = given->second.rate.value_or(0);
    }
    if (const auto whole = data.initial.joints.find(link.joint_name);
        whole != data.initial.joints.end() && whole->second.rpy) {
      const Quaterniond turn(rpy_rotation(*whole->second.rpy));
      state.q.segment<4>(link.q0 + link.joint->quaternion()) << turn.w(), turn.vec();
    }
    for (int k = 0; k < link.n_flex(); ++k) {
      const auto given = data.initial.joints.find(arm.coordinates()[link.flex_v0() + k]);
      if (given == data.initial.joints.end()) continue;
      state.q[link.flex_q0() + k] = given->second.position;
      state.v[link.flex_v0() + k] = given->second.rate.value_or(0);
    }
    if (!link.is_base || !data.initial.base) continue;
    const InitialBase& base = *data.initial.base;
    if (link.joint->group() == Joint::Group::motion) {
      const Quaterniond turn(rpy_rotation(base.rpy));
      state.q.segment<7>(link.q0) << base.xyz, turn.w(), turn.vec();
      state.v.segment<6>(link.v0) << base.angular_velocity, base.velocity;
    } else if (arm.turns()[link.v0]) {
      state.q[link.q0] = base.rpy.z();
      state.v[link.v0] = base.angular_velocity.z();
    } else {
      const int axis = link.name == "base.x" ? 0 : 1;
      state.q[link.q0] = base.xyz[axis];
      state.v[link.v0] = base.velocity[axis];
    }
  }
  if (arm.axle()) {
    const double slip = Axle(arm).slip(state);
    if (std::abs(slip) > 1e-9 * (1 + state.v.norm()))
      throw FieldError("initial.base", fmt::format("moves sideways over its wheels, by {:.3g} m/s", slip));
  }
  for (const Transmission& spring : arm.transmissions()) {
    const Link &joint = arm.link(spring.joint_link), &rotor = arm.link(spring.rotor_link);
    if (data.initial.joints.contains(rotor.joint_name)) continue;
    state.q[rotor.q0] = state.q[joint.q0];
    state.v[rotor.v0] = state.v[joint.v0];
  }
  if (data.initial.deformation != Deformation::at_rest)
    return state;  // `settled` needs the controllers: Drives::settle
  // Joints stay where they are told to be, also behind a transmission: its rotor then winds up until the spring carries them.
  std::vector<bool> held = held_by_motors(arm);
  for (const Transmission& spring : arm.transmissions()) held[arm.link(spring.joint_link).v0] = true;
  const Loads loads(data.initial.loads, "initial.loads", arm);
  Equilibrium rest = find_equilibrium(arm, state, held, arm.gravity(), loads.in_full());
  wind_up(arm, rest);
  state.q = rest.state.q;
  return state;
}

/// Throws where a given motion jumps from one place to another during the run: no force can follow it.
void refuse_leaps(const ProfileCurve& curve, const std::string& path, double until) {
  if (const auto leap = first_leap(curve, &ProfileSample::value, until))
    throw FieldError(path,
                     fmt::format("leaps from {:.6g} to {:.6g} at t = {:.6g} s: a driven joint cannot; end this part "
                                 "where the next begins, or let a controller `follow` the profile",
                                 leap->from, leap->to, leap->t));
}

}  // namespace

void check_initial(const Case& data, const Arm& arm) {
  const bool at_rest = data.initial.deformation != Deformation::zero;
  std::set<std::string> joints, deformations;
  for (const Link& link : arm.links()) {
    (link.is_segment ? deformations : joints).insert(link.joint_name);
    for (int k = 0; k < link.nv(); ++k)
      if (!link.is_segment) joints.insert(arm.coordinates()[link.v0 + k]);
    for (int k = 0; k < link.n_flex(); ++k) deformations.insert(arm.coordinates()[link.flex_v0() + k]);
  }
  for (const auto& [name, given] : data.initial.joints) {
    if (joints.contains(name)) continue;
    if (!deformations.contains(name))
      throw FieldError("initial." + name,
                       fmt::format("no coordinate '{}'{} Coordinates: {}", name,
                                   guess_in_sentence(name, arm.coordinates()), comma_list(arm.coordinates())));
    if (at_rest && given.position != 0)
      throw FieldError("initial." + name, "`deformation` finds it: expected one of the two (a rate may stay)");
  }
  if (!at_rest && !data.initial.loads.empty())
    throw FieldError("initial.loads",
                     "bends nothing: expected `deformation: static` beside it, or `loads` of the case itself");
}

Case undeformed_start(Case data) {
  data.initial.deformation = Deformation::zero;
  data.initial.loads.clear();
  return data;
}

double largest_reflected_inertia(const Arm& arm, int v0) {
  Articulated dynamics(arm.with_tip_rotation(TipRotation::finite).without_guides().without_axle());
  MatrixXd M(arm.nv(), arm.nv());
  State state = State::zero(arm);
  auto inertia_at = [&](const VectorXd& q) {
    state.q = q;
    dynamics.mass_matrix(state, M);
    return M(v0, v0);
  };
  // A coarse search from a few starts, then coordinate by coordinate; deterministic.
  std::minstd_rand random(3);
  std::uniform_real_distribution<double> uniform(-1, 1);
  double best = 0;
  for (int start = 0; start < 20; ++start) {
    VectorXd q = State::zero(arm).q;
    auto range_of = [&](const Link& link, int k) {
      const auto& limits = link.forces[k].limits;
      const double wide = arm.turns()[link.v0 + k] ? std::numbers::pi : 1;
      return std::pair{limits ? limits->lower : -wide, limits ? limits->upper : wide};
    };
    if (start > 0)
      for (const Link& link : arm.links())
        for (int k = 0; k < link.nv(); ++k)
          if (link.joint->coordinates()[k].has_position && !link.is_base && !link.is_segment)
            q[link.q0 + k] = std::lerp(range_of(link, k).first, range_of(link, k).second, (uniform(random) + 1) / 2);
    double value = inertia_at(q);
    for (double width = 1; width > 1e-6; width /= 2) {
      for (const Link& link : arm.links()) {
        if (link.is_base || link.is_rotor || link.is_segment) continue;
        for (int k = 0; k < link.nv(); ++k) {
          if (!link.joint->coordinates()[k].has_position) continue;
          const auto [low, high] = range_of(link, k);
          for (const double side : {-1.0, 1.0}) {
            VectorXd trial = q;
            trial[link.q0 + k] = std::clamp(q[link.q0 + k] + side * width, low, high);
            if (const double other = inertia_at(trial); other > value) {
              value = other;
              q = trial;
            }
          }
        }
      }
    }
    best = std::max(best, value);
  }
  return best;
}

Drives::Drives(const Case& data, const Arm& arm)
    : arm_(arm),
      initial_(start_of(data, arm)),
      driven_(arm.nv(), false),
      loads_(data.loads, "loads", arm),
      gravity_(arm.nv()),
      wanted_(arm.nv()),
      computed_(arm.nv()) {
  // The coordinate that a joint's motion or torque acts on: behind an elastic transmission the rotor.
  auto actuated = [&](const std::string& joint) -> const TorqueInput& {
    if (const TorqueInput* input = arm_.find_torque_input(joint)) return *input;
    throw FieldError("torque." + joint, fmt::format("no joint '{}'", joint));
  };
  for (const auto& [joint, profile] : data.motion) {
    const TorqueInput& input = actuated(joint);
    LITHE_DEMAND(input.q >= 0);
    motions_.push_back({input.q, input.v, ProfileCurve(profile, initial_.q[input.q], "motion." + joint)});
    driven_[input.v] = true;
    refuse_leaps(motions_.back().curve, "motion." + joint,
                 data.simulate ? data.simulate->duration : std::numeric_limits<double>::infinity());
  }
  for (const auto& [joint, torque] : data.torque) {
    const TorqueInput& input = actuated(joint);
    const std::string path = "torque." + joint;
    Law law;
    law.joint = joint;
    law.q0 = input.q;
    law.v0 = law.weight_v0 = input.v;
    for (const Transmission& spring : arm_.transmissions())
      if (spring.rotor_link == input.link) law.weight_v0 = arm_.link(spring.joint_link).v0;
    auto controlled = [&](Kind kind, const Command& command, const Actuation& actuation, double kp, double kd) {
      if (input.q < 0)
        throw FieldError(path, fmt::format("'{}' is a rate without a position of its own, and a controller needs one: "
                                           "expected `constant` or a profile",
                                           joint));
      law.kind = kind;
      law.kp = kp;
      law.kd = kd;
      law.constant = command.target.value_or(0);
      if (command.follow) law.curve.emplace(*command.follow, initial_.q[input.q], path + ".follow");
      law.saturation = actuation.saturation;
      law.sample_time = actuation.sample_time;
    };
    if (const auto* constant = std::get_if<ConstantTorque>(&torque.law)) {
      law.constant = constant->constant;
    } else if (const auto* profile = std::get_if<Profile>(&torque.law)) {
      law.kind = Kind::profile;
      law.curve.emplace(*profile, 0, path + ".profile");
    } else if (const auto* pd = std::get_if<Pd>(&torque.law)) {
      controlled(Kind::pd, pd->command, pd->actuation, pd->kp, pd->kd);
      law.gravity_compensation = pd->gravity_compensation;
      for (size_t k = 0; k < pd->feedback.size(); ++k)
        law.gains.push_back(gain_of(pd->feedback[k], fmt::format("{}.pd.feedback[{}].of", path, k)));
    } else if (const auto* computed = std::get_if<ComputedTorque>(&torque.law)) {
      controlled(Kind::computed_torque, computed->command, computed->actuation, computed->kp, computed->kd);
    } else {
      const Servo& servo = std::get<Servo>(torque.law);
      double kp = servo.kp.value_or(0), kv = servo.kv.value_or(0);
      if (servo.structural_frequency) {
        // naganathan86 eqs 2.27–2.28: the servo's corner at half the structural frequency, critically damped.
        const double J = largest_reflected_inertia(arm_, input.v), w = std::numbers::pi * *servo.structural_frequency;
        kp = w * w * J;
        kv = 2 * std::sqrt(J * kp);
        chosen_gains_.push_back({joint, kp, kv, J});
      }
      controlled(Kind::pd, servo.command, servo.actuation, kp, kv);
    }
    any_gravity_ |= law.gravity_compensation;
    any_computed_ |= law.kind == Kind::computed_torque;
    if (law.saturation && !law.sample_time) n_saturations_ += 2;
    if (law.sample_time) {
      any_sampled_ = true;
      law.memory = int(memory_.size());
      memory_.push_back(0);
    }
    laws_.push_back(std::move(law));
  }
  commanded_ = driven_;
  for (const Law& law : laws_)
    if (law.kind == Kind::computed_torque) commanded_[law.v0] = true;
  for (const Link& link : arm_.links())
    for (int k = 0; k < link.nv(); ++k) {
      const auto& limits = link.forces[k].limits;
      if (!limits || limits->stiffness == 0) continue;
      stops_.push_back({link.q0 + k, limits->lower});
      stops_.push_back({link.q0 + k, limits->upper});
    }
  if (data.initial.deformation == Deformation::settled) settle(data);
  const VectorXd given_rates = initial_.v;
  impose(initial_);
  for (const auto& [joint, profile] : data.motion)
    if (const auto given = data.initial.joints.find(joint); given != data.initial.joints.end() && given->second.rate)
      initial_.v[actuated(joint).v] = given_rates[actuated(joint).v];
  update_kinematics(arm_, initial_, kin_);
}

State Drives::initial_state() const { return initial_; }

void Drives::settle(const Case& data) {
  const Loads loads(data.initial.loads, "initial.loads", arm_);
  std::vector<bool> held = held_by_motors(arm_);
  std::vector<const Law*> springs;
  for (const Law& law : laws_) {
    if (law.kind != Kind::pd && law.kind != Kind::computed_torque) continue;
    const double commanded = command(law, 0).value;
    const auto given = data.initial.joints.find(law.joint);
    if (given != data.initial.joints.end() && std::abs(given->second.position - commanded) > 1e-12)
      throw FieldError("initial." + law.joint,
                       "`deformation: settled` starts the joint at its command: expected one of the two");
    initial_.q[law.q0] = commanded;
    // What carries the weight by itself stays there.
    if (law.kind != Kind::pd || law.gravity_compensation || !(law.kp > 0)) continue;
    springs.push_back(&law);
    held[law.v0] = false;
  }
  const OuterForces outer = loads.in_full();
  auto pull = [&](const Law& law, const State& state) { return law.kp * (command(law, 0).value - state.q[law.q0]); };
  const OuterForces all{[&](const SmallMotion& motion, Eigen::Ref<VectorXd> force) {
                          if (outer.add) outer.add(motion, force);
                          for (const Law* law : springs) force[law->v0] += pull(*law, motion.state());
                        },
                        [&](const SmallMotion& motion, Triplets& entries) {
                          if (outer.add_stiffness) outer.add_stiffness(motion, entries);
                          for (const Law* law : springs) entries.emplace_back(law->v0, law->v0, law->kp);
                        }};
  initial_.q = find_equilibrium(arm_, initial_, held, arm_.gravity(), all).state.q;
  for (Law& law : laws_)
    for (Gain& gain : law.gains)
      if (gain.position != 0) gain.start = initial_.q[gain.q0];
  for (const Law* law : springs)
    if (law->saturation && std::abs(pull(*law, initial_)) > *law->saturation)
      throw FieldError("torque." + law->joint,
                       fmt::format("cannot hold the arm where it would settle: that takes {:.4g}, and "
                                   "its saturation is {:.4g}",
                                   std::abs(pull(*law, initial_)), *law->saturation));
}

Drives::Gain Drives::gain_of(const StateGain& given, const std::string& path) const {
  const std::vector<std::string>& names = arm_.coordinates();
  const auto found = std::find(names.begin(), names.end(), given.of);
  if (found == names.end())
    throw FieldError(path, fmt::format("no coordinate '{}'{} Coordinates: {}", given.of,
                                       guess_in_sentence(given.of, names), comma_list(names)));
  const int v0 = int(found - names.begin());
  for (const Link& link : arm_.links()) {
    if (v0 < link.v0 || v0 >= link.flex_v0() + link.n_flex()) continue;
    if (v0 < link.flex_v0() && !link.joint->coordinates()[v0 - link.v0].has_position) break;
    const int q0 = v0 < link.flex_v0() ? link.q0 + (v0 - link.v0) : link.flex_q0() + (v0 - link.flex_v0());
    return {q0, v0, initial_.q[q0], given.position, given.rate};
  }
  if (given.position != 0)
    throw FieldError(path, fmt::format("'{}' is a rate without a position of its own: give `rate` alone", given.of));
  return {0, v0, 0, 0, given.rate};
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
  for (const Law& law : laws_)
    if (law.kind == Kind::pd || law.kind == Kind::computed_torque) state.q[law.q0] = command(law, state.t).value;
  for (const Link& link : arm_.links()) {
    state.q.segment(link.flex_q0(), link.n_flex()).setZero();
    if (link.is_segment) state.q[link.q0] = 0;
  }
  // Behind an elastic transmission the rotor is what is commanded.
  for (const Transmission& spring : arm_.transmissions()) {
    const Link &joint = arm_.link(spring.joint_link), &rotor = arm_.link(spring.rotor_link);
    state.q[joint.q0] = state.q[rotor.q0];
  }
}

void Drives::command_motion(State& state, Eigen::Ref<VectorXd> vdot) const {
  impose(state);
  given_accelerations(state.t, vdot);
  for (const Law& law : laws_) {
    if (law.kind != Kind::pd && law.kind != Kind::computed_torque) continue;
    const ProfileSample want = command(law, state.t);
    state.q[law.q0] = want.value;
    state.v[law.v0] = want.rate;
    vdot[law.v0] = want.acceleration;
  }
}

void Drives::given_accelerations(double t, Eigen::Ref<VectorXd> vdot) const {
  for (const Motion& motion : motions_) vdot[motion.v0] = motion.curve.at(t, inside_).acceleration;
}

ProfileSample Drives::command(const Law& law, double t) const {
  return law.curve ? law.curve->at(t, inside_) : ProfileSample{law.constant, 0, 0};
}

void Drives::prepare(const State& state, Formulation& model) {
  if (any_gravity_) model.bias(state, Terms::gravity, gravity_);
  if (!any_computed_) return;
  wanted_.setZero();
  given_accelerations(state.t, wanted_);
  for (const Law& law : laws_) {
    if (law.kind != Kind::computed_torque) continue;
    const ProfileSample want = command(law, state.t);
    wanted_[law.v0] =
        want.acceleration + law.kd * (want.rate - state.v[law.v0]) + law.kp * (want.value - state.q[law.q0]);
  }
  if (!arm_.bends()) {
    model.inverse(state, wanted_, computed_);
    return;
  }
  // Links that bend follow as they must: their coordinates and the joints nobody commands are left free.
  computed_.setZero();
  model.hybrid(state, commanded_, computed_, wanted_);
}

double Drives::unlimited(const Law& law, const State& state) const {
  switch (law.kind) {
    case Kind::constant:
      return law.constant;
    case Kind::profile:
      return command(law, state.t).value;
    case Kind::pd: {
      const ProfileSample want = command(law, state.t);
      double torque = law.kp * (want.value - state.q[law.q0]) + law.kd * (want.rate - state.v[law.v0]) +
                      (law.gravity_compensation ? gravity_[law.weight_v0] : 0);
      for (const Gain& gain : law.gains)
        torque -= gain.position * (state.q[gain.q0] - gain.start) + gain.rate * state.v[gain.v0];
      return torque;
    }
    case Kind::computed_torque:
      return computed_[law.v0];
  }
  return 0;
}

void Drives::torques(const State& state, Formulation& model, Eigen::Ref<VectorXd> tau) {
  tau.setZero();
  prepare(state, model);
  for (const Law& law : laws_) {
    double torque = law.memory >= 0 ? memory_[law.memory] : unlimited(law, state);
    if (law.saturation) torque = std::clamp(torque, -*law.saturation, *law.saturation);
    tau[law.v0] = torque;
  }
}

void Drives::unsaturated_torques(const State& state, Formulation& model, Eigen::Ref<VectorXd> tau) {
  tau.setZero();
  prepare(state, model);
  for (const Law& law : laws_) tau[law.v0] = unlimited(law, state);
}

void Drives::sample(const State& state, Formulation& model) {
  prepare(state, model);
  for (const Law& law : laws_) {
    if (!law.sample_time) continue;
    // A stop may stand for this sample and for another time that differs from it by rounding.
    const double k = std::round(state.t / *law.sample_time);
    if (std::abs(k * *law.sample_time - state.t) < 1e-9 * *law.sample_time) memory_[law.memory] = unlimited(law, state);
  }
}

void Drives::add_load_wrenches(const State& state, const Kinematics& kin, std::vector<Vector6d>& on_tips,
                               std::vector<AlongLoad>& along) const {
  loads_.add_wrenches(arm_, state, kin, inside_, on_tips, along);
}

void Drives::add_loads(const State& state, Eigen::Ref<VectorXd> tau) {
  if (loads_.empty()) return;
  update_kinematics(arm_, state, kin_);
  loads_.add(arm_, state, kin_, inside_, tau);
}

bool Drives::computed_torque_is_partial() const {
  return any_computed_ && !arm_.bends() && std::find(commanded_.begin(), commanded_.end(), false) != commanded_.end();
}

std::vector<Drives::Feedback> Drives::feedback() const {
  std::vector<Feedback> list;
  for (const Law& law : laws_)
    if (law.kind == Kind::pd || law.kind == Kind::computed_torque)
      list.push_back({law.joint, law.v0, law.weight_v0, law.kp, law.kd, law.gravity_compensation,
                      law.kind == Kind::computed_torque, law.gains});
  return list;
}

std::vector<std::pair<std::string, double>> Drives::command_errors(const State& state) const {
  std::vector<std::pair<std::string, double>> errors;
  for (const Law& law : laws_)
    if (law.kind == Kind::pd || law.kind == Kind::computed_torque)
      errors.emplace_back(law.joint, command(law, state.t).value - state.q[law.q0]);
  return errors;
}

std::vector<double> Drives::breakpoints(double end) const {
  std::vector<double> times;
  auto add = [&](const ProfileCurve& curve) {
    times.insert(times.end(), curve.breakpoints().begin(), curve.breakpoints().end());
  };
  for (const Motion& motion : motions_) add(motion.curve);
  times.insert(times.end(), arm_.root_corners().begin(), arm_.root_corners().end());
  loads_.add_breakpoints(times);
  for (const Law& law : laws_) {
    if (law.curve) add(*law.curve);
    if (!law.sample_time) continue;
    const long n = count_of_steps(end, *law.sample_time, limits::stops - long(times.size()), "torque." + law.joint,
                                  "samples of the controllers", "a longer sample_time");
    for (long k = 1; k < n; ++k) times.push_back(double(k) * *law.sample_time);
  }
  std::erase_if(times, [&](double t) { return t <= 0 || t > end; });
  std::sort(times.begin(), times.end());
  times.erase(std::unique(times.begin(), times.end()), times.end());
  return times;
}

void Drives::switches(const State& state, Formulation& model, double* values) {
  for (const Stop& stop : stops_) *values++ = state.q[stop.q0] - stop.at;
  if (n_saturations_ == 0) return;
  prepare(state, model);
  for (const Law& law : laws_) {
    if (!law.saturation || law.sample_time) continue;
    const double torque = unlimited(law, state);
    *values++ = torque - *law.saturation;
    *values++ = torque + *law.saturation;
  }
}

}  // namespace lithe
