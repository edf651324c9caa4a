#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <map>

#include "lithe/arm/arm.h"
#include "lithe/arm/axle.h"
#include "lithe/arm/base_profiles.h"
#include "lithe/arm/cut.h"
#include "lithe/arm/dh_placement.h"
#include "lithe/arm/link_section.h"
#include "lithe/arm/modal_damping.h"
#include "lithe/arm/stiffening.h"
#include "lithe/beam/beam_basis.h"
#include "lithe/beam/imported_basis.h"
#include "lithe/describe/bodies.h"
#include "lithe/describe/field.h"

namespace lithe {
namespace {

Pose pose_of(const Origin& origin) { return {rpy_rotation(origin.rpy), origin.xyz}; }
Pose shift(double x, double y, double z) { return {Matrix3d::Identity(), {x, y, z}}; }

RigidInertia inertia_of(const BodyProperties& body) {
  return RigidInertia::about_com(body.mass, body.com, body.inertia_com);
}

}  // namespace

/// Builds an Arm link by link.
class Assembler {
 public:
  explicit Assembler(const Case& data)
      : spec_(data.arm), until_(data.simulate ? data.simulate->duration : std::numeric_limits<double>::infinity()) {
    for (const Gauge& gauge : data.gauges) gauged_[gauge.link].push_back(gauge.at);
  }

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

  static Arm with_only_mount(Arm arm, Mount mount) {
    arm.mounts_ = {mount};
    return arm;
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
      if (motion.by_profiles()) arm_.base_profiles_ = std::make_shared<const BaseProfiles>(motion, base.origin, until_);
    }
    if (base.type == BaseType::planar) {
      // Two slides and a turn; the first two carry no mass.
      add_base("base.x", prismatic_joint(Vector3d::UnitX()), "base.x");
      add_base("base.y", prismatic_joint(Vector3d::UnitY()), "base.y");
      add_base("base", revolute_joint(Vector3d::UnitZ()), "base.yaw");
    }
    if (base.type == BaseType::free) add_base("base", free_joint(), "base");
    if (base.body) {
      const BodyProperties body = body_properties(*base.body);
      arm_.links_.back().M_B = inertia_of(body);
    }
    i_base_ = i_previous_ = arm_.n_links() - 1;  // −1 where no link stands for the base
  }

  void add_base(const char* name, std::shared_ptr<const Joint> joint, const char* joint_name) {
    Link link;
    link.name = name;
    link.joint_name = joint_name;
    link.parent = arm_.n_links() - 1;
    link.role = LinkRole::base;
    link.forces.resize(size_t(joint->nv()));
    link.joint = std::move(joint);
    append(std::move(link));
  }

  void append(Link link) {
    arm_.links_.push_back(std::move(link));
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
    link.guide = spec.joint.guide;
    if (link.guide && spec.beam)
      link.guided = std::make_shared<const GuidedBeam>(GuidedBeam{*spec.beam, spec_.rotary_inertia});
    const auto& motor = spec.joint.motor;
    if (motor && !motor->stiffness) {
      // At the joint, rotor inertia and motor damping are multiplied by the gear ratio squared.
      const double r2 = motor->ratio() * motor->ratio();
      link.rotor_inertia = r2 * motor->inertia;
    }

    BodyProperties body;
    if (spec.imported) {
      imported_.emplace(i_case, imported_basis(read_imported_link(spec.imported->file)));
    } else {
      body = spec.beam ? beam_properties(*spec.beam, spec_.rotary_inertia) : body_properties(*spec.rigid);
    }
    Pose X_BD, X_TD;  // the frame D that mass properties are given in: B itself, or the Denavit–Hartenberg frame
    JointParameters motion;
    motion.axis = spec.joint.axis.value_or(Vector3d::UnitZ()).normalized();
    if (stands_on_axis(spec)) {
      X_TD = stand_on_axis(*spec.joint.dh, body.length, path, link.X_PF, motion.axis);
      if (!on_mount(link)) link.X_PF = parent_dh(link.parent) * link.X_PF;
    } else if (spec.joint.dh) {
      place_by_dh(*spec.joint.dh, spec.beam.has_value(), body.length, path, link.X_PF, X_BD, motion.axis);
      if (!on_mount(link)) link.X_PF = parent_dh(link.parent) * link.X_PF;
    } else {
      link.X_PF = pose_of(spec.joint.origin.value_or(Origin{}));
    }
    if (on_mount(link)) link.X_PF = X_mount_ * link.X_PF;
    make_joint(spec.joint, motion, path, link);

    link.M_B = inertia_of(body).seen_from(X_BD);
    link.X_BT = X_BD * shift(body.length, 0, 0);
    if (spec.imported) {
      const FlexBasis& basis = imported_.at(i_case);
      link.M_B = basis.undeformed();
      link.X_BT = {Matrix3d::Identity(), basis.tip0};
    }
    if (spec.beam) link.yield_strength = spec.beam->material.yield_strength;
    link.X_TD = link.X_BT.inverse() * X_BD;
    add_payloads(spec, path, link);
    // The frame that a child's Denavit–Hartenberg parameters start from: D where there is one, else the tip. A beam
    // under the standard convention ends at D.
    if (spec.joint.dh && !(spec.beam && spec.joint.dh->convention == DhConvention::standard))
      X_TD = shift(-body.length, 0, 0);

    i_previous_ = arm_.n_links();
    append(std::move(link));
    X_TD_.back() = X_TD;
    if (motor && motor->stiffness) add_rotor(*motor);
    // The torque acts on the last coordinate added: the rotor's, where there is one.
    actuated_.push_back({i_previous_, arm_.n_links() - 1});
    if (spec.beam && std::holds_alternative<Segments>(spec.beam->flexibility)) add_segments(*spec.beam);
  }

