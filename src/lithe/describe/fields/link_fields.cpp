// Bodies, joints and what acts in them.
#include "lithe/describe/case/body.h"
#include "lithe/describe/case/joint.h"
#include "lithe/describe/fields/case_fields.h"

namespace lithe {

void fields(FieldVisitor& v, ImportedFile& i) {
  v.type("imported");
  v.file(required, "file", i.file,
         "JSON file: nodes, mass, shapes, stiffness and the node of the tip; or the constants C, C_k, C_kj, K and the "
         "tip");
}

void fields(FieldVisitor& v, Rod& s) {
  v.type("rod");
  v.value(required, "length", s.length, dimension::length, range::positive, "along x, from the link frame");
}

void fields(FieldVisitor& v, Block& s) {
  v.type("block");
  v.value(required, "x", s.x, dimension::length, range::positive, "side along x, from the link frame");
  v.value(required, "y", s.y, dimension::length, range::positive, "side along y");
  v.value(required, "z", s.z, dimension::length, range::positive, "side along z");
}

void fields(FieldVisitor& v, Cylinder& s) {
  v.type("cylinder");
  v.value(required, "length", s.length, dimension::length, range::positive, "along x, from the link frame");
  v.value(required, "diameter", s.diameter, dimension::length, range::positive, "across");
}

void fields(FieldVisitor& v, Sphere& s) {
  v.type("sphere");
  v.value(required, "diameter", s.diameter, dimension::length, range::positive, "of the solid ball");
}

void fields(FieldVisitor& v, Mesh& m) {
  v.type("mesh");
  v.file(required, "file", m.file, "STL file, text or binary, with a closed surface in link axes");
  v.value(optional, "unit", m.unit, dimension::length, range::positive, "length of one unit of the file");
}

void fields(FieldVisitor& v, BodyShape& s) {
  v.type("shape");
  v.tagged<Rod>("rod", s, "a thin rod along x");
  v.tagged<Block>("block", s, "a solid block, along x from the link frame");
  v.tagged<Cylinder>("cylinder", s, "a solid cylinder along x");
  v.tagged<Sphere>("sphere", s, "a solid ball centred on the link frame");
  v.tagged<Mesh>("mesh", s, "a solid body inside the triangles of a file");
}

void fields(FieldVisitor& v, RigidBody& b) {
  v.type("rigid");
  v.value(
      optional, "length", b.length, dimension::length, range::non_negative,
      "from the link frame to the tip frame, along x; default: the extent of the shape along x, or 0 without a shape");
  v.object(optional, "shape", b.shape, "a homogeneous body of this shape; gives mass centre and inertia");
  v.value(optional, "mass", b.mass, dimension::mass, range::non_negative, "of the body");
  v.value(optional, "density", b.density, dimension::density, range::positive,
          "instead of the mass, where a shape is given");
  v.formula(
      optional, "density_formula", b.density_formula,
      "instead of the mass, where a block, cylinder or sphere is given: density in kg/m^3 as a formula of x, y, z in "
      "metres, link axes, such as `2700*(1 + x/0.5)`");
  v.value(optional, "com", b.com, dimension::length, range::any,
          "mass centre in link axes; default: that of the shape, or the origin of the link frame without a shape");
  v.object(optional, "inertia", b.inertia,
           "about the mass centre; default: that of the shape, or zero without a shape");
  v.exactly_one({"mass", "density", "density_formula"});
}

void fields(FieldVisitor& v, Payload& p) {
  v.type("payload");
  payload_fields(v, p);
}

void payload_fields(FieldVisitor& v, Payload& p) {
  v.value(required, "mass", p.mass, dimension::mass, range::non_negative, "of the payload");
  v.value(optional, "at", p.at, dimension::length, range::any,
          "where it is on the link: distance from the root along x of the straight link; default: on the tip frame");
  v.value(optional, "com", p.com, dimension::length, range::any,
          "mass centre, in the axes of the tip frame or of the section at `at`");
  v.object(optional, "inertia", p.inertia, "about the mass centre, in the same axes");
}

void fields(FieldVisitor& v, Origin& o) {
  v.type("origin");
  v.value(optional, "xyz", o.xyz, dimension::length, range::any, "position");
  v.value(optional, "rpy", o.rpy, dimension::angle, range::any, "roll, pitch, yaw about fixed axes, as in URDF");
}

void fields(FieldVisitor& v, DenavitHartenberg& dh) {
  v.type("dh");
  v.value(optional, "a", dh.a, dimension::length, range::any, "length of the common normal");
  v.value(optional, "alpha", dh.alpha, dimension::angle, range::any, "twist");
  v.value(optional, "d", dh.d, dimension::length, range::any,
          "offset along the joint axis; the position of a sliding joint adds to it");
  v.value(optional, "theta", dh.theta, dimension::angle, range::any,
          "angle about the joint axis; the position of a turning joint adds to it");
  v.choice(required, "convention", dh.convention,
           "`standard` Rz(theta) Tz(d) Tx(a) Rx(alpha), or `modified` Rx(alpha) Tx(a) Rz(theta) Tz(d)");
}

void fields(FieldVisitor& v, Friction& f) {
  v.type("friction");
  if (v.short_joint_value(f.forward, joint_dimension::effort, range::non_negative, "the same level in both directions"))
    f.backward = f.forward;
  v.joint_value(required, "forward", f.forward, joint_dimension::effort, range::non_negative,
                "Coulomb level at positive rate");
  v.joint_value(required, "backward", f.backward, joint_dimension::effort, range::non_negative,
                "Coulomb level at negative rate");
  v.joint_value(optional, "smoothing", f.smoothing, joint_dimension::rate, range::positive,
                "rate at which friction reaches 76 % of its level: level * tanh(rate/smoothing)");
}

void fields(FieldVisitor& v, Spring& s) {
  v.type("spring");
  v.joint_value(required, "stiffness", s.stiffness, joint_dimension::stiffness, range::non_negative, "of the spring");
  v.joint_value(optional, "rest", s.rest, joint_dimension::position, range::any, "position without force");
}

void fields(FieldVisitor& v, Limits& l) {
  v.type("limits");
  v.joint_value(required, "lower", l.lower, joint_dimension::position, range::any, "lowest position");
  v.joint_value(required, "upper", l.upper, joint_dimension::position, range::any, "highest position");
  v.joint_value(optional, "stiffness", l.stiffness, joint_dimension::stiffness, range::non_negative,
                "of the soft stop; with zero there is no stop, and the limits bound inverse kinematics only");
  v.joint_value(optional, "damping", l.damping, joint_dimension::damping, range::non_negative,
                "of the soft stop, while the joint presses into it");
}

void fields(FieldVisitor& v, Motor& m) {
  v.type("motor");
  v.value(optional, "lead", m.lead, dimension::length, range::positive,
          "of the screw between a rotary motor and a prismatic joint: travel per turn of the screw");
  v.value(optional, "pinion_radius", m.pinion_radius, dimension::length, range::positive,
          "of the pinion between a rotary motor and the rack of a prismatic joint");
  // Behind a screw or a pinion the motor turns, whatever the joint does.
  const JointDimension inertia = m.turns_a_slide() ? joint_dimension::turning_inertia : joint_dimension::inertia,
                       damping = m.turns_a_slide() ? joint_dimension::turning_damping : joint_dimension::damping;
  v.joint_value(required, "inertia", m.inertia, inertia, range::non_negative,
                "of the rotor, at the motor; a moment of inertia where `lead` or `pinion_radius` is given");
  v.value(
      optional, "gear_ratio", m.gear_ratio, dimension::number, range::non_zero,
      "motor turns per joint turn, or per turn of the screw or pinion; negative where the motor turns the other way");
  v.joint_value(optional, "stiffness", m.stiffness, joint_dimension::stiffness, range::positive,
                "of an elastic transmission, at the output; the rotor then has its own coordinate JOINT.motor");
  v.joint_value(optional, "damping", m.damping, m.stiffness ? joint_dimension::damping : damping, range::non_negative,
                "viscous, at the motor (times the ratio squared at the joint); where a stiffness is given, damping of "
                "the transmission, parallel to its spring, at the output");
  v.joint_value(optional, "hardening", m.hardening, joint_dimension::hardening, range::non_negative,
                "of that spring: stiffness * x + hardening * x^3");
  v.joint_value(
      optional, "backlash", m.backlash, joint_dimension::position, range::positive,
      "of an elastic transmission, at the output: the whole width of the gap within which its spring and damper "
      "do not touch; default: none");
  v.joint_value(optional, "bearing", m.bearing, damping, range::non_negative,
                "viscous damping of the rotor behind an elastic transmission, at the motor");
}

void fields(FieldVisitor& v, Guide& g) {
  v.type("guide");
  v.short_joint_value(g.exit, joint_dimension::place, range::any, "the position of its exit, with `transport`");
  v.value(required, "exit", g.exit, dimension::length, range::any, "distance from the joint's origin, along its axis");
  v.flag(
      optional, "transport", g.transport,
      "include the effects of the flow of material through the elements (Coriolis-like and convective terms); without "
      "it, elements only change their length, as in naganathan86");
}

void fields(FieldVisitor& v, CoordinateSpec& c) {
  v.type("joint coordinate");
  v.joint_value(optional, "damping", c.damping, joint_dimension::damping, range::non_negative, "viscous");
  v.object(optional, "friction", c.friction, "smoothed Coulomb friction");
  v.object(optional, "spring", c.spring, "to the parent");
  v.object(optional, "limits", c.limits, "range of the coordinate");
}

void fields(FieldVisitor& v, JointSpec& j) {
  v.type("joint");
  v.name(optional, "name", j.name, "name of the joint and of its coordinate; default: LINK_joint");
  v.joint_type(required, "type", j.type, "how the link moves relative to its parent");
  v.value(optional, "axis", j.axis, dimension::number, range::any, "in the joint's own frame; any length except zero");
  v.vectors(optional, "axes", j.axes, 2, dimension::number,
            "of a universal joint: the first is fixed in the parent, the second in the link");
  v.value(optional, "pitch", j.pitch, dimension::length, range::any,
          "of a helical joint: how far it advances along its axis in one turn");
  v.own_coordinates(optional, "coordinates", j.coordinates,
                    "of a joint with several coordinates: damping, friction, spring and limits of each, by the part of "
                    "its name after the dot (`turn` for JOINT.turn)");
  v.object(optional, "origin", j.origin,
           "the joint's frame relative to the tip frame of the parent; default: the tip frame itself");
  v.object(optional, "dh", j.dh, "Denavit-Hartenberg parameters, instead of origin and axis");
  v.joint_value(optional, "damping", j.damping, joint_dimension::damping, range::non_negative,
                "viscous; for a joint whose coordinates all turn, the same for each");
  v.object(optional, "friction", j.friction, "smoothed Coulomb friction");
  v.object(optional, "spring", j.spring, "to the parent");
  v.object(optional, "limits", j.limits, "range of the joint");
  v.object(optional, "motor", j.motor, "rotor and gear behind the joint");
  v.object(optional, "guide", j.guide,
           "a sleeve through which a sliding joint with its axis along x moves its beam: the beam is straight up to "
           "the exit of the sleeve and bends beyond it; for the formulation finite-element only");
}

}  // namespace lithe
