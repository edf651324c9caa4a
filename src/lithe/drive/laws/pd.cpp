// pd, and servo compliance, which is the same law with gains from a rule.
#include <fmt/format.h>

#include <cmath>
#include <numbers>

#include "lithe/drive/laws/law_site.h"
#include "lithe/drive/reflected_inertia.h"

namespace lithe {
namespace {

/// τ = kp e + kd ė (+ weight) − Σ position·(z − start) + rate·ż
class PdLaw final : public Law {
 public:
  /// Its gains on one coordinate.
  struct Gain {
    Coordinate of;
    double start, position, rate;
  };

  PdLaw(double kp, double kd, const Command& command, const LawSite& site)
      : kp_(kp), kd_(kd), own_(site.own), weight_v0_(site.weight_v0), command_(command, site) {}
  void hold_weight(GravityOf of) { gravity_of_ = of; }
  void add(const Gain& gain) { gains_.push_back(gain); }

  std::vector<Coordinate> reads() const override {
    std::vector<Coordinate> list{own_};
    for (const Gain& gain : gains_) list.push_back(gain.of);
    return list;
  }
  LawNeeds needs() const override { return {gravity_of_ == GravityOf::state, gravity_of_ == GravityOf::command}; }
  void outputs(const LawReading& now, const double*, double* out) const override {
    const State& state = now.state;
    const ProfileSample want = command_.at(state.t, now.inside);
    double torque = kp_ * (want.value - state.q[own_.q0]) + kd_ * (want.rate - state.v[own_.v0]) +
                    (gravity_of_ ? now.weight[weight_v0_] : 0);
    for (const Gain& gain : gains_) {
      const double moved = gain.of.q0 < 0 ? 0 : state.q[gain.of.q0] - gain.start;
      torque -= gain.position * moved + gain.rate * state.v[gain.of.v0];
    }
    *out = torque;
  }
  bool slopes(const LawReading&, const double*, LawSlopes& slopes) const override {
    slopes.by_position(0, 0) = -kp_;
    slopes.by_rate(0, 0) = -kd_;
    for (size_t k = 0; k < gains_.size(); ++k) {
      slopes.by_position(0, Eigen::Index(k) + 1) = -gains_[k].position;
      slopes.by_rate(0, Eigen::Index(k) + 1) = -gains_[k].rate;
    }
    // The weight of the commanded arm does not depend on the state.
    if (gravity_of_ == GravityOf::state) slopes.by_weight[0] = 1;
    return true;
  }
  void add_breakpoints(std::vector<double>& times) const override { command_.add_breakpoints(times); }
  std::optional<ProfileSample> command(double t, double inside) const override { return command_.at(t, inside); }
  std::optional<Spring> spring() const override { return Spring{kp_, kd_}; }
  bool only_spring() const override { return !gravity_of_ && gains_.empty(); }
  bool holds() const override { return gravity_of_.has_value(); }
  void settle(const State& state, double) override {
    for (Gain& gain : gains_)
      if (gain.position != 0) gain.start = state.q[gain.of.q0];
  }

 private:
  double kp_, kd_;
  Coordinate own_;
  int weight_v0_;
  std::optional<GravityOf> gravity_of_;  // none: no gravity compensation
  CommandCurve command_;
  std::vector<Gain> gains_;
};

PdLaw::Gain gain_of(const StateGain& given, const LawSite& site, const std::string& path) {
  const Coordinate of = find_coordinate(site.arm, given.of, path);
  if (of.q0 < 0 && given.position != 0)
    throw FieldError(path, fmt::format("'{}' is a rate without a position of its own: give only `rate`", given.of));
  return {of, of.q0 < 0 ? 0 : site.initial.q[of.q0], given.position, given.rate};
}

}  // namespace

MadeLaw make_law(const Pd& spec, const LawSite& site) {
  auto law = std::make_shared<PdLaw>(spec.kp, spec.kd, spec.command, site);
  if (spec.gravity_compensation) law->hold_weight(spec.gravity_of);
  for (size_t k = 0; k < spec.feedback.size(); ++k)
    law->add(gain_of(spec.feedback[k], site, fmt::format("{}.pd.feedback[{}].of", site.path, k)));
  return {law, spec.actuation};
}

MadeLaw make_law(const Servo& spec, const LawSite& site) {
  double kp = spec.kp.value_or(0), kv = spec.kv.value_or(0);
  std::optional<ChosenGains> chosen;
  if (spec.structural_frequency) {
    // naganathan86 eqs 2.27–2.28: the servo's corner at half the structural frequency, critically damped.
    const double J = largest_reflected_inertia(site.arm, site.own.v0),
                 w = std::numbers::pi * *spec.structural_frequency;
    kp = w * w * J;
    kv = 2 * std::sqrt(J * kp);
    chosen = {site.joint, kp, kv, J};
  }
  return {std::make_shared<PdLaw>(kp, kv, spec.command, site), spec.actuation, chosen};
}

}  // namespace lithe