  /// Payloads on the tip join there; those along the link are part of its own inertia. Segments take theirs in add_segments.
  void add_payloads(const LinkSpec& spec, const std::string& path, Link& link) const {
    for (size_t k = 0; k < spec.payloads.size(); ++k) {
      const Payload& payload = spec.payloads[k];
      const CarriedBody body{payload.mass, payload.com, payload.inertia.matrix()};
      const std::string where = item_path(path + ".payload", spec.payloads.size(), k);
      if (!payload.at || at_tip(link, {*payload.at, 0, 0})) {
        link.payload_T += body.about_frame();
        continue;
      }
      AlongBody along{where, link.X_BT * link.X_TD * shift(*payload.at, 0, 0), body, {}};
      if (spec.imported) along.X_BS = {Matrix3d::Identity(), imported_section(spec, *payload.at, where).place};
      link.M_B += body.about_frame().seen_from(along.X_BS);
      link.along.push_back(std::move(along));
    }
  }
  SectionShapes imported_section(const LinkSpec& spec, double x, const std::string& path) const {
    const FlexBasis& basis = imported_.at(int(&spec - spec_.links.data()));
    if (const auto section = basis.section_at(x)) return *section;
    throw FieldError(path + ".at", no_node_text(basis, spec.name, x));
  }

  static void make_joint(const JointSpec& spec, JointParameters motion, const std::string& path, Link& link) {
    const JointKind* kind = find_joint_kind(spec.type);
    if (kind == nullptr) throw FieldError(path + ".joint.type", fmt::format("no joint kind '{}'", spec.type));
    if (spec.axes.size() == 2) {
      motion.axis = spec.axes[0].normalized();
      motion.second_axis = spec.axes[1].normalized();
    }
    motion.pitch = spec.pitch.value_or(0);
    link.joint = kind->make(motion);
    link.forces.resize(std::max<size_t>(1, kind->coordinates.size()));
    for (size_t k = 0; k < kind->coordinates.size(); ++k) {
      JointForces& forces = link.forces[k];
      forces = {spec.damping, spec.friction, spec.spring, spec.limits};
      const std::string& suffix = kind->coordinates[k].suffix;
      const auto own = spec.coordinates.find(suffix.empty() ? "" : suffix.substr(1));
      if (own == spec.coordinates.end()) continue;
      forces = {spec.damping + own->second.damping, own->second.friction, own->second.spring, own->second.limits};
    }
    if (const auto& motor = spec.motor; motor && !motor->stiffness)
      link.forces[0].damping += motor->ratio() * motor->ratio() * motor->damping;
  }

  /// From here on the base is a frame on the tip of the link that carries what follows: the last one, or one by name.
  void begin_mount(const MountSpec& mount) {
    i_base_ = i_previous_ = mount.onto ? arm_.find_link(*mount.onto) : i_previous_;
    X_mount_ = pose_of(mount.origin);
    arm_.mounts_.push_back({arm_.n_links(), i_base_});
  }
  bool on_mount(const Link& link) const { return !arm_.mounts_.empty() && link.parent == i_base_; }

