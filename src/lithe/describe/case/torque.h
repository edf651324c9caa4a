// Torques on joints: constant, over time, or by a control law; and the limits of the actuators.
#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "lithe/describe/case/profile.h"
#include "lithe/describe/case/words.h"

namespace lithe {

/// What a controlled joint should do: hold a position, or follow a profile.
struct Command {
  std::optional<double> target;
  std::optional<Profile> follow;
  bool operator==(const Command&) const = default;
};
/// Limits of a motor with limited voltage: torques between −stall·(1 + ω/no_load) and stall·(1 − ω/no_load).
struct MotorEnvelope {
  double stall_torque = 0, no_load_speed = 0;  // of the joint, behind the gear
  bool operator==(const MotorEnvelope&) const = default;
};
/// How a controller's torque reaches the joint.
struct Actuation {
  std::optional<double> saturation;  // largest torque in either direction
  std::optional<double>
      sample_time;  // the torque is computed at these intervals and held in between; default: continuous
  std::optional<MotorEnvelope> envelope = {};
  bool operator==(const Actuation&) const = default;
};
/// Feedback of any coordinate: τ = −position·(z − z at the start) − rate·ż.
struct StateGain {
  std::string of;
  double position = 0, rate = 0;
  bool operator==(const StateGain&) const = default;
};
/// The weight that a controller holds: of the arm in its present state, deformed as it is; or of the arm at rest at the commanded
/// positions, with sagging links.
enum class GravityOf { state, command };
/// τ = kp·e + kd·ė (+ gravity) (− Σ feedback)
struct Pd {
  double kp = 0, kd = 0;
  bool gravity_compensation = false;
  std::vector<StateGain> feedback;
  Command command;
  Actuation actuation;
  GravityOf gravity_of = GravityOf::state;
  bool operator==(const Pd&) const = default;
};
enum class AntiWindup { back_calculation, clamping, none };
/// τ = kp·e + J + kd·d, J̇ = ki·e (minus what anti-windup subtracts); d is the filtered rate error: T·ḋ = ė − d
struct Pid {
  double kp = 0, ki = 0, kd = 0;
  std::optional<double> derivative_filter = {};  // T; default: none
  AntiWindup anti_windup = AntiWindup::back_calculation;
  std::optional<double> tracking_time = {};   // of back-calculation; default: √(kd/ki), or kp/ki where kd is zero
  std::optional<double> integral_limit = {};  // of clamping: largest J; default: the saturation
  Command command = {};
  Actuation actuation = {};
  bool operator==(const Pid&) const = default;
};
/// τ = inverse dynamics of q̈_d + kd·ė + kp·e
struct ComputedTorque {
  double kp = 0, kd = 0;
  Command command;
  Actuation actuation;
  bool operator==(const ComputedTorque&) const = default;
};
/// Servo compliance: a spring kp and damper kv between the commanded and the actual joint. The gains are given, or follow
/// kp = π²f²J, kv = 2√(J kp) from the structural frequency f and the largest reflected inertia J.
struct Servo {
  std::optional<double> kp, kv, structural_frequency;
  Command command;
  Actuation actuation;
  bool operator==(const Servo&) const = default;
};
struct ConstantTorque {
  double constant = 0;
  bool operator==(const ConstantTorque&) const = default;
};
/// A torque that user code sets during the simulation (Simulation::set_input); `input` until then.
struct InputTorque {
  double input = 0;
  Actuation actuation = {};
  bool operator==(const InputTorque&) const = default;
};
struct Torque {
  std::variant<ConstantTorque, Profile, Pd, ComputedTorque, Servo, Pid, InputTorque> law;
  bool operator==(const Torque&) const = default;
};

// The words of the choices above.
template <>
struct Words<GravityOf> {
  static constexpr WordList<GravityOf, 2> list{{{GravityOf::state, "state"}, {GravityOf::command, "command"}}};
};
template <>
struct Words<AntiWindup> {
  static constexpr WordList<AntiWindup, 3> list{{{AntiWindup::back_calculation, "back-calculation"},
                                                 {AntiWindup::clamping, "clamping"},
                                                 {AntiWindup::none, "none"}}};
};

}  // namespace lithe
