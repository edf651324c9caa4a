// Every field of a case file, once: its key, unit, range, default and meaning.
//
// Three visitors walk these functions: the reader (case_reader.cpp) fills the structs from YAML and reports mistakes, the
// writer (case_writer.cpp) turns them back into YAML, the schema (case_schema.cpp) describes them in JSON Schema, from
// which docs/case-file.md is made. So none can disagree with another. A default is whatever a default-constructed struct
// holds.
//
// What a visitor offers, all keyed by name:
//   value joint_value                      a quantity, a vector of three, or an optional one; the latter in the joint's units
//   values                                 a list of quantities
//   profile_value profile_of               a value of the profile's own dimension, and what that is
//   count flag name coordinate file choice an integer, boolean, identifier (a coordinate's has dots), file name, word of an enum
//   flags                                  a list of words, each of which sets a boolean
//   object list joint_map joint_entries    nested structs; maps from joint names
//   one_or_list                            a list of structs, or a single one that stands for a list of one
//   short_choice short_joint_value …       a scalar that stands for the whole object
//   tagged inline_tagged otherwise word …  the members of a variant, told apart by a key
//   exactly_one                            a rule between keys
#pragma once

#include "lithe/describe/case.h"
#include "lithe/describe/field.h"

namespace lithe {

inline constexpr Need optional = Need::optional;
inline constexpr Need required = Need::required;

// ---------------------------------------------------------------------------------------------------- matter

inline const char* type_name(const Material&) { return "material"; }
template <class V>
void fields(V& v, Material& m) {
  v.catalogue_name(m, "a name from the catalogue");
  v.value(required, "E", m.E, dimension::pressure, range::positive, "Young's modulus");
  v.value(required, "nu", m.nu, dimension::number, range::poisson, "Poisson's ratio");
  v.value(required, "density", m.density, dimension::density, range::positive, "mass per volume");
  v.value(optional, "G", m.G, dimension::pressure, range::positive, "shear modulus; E/2(1+nu) unless given");
  v.value(optional, "yield_strength", m.yield_strength, dimension::pressure, range::positive,
          "stress from which on a run warns; changes nothing else");
}

inline const char* type_name(const Circle&) { return "circle"; }
template <class V>
void fields(V& v, Circle& s) {
  v.value(required, "diameter", s.diameter, dimension::length, range::positive, "of the solid bar");
}
inline const char* type_name(const Tube&) { return "tube"; }
template <class V>
void fields(V& v, Tube& s) {
  v.value(required, "outer_diameter", s.outer_diameter, dimension::length, range::positive, "outside");
  v.value(required, "inner_diameter", s.inner_diameter, dimension::length, range::non_negative,
          "inside; smaller than the outer one");
}
inline const char* type_name(const Rectangle&) { return "rectangle"; }
template <class V>
void fields(V& v, Rectangle& s) {
  v.value(required, "width_y", s.width_y, dimension::length, range::positive, "along the link's y");
  v.value(required, "height_z", s.height_z, dimension::length, range::positive, "along the link's z");
}
inline const char* type_name(const Box&) { return "box"; }
template <class V>
void fields(V& v, Box& s) {
  v.value(required, "width_y", s.width_y, dimension::length, range::positive, "outside, along the link's y");
  v.value(required, "height_z", s.height_z, dimension::length, range::positive, "outside, along the link's z");
  v.value(required, "thickness", s.thickness, dimension::length, range::positive,
          "of the walls; less than half the smaller side");
}
inline const char* type_name(const GeneralSection&) { return "general section"; }
template <class V>
void fields(V& v, GeneralSection& s) {
  v.value(required, "area", s.area, dimension::area, range::positive, "of the section");
  v.value(required, "Iy", s.Iy, dimension::second_moment, range::positive, "second moment about y (bending along z)");
  v.value(required, "Iz", s.Iz, dimension::second_moment, range::positive, "second moment about z (bending along y)");
  v.value(optional, "J", s.J, dimension::second_moment, range::positive,
          "torsion constant; Iy + Iz unless given, right for round sections only");
  v.value(optional, "outer_y", s.outer_y, dimension::length, range::positive,
          "distance of the outermost fibres along y; with outer_z, runs give strain and stress");
  v.value(optional, "outer_z", s.outer_z, dimension::length, range::positive, "the same along z");
}
inline const char* type_name(const Section&) { return "section"; }
template <class V>
void fields(V& v, Section& s) {
  v.value(optional, "shear", s.shear, dimension::number, range::positive,
          "shear coefficient; by Cowper's formula unless given");
  v.template tagged<Circle>("circle", s.shape, "a solid round bar");
  v.template tagged<Tube>("tube", s.shape, "a round tube");
  v.template tagged<Rectangle>("rectangle", s.shape, "a solid rectangle");
  v.template tagged<Box>("box", s.shape, "a rectangular tube");
  v.template otherwise<GeneralSection>(s.shape);
}

inline const char* type_name(const InertiaEntries&) { return "inertia"; }
template <class V>
void fields(V& v, InertiaEntries& i) {
  const char* diagonal = "matrix element about the mass centre, in link axes";
  const char* product = "matrix element, so minus the integral of the product";
  v.value(optional, "xx", i.xx, dimension::inertia, range::any, diagonal);
  v.value(optional, "yy", i.yy, dimension::inertia, range::any, diagonal);
  v.value(optional, "zz", i.zz, dimension::inertia, range::any, diagonal);
  v.value(optional, "xy", i.xy, dimension::inertia, range::any, product);
  v.value(optional, "xz", i.xz, dimension::inertia, range::any, product);
  v.value(optional, "yz", i.yz, dimension::inertia, range::any, product);
}

// ---------------------------------------------------------------------------------------------------- links

inline const char* type_name(const Modes&) { return "modes"; }
template <class V>
void fields(V& v, Modes& m) {
  v.count(optional, "bending_y", m.bending_y, 0, "shapes of deflection along y (curvature about z)");
  v.count(optional, "bending_z", m.bending_z, 0, "shapes of deflection along z");
  v.count(optional, "torsion", m.torsion, 0, "shapes of twist");
  v.count(optional, "axial", m.axial, 0, "shapes of stretch");
  v.choice(optional, "shape", m.shape, "kind of shape functions");
}
template <class V>
void fields(V& v, Elements& e) {
  v.count(required, "elements", e.count, 1, "number of beam elements");
  v.choice(optional, "element", e.element,
           "`exact` cannot lock; `linear` is the two-node Timoshenko element with one-point shear");
  v.choice(optional, "integration", e.integration, "of the linear element's shear; `full` locks");
  v.choice(optional, "plane", e.plane,
           "`both`, or bending along `y` or `z` only: three coordinates a node instead of six");
  v.values(optional, "mesh", e.mesh, dimension::number, range::positive,
           "element lengths as fractions of the beam's, root to tip; equal unless given");
  v.count(optional, "keep", e.keep, 1, "coordinates left after a reduction; all unless given");
  v.choice(
      optional, "reduction", e.reduction,
      "`craig-bampton` keeps unit motions of the tip, then modes with the tip held; `eigenmodes` the lowest modes");
}
/// What `springs` of segments says: a rule by its word, or a rule and stiffnesses.
struct SpringsOfSegments {
  SegmentSprings rule = SegmentSprings::calibrated;
  HingeSprings given = {};
};
inline const char* type_name(const SpringsOfSegments&) { return "springs"; }
template <class V>
void fields(V& v, SpringsOfSegments& s) {
  v.short_choice(
      s.rule,
      "`calibrated`: hinges in the middle of each segment, as soft as the segment; `paper`: at its root side, "
      "the first at the beam's root");
  v.choice(optional, "rule", s.rule, "where the hinges sit, and the stiffness of the directions not given here");
  std::vector<double> both;
  v.values(optional, "bending", both, dimension::angular_stiffness, range::positive,
           "of the hinges from the root on, one for each or one for all, in both planes");
  if (!both.empty()) s.given.bending_y = s.given.bending_z = both;
  v.values(optional, "bending_y", s.given.bending_y, dimension::angular_stiffness, range::positive,
           "the same for bending along y alone");
  v.values(optional, "bending_z", s.given.bending_z, dimension::angular_stiffness, range::positive,
           "the same for bending along z alone");
  v.values(optional, "torsion", s.given.torsion, dimension::angular_stiffness, range::positive, "the same for twist");
}
template <class V>
void fields(V& v, Segments& s) {
  v.count(required, "segments", s.count, 1, "number of rigid pieces joined by springs");
  SpringsOfSegments springs{s.springs, s.given};
  v.object(optional, "springs", springs, "of the hinges: `calibrated` unless given");
  s.springs = springs.rule;
  s.given = springs.given;
  v.flags(optional, "locked",
          {{"bending_y", &s.locked.bending_y}, {"bending_z", &s.locked.bending_z}, {"torsion", &s.locked.torsion}},
          "directions in which the hinges do not turn; they have no coordinates then");
}
inline const char* type_name(const Flexibility&) { return "flexibility"; }
template <class V>
void fields(V& v, Flexibility& f) {
  v.template word<NoFlexibility>("rigid", f, "the beam does not bend");
  v.template tagged<Modes>("modes", f, "assumed shapes, so many of each kind");
  v.template inline_tagged<Elements>("elements", f);
  v.template inline_tagged<Segments>("segments", f);
}

inline const char* type_name(const SectionStep&) { return "step"; }
template <class V>
void fields(V& v, SectionStep& s) {
  v.value(required, "at", s.at, dimension::length, range::positive, "from the root");
  v.object(required, "section", s.section, "from there on");
}
template <class V>
void fields(V& v, DampingRatio& d) {
  v.value(required, "ratio", d.ratio, dimension::number, range::non_negative,
          "of critical damping, in every natural mode of this link alone, clamped at its root and without what it "
          "carries; the "
          "arm's modes, which are slower, get much less: see `damping` of the arm");
}
inline const char* type_name(const RayleighDamping&) { return "rayleigh"; }
template <class V>
void fields(V& v, RayleighDamping& d) {
  v.value(optional, "alpha", d.alpha, dimension::gain_rate, range::non_negative, "times the mass matrix");
  v.value(optional, "beta", d.beta, dimension::time, range::non_negative, "times the stiffness matrix");
}
template <class V>
void fields(V& v, LossFactor& d) {
  v.value(required, "loss_factor", d.loss_factor, dimension::number, range::non_negative,
          "of the material; acts as a ratio of half of it");
}
inline const char* type_name(const StructuralDamping&) { return "structural damping"; }
template <class V>
void fields(V& v, StructuralDamping& d) {
  v.template inline_tagged<DampingRatio>("ratio", d);
  v.template tagged<RayleighDamping>("rayleigh", d, "alpha M + beta K");
  v.template inline_tagged<LossFactor>("loss_factor", d);
}

inline const char* type_name(const Beam&) { return "beam"; }
template <class V>
void fields(V& v, Beam& b) {
  v.value(required, "length", b.length, dimension::length, range::positive,
          "along the neutral axis, which is the link's x");
  v.object(required, "material", b.material, "what it is made of");
  v.object(required, "section", b.section, "the cross-section");
  v.object(required, "flexibility", b.flexibility, "how the beam bends");
  v.object(optional, "tip_section", b.tip_section,
           "a section of the same kind at the tip, to which the dimensions taper linearly");
  v.list(optional, "steps", b.steps, "places from which on the section is another");
  v.object(optional, "damping", b.damping, "of the beam itself; none unless given");
}

inline const char* type_name(const ImportedFile&) { return "imported"; }
template <class V>
void fields(V& v, ImportedFile& i) {
  v.file(required, "file", i.file, "JSON with nodes, mass, shapes, stiffness and the tip's node");
}

inline const char* type_name(const Rod&) { return "rod"; }
template <class V>
void fields(V& v, Rod& s) {
  v.value(required, "length", s.length, dimension::length, range::positive, "along x, from the link frame");
}
inline const char* type_name(const Block&) { return "block"; }
template <class V>
void fields(V& v, Block& s) {
  v.value(required, "x", s.x, dimension::length, range::positive, "side along x, from the link frame");
  v.value(required, "y", s.y, dimension::length, range::positive, "side along y");
  v.value(required, "z", s.z, dimension::length, range::positive, "side along z");
}
inline const char* type_name(const Cylinder&) { return "cylinder"; }
template <class V>
void fields(V& v, Cylinder& s) {
  v.value(required, "length", s.length, dimension::length, range::positive, "along x, from the link frame");
  v.value(required, "diameter", s.diameter, dimension::length, range::positive, "across");
}
inline const char* type_name(const Sphere&) { return "sphere"; }
template <class V>
void fields(V& v, Sphere& s) {
  v.value(required, "diameter", s.diameter, dimension::length, range::positive, "of the solid ball");
}
inline const char* type_name(const BodyShape&) { return "shape"; }
template <class V>
void fields(V& v, BodyShape& s) {
  v.template tagged<Rod>("rod", s, "a thin rod along x");
  v.template tagged<Block>("block", s, "a solid block, along x from the link frame");
  v.template tagged<Cylinder>("cylinder", s, "a solid cylinder along x");
  v.template tagged<Sphere>("sphere", s, "a solid ball centred on the link frame");
}
inline const char* type_name(const RigidBody&) { return "rigid"; }
template <class V>
void fields(V& v, RigidBody& b) {
  v.value(optional, "length", b.length, dimension::length, range::non_negative,
          "from the link frame to the tip frame, along x; the shape's extent along x, else 0, unless given");
  v.object(optional, "shape", b.shape, "gives mass centre and inertia of a homogeneous body");
  v.value(optional, "mass", b.mass, dimension::mass, range::non_negative, "of the body");
  v.value(optional, "density", b.density, dimension::density, range::positive, "with a shape, instead of the mass");
  v.value(optional, "com", b.com, dimension::length, range::any,
          "mass centre in link axes; the shape's centre, else the link frame, unless given");
  v.object(optional, "inertia", b.inertia, "about the mass centre; the shape's, else zero, unless given");
  v.exactly_one({"mass", "density"});
}
inline const char* type_name(const Payload&) { return "payload"; }
template <class V>
void fields(V& v, Payload& p) {
  v.value(required, "mass", p.mass, dimension::mass, range::non_negative, "of the payload");
  v.value(optional, "at", p.at, dimension::length, range::any,
          "where along the link it sits, from the root along the straight link's x; on the tip frame unless given");
  v.value(optional, "com", p.com, dimension::length, range::any,
          "its mass centre, in the axes of the tip frame or of the section at `at`");
  v.object(optional, "inertia", p.inertia, "about its mass centre, in the same axes");
}

// ---------------------------------------------------------------------------------------------------- joints

inline const char* type_name(const Origin&) { return "origin"; }
template <class V>
void fields(V& v, Origin& o) {
  v.value(optional, "xyz", o.xyz, dimension::length, range::any, "position");
  v.value(optional, "rpy", o.rpy, dimension::angle, range::any, "roll, pitch, yaw about fixed axes, as in URDF");
}
inline const char* type_name(const DenavitHartenberg&) { return "dh"; }
template <class V>
void fields(V& v, DenavitHartenberg& dh) {
  v.value(optional, "a", dh.a, dimension::length, range::any, "length of the common normal");
  v.value(optional, "alpha", dh.alpha, dimension::angle, range::any, "twist");
  v.value(optional, "d", dh.d, dimension::length, range::any,
          "offset along the joint axis; a joint that slides adds to it");
  v.value(optional, "theta", dh.theta, dimension::angle, range::any,
          "turn about the joint axis; a joint that turns adds to it");
  v.choice(required, "convention", dh.convention,
           "`standard` Rz(theta) Tz(d) Tx(a) Rx(alpha), or `modified` Rx(alpha) Tx(a) Rz(theta) Tz(d)");
}
inline const char* type_name(const Friction&) { return "friction"; }
template <class V>
void fields(V& v, Friction& f) {
  if (v.short_joint_value(f.forward, joint_dimension::effort, range::non_negative, "the same level both ways"))
    f.backward = f.forward;
  v.joint_value(required, "forward", f.forward, joint_dimension::effort, range::non_negative,
                "Coulomb level at positive rate");
  v.joint_value(required, "backward", f.backward, joint_dimension::effort, range::non_negative,
                "Coulomb level at negative rate");
  v.joint_value(optional, "smoothing", f.smoothing, joint_dimension::rate, range::positive,
                "rate at which friction has reached 76 % of its level: level tanh(rate/smoothing)");
}
inline const char* type_name(const Spring&) { return "spring"; }
template <class V>
void fields(V& v, Spring& s) {
  v.joint_value(required, "stiffness", s.stiffness, joint_dimension::stiffness, range::non_negative, "of the spring");
  v.joint_value(optional, "rest", s.rest, joint_dimension::position, range::any, "position without force");
}
inline const char* type_name(const Limits&) { return "limits"; }
template <class V>
void fields(V& v, Limits& l) {
  v.joint_value(required, "lower", l.lower, joint_dimension::position, range::any, "least position");
  v.joint_value(required, "upper", l.upper, joint_dimension::position, range::any, "greatest position");
  v.joint_value(optional, "stiffness", l.stiffness, joint_dimension::stiffness, range::non_negative,
                "of the soft stop; zero: the limits bound inverse kinematics only");
  v.joint_value(optional, "damping", l.damping, joint_dimension::damping, range::non_negative,
                "of the soft stop, while pressing into it");
}
inline const char* type_name(const Motor&) { return "motor"; }
template <class V>
void fields(V& v, Motor& m) {
  v.value(optional, "lead", m.lead, dimension::length, range::positive,
          "of a screw between a rotary motor and a prismatic joint: travel per turn of the screw");
  v.value(optional, "pinion_radius", m.pinion_radius, dimension::length, range::positive,
          "of a pinion between a rotary motor and a prismatic joint that is a rack");
  // Behind a screw or a pinion the motor turns, whatever the joint does.
  const JointDimension inertia = m.turns_a_slide() ? joint_dimension::turning_inertia : joint_dimension::inertia,
                       damping = m.turns_a_slide() ? joint_dimension::turning_damping : joint_dimension::damping;
  v.joint_value(required, "inertia", m.inertia, inertia, range::non_negative,
                "of the rotor, at the motor; with `lead` or `pinion_radius` a moment of inertia");
  v.value(optional, "gear_ratio", m.gear_ratio, dimension::number, range::non_zero,
          "motor turns per joint turn, or per turn of the screw or pinion; its sign is the sense of turning");
  v.joint_value(optional, "stiffness", m.stiffness, joint_dimension::stiffness, range::positive,
                "of an elastic transmission, at the output; gives the rotor a coordinate JOINT.motor of its own");
  v.joint_value(optional, "damping", m.damping, m.stiffness ? joint_dimension::damping : damping, range::non_negative,
                "viscous, at the motor, so with the ratio squared at the joint; with a stiffness: of the transmission, "
                "beside its spring, at the output");
  v.joint_value(optional, "hardening", m.hardening, joint_dimension::hardening, range::non_negative,
                "of that spring: stiffness x + hardening x^3");
  v.joint_value(optional, "bearing", m.bearing, damping, range::non_negative,
                "viscous damping of a rotor behind a spring, at the motor");
}
inline const char* type_name(const Guide&) { return "guide"; }
template <class V>
void fields(V& v, Guide& g) {
  v.short_joint_value(g.exit, joint_dimension::place, range::any, "where its exit is, with the flow of matter counted");
  v.value(required, "exit", g.exit, dimension::length, range::any, "from the joint's origin, along its axis");
  v.flag(optional, "transport", g.transport,
         "count what the flow of matter through the elements does (Coriolis-like and convective terms); without it "
         "elements only "
         "change their length, as in naganathan86");
}
inline const char* type_name(const CoordinateSpec&) { return "joint coordinate"; }
template <class V>
void fields(V& v, CoordinateSpec& c) {
  v.joint_value(optional, "damping", c.damping, joint_dimension::damping, range::non_negative, "viscous");
  v.object(optional, "friction", c.friction, "smoothed Coulomb friction");
  v.object(optional, "spring", c.spring, "to the parent");
  v.object(optional, "limits", c.limits, "range of the coordinate");
}
inline const char* type_name(const JointSpec&) { return "joint"; }
template <class V>
void fields(V& v, JointSpec& j) {
  v.name(optional, "name", j.name, "names the coordinate; default LINK_joint");
  v.joint_type(required, "type", j.type, "how the link moves on its parent");
  v.value(optional, "axis", j.axis, dimension::number, range::any, "in the joint's own frame; any length but zero");
  v.vectors(optional, "axes", j.axes, 2, dimension::number,
            "of a universal joint: the first stays with the parent, the second goes along with the link");
  v.value(optional, "pitch", j.pitch, dimension::length, range::any,
          "of a helical joint: how far it advances along its axis in one turn");
  v.own_coordinates(optional, "coordinates", j.coordinates,
                    "of a joint with several coordinates: what each does by itself, by what follows the joint's name "
                    "(`turn` of JOINT.turn)");
  v.object(optional, "origin", j.origin,
           "the joint's frame on the parent's tip frame; the tip frame itself unless given");
  v.object(optional, "dh", j.dh, "Denavit-Hartenberg parameters, instead of origin and axis");
  v.joint_value(optional, "damping", j.damping, joint_dimension::damping, range::non_negative,
                "viscous; of a joint whose coordinates all turn, of each");
  v.object(optional, "friction", j.friction, "smoothed Coulomb friction");
  v.object(optional, "spring", j.spring, "to the parent");
  v.object(optional, "limits", j.limits, "range of the joint");
  v.object(optional, "motor", j.motor, "rotor and gear behind the joint");
  v.object(optional, "guide", j.guide,
           "a sleeve that a sliding joint moves its beam through, axis along x: the beam is straight up to the "
           "sleeve's exit "
           "and bends beyond it; for finite-element only");
}
inline const char* type_name(const SurfaceSpec&) { return "surface"; }
template <class V>
void fields(V& v, SurfaceSpec& s) {
  v.value(required, "chord", s.chord, dimension::length, range::positive, "from leading to trailing edge");
  v.value(optional, "tip_chord", s.tip_chord, dimension::length, range::positive,
          "at the far end, to which it tapers; the same unless given");
  v.value(optional, "axis", s.axis, dimension::number, range::any,
          "where in the chord the link's x axis runs, 0 at the leading edge, 1 at the trailing edge");
  v.value(optional, "trailing", s.trailing, dimension::number, range::any,
          "from the leading to the trailing edge, in link axes, across x");
  v.count(optional, "panels_chord", s.panels_chord, 1, "along the chord");
  v.count(optional, "panels_span", s.panels_span, 1, "along the span");
}
inline const char* type_name(const LinkSpec&) { return "link"; }
template <class V>
void fields(V& v, LinkSpec& l) {
  v.name(required, "name", l.name, "names the link");
  v.name(optional, "parent", l.parent,
         "the link whose tip carries this one; the previous link unless given, or `base`");
  v.object(required, "joint", l.joint, "how it is attached");
  v.object(optional, "beam", l.beam, "a beam, rigid or not");
  v.object(optional, "rigid", l.rigid, "a rigid body");
  v.object(optional, "imported", l.imported, "a flexible body by its shapes and matrices");
  v.one_or_list(optional, "payload", l.payloads, "bodies on the tip frame or along the link");
  v.object(optional, "surface", l.surface, "a thin lifting surface along the link, which feels the case's wind");
  v.exactly_one({"beam", "rigid", "imported"});
}

// ---------------------------------------------------------------------------------------------------- the arm

inline const char* type_name(const GivenMotion&) { return "base motion"; }
template <class V>
void fields(V& v, GivenMotion& m) {
  v.value(optional, "velocity", m.velocity, dimension::velocity, range::any, "at t = 0, world axes");
  v.value(optional, "acceleration", m.acceleration, dimension::acceleration, range::any, "constant, world axes");
  v.value(optional, "angular_velocity", m.angular_velocity, dimension::angular_velocity, range::any,
          "at t = 0, world axes");
  v.value(optional, "angular_acceleration", m.angular_acceleration, dimension::angular_acceleration, range::any,
          "constant, world axes; parallel to angular_velocity");
  v.profile_of(joint_dimension::place);
  v.object(optional, "x", m.x, "instead: a profile from zero, of the way along the world's x from `origin`");
  v.object(optional, "y", m.y, "the same along the world's y");
  v.object(optional, "z", m.z, "the same along the world's z");
  v.profile_of(joint_dimension::turn);
  v.object(optional, "roll", m.roll, "a profile from zero that adds to the roll of `origin`'s rpy");
  v.object(optional, "pitch", m.pitch, "the same for its pitch");
  v.object(optional, "yaw", m.yaw, "the same for its yaw");
}
inline const char* type_name(const BaseSpec&) { return "base"; }
template <class V>
void fields(V& v, BaseSpec& b) {
  v.short_choice(b.type, "a base without more to say");
  v.choice(required, "type", b.type,
           "`fixed`; `planar` moves in x, y and yaw; `free` floats; `moving` has a given motion");
  v.object(optional, "origin", b.origin,
           "the base frame in the world; where a moving base starts, the zero of a planar one");
  v.object(optional, "rigid", b.body, "the body of a planar or free base");
  v.object(optional, "motion", b.motion,
           "of a moving base: velocities with constant accelerations, or profiles of its place and turn");
  v.value(optional, "axle", b.axle, dimension::length, range::any,
          "of a planar base on wheels: the place on its x axis that cannot slip sideways; slips freely unless given");
}
inline const char* type_name(const MountSpec&) { return "mount"; }
template <class V>
void fields(V& v, MountSpec& m) {
  v.name(required, "link", m.link, "the carried arm's first link; it has all links from here to the next mount");
  v.object(optional, "origin", m.origin,
           "of the carried arm's base frame, from the tip frame of the last link before; its links call it `base`");
}

inline const char* type_name(const JointPosition&) { return "joint position"; }
template <class V>
void fields(V& v, JointPosition& j) {
  v.short_joint_value(j.position, joint_dimension::position, range::any, "its position");
  v.joint_value(required, "position", j.position, joint_dimension::position, range::any, "its position");
}
inline const char* type_name(const ModalDamping&) { return "modal damping"; }
template <class V>
void fields(V& v, ModalDamping& d) {
  v.value(required, "modes", d.modes, dimension::number, range::fraction,
          "of critical damping, in every natural mode of the whole arm at that pose, motors holding; `lithe modes` "
          "says what "
          "each mode gets elsewhere");
  v.joint_map("at", d.at, "joint positions of that pose; where the run starts unless given");
}

inline const char* type_name(const ArmSpec&) { return "arm"; }
template <class V>
void fields(V& v, ArmSpec& a) {
  v.value(optional, "gravity", a.gravity, dimension::acceleration, range::any, "as a vector in world axes");
  v.object(optional, "base", a.base, "what the first link stands on");
  v.choice(optional, "tip_rotation", a.tip_rotation,
           "`finite` turns the tip frame by the rotation of vector theta, `small` by 1 + [theta]x");
  v.choice(optional, "inertia", a.inertia, "`complete` keeps every term, `first-order` drops those of second order");
  v.flag(optional, "rotary_inertia", a.rotary_inertia, "count the section's own rotary inertia");
  v.list(required, "links", a.links, "parents before children");
  v.list(optional, "mounts", a.mounts, "where in the list an arm of its own begins, carried by what comes before it");
  v.joints_of(a);
  v.object(optional, "damping", a.damping,
           "of the arm's own natural modes, beside that of links and joints; none unless given");
  v.composition(
      "a case file: the arm that carries, with its base and its gravity",
      "a case file whose arm, on a fixed base, is mounted on the carrier's last tip frame; of several, each on "
      "the one before");
}

// ---------------------------------------------------------------------------------------------------- a run

inline const char* type_name(const Cycloidal&) { return "cycloidal"; }
template <class V>
void fields(V& v, Cycloidal& p) {
  v.profile_value(required, "to", p.to, "end value, absolute");
  v.value(required, "in", p.in, dimension::time, range::positive, "duration of the move");
}
inline const char* type_name(const Quintic&) { return "quintic"; }
template <class V>
void fields(V& v, Quintic& p) {
  v.profile_value(required, "to", p.to, "end value, absolute");
  v.value(required, "in", p.in, dimension::time, range::positive, "duration of the move");
}
inline const char* type_name(const TrapezoidalVelocity&) { return "trapezoidal velocity"; }
template <class V>
void fields(V& v, TrapezoidalVelocity& p) {
  v.profile_value(required, "to", p.to, "end value, absolute");
  v.value(required, "in", p.in, dimension::time, range::positive, "duration of the move, without the dwell");
  v.value(optional, "ramp", p.ramp, dimension::time, range::positive,
          "of constant acceleration, and of deceleration; a third of the move unless given");
  v.value(optional, "dwell", p.dwell, dimension::time, range::non_negative, "at the end");
}
inline const char* type_name(const TrapezoidalAcceleration&) { return "trapezoidal acceleration"; }
template <class V>
void fields(V& v, TrapezoidalAcceleration& p) {
  v.profile_value(required, "to", p.to, "end value, absolute");
  v.value(required, "in", p.in, dimension::time, range::positive, "duration of the move");
  v.value(optional, "ramp", p.ramp, dimension::time, range::positive,
          "of each flank of acceleration; an eighth of the move unless given");
}
inline const char* type_name(const Sinusoid&) { return "sinusoid"; }
template <class V>
void fields(V& v, Sinusoid& p) {
  v.profile_value(required, "amplitude", p.amplitude, "about the start value");
  v.value(required, "frequency", p.frequency, dimension::frequency, range::positive, "in cycles per time");
  v.value(optional, "phase", p.phase, dimension::angle, range::any, "at the start");
  v.value(optional, "for", p.duration, dimension::time, range::positive, "duration; for ever unless given");
}
inline const char* type_name(const Table&) { return "table"; }
template <class V>
void fields(V& v, Table& t) {
  v.file(required, "file", t.file, "CSV, relative to the case file; SI units, times in the first column");
  v.count(optional, "column", t.column, 2, "of the values, counted from one");
}
inline const char* type_name(const LinePoint&) { return "point"; }
template <class V>
void fields(V& v, LinePoint& p) {
  v.value(required, "at", p.at, dimension::time, range::positive, "time since the profile began");
  v.profile_value(required, "to", p.to, "value then, absolute");
}
inline const char* type_name(const Dwell&) { return "dwell"; }
template <class V>
void fields(V& v, Dwell& d) {
  v.value(required, "for", d.duration, dimension::time, range::positive, "duration");
}
inline const char* type_name(const Profile&) { return "profile"; }
template <class V>
void fields(V& v, Profile& p) {
  v.template tagged<Cycloidal>("cycloidal", p.shape, "a smooth move with zero rate and acceleration at both ends");
  v.template tagged<Quintic>("quintic", p.shape, "the fifth-order polynomial of the same kind");
  v.template tagged<TrapezoidalVelocity>("trapezoidal_velocity", p.shape,
                                         "constant acceleration, constant velocity, constant deceleration, dwell");
  v.template tagged<TrapezoidalAcceleration>("trapezoidal_acceleration", p.shape, "acceleration by straight flanks");
  v.template tagged<Sinusoid>("sinusoid", p.shape, "start + amplitude sin(2 pi frequency t + phase)");
  v.template tagged<Table>("table", p.shape, "a cubic spline through a CSV file");
  v.tagged_list(
      "lines", p.shape, &Lines::points,
      "straight lines from the start value through these points; the rate jumps at each, which strikes the arm");
  v.template tagged<Dwell>("dwell", p.shape, "no change");
  v.tagged_list("sequence", p.shape, &Sequence::parts, "several of these in turn, each from where the last one ended");
}

template <class V>
void fields(V& v, Command& c) {
  v.joint_value(optional, "target", c.target, joint_dimension::position, range::any, "position to hold");
  v.profile_of(joint_dimension::position);
  v.object(optional, "follow", c.follow, "profile to follow, from the initial position");
  v.exactly_one({"target", "follow"});
}
inline const char* type_name(const MotorEnvelope&) { return "envelope"; }
template <class V>
void fields(V& v, MotorEnvelope& e) {
  v.joint_value(required, "stall_torque", e.stall_torque, joint_dimension::effort, range::positive,
                "largest torque at standstill, at the joint");
  v.joint_value(required, "no_load_speed", e.no_load_speed, joint_dimension::rate, range::positive,
                "rate of the joint at which the motor gives no torque any more");
}
template <class V>
void fields(V& v, Actuation& a) {
  v.joint_value(optional, "saturation", a.saturation, joint_dimension::effort, range::positive,
                "largest torque either way");
  v.object(optional, "envelope", a.envelope,
           "torque-speed curve of a motor on a limited voltage: torques between -stall (1 + rate/no-load) and "
           "stall (1 - rate/no-load); `saturation`, a limit of the current, cuts what it leaves");
  v.value(optional, "sample_time", a.sample_time, dimension::time, range::positive,
          "computed at these intervals and held in between; continuously unless given");
}
inline const char* type_name(const StateGain&) { return "feedback"; }
template <class V>
void fields(V& v, StateGain& g) {
  v.coordinate(required, "of", g.of, "a coordinate, by its name in the results: `boom.1`, `elbow`");
  v.value(optional, "position", g.position, dimension::number, range::any,
          "torque taken away per change of it since the start, in SI units");
  v.value(optional, "rate", g.rate, dimension::number, range::any, "torque taken away per rate of change, in SI units");
}
inline const char* type_name(const Pd&) { return "pd"; }
template <class V>
void fields(V& v, Pd& c) {
  v.joint_value(required, "kp", c.kp, joint_dimension::stiffness, range::non_negative, "gain on the position error");
  v.joint_value(required, "kd", c.kd, joint_dimension::damping, range::non_negative, "gain on the rate error");
  v.flag(optional, "gravity_compensation", c.gravity_compensation, "add the torque that holds the arm's weight");
  v.choice(optional, "gravity_of", c.gravity_of,
           "whose weight that is: `state`, of the arm as it is, deformation and all; `command`, of the arm at rest at "
           "the commanded positions, its links sagged: no feedback, nothing to measure");
  v.list(optional, "feedback", c.feedback, "of other coordinates, such as how links bend");
  fields(v, c.command);
  fields(v, c.actuation);
}
inline const char* type_name(const Pid&) { return "pid"; }
template <class V>
void fields(V& v, Pid& c) {
  v.joint_value(required, "kp", c.kp, joint_dimension::stiffness, range::non_negative, "gain on the position error");
  v.joint_value(required, "ki", c.ki, joint_dimension::integral_gain, range::non_negative,
                "gain on the integral of the position error");
  v.joint_value(optional, "kd", c.kd, joint_dimension::damping, range::non_negative, "gain on the rate error");
  v.value(optional, "derivative_filter", c.derivative_filter, dimension::time, range::positive,
          "time constant of a first-order filter on the rate error; no filter unless given");
  v.choice(optional, "anti_windup", c.anti_windup,
           "what keeps the integral from growing while the torque is limited: `back-calculation` draws it back by "
           "what the limit takes away, `clamping` keeps its torque within `integral_limit`");
  v.value(optional, "tracking_time", c.tracking_time, dimension::time, range::positive,
          "of back-calculation; sqrt(kd/ki), or kp/ki without kd, unless given");
  v.joint_value(optional, "integral_limit", c.integral_limit, joint_dimension::effort, range::positive,
                "of clamping: largest torque of the integral either way; the saturation unless given");
  fields(v, c.command);
  fields(v, c.actuation);
}
inline const char* type_name(const ComputedTorque&) { return "computed torque"; }
template <class V>
void fields(V& v, ComputedTorque& c) {
  v.value(required, "kp", c.kp, dimension::gain_square, range::non_negative, "acceleration per position error");
  v.value(required, "kd", c.kd, dimension::gain_rate, range::non_negative, "acceleration per rate error");
  fields(v, c.command);
  fields(v, c.actuation);
}
inline const char* type_name(const Servo&) { return "servo"; }
template <class V>
void fields(V& v, Servo& c) {
  v.joint_value(optional, "kp", c.kp, joint_dimension::stiffness, range::positive, "spring to the commanded position");
  v.joint_value(optional, "kv", c.kv, joint_dimension::damping, range::non_negative, "damper to the commanded rate");
  v.value(optional, "structural_frequency", c.structural_frequency, dimension::frequency, range::positive,
          "instead of both: kp = (pi f)^2 J, kv = 2 sqrt(J kp), J the largest inertia the joint can see");
  fields(v, c.command);
  fields(v, c.actuation);
}
template <class V>
void fields(V& v, ConstantTorque& c) {
  v.joint_value(required, "constant", c.constant, joint_dimension::effort, range::any, "always the same");
}
template <class V>
void fields(V& v, InputTorque& c) {
  v.joint_value(required, "input", c.input, joint_dimension::effort, range::any,
                "until a program that steps the simulation sets another; `lithe run` keeps it");
  fields(v, c.actuation);
}
inline const char* type_name(const Torque&) { return "torque"; }
template <class V>
void fields(V& v, Torque& t) {
  v.template short_form<ConstantTorque>(t.law, [](auto& visitor, ConstantTorque& c) {
    visitor.short_joint_value(c.constant, joint_dimension::effort, range::any, "always the same");
  });
  v.template inline_tagged<ConstantTorque>("constant", t.law);
  v.profile_of(joint_dimension::effort);
  v.template tagged<Profile>("profile", t.law, "the torque over time, from zero");
  v.template tagged<Pd>("pd", t.law, "proportional and derivative control");
  v.template tagged<ComputedTorque>("computed_torque", t.law, "control by inverse dynamics");
  v.template tagged<Servo>("servo", t.law, "servo compliance");
  v.template tagged<Pid>("pid", t.law, "proportional, integral and derivative control");
  v.template inline_tagged<InputTorque>("input", t.law);
}
inline const char* type_name(const Attachment&) { return "attachment"; }
template <class V>
void fields(V& v, Attachment& a) {
  v.name(optional, "link", a.link, "the link it is on; the world unless given");
  v.value(optional, "point", a.point, dimension::length, range::any,
          "in link axes, the tip frame's origin unless given; in the world, its origin unless given");
}
inline const char* type_name(const SpringDamper&) { return "spring damper"; }
template <class V>
void fields(V& v, SpringDamper& s) {
  v.object(required, "from", s.from, "one of its ends");
  v.object(required, "to", s.to, "the other");
  v.value(optional, "stiffness", s.stiffness, dimension::stiffness, range::non_negative, "along its line");
  v.value(optional, "damping", s.damping, dimension::damping, range::non_negative, "along its line");
  v.value(optional, "length", s.length, dimension::length, range::non_negative,
          "at which the spring is without force; needed with a stiffness");
}
inline const char* type_name(const ForceSpec&) { return "force"; }
template <class V>
void fields(V& v, ForceSpec& f) {
  v.template tagged<SpringDamper>("spring_damper", f.force, "a spring and a damper between two points");
}
inline const char* type_name(const Load&) { return "load"; }
template <class V>
void fields(V& v, Load& l) {
  v.name(required, "link", l.link, "the link it acts on");
  v.value(
      optional, "point", l.point, dimension::length, range::any,
      "where the force acts on the straight link, in link axes; on a link that bends the section at its x carries it. "
      "The tip frame's origin unless given");
  v.value(optional, "force", l.force, dimension::force, range::any, "vector");
  v.value(optional, "moment", l.moment, dimension::torque, range::any, "vector");
  v.choice(optional, "axes", l.axes, "of force and moment; `link`: of the section they act on, as it turns");
  v.profile_of(joint_dimension::factor);
  v.object(optional, "scale", l.scale,
           "multiplies both over time, a profile of pure numbers from zero; one unless given");
}
inline const char* type_name(const InitialJoint&) { return "initial joint"; }
template <class V>
void fields(V& v, InitialJoint& j) {
  v.short_joint_value(j.position, joint_dimension::position, range::any, "the position, at rest");
  v.joint_value(optional, "position", j.position, joint_dimension::position, range::any, "at the start");
  v.value(optional, "rpy", j.rpy, dimension::angle, range::any,
          "instead, of a spherical joint: roll, pitch, yaw of the link in the joint's frame");
  v.joint_value(
      optional, "rate", j.rate, joint_dimension::rate, range::any,
      "at the start; zero, or that of its `motion`, unless given. A driven joint with another rate jumps to its "
      "motion's at t = 0, which strikes the arm");
}
inline const char* type_name(const InitialBase&) { return "initial base"; }
template <class V>
void fields(V& v, InitialBase& b) {
  v.value(optional, "xyz", b.xyz, dimension::length, range::any, "position");
  v.value(optional, "rpy", b.rpy, dimension::angle, range::any,
          "roll, pitch, yaw about fixed axes; the yaw of a planar base");
  v.value(optional, "velocity", b.velocity, dimension::velocity, range::any,
          "in base axes; of a planar base in its zero's axes");
  v.value(optional, "angular_velocity", b.angular_velocity, dimension::angular_velocity, range::any, "in base axes");
}
inline const char* type_name(const Initial&) { return "initial"; }
template <class V>
void fields(V& v, Initial& i) {
  v.choice(optional, "deformation", i.deformation,
           "`zero`; `static`: in equilibrium under gravity with the joints held; `settled`: the same with joints on "
           "`servo` or `pd` "
           "sunk onto the springs that their gains are");
  v.list(optional, "loads", i.loads,
         "loads that `static` and `settled` find the equilibrium under, beside gravity; they are gone when the run "
         "begins");
  v.object(optional, "base", i.base, "of a free or planar base");
  v.joint_entries(
      i.joints,
      "position, or position and rate, of a joint (`elbow`) or of a coordinate by which a link deforms (`upper.1`)");
}
inline const char* type_name(const Simulate&) { return "simulate"; }
template <class V>
void fields(V& v, Simulate& s) {
  v.value(required, "for", s.duration, dimension::time, range::positive, "duration");
  v.choice(optional, "formulation", s.formulation,
           "whose equations are marched; `finite-element` marches nodal elements under commanded motion");
  v.choice(
      optional, "model", s.model,
      "of `finite-element`: `nonlinear` (unless given), `linear` (deformation does not act on the gross motion), "
      "`quasi-static` (no vibration), `literal` (the thesis's text, which counts a motion twice; to compare with)");
  v.choice(
      optional, "method", s.method,
      "`cvode` (BDF, any arm; unless given), `cvode-adams` and `dopri5` (not stiff), `merson` (Kutta-Merson), "
      "`esdirk` (stiff), `rk4` and `midpoint` (symplectic) with a fixed step; of `finite-element`: `newmark` (unless "
      "given), `generalised-alpha`");
  v.value(optional, "rtol", s.rtol, dimension::number, range::positive, "relative tolerance");
  v.value(optional, "atol", s.atol, dimension::number, range::positive, "absolute tolerance");
  v.value(
      optional, "step", s.step, dimension::time, range::positive,
      "of the fixed-step methods rk4 and midpoint; of newmark and generalised-alpha, which else choose it by rtol and "
      "atol");
  v.value(optional, "rho_infinity", s.rho_infinity, dimension::number, range::fraction,
          "of generalised-alpha: what it leaves per step of the fastest modes, 0 to 1; 0.8 unless given");
  v.value(optional, "checkpoint", s.checkpoint, dimension::time, range::positive,
          "between checkpoints; a 20th of the duration unless given");
  v.value(optional, "output_step", s.output_step, dimension::time, range::positive,
          "between rows of the results; a 500th of the duration unless given");
}

inline const char* type_name(const WindSpec&) { return "wind"; }
template <class V>
void fields(V& v, WindSpec& w) {
  v.value(required, "speed", w.speed, dimension::velocity, range::positive, "of the air");
  v.value(optional, "direction", w.direction, dimension::number, range::any, "where it blows to, world axes");
  v.value(optional, "up", w.up, dimension::number, range::any, "towards which `incidence` turns it, world axes");
  v.value(optional, "incidence", w.incidence, dimension::angle, range::any, "of the wind");
  v.value(optional, "density", w.density, dimension::density, range::positive, "of the air");
  v.value(optional, "mirror", w.mirror, dimension::number, range::any,
          "normal of a plane through the world's origin that the flow does not cross, as for half a wing at a wall");
  v.choice(optional, "wake", w.wake, "`prescribed` goes with the wind; `free` also with what it induces");
  v.value(optional, "wake_length", w.wake_length, dimension::number, range::positive,
          "kept behind a surface, in chords");
  v.value(optional, "step", w.step, dimension::time, range::positive,
          "of the air, at most; the time in which the wind passes a panel unless given");
  v.choice(optional, "coupling", w.coupling,
           "`strong`: air and arm are brought into agreement in every step; `once`: each sees the other as of the step "
           "before");
}

inline const char* type_name(const Case&) { return "case"; }
template <class V>
void fields(V& v, Case& c) {
  v.object(required, "arm", c.arm, "what the arm is");
  v.joints_of(c.arm);
  v.object(optional, "wind", c.wind, "the air that lifting surfaces move in");
  v.profile_of(joint_dimension::position);
  v.joint_map("motion", c.motion, "joints whose motion is given (driven joints)");
  v.joint_map("torque", c.torque, "joints whose torque is given");
  v.list(optional, "loads", c.loads, "forces and moments on links");
  v.list(optional, "forces", c.forces, "forces that follow the arm's motion, between links or a link and the world");
  v.object(optional, "initial", c.initial, "the state at t = 0");
  v.object(optional, "simulate", c.simulate, "how to march in time");
}

}  // namespace lithe
