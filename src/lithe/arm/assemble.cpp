#include <fmt/format.h>

#include "lithe/arm/arm.h"
#include "lithe/describe/bodies.h"

namespace lithe {
namespace {

Pose pose_of(const Origin& origin) { return {rpy_rotation(origin.rpy), origin.xyz}; }
Pose turn_x(double angle) { return {axis_rotation(Vector3d::UnitX(), angle), Vector3d::Zero()}; }
Pose turn_z(double angle) { return {axis_rotation(Vector3d::UnitZ(), angle), Vector3d::Zero()}; }
Pose shift(double x, double y, double z) { return {Matrix3d::Identity(), {x, y, z}}; }

RigidInertia inertia_of(const BodyProperties& body) {
  return RigidInertia::about_com(body.mass, body.com, body.inertia_com);
}

}  // namespace

/// Builds an Arm link by link.
class Assembler {
 public:
  explicit Assembler(const Case& data) : spec_(data.arm) {}

  Arm run() {
    arm_.gravity_ = spec_.gravity;
    place_base();
    for (size_t i = 0; i < spec_.links.size(); ++i) add(spec_.links[i], fmt::format("arm.links[{}]", i));
    return std::move(arm_);
  }

 private:
  void place_base() {
    const BaseSpec& base = spec_.base;
    arm_.root0_.X_WR = pose_of(base.origin);
    if (base.type == BaseType::moving) {
      arm_.root_moves_ = true;
      const GivenMotion motion = base.motion.value_or(GivenMotion{});
      arm_.root0_.omega = motion.angular_velocity;
      arm_.root0_.alpha = motion.angular_acceleration;
      arm_.root0_.velocity = motion.velocity;
      arm_.root0_.acceleration = motion.acceleration;
    }
    if (base.type == BaseType::planar) {
      // Two slides and a turn; the first two carry no mass.
      add_base("base.x", Prismatic{Vector3d::UnitX()}, {"base.x"});
      add_base("base.y", Prismatic{Vector3d::UnitY()}, {"base.y"});
      add_base("base", Revolute{Vector3d::UnitZ()}, {"base.yaw"});
    }
    if (base.type == BaseType::free) {
      add_base("base", Free{}, {"base.wx", "base.wy", "base.wz", "base.vx", "base.vy", "base.vz"});
      arm_.positions_ = {"base.x", "base.y", "base.z", "base.qw", "base.qx", "base.qy", "base.qz"};
    }
    if (base.body) {
      const BodyProperties body = body_properties(*base.body);
      arm_.links_.back().M_B = inertia_of(body);
    }
    i_base_ = i_previous_ = arm_.n_links() - 1;  // −1 where no link stands for the base
  }

  void add_base(const char* name, Joint joint, const std::vector<std::string>& coordinates) {
    Link link;
    link.name = name;
    link.joint_name = coordinates.size() == 1 ? coordinates[0] : name;
    link.parent = arm_.n_links() - 1;
    link.is_base = true;
    link.joint = joint;
    append(std::move(link), coordinates);
  }

  void append(Link link, const std::vector<std::string>& coordinates) {
    link.q0 = arm_.nq_;
    link.v0 = arm_.nv_;
    arm_.nq_ += link.nq();
    arm_.nv_ += link.nv();
    for (const std::string& name : coordinates) {
      arm_.coordinates_.push_back(name);
      arm_.positions_.push_back(name);
    }
    arm_.links_.push_back(std::move(link));
    X_TD_.emplace_back();
  }

  void add(const LinkSpec& spec, const std::string& path) {
    Link link;
    link.name = spec.name;
    link.parent = parent_of(spec);
    link.joint_name = spec.joint.name;
    if (spec.joint.limits) link.forces.limits = spec.joint.limits;
    link.forces.damping = spec.joint.damping;
    link.forces.friction = spec.joint.friction;
    link.forces.spring = spec.joint.spring;
    const auto& motor = spec.joint.motor;
    if (motor && !motor->stiffness) {
      // Seen from the joint, rotor inertia and motor damping count with the gear ratio squared.
      const double r2 = motor->gear_ratio * motor->gear_ratio;
      link.rotor_inertia = r2 * motor->inertia;
      link.forces.damping += r2 * motor->damping;
    }

    if (spec.beam && !std::holds_alternative<NoFlexibility>(spec.beam->flexibility))
      throw UnsupportedError(path + ".beam.flexibility", "links that bend are not in this version; expected rigid");
    const BodyProperties body =
        spec.beam ? beam_properties(*spec.beam, spec_.rotary_inertia) : body_properties(*spec.rigid);
    Pose X_BD, X_TD;  // the frame D that mass properties are given in: B itself, or the Denavit–Hartenberg frame
    Vector3d axis = spec.joint.axis.value_or(Vector3d::UnitZ()).normalized();
    if (spec.joint.dh) {
      place_by_dh(*spec.joint.dh, spec.beam.has_value(), body.length, path, link.X_PF, X_BD, axis);
      link.X_PF = parent_dh(link.parent) * link.X_PF;
    } else {
      link.X_PF = pose_of(spec.joint.origin.value_or(Origin{}));
    }
    if (spec.joint.type == JointType::revolute) link.joint = Revolute{axis};
    if (spec.joint.type == JointType::prismatic) link.joint = Prismatic{axis};

    link.M_B = inertia_of(body).seen_from(X_BD);
    link.X_BT = X_BD * shift(body.length, 0, 0);
    if (spec.payload)
      link.payload_T = RigidInertia::about_com(spec.payload->mass, spec.payload->com, spec.payload->inertia.matrix());
    // The frame that a child's Denavit–Hartenberg parameters start from: D where there is one, else the tip. A beam
    // under the standard convention ends at D.
    if (spec.joint.dh && !(spec.beam && spec.joint.dh->convention == DhConvention::standard))
      X_TD = shift(-body.length, 0, 0);

    const bool moves = spec.joint.type != JointType::fixed;
    i_previous_ = arm_.n_links();
    append(std::move(link), moves ? std::vector<std::string>{spec.joint.name} : std::vector<std::string>{});
    X_TD_.back() = X_TD;
    if (motor && motor->stiffness) add_rotor(*motor);
    if (moves) arm_.torque_links_.push_back(arm_.n_links() - 1);
  }

