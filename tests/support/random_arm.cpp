#include "support/random_arm.h"

#include <fmt/format.h>

#include <cmath>
#include <numbers>
#include <random>

#include "lithe/beam/exact/strain_basis.h"

namespace lithe::testing {
namespace {

class Dice {
 public:
  explicit Dice(std::uint32_t seed) : engine_(seed) {}
  double within(double low, double high) { return low + (high - low) * uniform_(engine_); }
  bool chance(double probability) { return uniform_(engine_) < probability; }
  int below(int n) { return std::min(n - 1, int(uniform_(engine_) * n)); }
  Vector3d vector(double size) { return {within(-size, size), within(-size, size), within(-size, size)}; }
  Vector3d axis() {
    Vector3d a = vector(1);
    while (a.norm() < 0.1) a = vector(1);
    return a;
  }
  /// A possible inertia: that of a random cloud of points.
  InertiaEntries inertia(double mass) {
    Matrix3d I = Matrix3d::Zero();
    for (int k = 0; k < 4; ++k) I += point_inertia(mass / 4, vector(0.3));
    return {I(0, 0), I(1, 1), I(2, 2), I(0, 1), I(0, 2), I(1, 2)};
  }
  RigidBody body() {
    RigidBody body;
    body.length = within(0, 1);
    body.mass = within(0.5, 5);
    body.com = vector(0.4);
    body.inertia = inertia(*body.mass);
    return body;
  }
  int upto(int most) { return below(most + 1); }
  /// About 2 kg/m; bending and stretch with stiffnesses of the order of 100 N/m and 10⁴ N/m.
  Beam beam() {
    Beam beam;
    beam.length = within(0.5, 1.5);
    beam.material = {"", within(1e7, 5e7), 0.3, within(500, 2000), {}};
    const double area = within(1e-3, 3e-3);
    auto second_moment = [&] { return area * std::pow(within(0.02, 0.08), 2); };
    beam.section.shape = GeneralSection{area, second_moment(), second_moment(), second_moment()};
    return beam;
  }
  /// Without rotary inertia nothing resists the twist of nodes, and a plane has none.
  Elements elements(bool twist) {
    const BendingPlane planes[] = {BendingPlane::y, BendingPlane::z, BendingPlane::both};
    return {.count = 1 + below(2), .plane = planes[below(twist ? 3 : 2)]};
  }

