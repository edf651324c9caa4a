#pragma once

#include <memory>
#include <string>

#include "lithe/drive/law.h"

namespace lithe {

/// The joint on which a law of the case acts.
struct LawSite {
  const Arm& arm;
  const State& initial;     // where the run starts, before it settles; for a law of an event, the state at the event
  std::string joint, path;  // path: `torque.JOINT`
  Coordinate own;           // what its torque acts on: behind an elastic transmission the rotor
  int weight_v0 = 0;        // whose weight it may hold: the same or, behind an elastic transmission, the joint's
  double begins = 0;        // time at which it begins; profiles count their time from then
};

/// Gains that a servo's `structural_frequency` chose, with the inertia they were chosen for.
struct ChosenGains {
  std::string joint;
  double kp = 0, kv = 0, inertia = 0;
};

/// A law of the case, ready to act on its joint.
struct MadeLaw {
  std::shared_ptr<Law> law;
  Actuation actuation = {};
  std::optional<ChosenGains> chosen = {};
};

/// Makes the law that the case asks for. Throws FieldError.
MadeLaw make_law(const Torque& torque, const LawSite& site);

// One for each kind of law; make_law selects among them.
MadeLaw make_law(const ConstantTorque& spec, const LawSite& site);
MadeLaw make_law(const Profile& spec, const LawSite& site);
MadeLaw make_law(const Pd& spec, const LawSite& site);
MadeLaw make_law(const Servo& spec, const LawSite& site);
MadeLaw make_law(const ComputedTorque& spec, const LawSite& site);
MadeLaw make_law(const Pid& spec, const LawSite& site);
MadeLaw make_law(const InputTorque& spec, const LawSite& site);

/// A profile that begins when its law does.
class LawCurve {
 public:
  LawCurve(const Profile& profile, double start, const std::string& path, double begins)
      : curve_(profile, start, path), begins_(begins) {}
  ProfileSample at(double t, double inside) const { return curve_.at(t - begins_, inside - begins_); }
  void add_breakpoints(std::vector<double>& times) const {
    for (const double t : curve_.breakpoints()) times.push_back(begins_ + t);
  }

 private:
  ProfileCurve curve_;
  double begins_;
};

/// The commanded motion of a controlled joint: hold a position, or follow a profile from its start.
class CommandCurve {
 public:
  CommandCurve(const Command& command, const LawSite& site);
  ProfileSample at(double t, double inside) const {
    return curve_ ? curve_->at(t, inside) : ProfileSample{target_, 0, 0};
  }
  void add_breakpoints(std::vector<double>& times) const {
    if (curve_) curve_->add_breakpoints(times);
  }

 private:
  double target_;
  std::optional<LawCurve> curve_;
};

/// The coordinate of that name, by the names of the results. Throws FieldError.
Coordinate find_coordinate(const Arm& arm, const std::string& name, const std::string& path);

}  // namespace lithe
