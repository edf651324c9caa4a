#include <fmt/format.h>

#include <algorithm>

#include "lithe/arm/arm.h"
#include "lithe/arm/modal_damping.h"
#include "lithe/arm/wheels.h"
#include "lithe/beam/beam_basis.h"
#include "lithe/beam/imported_basis.h"
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
    arm_.tip_rotation_ = spec_.tip_rotation;
    arm_.inertia_order_ = spec_.inertia;
    place_base();
    for (size_t i = 0; i < spec_.links.size(); ++i) add(int(i));
    add_flexibility();
    number();
    return std::move(arm_);
  }

  static Arm without_axle(const Arm& arm) {
    Arm slipping = arm;
    slipping.axle_.reset();
    return slipping;
  }

 private:
  void place_base() {
    const BaseSpec& base = spec_.base;
    arm_.root0_.X_WR = pose_of(base.origin);
    arm_.axle_ = base.axle;
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
    arm_.links_.push_back(std::move(link));
    coordinates_.push_back(coordinates);
    X_TD_.emplace_back();
  }

  void add(int i_case) {
    const LinkSpec& spec = spec_.links[i_case];
    const std::string path = fmt::format("arm.links[{}]", i_case);
    for (const MountSpec& mount : spec_.mounts)
      if (mount.link == spec.name) begin_mount(mount);
    Link link;
    link.i_case = i_case;
    link.name = spec.name;
    link.parent = parent_of(spec);
    link.joint_name = spec.joint.name;
    if (spec.joint.limits) link.forces.limits = spec.joint.limits;
    link.forces.damping = spec.joint.damping;
    link.forces.friction = spec.joint.friction;
    link.forces.spring = spec.joint.spring;
    link.guide = spec.joint.guide;
    const auto& motor = spec.joint.motor;
    if (motor && !motor->stiffness) {
      // Seen from the joint, rotor inertia and motor damping count with the gear ratio squared.
      const double r2 = motor->ratio() * motor->ratio();
      link.rotor_inertia = r2 * motor->inertia;
      link.forces.damping += r2 * motor->damping;
    }

    BodyProperties body;
    if (spec.imported) {
      imported_.emplace(i_case, imported_basis(read_imported_link(spec.imported->file)));
    } else {
      body = spec.beam ? beam_properties(*spec.beam, spec_.rotary_inertia) : body_properties(*spec.rigid);
    }
    Pose X_BD, X_TD;  // the frame D that mass properties are given in: B itself, or the Denavit–Hartenberg frame
    Vector3d axis = spec.joint.axis.value_or(Vector3d::UnitZ()).normalized();
    if (spec.joint.dh) {
      place_by_dh(*spec.joint.dh, spec.beam.has_value(), body.length, path, link.X_PF, X_BD, axis);
      if (!on_mount(link)) link.X_PF = parent_dh(link.parent) * link.X_PF;
    } else {
      link.X_PF = pose_of(spec.joint.origin.value_or(Origin{}));
    }
    if (on_mount(link)) link.X_PF = X_mount_ * link.X_PF;
    if (spec.joint.type == JointType::revolute) link.joint = Revolute{axis};
    if (spec.joint.type == JointType::prismatic) link.joint = Prismatic{axis};

    link.M_B = inertia_of(body).seen_from(X_BD);
    link.X_BT = X_BD * shift(body.length, 0, 0);
    if (spec.imported) {
      const FlexBasis& basis = imported_.at(i_case);
      link.M_B = basis.undeformed();
      link.X_BT = {Matrix3d::Identity(), basis.tip0};
    }
    if (spec.beam) link.yield_strength = spec.beam->material.yield_strength;
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
    if (spec.beam && std::holds_alternative<Segments>(spec.beam->flexibility)) add_segments(*spec.beam);
  }

  /// From here on the base is a frame on the tip of the last link.
  void begin_mount(const MountSpec& mount) {
    i_base_ = i_previous_;
    X_mount_ = pose_of(mount.origin);
    arm_.mounts_.push_back({arm_.n_links(), i_base_});
  }
  bool on_mount(const Link& link) const { return !arm_.mounts_.empty() && link.parent == i_base_; }

  /// Turns the link just added into a chain of rigid pieces on springs (abdelaziz04): the first piece stays on the link's
  /// joint, every further one hangs on a hinge of up to three successive turns about z, y and x, those that are not locked; the
  /// last of them carries the piece. The last piece bears the link's name, its payload and its tip.
  void add_segments(const Beam& beam) {
    const LockedHinges& locked = std::get<Segments>(beam.flexibility).locked;
    const bool turns_about[] = {!locked.bending_y, !locked.bending_z, !locked.torsion};
    const int last_turn = turns_about[2] ? 2 : turns_about[1] ? 1 : 0;
    const std::vector<SegmentPiece> pieces = beam_segments(beam, spec_.rotary_inertia);
    const int i_first = i_previous_;
    Link last = arm_.links_[i_first];  // what only the last piece keeps: name and payload
    const Pose X_TD = X_TD_[i_first];
    Link& first = arm_.links_[i_first];
    first.name += ".root";
    first.payload_T = {};
    first.M_B = pieces[0].hinged ? RigidInertia{} : pieces[0].body;
    first.X_BT = shift(pieces[0].hinged ? 0 : pieces[0].length, 0, 0);
    first.fibres = pieces[0].fibres;
    int i_parent = i_first, number = 0;
    for (const SegmentPiece& piece : pieces) {
      if (!piece.hinged) continue;
      const std::string hinge = fmt::format("{}.s{}", last.name, ++number);
      const std::pair<const char*, Vector3d> turns[] = {
          {"y", Vector3d::UnitZ()}, {"z", Vector3d::UnitY()}, {"x", Vector3d::UnitX()}};
      bool first_turn = true;
      for (int k = 0; k <= last_turn; ++k) {
        if (!turns_about[k]) continue;
        Link link;
        link.i_case = last.i_case;
        link.name = link.joint_name = hinge + "." + turns[k].first;
        link.is_segment = true;
        link.parent = i_parent;
        link.joint = Revolute{turns[k].second};
        if (first_turn) link.fibres = piece.fibres;
        first_turn = false;
        link.forces.spring = Spring{piece.stiffness[k], 0};
        link.forces.damping = piece.damping[k];
        if (k == last_turn) {
          link.M_B = piece.body;
          link.X_BT = shift(piece.length, 0, 0);
        }
        i_parent = arm_.n_links();
        append(link, {link.joint_name});
      }
    }
    arm_.links_.back().name = last.name;
    arm_.links_.back().payload_T = last.payload_T;
    X_TD_.back() = X_TD;
    i_previous_ = arm_.n_links() - 1;
    arm_.bends_ = true;
  }

  /// Shapes of the links that bend. Some shapes know what the link carries: everything outboard, stiff, with its joints at
  /// zero.
  void add_flexibility() {
    std::vector<RigidInertia> carried(arm_.n_links());  // about the tip frame
    for (int i = arm_.n_links() - 1; i >= 0; --i) {
      Link& link = arm_.links_[i];
      carried[i] += link.payload_T;
      RigidInertia whole = link.M_B;
      whole += carried[i].seen_from(link.X_BT);
      if (link.parent >= 0) carried[link.parent] += whole.seen_from(link.X_PF);
      if (link.i_case < 0 || link.is_rotor || link.is_segment) continue;
      const LinkSpec& spec = spec_.links[link.i_case];
      FlexBasis basis;
      if (spec.imported) {
        basis = std::move(imported_.at(link.i_case));
      } else if (spec.beam && !std::holds_alternative<NoFlexibility>(spec.beam->flexibility) &&
                 !std::holds_alternative<Segments>(spec.beam->flexibility)) {
        const CarriedLoad load{carried[i].mass, carried[i].J.diagonal()};
        basis = beam_basis(*spec.beam, spec_.rotary_inertia, load);
      }
      if (basis.size() == 0) continue;
      if (spec_.inertia == InertiaOrder::first_order) {
        // With book83's truncation tip masses count among the link's integrals.
        basis.quadratic_inertia = false;
        add_tip_body(basis, link.payload_T);
        link.payload_T = {};
      }
      link.M_B = basis.undeformed();
      link.flex = std::make_shared<const FlexBasis>(std::move(basis));
      arm_.bends_ = true;
    }
  }

  /// Coordinates in their order: joint by joint, each with its link's flexible ones.
  void number() {
    for (int i = 0; i < arm_.n_links(); ++i) {
      Link& link = arm_.links_[i];
      link.q0 = arm_.nq_;
      link.v0 = arm_.nv_;
      arm_.nq_ += link.nq() + link.n_flex();
      arm_.nv_ += link.nv() + link.n_flex();
      std::vector<std::string> names = coordinates_[i];
      if (std::holds_alternative<Free>(link.joint)) {
        for (const char* name : {"base.x", "base.y", "base.z", "base.qw", "base.qx", "base.qy", "base.qz"})
          arm_.positions_.emplace_back(name);
        arm_.coordinates_.insert(arm_.coordinates_.end(), names.begin(), names.end());
        names.clear();
      }
      for (int k = 0; k < link.nv(); ++k)
        arm_.turns_.push_back(
            std::holds_alternative<Free>(link.joint) ? k < 3 : !std::holds_alternative<Prismatic>(link.joint));
      for (int k = 0; k < link.n_flex(); ++k) {
        const FlexBasis& flex = *link.flex;
        names.push_back(link.name + "." + flex.names[k]);
        // Twist, and the rotations of an element's nodes ("n3.rz").
        arm_.turns_.push_back(flex.kinds[k] == Deflection::torsion || flex.names[k].find(".r") != std::string::npos);
      }
      arm_.coordinates_.insert(arm_.coordinates_.end(), names.begin(), names.end());
      arm_.positions_.insert(arm_.positions_.end(), names.begin(), names.end());
    }
  }

  /// The rotor of the link just added, on the same axis, with its coordinate at the output side of the gear.
  void add_rotor(const Motor& motor) {
    const Link& carried = arm_.links_[i_previous_];
    const double r2 = motor.ratio() * motor.ratio();
    Link rotor;
    rotor.name = rotor.joint_name = carried.joint_name + ".motor";
    rotor.i_case = carried.i_case;
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
  Pose X_mount_;                                       // the carried arm's base on the tip of link i_base_
  std::vector<Pose> X_TD_;                             // per link: its Denavit–Hartenberg frame in its tip frame
  std::map<int, FlexBasis> imported_;                  // by the number of its link in the case
  std::vector<std::vector<std::string>> coordinates_;  // per link: names of its joint's coordinates
};

