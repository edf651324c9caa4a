// describe/ — text to plain data. Takes case files (YAML) and gives a `Case`: numbers in SI, every choice spelt out,
// every mistake reported with file, line, column and field. Knows no mechanics: what the numbers do is arm/'s business.
//
// This header is the data itself. How each field reads, writes and is documented stands once, in case_fields.h.
#pragma once

#include <array>
#include <map>
#include <numbers>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "lithe/spatial/spatial.h"

namespace lithe {

// ---------------------------------------------------------------------------------------------------- matter

struct Material {
  std::string name;                           // of the catalogue (materials.h); empty when given by its numbers
  double E = 0;                               // Young's modulus [Pa]
  double nu = 0;                              // Poisson's ratio
  double density = 0;                         // [kg/m^3]
  std::optional<double> G;                    // shear modulus [Pa]; default E/2(1+ν)
  std::optional<double> yield_strength = {};  // [Pa]; only for the warning that a link exceeds it
  double shear_modulus() const { return G.value_or(E / (2 * (1 + nu))); }
  bool operator==(const Material&) const = default;
};

struct Circle {
  double diameter = 0;
  bool operator==(const Circle&) const = default;
};
struct Tube {
  double outer_diameter = 0, inner_diameter = 0;
  bool operator==(const Tube&) const = default;
};
struct Rectangle {
  double width_y = 0, height_z = 0;
  bool operator==(const Rectangle&) const = default;
};
struct Box {
  double width_y = 0, height_z = 0, thickness = 0;
  bool operator==(const Box&) const = default;
};
/// A section by its numbers. Iy and Iz are second moments about the section's y and z axes, J the torsion constant.
struct GeneralSection {
  double area = 0, Iy = 0, Iz = 0;
  std::optional<double> J;                           // default Iy + Iz, right for round sections only
  std::optional<double> outer_y = {}, outer_z = {};  // of the outermost fibres, from the axes; both or none
  bool operator==(const GeneralSection&) const = default;
};

struct Section {
  std::variant<GeneralSection, Circle, Tube, Rectangle, Box> shape;
  std::optional<double> shear;  // shear coefficient; default by Cowper's formula (sections.h)
  bool operator==(const Section&) const = default;
};

/// Matrix elements about the mass centre, in link axes (so xy is −∫xy dm).
struct InertiaEntries {
  double xx = 0, yy = 0, zz = 0, xy = 0, xz = 0, yz = 0;
  Matrix3d matrix() const { return (Matrix3d() << xx, xy, xz, xy, yy, yz, xz, yz, zz).finished(); }
  bool operator==(const InertiaEntries&) const = default;
};

// ---------------------------------------------------------------------------------------------------- links

enum class ModeShape { polynomial, clamped_free, clamped_mass, pinned_free, pinned_pinned };
struct Modes {
  int bending_y = 0, bending_z = 0, torsion = 0, axial = 0;
  ModeShape shape = ModeShape::polynomial;
  bool operator==(const Modes&) const = default;
};
enum class ElementKind { exact, linear };
enum class Integration { reduced, full };
enum class BendingPlane { both, y, z };  // y: deflection along y only, so coordinates u_x, u_y, θ_z; z: u_x, u_z, θ_y
enum class Reduction { craig_bampton, eigenmodes };
struct Elements {
  int count = 0;
  ElementKind element = ElementKind::exact;
  Integration integration = Integration::reduced;
  BendingPlane plane = BendingPlane::both;
  std::vector<double> mesh;  // lengths as fractions of the beam's; default equal
  std::optional<int> keep;   // coordinates left by a reduction; default all
  Reduction reduction = Reduction::craig_bampton;
  bool operator==(const Elements&) const = default;
};
enum class SegmentSprings { calibrated, paper };
/// Stiffnesses of the hinges between segments, from the root on: one for every hinge, or a single one for all. Empty: by the
/// rule `SegmentSprings` of Segments.
struct HingeSprings {
  std::vector<double> bending_y, bending_z, torsion;
  bool operator==(const HingeSprings&) const = default;
};
/// Directions in which hinges between segments do not turn; they have no coordinate then.
struct LockedHinges {
  bool bending_y = false, bending_z = false, torsion = false;
  bool operator==(const LockedHinges&) const = default;
};
struct Segments {
  int count = 0;
  SegmentSprings springs = SegmentSprings::calibrated;
  HingeSprings given = {};
  LockedHinges locked = {};
  bool operator==(const Segments&) const = default;
};
struct NoFlexibility {
  bool operator==(const NoFlexibility&) const = default;
};
using Flexibility = std::variant<NoFlexibility, Modes, Elements, Segments>;

/// From `at` on, the beam has another section.
struct SectionStep {
  double at = 0;
  Section section;
  bool operator==(const SectionStep&) const = default;
};

// A beam's own damping.
/// The same damping ratio in every natural mode of the link, clamped at its root and without what it carries.
struct DampingRatio {
  double ratio = 0;
  bool operator==(const DampingRatio&) const = default;
};
/// D = alpha·M + beta·K
struct RayleighDamping {
  double alpha = 0, beta = 0;
  bool operator==(const RayleighDamping&) const = default;
};
/// A loss factor η, which at resonance acts as the damping ratio η/2.
struct LossFactor {
  double loss_factor = 0;
  bool operator==(const LossFactor&) const = default;
};
using StructuralDamping = std::variant<DampingRatio, RayleighDamping, LossFactor>;

struct Beam {
  double length = 0;
  Material material;
  Section section;
  Flexibility flexibility;
  std::optional<Section> tip_section;  // the dimensions taper linearly to these
  std::vector<SectionStep> steps;
  std::optional<StructuralDamping> damping;
  bool operator==(const Beam&) const = default;
};

/// A flexible link of any form, by shapes and matrices in a file (imported_link.h).
struct ImportedFile {
  std::string file;
  bool operator==(const ImportedFile&) const = default;
};

// Bodies by shape: rod, block and cylinder start at the link frame and extend along x; a sphere is centred on it.
struct Rod {
  double length = 0;
  bool operator==(const Rod&) const = default;
};
struct Block {
  double x = 0, y = 0, z = 0;
  bool operator==(const Block&) const = default;
};
struct Cylinder {
  double length = 0, diameter = 0;
  bool operator==(const Cylinder&) const = default;
};
struct Sphere {
  double diameter = 0;
  bool operator==(const Sphere&) const = default;
};
using BodyShape = std::variant<Rod, Block, Cylinder, Sphere>;

struct RigidBody {
  std::optional<double> length;    // to the tip frame, along x; default the shape's extent, else 0
  std::optional<BodyShape> shape;  // gives centre and inertia
  std::optional<double> mass;      // needed unless density is given with a shape
  std::optional<double> density;
  std::optional<Vector3d> com;            // default: the shape's centre, else the link frame
  std::optional<InertiaEntries> inertia;  // default: the shape's, else zero (a point mass)
  bool operator==(const RigidBody&) const = default;
};

/// A body that a link carries: on its tip frame, or on the section at a place along it.
struct Payload {
  double mass = 0;
  Vector3d com = Vector3d::Zero();
  InertiaEntries inertia;
  std::optional<double> at = {};  // from the link's root along its undeformed x; default the tip frame
  bool operator==(const Payload&) const = default;
};

// ---------------------------------------------------------------------------------------------------- joints

struct Origin {
  Vector3d xyz = Vector3d::Zero();
  Vector3d rpy = Vector3d::Zero();
  bool operator==(const Origin&) const = default;
};
enum class DhConvention { standard, modified };
struct DenavitHartenberg {
  double a = 0, alpha = 0, d = 0, theta = 0;
  DhConvention convention = DhConvention::standard;
  bool operator==(const DenavitHartenberg&) const = default;
};
/// What a joint's coordinate counts in: its position, and with it rates, forces and gains.
enum class CoordinateUnit { radians, metres };
/// Coulomb friction c·tanh(rate/smoothing), with its own level for each direction.
struct Friction {
  double forward = 0, backward = 0;
  double smoothing = 1e-3;
  bool operator==(const Friction&) const = default;
};
struct Spring {
  double stiffness = 0, rest = 0;
  bool operator==(const Spring&) const = default;
};
struct Limits {
  double lower = 0, upper = 0;
  double stiffness = 0, damping = 0;  // of the soft stop; zero: no force, the limits only bound inverse kinematics
  bool operator==(const Limits&) const = default;
};
struct Motor {
  double inertia = 0;  // of the rotor, at the motor
  double gear_ratio = 1;
  double damping = 0;  // at the motor; with a stiffness: of the transmission, at the output
  // An elastic transmission: the rotor gets a coordinate of its own behind a spring.
  std::optional<double> stiffness;  // at the output
  double hardening = 0;             // torque k·Δ + hardening·Δ³
  double bearing = 0;               // viscous, of the rotor, at the motor; only with a stiffness
  // A rotary motor on a prismatic joint, by a screw or a rack; inertia, damping and bearing are then those of something that turns.
  std::optional<double> lead = {},
                        pinion_radius = {};  // travel per turn of the screw; radius of the pinion on the rack
  /// Motor motion per joint motion: the gear ratio, times 2π/lead or 1/radius behind a screw or a pinion.
  double ratio() const {
    const double per_travel = lead ? 2 * std::numbers::pi / *lead : pinion_radius ? 1 / *pinion_radius : 1.0;
    return gear_ratio * per_travel;
  }
  bool turns_a_slide() const { return lead || pinion_radius; }
  bool operator==(const Motor&) const = default;
};

/// A sleeve that a prismatic joint slides its beam through: what of the beam is behind the exit is held straight, what is
/// beyond it bends, so its free length changes with the joint.
struct Guide {
  double exit = 0;        // from the joint's origin, along its axis
  bool transport = true;  // count what the flow of matter through the elements does; naganathan86 leaves it out
  bool operator==(const Guide&) const = default;
};

/// What one coordinate of a joint that has several does by itself.
struct CoordinateSpec {
  double damping = 0;
  std::optional<Friction> friction;
  std::optional<Spring> spring;
  std::optional<Limits> limits;
  bool operator==(const CoordinateSpec&) const = default;
};

struct JointSpec {
  std::string name;
  std::string type = "revolute";  // a word of joint/kinds.h
  std::optional<Vector3d> axis;
  std::vector<Vector3d> axes;
  std::optional<double> pitch;
  std::map<std::string, CoordinateSpec> coordinates;  // by what follows the joint's name: `turn`
  std::optional<Origin> origin;
  std::optional<DenavitHartenberg> dh;
  double damping = 0;
  std::optional<Friction> friction;
  std::optional<Spring> spring;
  std::optional<Limits> limits;
  std::optional<Motor> motor;
  std::optional<Guide> guide;
  bool operator==(const JointSpec&) const = default;
};

/// A thin lifting surface that a link carries, its span along the link's x: flat, unless the link bends it.
struct SurfaceSpec {
  double chord = 0;
  std::optional<double> tip_chord;         // at the far end, tapering straight; default the same
  double axis = 0.5;                       // where in the chord the link's x axis runs, from the leading edge
  Vector3d trailing = Vector3d(0, -1, 0);  // from leading to trailing edge, link axes, across x
  int panels_chord = 4, panels_span = 8;
  bool operator==(const SurfaceSpec&) const = default;
};
struct LinkSpec {
  std::string name;
  std::optional<std::string> parent;  // default: the previous link
  JointSpec joint;
  std::optional<Beam> beam;
  std::optional<RigidBody> rigid;
  std::vector<Payload> payloads;
  std::optional<ImportedFile> imported;  // exactly one of beam, rigid, imported
  std::optional<SurfaceSpec> surface;
  bool operator==(const LinkSpec&) const = default;
};

// ---------------------------------------------------------------------------------------------------- profiles

// Profiles: a value over time that starts from a given value and holds its last one. `to` is absolute.
struct Cycloidal {
  double to = 0, in = 0;
  bool operator==(const Cycloidal&) const = default;
};
struct Quintic {
  double to = 0, in = 0;
  bool operator==(const Quintic&) const = default;
};
/// Constant acceleration, constant velocity, constant deceleration, dwell.
struct TrapezoidalVelocity {
  double to = 0, in = 0;
  std::optional<double> ramp;  // time of each ramp; default a third of the move
  double dwell = 0;
  bool operator==(const TrapezoidalVelocity&) const = default;
};
/// Acceleration a trapezoid over the first half, its mirror image over the second.
struct TrapezoidalAcceleration {
  double to = 0, in = 0;
  std::optional<double> ramp;  // time of each flank of the trapezoids; default an eighth of the move
  bool operator==(const TrapezoidalAcceleration&) const = default;
};
/// start + amplitude·sin(2π·frequency·t + phase)
struct Sinusoid {
  double amplitude = 0, frequency = 0, phase = 0;
  std::optional<double> duration;  // default: for ever
  bool operator==(const Sinusoid&) const = default;
};
/// A cubic spline through the rows of a CSV file: time, value.
struct Table {
  std::string file;
  int column = 2;  // of the values, counted from one; time is in the first
  bool operator==(const Table&) const = default;
};
/// Straight lines from the start value through these points.
struct LinePoint {
  double at = 0, to = 0;  // time since the profile began, value then
  bool operator==(const LinePoint&) const = default;
};
struct Lines {
  std::vector<LinePoint> points;
  bool operator==(const Lines&) const = default;
};
struct Dwell {
  double duration = 0;
  bool operator==(const Dwell&) const = default;
};
struct Profile;
struct Sequence {
  std::vector<Profile> parts;
  bool operator==(const Sequence&) const;
};
struct Profile {
  std::variant<Cycloidal, Quintic, TrapezoidalVelocity, TrapezoidalAcceleration, Sinusoid, Table, Lines, Dwell,
               Sequence>
      shape;
  bool operator==(const Profile&) const = default;
};
inline bool Sequence::operator==(const Sequence& other) const { return parts == other.parts; }

// ---------------------------------------------------------------------------------------------------- the arm

enum class BaseType { fixed, planar, free, moving };
/// Given motion of a moving base, in one of two ways: velocities at t = 0 in world axes, whose accelerations stay constant; or
/// profiles from zero, which add to the origin's place along world axes and to its roll, pitch and yaw about fixed axes.
struct GivenMotion {
  Vector3d velocity = Vector3d::Zero(), acceleration = Vector3d::Zero();
  Vector3d angular_velocity = Vector3d::Zero(), angular_acceleration = Vector3d::Zero();
  std::optional<Profile> x = {}, y = {}, z = {}, roll = {}, pitch = {}, yaw = {};
  bool operator==(const GivenMotion&) const = default;