  /// The rotor of the link just added, on the same axis, with its coordinate at the output side of the gear.
  void add_rotor(const Motor& motor) {
    const Link& carried = arm_.links_[i_previous_];
    const double r2 = motor.gear_ratio * motor.gear_ratio;
    Link rotor;
    rotor.name = rotor.joint_name = carried.joint_name + ".motor";
    rotor.parent = carried.parent;
    rotor.is_rotor = true;
    rotor.joint = carried.joint;
    rotor.X_PF = carried.X_PF;
    rotor.rotor_inertia = r2 * motor.inertia;
    rotor.forces.damping = r2 * motor.bearing;
    arm_.transmissions_.push_back({i_previous_, arm_.n_links(), *motor.stiffness, motor.hardening, motor.damping});
    append(std::move(rotor), {carried.joint_name + ".motor"});
  }

  int parent_of(const LinkSpec& spec) const {
    if (!spec.parent) return i_previous_;
    if (*spec.parent == "base") return i_base_;
    return arm_.find_link(*spec.parent);
  }

  /// The parent's Denavit–Hartenberg frame, in its tip frame.
  Pose parent_dh(int parent) const { return parent < 0 ? Pose{} : X_TD_[parent]; }

  /// Denavit–Hartenberg placement of the joint frame F and of the mass properties' frame D in B. The joint's own turn
  /// or slide is about and along z, so the constant theta and d commute with it and go before it:
  ///   standard   D_parent · Rz(θ)Tz(d) · J(q) · Tx(a)Rx(α)
  ///   modified   D_parent · Rx(α)Tx(a) · Rz(θ)Tz(d) · J(q)
  static void place_by_dh(const DenavitHartenberg& dh, bool is_beam, double length, const std::string& path, Pose& X_PF,
                          Pose& X_BD, Vector3d& axis) {
    axis = Vector3d::UnitZ();
    const Pose along_axis = turn_z(dh.theta) * shift(0, 0, dh.d);
    if (dh.convention == DhConvention::modified) {
      X_PF = turn_x(dh.alpha) * shift(dh.a, 0, 0) * along_axis;
      return;
    }
    if (!is_beam) {
      X_PF = along_axis;
      X_BD = shift(dh.a, 0, 0) * turn_x(dh.alpha);
      return;
    }
    // A beam spans the common normal and its section axes are those of its DH frame.
    if (std::abs(length - dh.a) > 1e-9 * length)
      throw FieldError(
          path + ".beam.length",
          fmt::format("expected the length of the common normal, dh.a = {:g} m, got {:g} m", dh.a, length));
    X_PF = along_axis * turn_x(dh.alpha);
    axis = turn_x(-dh.alpha).R * axis;
  }

  const ArmSpec& spec_;
  Arm arm_;
  int i_base_ = -1, i_previous_ = -1;
  std::vector<Pose> X_TD_;  // per link: its Denavit–Hartenberg frame in its tip frame
};

Arm Arm::assemble(const Case& data) { return Assembler(data).run(); }

RootMotion Arm::root(double t) const {
  if (!root_moves_) return root0_;
  RootMotion now = root0_;
  now.X_WR.p += t * root0_.velocity + t * t / 2 * root0_.acceleration;
  // Angular velocity and acceleration are parallel (checked on reading): a turn about one axis.
  now.X_WR.R = exp_rotation(t * root0_.omega + t * t / 2 * root0_.alpha) * root0_.X_WR.R;
  now.velocity += t * root0_.acceleration;
  now.omega += t * root0_.alpha;
  return now;
}

int Arm::last_link() const {
  int i = n_links() - 1;
  while (i > 0 && links_[i].is_rotor) --i;
  return i;
}

int Arm::find_link(std::string_view name) const {
  for (int i = 0; i < n_links(); ++i)
    if (links_[i].name == name) return i;
  return -1;
}

}  // namespace lithe
