// The arm as a whole, the air around it, a run, and the case that holds them.
#include "lithe/describe/fields/case_fields.h"

#include "lithe/describe/case.h"

namespace lithe {

void fields(FieldVisitor& v, LinkSpec& l) {
  v.type("link");
  v.name(required, "name", l.name, "name of the link");
  v.name(optional, "parent", l.parent,
         "the link whose tip carries this one, or `base`; default: the previous link, or the base for the first");
  v.object(required, "joint", l.joint, "how it is attached");
  v.object(optional, "beam", l.beam, "a beam, flexible or rigid");
  v.object(optional, "rigid", l.rigid, "a rigid body");
  v.object(optional, "imported", l.imported, "a flexible body given by its shapes and matrices");
  v.one_or_list(optional, "payload", l.payloads, "bodies on the tip frame or along the link");
  v.object(optional, "surface", l.surface, "a thin lifting surface along the link, on which the wind of the case acts");
  v.exactly_one({"beam", "rigid", "imported"});
}

void fields(FieldVisitor& v, GivenMotion& m) {
  v.type("base motion");
  v.value(optional, "velocity", m.velocity, dimension::velocity, range::any, "at t = 0, world axes");
  v.value(optional, "acceleration", m.acceleration, dimension::acceleration, range::any, "constant, world axes");
  v.value(optional, "angular_velocity", m.angular_velocity, dimension::angular_velocity, range::any,
          "at t = 0, world axes");
  v.value(optional, "angular_acceleration", m.angular_acceleration, dimension::angular_acceleration, range::any,
          "constant, world axes; parallel to angular_velocity");
  v.profile_of(joint_dimension::place);
  v.object(optional, "x", m.x, "alternatively: a profile from zero, the distance along the world's x from `origin`");
  v.object(optional, "y", m.y, "the same along the world's y");
  v.object(optional, "z", m.z, "the same along the world's z");
  v.profile_of(joint_dimension::turn);
  v.object(optional, "roll", m.roll, "a profile from zero, added to the roll of `origin`");
  v.object(optional, "pitch", m.pitch, "the same for the pitch");
  v.object(optional, "yaw", m.yaw, "the same for the yaw");
}

void fields(FieldVisitor& v, BaseSpec& b) {
  v.type("base");
  v.short_choice(b.type, "a base described by its type alone");
  v.choice(required, "type", b.type,
           "`fixed`; `planar` moves in x, y and yaw; `free` floats; `moving` follows a given motion");
  v.object(optional, "origin", b.origin,
           "the base frame in the world; the start of a moving base, the zero of a planar one");
  v.object(optional, "rigid", b.body, "the body of a planar or free base");
  v.object(optional, "motion", b.motion,
           "of a moving base: velocities with constant accelerations, or profiles of position and orientation");
  v.value(
      optional, "axle", b.axle, dimension::length, range::any,
      "of a planar base on wheels: position on its x axis of the axle, which cannot slip sideways; default: no wheels");
}

void fields(FieldVisitor& v, MountSpec& m) {
  v.type("mount");
  v.name(required, "link", m.link, "the first link of the carried arm, which has all links up to the next mount");
  v.name(optional, "onto", m.onto, "the link that carries it, any earlier one; default: the link before in the list");
  v.object(optional, "origin", m.origin,
           "the base frame of the carried arm relative to the tip frame of the link that carries it; the carried links "
           "call it `base`");
}

void fields(FieldVisitor& v, JointPosition& j) {
  v.type("joint position");
  v.short_joint_value(j.position, joint_dimension::position, range::any, "its position");
  v.joint_value(required, "position", j.position, joint_dimension::position, range::any, "its position");
}

void fields(FieldVisitor& v, ModalDamping& d) {
  v.type("modal damping");
  v.value(required, "modes", d.modes, dimension::number, range::fraction,
          "fraction of critical damping in every natural mode of the whole arm at that pose, with the motors locked; "
          "`lithe modes` shows the damping of each mode at other poses");
  v.joint_map("at", d.at, "joint positions of that pose; default: those at the start of the run");
}

void fields(FieldVisitor& v, ArmSpec& a) {
  v.type("arm");
  v.value(optional, "gravity", a.gravity, dimension::acceleration, range::any, "vector in world axes");
  v.object(optional, "base", a.base, "the base that carries the first link");
  v.choice(optional, "tip_rotation", a.tip_rotation,
           "`finite` turns the tip frame by the rotation with vector theta, `small` by 1 + [theta]x");
  v.choice(optional, "inertia", a.inertia, "`complete` keeps every term, `first-order` drops the second-order terms");
  v.flag(optional, "rotary_inertia", a.rotary_inertia, "include the rotary inertia of the sections");
  v.list(required, "links", a.links, "parents before children");
  v.list(optional, "mounts", a.mounts, "links in the list where another arm begins, carried by the links before it");
  v.joints_of(a);
  v.object(optional, "damping", a.damping,
           "of the natural modes of the arm, in addition to that of links and joints; default: none");
  v.composition(
      "a case file: the arm that carries the others, with its base and gravity",
      "a case file, or a list: arms on fixed bases, the first mounted on the last tip frame of the carrier, "
      "each other one on the arm before it; or in place of a file {file: …, onto: LINK, prefix: TEXT, origin: "
      "…}, which mounts it on the tip frame of that link, puts the text before all names in the file, and "
      "replaces the origin of its base");
}

void fields(FieldVisitor& v, SurfaceSpec& s) {
  v.type("surface");
  v.value(required, "chord", s.chord, dimension::length, range::positive,
          "distance from the leading to the trailing edge");
  v.value(optional, "tip_chord", s.tip_chord, dimension::length, range::positive,
          "at the far end, towards which the chord tapers; default: the same");
  v.value(optional, "axis", s.axis, dimension::number, range::any,
          "where in the chord the link's x axis runs, 0 at the leading edge, 1 at the trailing edge");
  v.value(optional, "trailing", s.trailing, dimension::number, range::any,
          "direction from the leading to the trailing edge, in link axes, perpendicular to x");
  v.count(optional, "panels_chord", s.panels_chord, 1, "number of panels along the chord");
  v.count(optional, "panels_span", s.panels_span, 1, "number of panels along the span");
}

template <class G>
static void gust_fields(FieldVisitor& v, G& g) {
  v.value(required, "velocity", g.velocity, dimension::velocity, range::any, "largest velocity, added to the wind");
  if constexpr (std::is_same_v<G, OneMinusCosine>)
    v.value(required, "length", g.length, dimension::length, range::positive, "from its front to its end");
  else
    v.value(optional, "length", g.length, dimension::length, range::positive,
            "from its front to its end; default: without end");
  v.value(optional, "direction", g.direction, dimension::number, range::any,
          "of that velocity, in world axes; default: `up` of the wind");
  v.value(optional, "at", g.at, dimension::time, range::any,
          "time at which its front, a plane across the wind, passes the world's origin");
}

void fields(FieldVisitor& v, OneMinusCosine& g) {
  v.type("one minus cosine");
  gust_fields(v, g);
}

void fields(FieldVisitor& v, SharpEdged& g) {
  v.type("sharp edged");
  gust_fields(v, g);
}

void fields(FieldVisitor& v, GustSpec& g) {
  v.type("gust");
  v.tagged<OneMinusCosine>("one_minus_cosine", g.gust, "velocity/2 (1 - cos(2 pi x/length)), x behind its front");
  v.tagged<SharpEdged>("sharp_edged", g.gust, "the full velocity from its front on");
}

void fields(FieldVisitor& v, WindSpec& w) {
  v.type("wind");
  v.value(required, "speed", w.speed, dimension::velocity, range::positive, "of the air");
  v.value(optional, "direction", w.direction, dimension::number, range::any,
          "direction in which it blows, in world axes");
  v.value(optional, "up", w.up, dimension::number, range::any,
          "direction towards which `incidence` turns it, in world axes");
  v.value(optional, "incidence", w.incidence, dimension::angle, range::any,
          "angle by which the wind is turned towards `up`");
  v.value(optional, "density", w.density, dimension::density, range::positive, "of the air");
  v.value(optional, "mirror", w.mirror, dimension::number, range::any,
          "normal of a plane through the world's origin that the flow does not cross, for half a wing at a wall");
  v.choice(optional, "wake", w.wake,
           "`prescribed` moves with the wind; `free` also with the velocities that it induces itself");
  v.value(optional, "wake_length", w.wake_length, dimension::number, range::positive,
          "length kept behind a surface, in chords");
  v.value(optional, "step", w.step, dimension::time, range::positive,
          "largest step of the air; default: the time in which the wind passes one panel");
  v.choice(optional, "coupling", w.coupling,
           "`strong`: air and arm agree in every step; `once`: each sees the other as it was in the step before");
  v.profile_of(joint_dimension::speed);
  v.object(optional, "speed_over_time", w.speed_over_time, "a profile that starts from `speed`; default: constant");
  v.profile_of(joint_dimension::turn);
  v.object(optional, "incidence_over_time", w.incidence_over_time,
           "a profile that starts from `incidence`; default: constant");
  v.list(optional, "gusts", w.gusts, "gusts that come with the wind and add to it");
  v.value(
      optional, "stall", w.stall, dimension::angle, range::acute,
      "incidence of a strip beyond which its lift stays what it is there; default: lift grows without limit, and the "
      "run warns beyond 12 deg");
}

void fields(FieldVisitor& v, InitialJoint& j) {
  v.type("initial joint");
  v.short_joint_value(j.position, joint_dimension::position, range::any, "the position, at rest");
  v.joint_value(optional, "position", j.position, joint_dimension::position, range::any, "at the start");
  v.value(optional, "rpy", j.rpy, dimension::angle, range::any,
          "for a spherical joint, instead of a position: roll, pitch, yaw of the link in the joint's frame");
  v.joint_value(optional, "rate", j.rate, joint_dimension::rate, range::any,
                "at the start; default: zero, or the rate of its `motion`. A driven joint with another rate jumps to "
                "that of its motion at t = 0, which excites the arm like a blow");
}

void fields(FieldVisitor& v, InitialBase& b) {
  v.type("initial base");
  v.value(optional, "xyz", b.xyz, dimension::length, range::any, "position");
  v.value(optional, "rpy", b.rpy, dimension::angle, range::any,
          "roll, pitch, yaw about fixed axes; a planar base uses only the yaw");
  v.value(optional, "velocity", b.velocity, dimension::velocity, range::any,
          "in base axes; for a planar base, in the axes of its zero");
  v.value(optional, "angular_velocity", b.angular_velocity, dimension::angular_velocity, range::any, "in base axes");
}

void fields(FieldVisitor& v, Initial& i) {
  v.type("initial");
  v.choice(optional, "deformation", i.deformation,
           "`zero`; `static`: in equilibrium under gravity with the joints held; `settled`: the same, but joints with "
           "`servo` or `pd` have yielded against their gains, which act as springs");
  v.list(optional, "loads", i.loads,
         "loads in the equilibrium of `static` and `settled`, in addition to gravity; they are removed when the run "
         "begins");
  v.object(optional, "base", i.base, "of a free or planar base");
  v.joint_entries(
      i.joints,
      "position, or position and rate, of a joint (`elbow`) or of a deformation coordinate of a link (`upper.1`)");
}

void fields(FieldVisitor& v, Simulate& s) {
  v.type("simulate");
  v.value(required, "for", s.duration, dimension::time, range::positive, "duration");
  v.choice(optional, "formulation", s.formulation,
           "which equations are integrated; `finite-element` integrates nodal elements under commanded motion");
  v.choice(optional, "model", s.model,
           "of `finite-element`: `nonlinear` (default), `linear` (deformation does not act on the gross motion), "
           "`quasi-static` (no vibration), `literal` (as printed in the thesis, which counts a motion twice; for "
           "comparison)");
  v.choice(
      optional, "method", s.method,
      "`cvode` (BDF, for any arm; default where no link bends by strains), `cvode-adams` and `dopri5` (not stiff), "
      "`rk4` (longest explicit steps, or a fixed step), `merson` (Kutta-Merson), `esdirk` (stiff), `midpoint` "
      "(symplectic) with a fixed step; of `finite-element`: `newmark` (default), `generalised-alpha`");
  v.value(optional, "rtol", s.rtol, dimension::number, range::positive, "relative tolerance");
  v.value(optional, "atol", s.atol, dimension::number, range::positive, "absolute tolerance");
  v.value(optional, "step", s.step, dimension::time, range::positive,
          "of rk4 and midpoint, which need it; of newmark and generalised-alpha, which by default choose it from rtol "
          "and atol");
  v.value(
      optional, "rho_infinity", s.rho_infinity, dimension::number, range::fraction,
      "of generalised-alpha: the fraction of the fastest modes that remains after a step, from 0 to 1; default: 0.8");
  v.value(optional, "checkpoint", s.checkpoint, dimension::time, range::positive,
          "time between checkpoints; default: 1/20 of the duration");
  v.value(optional, "output_step", s.output_step, dimension::time, range::positive,
          "time between rows of the results; default: 1/500 of the duration");
}

void fields(FieldVisitor& v, Gauge& g) {
  v.type("gauge");
  v.name(required, "name", g.name, "name of the series in the results");
  v.name(required, "link", g.link, "the link to which it is glued");
  v.value(required, "at", g.at, dimension::length, range::non_negative,
          "distance from the root along x of the straight link; on a link of segments its root or a hinge");
  v.value(optional, "y", g.y, dimension::length, range::any,
          "place on the section, along y from its centroid; default: 0 if `z` is given, otherwise the outermost fibre "
          "in +y of a link that bends along y only, 0 of one that does not bend along y");
  v.value(
      optional, "z", g.z, dimension::length, range::any,
      "the same along z. A link that bends both ways needs `y` or `z`, a section given by numbers without `outer_y` "
      "and `outer_z` both");
}

void fields(FieldVisitor& v, Case& c) {
  v.type("case");
  v.object(required, "arm", c.arm, "what the arm is");
  v.joints_of(c.arm);
  v.object(optional, "wind", c.wind, "the air in which lifting surfaces move");
  v.profile_of(joint_dimension::position);
  v.joint_map("motion", c.motion, "joints whose motion is given (driven joints)");
  v.joint_map("torque", c.torque, "joints whose torque is given");
  v.list(optional, "loads", c.loads, "forces and moments on links");
  v.list(optional, "forces", c.forces,
         "forces that depend on the motion of the arm, between two links or between a link and the world");
  v.object(optional, "initial", c.initial, "the state at t = 0");
  v.list(optional, "events", c.events,
         "what changes during the run, at a given time or when a quantity passes a value");
  v.list(optional, "gauges", c.gauges, "strain gauges on links, whose strains are recorded with their sign");
  v.object(optional, "simulate", c.simulate, "how to integrate in time");
}

CaseObject copied_case(const Case& data) {
  const auto copy = std::make_shared<Case>(data);
  return {copy, object_ref(*copy)};
}

CaseObject default_case() {
  const auto made = std::make_shared<Case>();
  return {made, object_ref(*made)};
}

}  // namespace lithe
