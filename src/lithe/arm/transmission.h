#pragma once

#include <algorithm>

namespace lithe {

/// How the torques of a transmission change with its twist and with the rate of that.
struct TransmissionSlopes {
  double elastic_by_twist = 0;
  double dissipative_by_twist = 0, dissipative_by_rate = 0;
};

/// An elastic transmission: spring and damper between a joint and its rotor, both at the output side of the gear. With the twist
/// x = rotor − joint, the torque on the joint is stiffness·s + hardening·s³ + damping·ẋ, where s is how far x presses a flank: x itself, or
/// what exceeds half of the backlash. Flanks push only: within the gap there is no torque, and damping is cut where it would pull.
struct Transmission {
  int joint_link = 0, rotor_link = 0;
  double stiffness = 0, hardening = 0, damping = 0;
  double gap = 0;  // half of the backlash

  template <class S>
  S pressed(const S& x) const {
    return gap > 0 ? S(std::max(S(x - gap), S(0)) + std::min(S(x + gap), S(0))) : x;
  }
  /// Its torques on the joint at twist x and its rate. The opposite acts on the rotor.
  template <class S>
  S elastic(const S& x) const {
    const S s = pressed(x);
    return (stiffness + hardening * s * s) * s;
  }
  /// Its power with the rate is never negative.
  template <class S>
  S dissipative(const S& x, const S& rate) const {
    const S torque = damping * rate;
    if (!(gap > 0)) return torque;
    const S push = elastic(x);
    if (push > 0) return std::max(torque, S(-push));
    if (push < 0) return std::min(torque, S(-push));
    return S(0);
  }
  TransmissionSlopes slopes(double x, double rate) const;
  double energy(double x) const;
  /// Whether neither flank is pressed. Always false without backlash.
  bool in_gap(double x) const { return gap > 0 && x <= gap && x >= -gap; }
  /// The twist at which the elastic torque is this one; for zero torque the middle of the gap.
  double twist_under(double torque) const;

  /// Functions of twist and rate that change sign where a flank meets or loses contact, and where damping is cut.
  int n_switches() const { return gap > 0 ? (damping > 0 ? 3 : 2) : 0; }
  double* switches(double x, double rate, double* values) const;
};

}  // namespace lithe
