// What moves an arm: profiles, torques, loads and forces.
#include "lithe/describe/case/force.h"
#include "lithe/describe/case/profile.h"
#include "lithe/describe/case/torque.h"
#include "lithe/describe/fields/case_fields.h"

namespace lithe {

void fields(FieldVisitor& v, Cycloidal& p) {
  v.type("cycloidal");
  v.profile_value(required, "to", p.to, "end value, absolute");
  v.value(required, "in", p.in, dimension::time, range::positive, "duration of the move");
}

void fields(FieldVisitor& v, Quintic& p) {
  v.type("quintic");
  v.profile_value(required, "to", p.to, "end value, absolute");
  v.value(required, "in", p.in, dimension::time, range::positive, "duration of the move");
}

void fields(FieldVisitor& v, TrapezoidalVelocity& p) {
  v.type("trapezoidal velocity");
  v.profile_value(required, "to", p.to, "end value, absolute");
  v.value(required, "in", p.in, dimension::time, range::positive, "duration of the move without the dwell");
  v.value(optional, "ramp", p.ramp, dimension::time, range::positive,
          "time of constant acceleration, and of deceleration; default: a third of the move");
  v.value(optional, "dwell", p.dwell, dimension::time, range::non_negative, "time to hold at the end");
}

void fields(FieldVisitor& v, TrapezoidalAcceleration& p) {
  v.type("trapezoidal acceleration");
  v.profile_value(required, "to", p.to, "end value, absolute");
  v.value(required, "in", p.in, dimension::time, range::positive, "duration of the move");
  v.value(optional, "ramp", p.ramp, dimension::time, range::positive,
          "time of each linear rise and fall of the acceleration; default: an eighth of the move");
}

void fields(FieldVisitor& v, Sinusoid& p) {
  v.type("sinusoid");
  v.profile_value(required, "amplitude", p.amplitude, "about the start value");
  v.value(required, "frequency", p.frequency, dimension::frequency, range::positive, "in cycles per unit of time");
  v.value(optional, "phase", p.phase, dimension::angle, range::any, "at the start");
  v.value(optional, "for", p.duration, dimension::time, range::positive, "duration; default: unlimited");
}

void fields(FieldVisitor& v, SpinUp& p) {
  v.type("spin up");
  v.profile_rate(required, "rate", p.rate, "that is reached and kept");
  v.value(required, "in", p.in, dimension::time, range::positive, "time of the smooth rise from rest");
  v.value(optional, "for", p.duration, dimension::time, range::positive,
          "duration of rise and constant rate together; default: unlimited");
}

void fields(FieldVisitor& v, Table& t) {
  v.type("table");
  v.file(required, "file", t.file, "CSV file, relative to the case file; SI units, times in the first column");
  v.count(optional, "column", t.column, 2, "column of the values, counted from one");
}

void fields(FieldVisitor& v, LinePoint& p) {
  v.type("point");
  v.value(required, "at", p.at, dimension::time, range::positive, "time since the profile began");
  v.profile_value(required, "to", p.to, "value at that time, absolute");
}

void fields(FieldVisitor& v, Dwell& d) {
  v.type("dwell");
  v.value(required, "for", d.duration, dimension::time, range::positive, "duration");
}

void fields(FieldVisitor& v, Steps& s) {
  v.type("steps");
  v.object(required, "of", s.of, "the profile that the motor follows step by step");
  v.profile_value(required, "size", s.size, "of one step");
  v.value(required, "in", s.in, dimension::time, range::positive,
          "duration of the move of one step, a quintic; moves that overlap add up");
}

void fields(FieldVisitor& v, Profile& p) {
  v.type("profile");
  v.tagged<Cycloidal>("cycloidal", p.shape, "a smooth move with zero rate and acceleration at both ends");
  v.tagged<Quintic>("quintic", p.shape, "the fifth-order polynomial of the same kind");
  v.tagged<TrapezoidalVelocity>("trapezoidal_velocity", p.shape,
                                "constant acceleration, constant velocity, constant deceleration, dwell");
  v.tagged<TrapezoidalAcceleration>("trapezoidal_acceleration", p.shape, "acceleration that rises and falls linearly");
  v.tagged<Sinusoid>("sinusoid", p.shape, "start + amplitude sin(2 pi frequency t + phase)");
  v.tagged<SpinUp>("spin_up", p.shape, "the rate rises smoothly from rest and stays, as of a rotor");
  v.tagged<Table>("table", p.shape, "a cubic spline through a CSV file");
  v.tagged_list("lines", p.shape, &Lines::points,
                "straight lines from the start value through these points; the rate jumps at each point, which excites "
                "the arm like a blow");
  v.tagged<Dwell>("dwell", p.shape, "no change");
  v.tagged_list("sequence", p.shape, &Sequence::parts,
                "several of these in turn, each starting where the one before ended");
  v.tagged<Steps>("steps", p.shape, "a stepping motor that follows another profile, at most half a step away from it");
}

void fields(FieldVisitor& v, Command& c) {
  v.joint_value(optional, "target", c.target, joint_dimension::position, range::any, "position to hold");
  v.profile_of(joint_dimension::position);
  v.object(optional, "follow", c.follow, "profile to follow, starting from the initial position");
  v.exactly_one({"target", "follow"});
}

void fields(FieldVisitor& v, MotorEnvelope& e) {
  v.type("envelope");
  v.joint_value(required, "stall_torque", e.stall_torque, joint_dimension::effort, range::positive,
                "largest torque at standstill, at the joint");
  v.joint_value(required, "no_load_speed", e.no_load_speed, joint_dimension::rate, range::positive,
                "rate of the joint at which the motor gives no torque");
}

void fields(FieldVisitor& v, Actuation& a) {
  v.joint_value(optional, "saturation", a.saturation, joint_dimension::effort, range::positive,
                "largest torque in either direction");
  v.object(optional, "envelope", a.envelope,
           "torque-speed curve of a motor with limited voltage: torques between -stall (1 + rate/no-load) and stall (1 "
           "- rate/no-load); `saturation`, a limit of the current, applies in addition");
  v.value(optional, "sample_time", a.sample_time, dimension::time, range::positive,
          "the torque is computed at these intervals and held in between; default: continuous");
}

void fields(FieldVisitor& v, StateGain& g) {
  v.type("feedback");
  v.coordinate(required, "of", g.of, "a coordinate, by its name in the results: `boom.1`, `elbow`");
  v.value(optional, "position", g.position, dimension::number, range::any,
          "torque subtracted per change of the coordinate since the start, in SI units");
  v.value(optional, "rate", g.rate, dimension::number, range::any, "torque subtracted per rate of change, in SI units");
}

void fields(FieldVisitor& v, Pd& c) {
  v.type("pd");
  v.joint_value(required, "kp", c.kp, joint_dimension::stiffness, range::non_negative, "gain on the position error");
  v.joint_value(required, "kd", c.kd, joint_dimension::damping, range::non_negative, "gain on the rate error");
  v.flag(optional, "gravity_compensation", c.gravity_compensation, "add the torque that holds the weight of the arm");
  v.choice(optional, "gravity_of", c.gravity_of,
           "the weight that is held: `state`, of the arm in its present state, deformed as it is; `command`, of the "
           "arm at rest at the commanded positions, with sagging links, which needs no measurement");
  v.list(optional, "feedback", c.feedback, "feedback of other coordinates, such as those of bending links");
  fields(v, c.command);
  fields(v, c.actuation);
}

void fields(FieldVisitor& v, Pid& c) {
  v.type("pid");
  v.joint_value(required, "kp", c.kp, joint_dimension::stiffness, range::non_negative, "gain on the position error");
  v.joint_value(required, "ki", c.ki, joint_dimension::integral_gain, range::non_negative,
                "gain on the integral of the position error");
  v.joint_value(optional, "kd", c.kd, joint_dimension::damping, range::non_negative, "gain on the rate error");
  v.value(optional, "derivative_filter", c.derivative_filter, dimension::time, range::positive,
          "time constant of a first-order filter on the rate error; default: no filter");
  v.choice(optional, "anti_windup", c.anti_windup,
           "how the integral is kept from growing while the torque is limited: `back-calculation` reduces it by what "
           "the limit cuts off, `clamping` keeps its torque within `integral_limit`");
  v.value(optional, "tracking_time", c.tracking_time, dimension::time, range::positive,
          "of back-calculation; default: sqrt(kd/ki), or kp/ki without kd");
  v.joint_value(optional, "integral_limit", c.integral_limit, joint_dimension::effort, range::positive,
                "of clamping: largest torque of the integral in either direction; default: the saturation");
  fields(v, c.command);
  fields(v, c.actuation);
}

void fields(FieldVisitor& v, ComputedTorque& c) {
  v.type("computed torque");
  v.value(required, "kp", c.kp, dimension::gain_square, range::non_negative, "acceleration per unit of position error");
  v.value(required, "kd", c.kd, dimension::gain_rate, range::non_negative, "acceleration per unit of rate error");
  fields(v, c.command);
  fields(v, c.actuation);
}

void fields(FieldVisitor& v, Servo& c) {
  v.type("servo");
  v.joint_value(optional, "kp", c.kp, joint_dimension::stiffness, range::positive, "spring to the commanded position");
  v.joint_value(optional, "kv", c.kv, joint_dimension::damping, range::non_negative, "damper to the commanded rate");
  v.value(optional, "structural_frequency", c.structural_frequency, dimension::frequency, range::positive,
          "instead of kp and kv: kp = (pi f)^2 J, kv = 2 sqrt(J kp), where J is the largest inertia that the joint can "
          "see");
  fields(v, c.command);
  fields(v, c.actuation);
}

void fields(FieldVisitor& v, ConstantTorque& c) {
  v.joint_value(required, "constant", c.constant, joint_dimension::effort, range::any, "the same torque at all times");
}

void fields(FieldVisitor& v, InputTorque& c) {
  v.joint_value(required, "input", c.input, joint_dimension::effort, range::any,
                "torque until a program that steps the simulation sets another; `lithe run` keeps it");
  fields(v, c.actuation);
}

void fields(FieldVisitor& v, Torque& t) {
  v.type("torque");
  if (ConstantTorque* c = v.short_form<ConstantTorque>(t.law))
    v.short_joint_value(c->constant, joint_dimension::effort, range::any, "the same torque at all times");
  v.inline_tagged<ConstantTorque>("constant", t.law);
  v.profile_of(joint_dimension::effort);
  v.tagged<Profile>("profile", t.law, "the torque over time, starting from zero");
  v.tagged<Pd>("pd", t.law, "proportional and derivative control");
  v.tagged<ComputedTorque>("computed_torque", t.law, "control by inverse dynamics");
  v.tagged<Servo>("servo", t.law, "servo compliance");
  v.tagged<Pid>("pid", t.law, "proportional, integral and derivative control");
  v.inline_tagged<InputTorque>("input", t.law);
}

void fields(FieldVisitor& v, Attachment& a) {
  v.type("attachment");
  v.name(optional, "link", a.link, "the link on which the point is; default: the world");
  v.value(optional, "point", a.point, dimension::length, range::any,
          "on a link: in link axes, default: the origin of the tip frame; in the world: in world axes, default: the "
          "origin");
}

void fields(FieldVisitor& v, SpringDamper& s) {
  v.type("spring damper");
  v.object(required, "from", s.from, "one end");
  v.object(required, "to", s.to, "the other end");
  v.value(optional, "stiffness", s.stiffness, dimension::stiffness, range::non_negative, "along its line");
  v.value(optional, "damping", s.damping, dimension::damping, range::non_negative, "along its line");
  v.value(optional, "length", s.length, dimension::length, range::non_negative,
          "length without force; required where a stiffness is given");
}

void fields(FieldVisitor& v, Plane& p) {
  v.type("plane");
  v.value(optional, "point", p.point, dimension::length, range::any, "a point of it, in world axes");
  v.value(optional, "normal", p.normal, dimension::number, range::any,
          "away from the wall, to the side on which the arm may be; default: the world's z, a floor");
}

void fields(FieldVisitor& v, Contact& c) {
  v.type("contact");
  v.name(required, "link", c.link, "the link on which the point is");
  v.value(optional, "point", c.point, dimension::length, range::any,
          "the point, in link axes; default: the origin of the tip frame");
  v.object(required, "plane", c.plane, "the wall that stops it");
  v.value(required, "stiffness", c.stiffness, dimension::stiffness, range::positive,
          "of the contact, across the plane");
  v.value(optional, "damping", c.damping, dimension::damping, range::non_negative,
          "of the contact, across the plane; the wall never pulls");
}

void fields(FieldVisitor& v, ForceSpec& f) {
  v.type("force");
  v.tagged<SpringDamper>("spring_damper", f.force, "a spring and a damper between two points");
  v.tagged<Contact>("contact", f.force, "a plane that stops a point, without friction");
}

void fields(FieldVisitor& v, SpreadPoint& p) {
  v.type("spread point");
  v.value(required, "at", p.at, dimension::length, range::any, "distance from the root along x of the straight link");
  v.value(required, "factor", p.factor, dimension::number, range::any,
          "by which the load per length is multiplied there");
}

void fields(FieldVisitor& v, Spread& s) {
  static constexpr Dimension force_per_length{"a force per length", "N/m"},
      moment_per_length{"a moment per length", "N.m/m"};
  v.type("spread");
  v.value(optional, "force", s.force, force_per_length, range::any, "vector, per length of the straight link");
  v.value(optional, "moment", s.moment, moment_per_length, range::any, "vector, per length of the straight link");
  v.value(optional, "from", s.from, dimension::length, range::any,
          "where it begins: distance from the root along x of the straight link; default: at the root");
  v.value(optional, "to", s.to, dimension::length, range::any, "where it ends; default: at the tip");
  v.list(
      optional, "shape", s.shape,
      "points between which a factor of both varies linearly along the link, constant beyond the first and the last; "
      "default: 1 everywhere");
}

void fields(FieldVisitor& v, Load& l) {
  v.type("load");
  v.name(required, "link", l.link, "the link on which it acts");
  v.value(optional, "point", l.point, dimension::length, range::any,
          "where the force acts on the straight link, in link axes; on a flexible link it moves with the section at "
          "that x. Default: the origin of the tip frame");
  v.value(optional, "force", l.force, dimension::force, range::any, "vector");
  v.value(optional, "moment", l.moment, dimension::torque, range::any, "vector");
  v.object(optional, "distributed", l.spread, "instead of point, force and moment: spread along the link");
  v.choice(optional, "axes", l.axes,
           "axes of force and moment; `link`: those of the section on which they act, as it turns");
  v.profile_of(joint_dimension::factor);
  v.object(optional, "scale", l.scale,
           "multiplies both over time: a profile of pure numbers, starting from zero; default: always one");
  v.name(optional, "name", l.name, "name by which `events` refer to it");
  v.flag_unless(true, "active", l.active,
                "false: switched off until an event gives it a factor; `lithe static` leaves it out as well");
}

}  // namespace lithe