Arm Arm::assemble(const Case& data) {
  Arm arm = Assembler(data).run();
  return data.arm.damping ? arm.with_modal_damping(lithe::modal_damping(arm, data)) : arm;
}

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

bool Arm::small_tips() const {
  return tip_rotation_ == TipRotation::small &&
         std::any_of(links_.begin(), links_.end(), [](const Link& link) { return link.flex != nullptr; });
}

const Arm& refuse_guides(const Arm& arm, std::string_view who) {
  for (const Link& link : arm.links())
    if (link.guide)
      throw UnsupportedError(
          fmt::format("arm.links[{}].joint.guide", link.i_case),
          fmt::format("{}: joint '{}' slides its beam through a guide, so that its free length changes; only "
                      "finite-element follows that",
                      who, link.joint_name));
  return arm;
}

void refuse_axle(const Arm& arm, std::string_view who) {
  if (arm.axle())
    throw UnsupportedError("arm.base.axle",
                           fmt::format("{}: wheels that do not slip bind rates; runs know them, but neither midpoint, "
                                       "finite-element nor any linear analysis does",
                                       who));
}

Arm without_axle(const Arm& arm) { return Assembler::without_axle(arm); }

const Arm& refuse_wheels(const Arm& arm, std::string_view who) {
  if (arm.axle())
    throw UnsupportedError(
        "arm.base.axle",
        fmt::format("{}: wheels that do not slip bind rates, and it knows coordinates only: make it of "
                    "without_axle(arm) and ask Axle::hybrid for accelerations",
                    who));
  return arm;
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