  /// Names and profiles, in the order place, then turn.
  std::array<std::pair<const char*, const std::optional<Profile>*>, 6> profiles() const {
    return {{{"x", &x}, {"y", &y}, {"z", &z}, {"roll", &roll}, {"pitch", &pitch}, {"yaw", &yaw}}};
  }
  bool by_profiles() const { return x || y || z || roll || pitch || yaw; }
};
struct BaseSpec {
  BaseType type = BaseType::fixed;
  Origin origin;                  // where the base frame stands (fixed), starts (moving) or has its zero (planar)
  std::optional<RigidBody> body;  // of a planar or free base
  std::optional<GivenMotion> motion;
  std::optional<double> axle;  // of a planar base on wheels: where on its x axis they roll without slipping sideways
  bool operator==(const BaseSpec&) const = default;
};
/// From link `link` on (up to the next mount) the links are an arm of their own, carried: what they call `base` is the frame
/// `origin` on the tip of the last link before.
struct MountSpec {
  std::string link;
  Origin origin;
  bool operator==(const MountSpec&) const = default;
};
struct JointPosition {
  double position = 0;
  bool operator==(const JointPosition&) const = default;
};
/// The same damping ratio in every natural mode of the whole arm, joints locked, links straight, at a pose.
struct ModalDamping {
  double modes = 0;
  std::map<std::string, JointPosition> at = {};  // of that pose; default: where the run starts
  bool operator==(const ModalDamping&) const = default;
};
enum class TipRotation { finite, small };
enum class InertiaOrder { complete, first_order };

struct ArmSpec {
  Vector3d gravity = {0, 0, -9.81};
  BaseSpec base;
  TipRotation tip_rotation = TipRotation::finite;
  InertiaOrder inertia = InertiaOrder::complete;
  bool rotary_inertia = true;
  std::vector<LinkSpec> links;
  std::vector<MountSpec> mounts;
  std::optional<ModalDamping> damping = {};
  bool operator==(const ArmSpec&) const = default;
};

// ---------------------------------------------------------------------------------------------------- a run

// What a controlled joint should do: stay somewhere, or follow a profile.
struct Command {
  std::optional<double> target;
  std::optional<Profile> follow;
  bool operator==(const Command&) const = default;
};
/// What a motor on a limited voltage can give: torques between −stall·(1 + ω/no_load) and stall·(1 − ω/no_load).
struct MotorEnvelope {
  double stall_torque = 0, no_load_speed = 0;  // of the joint, behind the gear
  bool operator==(const MotorEnvelope&) const = default;
};
/// How a controller's torque reaches the joint.
struct Actuation {
  std::optional<double> saturation;   // largest torque either way
  std::optional<double> sample_time;  // computed at these intervals and held in between; default: continuously
  std::optional<MotorEnvelope> envelope = {};
  bool operator==(const Actuation&) const = default;
};
/// What a controller makes of any coordinate: τ = −position·(z − z at the start) − rate·ż.
struct StateGain {
  std::string of;
  double position = 0, rate = 0;
  bool operator==(const StateGain&) const = default;
};
/// Whose weight a controller holds: the arm's as it is, deformation and all; or of the arm at rest at the commanded positions, sagged.
enum class GravityOf { state, command };
/// τ = kp·e + kd·ė (+ gravity) (− Σ feedback)
struct Pd {
  double kp = 0, kd = 0;
  bool gravity_compensation = false;
  std::vector<StateGain> feedback;
  Command command;
  Actuation actuation;
  GravityOf gravity_of = GravityOf::state;
  bool operator==(const Pd&) const = default;
};
enum class AntiWindup { back_calculation, clamping, none };
/// τ = kp·e + J + kd·d, J̇ = ki·e (less what anti-windup takes), d the rate error ė, filtered: T·ḋ = ė − d
struct Pid {
  double kp = 0, ki = 0, kd = 0;
  std::optional<double> derivative_filter = {};  // T; default: none
  AntiWindup anti_windup = AntiWindup::back_calculation;
  std::optional<double> tracking_time = {};   // of back-calculation; default √(kd/ki), kp/ki where kd is zero
  std::optional<double> integral_limit = {};  // of clamping: largest J; default the saturation
  Command command = {};
  Actuation actuation = {};
  bool operator==(const Pid&) const = default;
};
/// τ = inverse dynamics of q̈_d + kd·ė + kp·e
struct ComputedTorque {
  double kp = 0, kd = 0;
  Command command;
  Actuation actuation;
  bool operator==(const ComputedTorque&) const = default;
};
/// Servo compliance: a spring kp and damper kv between the commanded and the actual joint. Gains given, or by the rule
/// kp = π²f²J, kv = 2√(J kp) from the structural frequency f and the largest reflected inertia J.
struct Servo {
  std::optional<double> kp, kv, structural_frequency;
  Command command;
  Actuation actuation;
  bool operator==(const Servo&) const = default;
};
struct ConstantTorque {
  double constant = 0;
  bool operator==(const ConstantTorque&) const = default;
};
/// A torque that user code sets while the simulation goes on (Simulation::set_input); this until then.
struct InputTorque {
  double input = 0;
  Actuation actuation = {};
  bool operator==(const InputTorque&) const = default;
};
struct Torque {
  std::variant<ConstantTorque, Profile, Pd, ComputedTorque, Servo, Pid, InputTorque> law;
  bool operator==(const Torque&) const = default;
};

enum class Axes { world, link };
/// A force and a moment on a link.
struct Load {
  std::string link;
  std::optional<Vector3d> point;  // where the force acts, in link axes; default the tip frame's origin
  Vector3d force = Vector3d::Zero(), moment = Vector3d::Zero();
  Axes axes = Axes::world;
  std::optional<Profile> scale;  // multiplies both over time, starting from 0; default 1 always
  bool operator==(const Load&) const = default;
};

/// A point fixed on a link, or in the world.
struct Attachment {
  std::optional<std::string> link = {};  // default: the world
  std::optional<Vector3d> point =
      {};  // in link axes, default the tip frame's origin; in world axes, default its origin
  bool operator==(const Attachment&) const = default;
};
/// A spring and a damper along the line between two points: it pulls with stiffness·(distance − length) + damping·(its rate).
struct SpringDamper {
  Attachment from, to;
  double stiffness = 0, damping = 0;
  std::optional<double> length = {};  // without force; needed with a stiffness
  bool operator==(const SpringDamper&) const = default;
};
struct ForceSpec {
  std::variant<SpringDamper> force;
  bool operator==(const ForceSpec&) const = default;
};

/// Of a joint's coordinate, or of one by which a link deforms.
struct InitialJoint {
  double position = 0;
  std::optional<double> rate = {};   // default: zero; of a driven joint its motion's
  std::optional<Vector3d> rpy = {};  // instead of a position, of a spherical joint as a whole
  bool operator==(const InitialJoint&) const = default;
};
/// State of a free base (a planar one takes x, y of xyz and velocity, and the last of rpy and angular_velocity).
struct InitialBase {
  Vector3d xyz = Vector3d::Zero(), rpy = Vector3d::Zero();
  Vector3d velocity = Vector3d::Zero(),
           angular_velocity = Vector3d::Zero();  // in base axes; of a planar base in world axes
  bool operator==(const InitialBase&) const = default;
};
enum class Deformation { zero, at_rest, settled };
struct Initial {
  std::map<std::string, InitialJoint> joints;
  std::optional<InitialBase> base;
  Deformation deformation = Deformation::zero;
  std::vector<Load> loads = {};  // under which `deformation: static` bends it; gone when the run begins
  bool operator==(const Initial&) const = default;
};
enum class Method { cvode, cvode_adams, merson, dopri5, rk4, esdirk, midpoint, newmark, generalised_alpha };
enum class RunFormulation { articulated, recursive_lagrangian, kane, lagrange, composed, finite_element };
/// Of the formulation `finite-element`.
enum class ElementModel { nonlinear, linear, quasi_static, literal };
struct Simulate {
  double duration = 1;
  RunFormulation formulation = RunFormulation::articulated;
  std::optional<ElementModel> model;
  std::optional<Method> method;  // default: cvode; for finite-element newmark
  double rtol = 1e-8, atol = 1e-10;
  std::optional<double> step;          // of the fixed-step methods, and where wanted of newmark and generalised-alpha
  std::optional<double> rho_infinity;  // of generalised-alpha
  std::optional<double> output_step;   // default: duration / 500
  std::optional<double> checkpoint;    // interval of checkpoints; default: duration / 20
  bool operator==(const Simulate&) const = default;
};

enum class WakeModel { prescribed, free };
enum class Coupling { strong, once };
/// The air that lifting surfaces move in.
struct WindSpec {
  double speed = 0;
  Vector3d direction = Vector3d::UnitX(),
           up = Vector3d::UnitZ();  // world axes; `incidence` turns the one towards the other
  double incidence = 0;
  double density = 1.225;
  std::optional<Vector3d> mirror;  // normal of a plane through the world's origin that the flow does not cross
  WakeModel wake = WakeModel::prescribed;
  double wake_length = 10;     // in chords of the longest surface
  std::optional<double> step;  // of the air; default: one panel's chord of wind
  Coupling coupling = Coupling::strong;
  bool operator==(const WindSpec&) const = default;
};
/// As it blows, incidence included.
Vector3d wind_velocity(const WindSpec& wind);

struct Case {
  ArmSpec arm;
  std::optional<WindSpec> wind;
  std::map<std::string, Profile> motion;
  std::map<std::string, Torque> torque;
  std::vector<Load> loads;
  Initial initial;
  std::optional<Simulate> simulate;
  std::vector<ForceSpec> forces = {};
  bool operator==(const Case&) const = default;
};

}  // namespace lithe