 private:
  std::mt19937 engine_;
  std::uniform_real_distribution<double> uniform_{0, 1};
};

/// Every kind of profile that a base takes; corners at 0.25, 0.5 and 0.75 s, where one direction or another jumps in acceleration.
GivenMotion profiled_motion(Dice dice) {
  auto size = [&](double most) { return dice.chance(0.5) ? dice.within(0.3, most) : -dice.within(0.3, most); };
  GivenMotion motion;
  motion.x = Profile{Sinusoid{size(0.5), dice.within(0.3, 2), dice.within(0, 3), {}}};
  motion.y = Profile{TrapezoidalVelocity{size(1), 0.75, 0.25, 0}};
  motion.z = Profile{Sequence{{Profile{Dwell{0.25}}, Profile{Cycloidal{size(1), 0.5}}}}};
  motion.roll = Profile{Sinusoid{size(1), dice.within(0.3, 1), dice.within(0, 3), {}}};
  motion.pitch = Profile{Quintic{size(2), 0.75}};
  motion.yaw = Profile{TrapezoidalAcceleration{size(2), 1, 0.25}};
  return motion;
}

/// Joints where real arms have them. With dice of its own, so that all else about an arm of a seed stays.
void make_some_joints_plain(ArmSpec& arm, Dice dice) {
  const bool all = dice.chance(0.2);
  if (all) arm.gravity = {0, 0, -9.81};
  if (all && arm.base.type == BaseType::fixed) arm.base.origin = {};
  for (LinkSpec& link : arm.links) {
    const bool plain = all || dice.chance(0.3), turned = dice.chance(0.2);
    const int axis = dice.below(3);
    const double sign = dice.chance(0.5) ? 1 : -1;
    if (!plain) continue;
    link.joint.origin.reset();
    if (turned) link.joint.origin = Origin{Vector3d::Zero(), {0, sign * std::numbers::pi / 2, 0}};
    if (link.joint.axis) link.joint.axis = sign * Vector3d::Unit(axis);
  }
}

/// Bodies between root and tip. With dice of its own, as above. Where sections have no inertia, neither have these.
void add_bodies_along(ArmSpec& arm, Dice dice, bool inertia) {
  for (LinkSpec& link : arm.links) {
    const double length = link.beam ? link.beam->length : *link.rigid->length;
    const int count = dice.chance(0.25) ? 1 + dice.below(2) : 0;
    for (int k = 0; k < count; ++k) {
      Payload body;
      body.mass = dice.within(0.1, 1);
      body.at = dice.within(0, length);
      if (dice.chance(0.7)) body.com = dice.vector(0.1);
      const InertiaEntries own = dice.inertia(body.mass);
      if (dice.chance(0.6) && inertia) body.inertia = own;
      link.payloads.push_back(body);
    }
  }
}

bool is_leaf(const ArmSpec& arm, const LinkSpec& link) {
  for (size_t i = 0; i < arm.links.size(); ++i) {
    const auto& parent = arm.links[i].parent;
    if (parent ? *parent == link.name : i > 0 && &arm.links[i - 1] == &link) return false;
  }
  return true;
}

/// Whatever `Dice::beam` does not make of a beam. `leaf`: it carries a payload at most.
void vary(Beam& beam, bool twist, bool leaf, Dice& dice) {
  auto length = [&] { return dice.within(0.05, 0.15); };
  switch (dice.below(4)) {
    case 0:
      beam.section.shape = Tube{0.15, length()};
      break;
    case 1:
      beam.section.shape = Rectangle{length(), length()};
      break;
    case 2:
      beam.section.shape = Box{length(), length(), 0.02};
      break;
    default:
      break;
  }
  if (std::holds_alternative<Rectangle>(beam.section.shape) && dice.chance(0.5))
    beam.tip_section = Section{Rectangle{length(), length()}, {}};
  else if (dice.chance(0.2))
    beam.steps = {{dice.within(0.3, 0.6) * beam.length, Section{Circle{length()}, {}}}};
  switch (dice.below(3)) {
    case 0:
      beam.damping = DampingRatio{dice.within(0, 0.1)};
      break;
    case 1:
      beam.damping = LossFactor{dice.within(0, 0.1)};
      break;
    default:
      break;
  }
  // Under all that an arm carries such a shape would hardly move its tip, and be huge beside it.
  if (auto* modes = std::get_if<Modes>(&beam.flexibility); modes && leaf && dice.chance(0.7))
    modes->shape = ModeShape::clamped_mass;
  auto* elements = std::get_if<Elements>(&beam.flexibility);
  if (!elements) return;
  // Rotations of linear elements have no inertia but the section's.
  if (dice.chance(0.3) && twist) elements->element = ElementKind::linear;
  if (dice.chance(0.3)) elements->integration = Integration::full;
  if (!beam.steps.empty()) {
    elements->count = 2;  // one on each side
  } else if (dice.chance(0.3)) {
    elements->count = 3;
    elements->mesh = {0.2, 0.5, 0.3};
  }
  if (dice.chance(0.3)) {
    elements->count = 4;
    elements->mesh.clear();
    elements->keep = twist && elements->plane == BendingPlane::both ? 8 : 5;
    if (dice.chance(0.5)) elements->reduction = Reduction::eigenmodes;
  }
}

/// Strains of a link, with dice of their own. Its equations are regular: what nothing resists is left out.
StrainTerms strains_of(const StrainTerms& most, bool rotary_inertia, bool loaded, Dice& dice) {
  StrainTerms terms;
  if (dice.chance(0.3)) {
    (dice.chance(0.5) ? terms.bending_y : terms.bending_z) = 1 + dice.below(4);
    return terms;
  }
  terms.bending_y = dice.upto(most.bending_y);
  terms.bending_z = dice.upto(most.bending_z);
  terms.torsion = dice.upto(most.torsion);
  const bool stretches = dice.chance(0.5), shears = dice.chance(0.5);
  const int axial = dice.upto(most.axial), shear_y = dice.upto(most.shear_y), shear_z = dice.upto(most.shear_z);
  if (stretches) terms.axial = axial;
  if (shears && rotary_inertia) {
    terms.shear_y = shear_y;
    terms.shear_z = shear_z;
  }
  if (!rotary_inertia) terms.torsion = std::min(terms.torsion, loaded ? 1 : 0);
  if (terms.bending_y + terms.bending_z == 0) terms.bending_z = 1;
  return terms;
}

/// Other kinds of joints in place of some, one at least; dampers and springs on their coordinates.
void make_some_joints_other(ArmSpec& arm, bool drive_line, Dice dice) {
  const char* const kinds[] = {"spherical", "universal", "cylindrical", "helical", "planar"};
  const size_t surely = size_t(dice.below(int(arm.links.size())));
  for (size_t i = 0; i < arm.links.size(); ++i) {
    if (!dice.chance(0.5) && i != surely) continue;
    JointSpec joint;
    joint.name = arm.links[i].joint.name;
    joint.origin = arm.links[i].joint.origin;
    joint.type = kinds[dice.below(5)];
    if (joint.type == "cylindrical" || joint.type == "helical") joint.axis = dice.axis();
    if (joint.type == "helical") joint.pitch = dice.within(-1, 1);
    if (joint.type == "universal") joint.axes = {dice.axis(), dice.axis()};
    if (drive_line) {
      if (joint.type == "spherical" || joint.type == "universal" || joint.type == "helical")
        joint.damping = dice.within(0, 1);
      if (joint.type == "cylindrical") joint.coordinates["slide"] = {1, Friction{1, 2, 0.1}, Spring{20, 0.2}, {}};
      if (joint.type == "planar") joint.coordinates["turn"] = {0.5, {}, Spring{10, -0.3}, Limits{-0.5, 0.7, 30, 2}};
      if (joint.type == "helical") joint.motor = Motor{dice.within(0, 1e-3), dice.within(-60, -20), 1e-4};
    }
    arm.links[i].joint = joint;
  }
}

/// Rigid links with their payloads on the tips.
Case links_of(int n_links, std::uint32_t seed, const RandomArmOptions& options) {
  Dice dice(seed);
  Case data;
  data.arm.gravity = dice.vector(10);
  data.arm.base.type = options.base;
  if (options.base != BaseType::free) data.arm.base.origin = {dice.vector(1), dice.vector(3)};
  if (options.base == BaseType::free || options.base == BaseType::planar) data.arm.base.body = dice.body();
  if (data.arm.base.body) data.arm.base.body->length.reset();  // a base has none
  if (options.base == BaseType::moving) {
    GivenMotion motion{dice.vector(1), dice.vector(1), dice.vector(1), {}};
    motion.angular_acceleration = dice.within(-1, 1) * motion.angular_velocity;
    data.arm.base.motion = motion;
    if (options.base_profiles) data.arm.base.motion = profiled_motion(Dice(seed + 1));
  }
  for (int i = 0; i < n_links; ++i) {
    LinkSpec link;
    link.name = fmt::format("link{}", i);
    if (options.tree && i > 0 && dice.chance(0.3)) link.parent = fmt::format("link{}", dice.below(i));
    if (options.tree && i > 0 && dice.chance(0.1)) link.parent = "base";
    link.joint.name = fmt::format("joint{}", i);
    link.joint.type = "revolute";
    if (options.prismatic && dice.chance(0.3)) link.joint.type = "prismatic";
    if (options.fixed_joints && dice.chance(0.15)) link.joint.type = "fixed";
    link.joint.origin = Origin{dice.vector(0.5), dice.vector(3)};
    const bool moves = link.joint.type != "fixed";
    if (moves) link.joint.axis = dice.axis();
    if (moves && options.drive_line) {
      link.joint.damping = dice.within(0, 1);
      if (dice.chance(0.5)) link.joint.friction = Friction{dice.within(0, 2), dice.within(0, 2), 0.1};
      if (dice.chance(0.5)) link.joint.spring = Spring{dice.within(0, 50), dice.within(-1, 1)};
      if (dice.chance(0.5)) link.joint.limits = Limits{-0.5, 0.7, 30, 2};
      if (dice.chance(0.7)) link.joint.motor = Motor{dice.within(0, 1e-3), dice.within(-60, -20), dice.within(0, 1e-4)};
      if (link.joint.motor && dice.chance(0.4)) {
        link.joint.motor->inertia += 1e-4;
        link.joint.motor->stiffness = dice.within(10, 500);
        link.joint.motor->hardening = dice.within(0, 100);
        link.joint.motor->bearing = dice.within(0, 1e-4);
      }
    }
    link.rigid = dice.body();
    if (options.payloads && dice.chance(0.4)) {
      Payload payload;
      payload.mass = dice.within(0.1, 2);
      payload.com = dice.vector(0.2);
      payload.inertia = dice.inertia(payload.mass);
      link.payloads = {payload};
    }
    data.arm.links.push_back(link);
  }
  if (options.other_joints) make_some_joints_other(data.arm, options.drive_line, Dice(seed ^ 0x51ed270bu));
  if (options.plain_joints) make_some_joints_plain(data.arm, Dice(seed ^ 0x7f4a7c15u));
  return data;
}

}  // namespace

Case random_case(int n_links, std::uint32_t seed, const RandomArmOptions& options) {
  Case data = links_of(n_links, seed, options);
  if (options.payloads) add_bodies_along(data.arm, Dice(seed ^ 0x1b873593u), true);
  return data;
}

Case random_flexible_case(int n_links, std::uint32_t seed, const FlexibleArmOptions& options) {
  Case data = links_of(n_links, seed, options.arm);
  data.arm.rotary_inertia = options.rotary_inertia;
  data.arm.tip_rotation = options.tip_rotation;
  Dice dice(seed ^ 0x2545f491u), other_dice(seed ^ 0x3c6ef372u), strain_dice(seed ^ 0x6a09e667u);
  const LinkSpec* surely = &data.arm.links[size_t(other_dice.below(n_links))];  // bends
  for (LinkSpec& link : data.arm.links) {
    const bool stays_rigid = dice.chance(0.3);
    if (stays_rigid && &link != surely) continue;
    link.rigid.reset();
    link.beam = dice.beam();
    link.beam->material.E *= options.stiffer;
    // A slender beam without rotary inertia does not resist a turn about its own axis.
    if (!options.rotary_inertia && link.joint.axis && link.joint.axis->cross(Vector3d::UnitX()).isZero())
      link.joint.axis = Vector3d::UnitZ();
    const bool rigid_beam = dice.chance(0.1);
    if (rigid_beam && &link != surely) continue;
    Modes modes{dice.upto(options.most.bending_y), dice.upto(options.most.bending_z), dice.upto(options.most.torsion),
                dice.upto(options.most.axial)};
    // Without rotary inertia only what hangs on the tip resists twist, and so only one shape of it.
    if (!options.rotary_inertia) modes.torsion = std::min(modes.torsion, link.payloads.empty() ? 0 : 1);
    if (&link == surely && modes.bending_y + modes.bending_z == 0) {
      modes.bending_y = std::min(1, options.most.bending_y);
      modes.bending_z = std::min(1, options.most.bending_z);
    }
    if (dice.chance(0.3)) modes.shape = ModeShape::clamped_free;
    link.beam->flexibility = modes;
    if (options.elements && dice.chance(0.4)) link.beam->flexibility = dice.elements(options.rotary_inertia);
    if (options.segments && options.rotary_inertia && dice.chance(0.3))
      link.beam->flexibility = Segments{2 + dice.below(2)};
    if (options.arm.drive_line) link.beam->damping = RayleighDamping{dice.within(0, 1), dice.within(0, 0.01)};
    if (options.every_kind) vary(*link.beam, options.rotary_inertia, is_leaf(data.arm, link), other_dice);
    if (options.strains && (strain_dice.chance(0.6) || &link == surely)) {
      link.beam->flexibility =
          strains_of(options.most_strains, options.rotary_inertia, !link.payloads.empty(), strain_dice);
      link.beam->steps.clear();
    }
  }
  if (options.arm.payloads) add_bodies_along(data.arm, Dice(seed ^ 0x1b873593u), options.rotary_inertia);
  return data;
}

Case stiffened(Case data) {
  for (LinkSpec& link : data.arm.links) {
    if (!link.beam) continue;
    if (auto* modes = std::get_if<Modes>(&link.beam->flexibility)) {
      modes->stiffening = true;
      modes->axial = 0;
    }
    if (auto* elements = std::get_if<Elements>(&link.beam->flexibility)) elements->stiffening = true;
  }
  return data;
}

Case chain_case(int n_joints, std::uint32_t seed) {
  return random_case(
      n_joints, seed,
      {.tree = false, .fixed_joints = false, .prismatic = false, .payloads = false, .plain_joints = false});
}

Case two_bending_links_case(bool rotary_inertia) {
  Case data = chain_case(6, 83);
  data.arm.gravity = {0, 0, -9.81};
  data.arm.base.origin = {};
  data.arm.rotary_inertia = rotary_inertia;
  Dice dice(83);
  for (const int bends : {1, 2}) {
    LinkSpec& link = data.arm.links[size_t(bends)];
    link.rigid.reset();
    link.beam = dice.beam();
    link.beam->flexibility = Modes{1, 1, 1, 0};
    data.arm.links[size_t(bends) + 1].joint.origin->xyz.setZero();
  }
  return data;
}

State random_state(const Arm& arm, std::uint32_t seed) {
  Dice dice(seed ^ 0x9e3779b9u);
  State state = State::zero(arm);
  VectorXd step(arm.nv());
  for (const Link& link : arm.links()) {
    const double turn = link.role == LinkRole::segment ? 0.1 : std::numbers::pi;
    for (int k = 0; k < link.nv(); ++k) {
      // A free base is drawn within ±1, turns and all.
      const double size = arm.turns(link.v0 + k) && link.nv() < 6 ? turn : 1;
      step[link.v0 + k] = dice.within(-size, size);
      state.v[link.v0 + k] = dice.within(-2, 2);
    }
    for (int k = 0; k < link.n_flex() && link.flex->exact; ++k) {
      const double degree = link.flex->exact->terms[size_t(k)].k;
      const double share = (link.flex->turns[k] ? 1 : 0.02) / ((1 + degree) * (1 + degree));
      step[link.flex_v0() + k] = share * dice.within(-0.6, 0.6);
      state.v[link.flex_v0() + k] = share * dice.within(-1, 1);
    }
    for (int k = 0; k < link.n_flex() && !link.flex->exact; ++k) {
      const double most = link.flex->kinds[k] == Deflection::torsion ? 0.1 : 0.05 * link.X_BT.p.norm();
      // A shape under a heavy load hardly moves its tip, and turns it by hundreds of radians per metre of that.
      const double tip_turn = most * link.flex->tip_psi.col(k).norm(), share = tip_turn > 1 ? 1 / tip_turn : 1;
      step[link.flex_v0() + k] = share * dice.within(-most, most);
      state.v[link.flex_v0() + k] = dice.within(-0.5, 0.5);
    }
  }
  displace(arm, state.q, step);
  return state;
}

VectorXd random_vector(int n, std::uint32_t seed, double size) {
  Dice dice(seed ^ 0x51ed270bu);
  return VectorXd::NullaryExpr(n, [&] { return dice.within(-size, size); });
}

}  // namespace lithe::testing
