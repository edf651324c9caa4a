// Torques that depend only on time, and those that user code sets.
#include "lithe/drive/laws/law_site.h"

namespace lithe {
namespace {

/// A constant, or a value that user code sets.
class ConstantLaw final : public Law {
 public:
  ConstantLaw(double torque, bool is_input) : torque_(torque), is_input_(is_input) {}
  std::vector<Coordinate> reads() const override { return {}; }
  void outputs(const LawReading&, const double*, double* out) const override { *out = torque_; }
  bool slopes(const LawReading&, const double*, LawSlopes&) const override { return true; }
  bool set_input(double value) override {
    if (is_input_) torque_ = value;
    return is_input_;
  }
  std::optional<double> input() const override { return is_input_ ? std::optional(torque_) : std::nullopt; }

 private:
  double torque_;
  const bool is_input_;
};

class ProfileLaw final : public Law {
 public:
  explicit ProfileLaw(LawCurve curve) : curve_(std::move(curve)) {}
  std::vector<Coordinate> reads() const override { return {}; }
  void outputs(const LawReading& now, const double*, double* out) const override {
    *out = curve_.at(now.state.t, now.inside).value;
  }
  bool slopes(const LawReading&, const double*, LawSlopes&) const override { return true; }
  void add_breakpoints(std::vector<double>& times) const override { curve_.add_breakpoints(times); }

 private:
  LawCurve curve_;
};

}  // namespace

MadeLaw make_law(const ConstantTorque& spec, const LawSite&) {
  return {std::make_shared<ConstantLaw>(spec.constant, false)};
}

MadeLaw make_law(const InputTorque& spec, const LawSite&) {
  return {std::make_shared<ConstantLaw>(spec.input, true), spec.actuation};
}

MadeLaw make_law(const Profile& spec, const LawSite& site) {
  return {std::make_shared<ProfileLaw>(LawCurve(spec, 0, site.path + ".profile", site.begins))};
}

}  // namespace lithe
