#include "lithe/drive/laws/law_site.h"

namespace lithe {
namespace {

/// q̈ = c̈ + kd ė + kp e, whatever torque that takes.
class ComputedTorqueLaw final : public Law {
 public:
  ComputedTorqueLaw(const ComputedTorque& spec, const LawSite& site)
      : kp_(spec.kp), kd_(spec.kd), own_(site.own), command_(spec.command, site) {}

  bool gives_accelerations() const override { return true; }
  std::vector<Coordinate> reads() const override { return {own_}; }
  void outputs(const LawReading& now, const double*, double* out) const override {
    const ProfileSample want = command_.at(now.state.t, now.inside);
    *out = want.acceleration + kd_ * (want.rate - now.state.v[own_.v0]) + kp_ * (want.value - now.state.q[own_.q0]);
  }
  bool slopes(const LawReading&, const double*, LawSlopes& slopes) const override {
    slopes.by_position(0, 0) = -kp_;
    slopes.by_rate(0, 0) = -kd_;
    return true;
  }
  void add_breakpoints(std::vector<double>& times) const override { command_.add_breakpoints(times); }
  std::optional<ProfileSample> command(double t, double inside) const override { return command_.at(t, inside); }
  std::optional<Spring> spring() const override { return Spring{kp_, kd_}; }

 private:
  double kp_, kd_;
  Coordinate own_;
  CommandCurve command_;
};

}  // namespace

MadeLaw make_law(const ComputedTorque& spec, const LawSite& site) {
  return {std::make_shared<ComputedTorqueLaw>(spec, site), spec.actuation};
}

}  // namespace lithe
