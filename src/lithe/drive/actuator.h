#pragma once

#include <algorithm>
#include <optional>

#include "lithe/describe/case.h"

namespace lithe {

/// The limits of the motor between a law and its joint: first its torque–speed curve, due to a limited voltage, then `saturation`, a
/// limit of the current.
struct Actuator {
  std::optional<double> saturation;
  std::optional<MotorEnvelope> envelope;

  bool limits() const { return saturation || envelope; }

  /// The torque that the joint gets if the law asks for `torque` at joint rate v.
  double apply(double torque, double v) const { return saturate(within_envelope(torque, v)); }

  /// ∂apply/∂torque and ∂apply/∂v.
  struct Slopes {
    double by_torque = 1, by_rate = 0;
  };
  Slopes slopes(double torque, double v) const {
    Slopes slopes;
    const double left = within_envelope(torque, v);
    if (envelope && (torque >= high(v) || torque <= low(v)))
      slopes = {0, -envelope->stall_torque / envelope->no_load_speed};
    if (saturation && std::abs(left) >= *saturation) slopes = {0, 0};
    return slopes;
  }

  /// Quantities that change sign where a limit begins or ends to act.
  int n_switches() const { return (saturation ? 2 : 0) + (envelope ? 2 : 0); }
  double* switches(double torque, double v, double* values) const {
    if (envelope) {
      *values++ = torque - high(v);
      *values++ = torque - low(v);
    }
    if (saturation) {
      const double left = within_envelope(torque, v);
      *values++ = left - *saturation;
      *values++ = left + *saturation;
    }
    return values;
  }

 private:
  double high(double v) const { return envelope->stall_torque * (1 - v / envelope->no_load_speed); }
  double low(double v) const { return -envelope->stall_torque * (1 + v / envelope->no_load_speed); }
  double within_envelope(double torque, double v) const {
    return envelope ? std::clamp(torque, low(v), high(v)) : torque;
  }
  double saturate(double torque) const { return saturation ? std::clamp(torque, -*saturation, *saturation) : torque; }
};

}  // namespace lithe