  /// Turns the link just added into a chain of rigid pieces on springs (abdelaziz04): the first piece stays on the link's
  /// joint, every further one is attached by a hinge of up to three successive rotations about z, y and x, those that are not locked; the
  /// last of them carries the piece. The last piece has the link's name, its payload and its tip.
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
    first.along.clear();
    first.X_TD = {};
    first.M_B = pieces[0].hinged ? RigidInertia{} : pieces[0].body;
    first.X_BT = shift(pieces[0].hinged ? 0 : pieces[0].length, 0, 0);
    first.fibres = pieces[0].fibres;
    double start = 0;  // of the piece that is being added
    auto take_bodies = [&](Link& piece, double length) {
      const bool is_last = start + length > (1 - 1e-9) * beam.length;
      for (AlongBody body : last.along) {
        if (body.x() < start || (body.x() >= start + length && !is_last)) continue;
        body.X_BS = shift(body.x() - start, 0, 0);
        piece.M_B += body.body.about_frame().seen_from(body.X_BS);
        piece.along.push_back(body);
      }
      start += length;
    };
    if (!pieces[0].hinged) take_bodies(first, pieces[0].length);
    int i_parent = i_first, number = 0;
    for (const SegmentPiece& piece : pieces) {
      if (!piece.hinged) continue;
      const std::string hinge = fmt::format("{}.s{}", last.name, ++number);
      struct Turn {
        const char* name;
        Vector3d axis;
        Deflection kind;
      };
      const Turn turns[] = {{"y", Vector3d::UnitZ(), Deflection::bending_y},
                            {"z", Vector3d::UnitY(), Deflection::bending_z},
                            {"x", Vector3d::UnitX(), Deflection::torsion}};
      bool first_turn = true;
      for (int k = 0; k <= last_turn; ++k) {
        if (!turns_about[k]) continue;
        Link link;
        link.i_case = last.i_case;
        link.name = link.joint_name = hinge + "." + turns[k].name;
        link.role = LinkRole::segment;
        link.deflection = turns[k].kind;
        link.parent = i_parent;
        link.joint = revolute_joint(turns[k].axis);
        if (first_turn) link.fibres = piece.fibres;
        first_turn = false;
        link.forces[0].spring = Spring{piece.stiffness[k], 0};
        link.forces[0].damping = piece.damping[k];
        if (k == last_turn) {
          link.M_B = piece.body;
          link.X_BT = shift(piece.length, 0, 0);
          take_bodies(link, piece.length);
        }
        i_parent = arm_.n_links();
        append(link);
      }
    }
    arm_.links_.back().name = last.name;
    arm_.links_.back().payload_T = last.payload_T;
    X_TD_.back() = X_TD;
    i_previous_ = arm_.n_links() - 1;
    arm_.bends_ = true;
  }

  /// Shapes of flexible links. Some shapes depend on what the link carries: everything outboard, rigid, with its joints at
  /// zero.
  void add_flexibility() {
    std::vector<RigidInertia> carried(arm_.n_links());  // about the tip frame
    for (int i = arm_.n_links() - 1; i >= 0; --i) {
      Link& link = arm_.links_[i];
      carried[i] += link.payload_T;
      RigidInertia whole = link.M_B;
      whole += carried[i].seen_from(link.X_BT);
      if (link.parent >= 0) carried[link.parent] += whole.seen_from(link.X_PF);
      if (link.i_case < 0 || link.role == LinkRole::rotor || link.role == LinkRole::segment) continue;
      const LinkSpec& spec = spec_.links[link.i_case];
      FlexBasis basis;
      std::vector<SectionBody> bodies;
      for (const AlongBody& body : link.along) bodies.push_back({body.x(), body.body});
      if (spec.imported) {
        basis = std::move(imported_.at(link.i_case));
        for (const SectionBody& body : bodies) add_section_body(basis, *basis.section_at(body.x), body.body);
      } else if (spec.beam && !std::holds_alternative<NoFlexibility>(spec.beam->flexibility) &&
                 !std::holds_alternative<Segments>(spec.beam->flexibility)) {
        CarriedLoad load{carried[i].mass, carried[i].J.diagonal()};
        for (const SectionBody& body : bodies) {
          const CarriedLoad own = seen_at_tip(body, spec.beam->length);
          load.mass += own.mass;
          load.inertia += own.inertia;
        }
        basis = beam_basis(*spec.beam, spec_.rotary_inertia, load, bodies, gauged_[spec.name]);
      }
      if (basis.size() == 0) continue;
      if (basis.exact) demand_exact_options(fmt::format("arm.links[{}].beam.flexibility.strains", link.i_case));
      demand_stiffening_options(spec_, link, basis);
      for (AlongBody& body : link.along) body.shapes = *basis.section_at(body.x());
      if (spec_.inertia == InertiaOrder::first_order) {
        // With book83's truncation, tip masses are included in the link's integrals.
        basis.quadratic_inertia = false;
        add_tip_body(basis, link.payload_T);
        link.payload_T = {};
      }
      link.M_B = basis.undeformed();
      link.flex = std::make_shared<const FlexBasis>(std::move(basis));
      arm_.bends_ = true;
    }
  }

  /// Options that neglect parts of a deflection contradict links that have all of it.
  void demand_exact_options(const std::string& path) const {
    if (spec_.tip_rotation != TipRotation::finite)
      throw UnsupportedError(path,
                             "strains need `tip_rotation: finite`; `small` is for links that hardly bend: use `modes`");
    if (spec_.inertia != InertiaOrder::complete)
      throw UnsupportedError(path,
                             "strains need `inertia: complete`; `first-order` is for links that hardly bend: use "
                             "`modes`");
  }

  /// Coordinates in their order: joint by joint, each with its link's flexible ones.
  void number() {
    for (int i = 0; i < arm_.n_links(); ++i) {
      Link& link = arm_.links_[i];
      link.q0 = arm_.nq_;
      link.v0 = arm_.nv_;
      arm_.nq_ += link.nq() + link.n_flex();
      arm_.nv_ += link.nv() + link.n_flex();
      for (const std::string& suffix : link.joint->position_suffixes())
        arm_.positions_.push_back(link.joint_name + suffix);
      for (const JointCoordinate& coordinate : link.joint->coordinates()) {
        arm_.coordinates_.push_back(link.joint_name + coordinate.suffix);
        arm_.units_.push_back(coordinate.turns ? CoordinateUnit::radians : CoordinateUnit::metres);
      }
      std::vector<std::string> names;
      for (int k = 0; k < link.n_flex(); ++k) {
        const FlexBasis& flex = *link.flex;
        names.push_back(link.name + "." + flex.names[k]);
        arm_.units_.push_back(flex.unit(k));
      }
      arm_.coordinates_.insert(arm_.coordinates_.end(), names.begin(), names.end());
      arm_.positions_.insert(arm_.positions_.end(), names.begin(), names.end());
    }
    if (spec_.base.axle) arm_.constraints_.push_back(make_axle(*spec_.base.axle, 0, 0));  // a base comes first
    for (const auto& [i_joint, i_actuated] : actuated_) {
      const Link &joint = arm_.links_[i_joint], &link = arm_.links_[i_actuated];
      const std::vector<JointCoordinate>& coordinates = link.joint->coordinates();
      for (int k = 0; k < link.nv(); ++k)
        arm_.torque_inputs_.push_back({joint.joint_name + coordinates[k].suffix, i_actuated,
                                       coordinates[k].has_position ? link.q0 + k : -1, link.v0 + k,
                                       coordinates[k].turns});
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
    rotor.role = LinkRole::rotor;
    rotor.joint = carried.joint;
    rotor.X_PF = carried.X_PF;
    rotor.rotor_inertia = r2 * motor.inertia;
    rotor.forces[0].damping = r2 * motor.bearing;
    arm_.transmissions_.push_back({i_previous_, arm_.n_links(), *motor.stiffness, motor.hardening, motor.damping,
                                   motor.backlash.value_or(0) / 2});
    append(std::move(rotor));
  }

  int parent_of(const LinkSpec& spec) const {
    if (!spec.parent) return i_previous_;
    if (*spec.parent == "base") return i_base_;
    return arm_.find_link(*spec.parent);
  }

  /// The parent's Denavit–Hartenberg frame, in its tip frame.
  Pose parent_dh(int parent) const { return parent < 0 ? Pose{} : X_TD_[parent]; }

  const ArmSpec& spec_;
  const double until_;                                 // the end of the run; never without one
  std::map<std::string, std::vector<double>> gauged_;  // places of strain gauges, by link
  Arm arm_;
  int i_base_ = -1, i_previous_ = -1;
  Pose X_mount_;                               // the carried arm's base on the tip of link i_base_
  std::vector<Pose> X_TD_;                     // per link: its Denavit–Hartenberg frame in its tip frame
  std::map<int, FlexBasis> imported_;          // by the number of its link in the case
  std::vector<std::pair<int, int>> actuated_;  // joints, and the links that their torques act on
};

Arm with_only_mount(const Arm& arm, Mount mount) { return Assembler::with_only_mount(arm, mount); }

Arm Arm::assemble(const Case& data) {
  Arm arm = Assembler(data).run();
  return data.arm.damping ? arm.with_modal_damping(lithe::modal_damping(arm, data)) : arm;
}

}  // namespace lithe
