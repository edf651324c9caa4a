#include <algorithm>
#include <cmath>
#include <limits>

#include "lithe/drive/laws/law_site.h"

namespace lithe {
namespace {

/// τ = kp e + J + kd d with states J, the integral as a torque, and, where it is filtered, d, the rate error:
///
///   J̇ = ki e + (applied − asked)/Tt     back-calculation [Åström & Hägglund 1995, PID Controllers, 3.5]
///   J̇ = ki e, but never out of ±limit   clamping
///   T ḋ = ė − d                         d = ė without a filter                                                  (1)
class PidLaw final : public Law {
 public:
  PidLaw(const Pid& spec, const LawSite& site)
      : kp_(spec.kp),
        ki_(spec.ki),
        kd_(spec.kd),
        filter_(spec.derivative_filter.value_or(0)),
        own_(site.own),
        command_(spec.command, site) {
    const bool limited = spec.actuation.saturation || spec.actuation.envelope;
    if (spec.anti_windup == AntiWindup::back_calculation && limited && ki_ > 0) {
      const double chosen = kd_ > 0 ? std::sqrt(kd_ / ki_) : kp_ / ki_;
      track_ = 1 / spec.tracking_time.value_or(chosen);
    }
    if (spec.anti_windup == AntiWindup::clamping)
      limit_ = spec.integral_limit ? *spec.integral_limit : spec.actuation.saturation.value();
  }

  std::vector<Coordinate> reads() const override { return {own_}; }
  int n_states() const override { return filter_ > 0 ? 2 : 1; }
  std::string state_name(int k) const override { return k == 0 ? "integral" : "derivative"; }

  void start(const LawReading& now, double* x) const override {
    x[0] = held_;
    if (filter_ > 0) x[1] = errors(now).rate;
  }
  void outputs(const LawReading& now, const double* x, double* out) const override {
    const ProfileSample e = errors(now);
    *out = kp_ * e.value + x[0] + kd_ * (filter_ > 0 ? x[1] : e.rate);
  }
  void state_rates(const LawReading& now, const double* x, const double* excess, double* xdot) const override {
    const ProfileSample e = errors(now);
    xdot[0] = stopped(e.value, x[0]) ? 0 : ki_ * e.value + track_ * excess[0];
    if (filter_ > 0) xdot[1] = (e.rate - x[1]) / filter_;
  }
  /// Errors are treated as constant between samples, for which the response of the filter is exact.
  void advance(const LawReading& now, double interval, const double* excess, double* x, double*) const override {
    const ProfileSample e = errors(now);
    // Back-calculation over more than the tracking time would overshoot, so the step is limited to it.
    x[0] += interval * ki_ * e.value + std::min(1.0, interval * track_) * excess[0];
    x[0] = std::clamp(x[0], -limit_, limit_);
    if (filter_ > 0) x[1] += -std::expm1(-interval / filter_) * (e.rate - x[1]);
  }
  bool slopes(const LawReading& now, const double* x, LawSlopes& slopes) const override {
    slopes.by_position(0, 0) = -kp_;
    slopes.by_state(0, 0) = 1;
    if (!stopped(errors(now).value, x[0])) {
      slopes.state_by_position(0, 0) = -ki_;
      slopes.state_by_excess(0, 0) = track_;
    }
    if (filter_ > 0) {
      slopes.by_state(0, 1) = kd_;
      slopes.state_by_rate(1, 0) = -1 / filter_;
      slopes.state_by_state(1, 1) = -1 / filter_;
    } else {
      slopes.by_rate(0, 0) = -kd_;
    }
    return true;
  }

  void add_breakpoints(std::vector<double>& times) const override { command_.add_breakpoints(times); }
  /// The switch at which clamping begins and ends.
  int n_switches() const override { return std::isfinite(limit_) ? 3 : 0; }
  void switches(const LawReading& now, const double* x, double* values) const override {
    if (!std::isfinite(limit_)) return;
    values[0] = x[0] - limit_;
    values[1] = x[0] + limit_;
    values[2] = errors(now).value;
  }

  std::optional<ProfileSample> command(double t, double inside) const override { return command_.at(t, inside); }
  std::optional<Spring> spring() const override { return Spring{kp_, kd_}; }
  bool holds() const override { return ki_ > 0; }
  /// At the settled start the integral holds the weight.
  void settle(const State&, double torque) override { held_ = ki_ > 0 ? torque : 0; }

 private:
  ProfileSample errors(const LawReading& now) const {
    const ProfileSample want = command_.at(now.state.t, now.inside);
    return {want.value - now.state.q[own_.q0], want.rate - now.state.v[own_.v0], 0};
  }
  bool stopped(double error, double integral) const { return std::abs(integral) >= limit_ && error * integral > 0; }

  double kp_, ki_, kd_, filter_;
  double track_ = 0;                                        // 1/Tt; 0: no back-calculation
  double limit_ = std::numeric_limits<double>::infinity();  // of clamping
  double held_ = 0;                                         // initial value of the integral
  Coordinate own_;
  CommandCurve command_;
};

}  // namespace

MadeLaw make_law(const Pid& spec, const LawSite& site) {
  return {std::make_shared<PidLaw>(spec, site), spec.actuation};
}

}  // namespace lithe
