#include "lithe/derive/symbolic_arm.h"

#include <fmt/format.h>

#include "lithe/arm/modal_damping.h"
#include "lithe/arm/stiffening.h"
#include "lithe/derive/denavit_hartenberg.h"
#include "lithe/derive/symbolic_beam.h"

namespace lithe::derive {
namespace {

constexpr const char* axes = "xyz";
constexpr int most_shapes = 12;  // of one link: its integrals of products grow with the square

double chopped(double value, double scale) { return std::abs(value) < 1e-13 * scale ? 0 : value; }

Triple numbers(const Vector3d& v) { return {exactly(v[0]), exactly(v[1]), exactly(v[2])}; }

/// Removes the rounding of a division of first moment by mass: 0.35 instead of 0.35000000000000003.
double rounded(double value) { return std::stod(fmt::format("{:.15g}", value)); }

/// Removes the rounding errors of a body that was shifted and rotated to the link frame, where zeros were.
SymbolicBody symbolic_body(const RigidInertia& inertia, const std::string& owner, Names& names,
                           const char* where = "mass centre, from the link's frame") {
  SymbolicBody body;
  body.mass = names.parameter("m", owner, "", inertia.mass, "mass", true);
  const Vector3d com = inertia.com();
  const Matrix3d I = inertia.inertia_com();
  const double scale = inertia.J.norm();
  for (int a = 0; a < 3; ++a) {
    body.com[a] = names.parameter("c", owner, std::string(1, axes[a]), rounded(chopped(com[a], com.norm())), where);
    for (int b = a; b < 3; ++b)
      body.inertia[a][b] = body.inertia[b][a] =
          names.parameter("I", owner, fmt::format("{}{}", axes[a], axes[b]), rounded(chopped(I(a, b), scale)),
                          "inertia about the mass centre", true);
  }
  return body;
}

Triple symbolic_place(const Vector3d& p, const char* letter, const std::string& owner, const char* meaning,
                      Names& names) {
  Triple place;
  for (int a = 0; a < 3; ++a)
    place[a] = names.parameter(letter, owner, std::string(1, axes[a]), chopped(p[a], p.norm()), meaning);
  return place;
}

/// Where a rigid link ends: `l_upper` along x, else with the axis in its name.
Triple symbolic_length(const Vector3d& p, const std::string& owner, Names& names) {
  Triple place;
  for (int a = 0; a < 3; ++a)
    place[a] = names.parameter("l", owner, a == 0 ? "" : std::string(1, axes[a]), chopped(p[a], p.norm()),
                               a == 0 ? "length" : "position of the tip");
  return place;
}

/// Names of the coordinates: q1, q2, … of joints, d11, d12, … of the first bent link.
void name_coordinates(const Arm& arm, Names& names, std::vector<int>& joint_numbers, std::vector<int>& link_numbers) {
  int joint = 0, body = 0;
  for (const Link& link : arm.links()) {
    joint_numbers.push_back(0);
    if (link.joint->group() == Joint::Group::motion) {
      for (int k = 0; k < 3; ++k)
        names.add_free_rate(fmt::format("w{}", axes[k]), fmt::format("\\omega_{}", axes[k]), arm.coordinates()[k]);
      for (int k = 0; k < 3; ++k)
        names.add_free_rate(fmt::format("v{}", axes[k]), fmt::format("v_{}", axes[k]), arm.coordinates()[3 + k]);
    } else if (link.nv() == 1) {
      joint_numbers.back() = ++joint;
      names.add_coordinate(fmt::format("q{}", joint), fmt::format("q_{{{}}}", joint), arm.coordinates()[link.v0],
                           link.q0);
    }
    link_numbers.push_back(link.role != LinkRole::rotor && link.role != LinkRole::base ? ++body : 0);
    for (int k = 0; k < link.n_flex(); ++k) {
      const std::string digits = fmt::format("{}{}{}", body, body > 9 || k > 8 ? "_" : "", k + 1);
      names.add_coordinate("d" + digits, fmt::format("\\delta_{{{},{}}}", body, k + 1),
                           arm.coordinates()[link.flex_v0() + k], link.flex_q0() + k);
    }
  }
}

/// Reflected inertia and damping of a motor, from its own constants where the case is known: r² J_m and r² b_m.
void name_motor(const Case* data, const Link& link, SymbolicLink& symbolic, Names& names) {
  const bool is_rotor = link.role == LinkRole::rotor;
  const std::optional<Motor> motor = data == nullptr || link.i_case < 0 || !(is_rotor || link.role == LinkRole::body)
                                         ? std::nullopt
                                         : data->arm.links[size_t(link.i_case)].joint.motor;
  symbolic.own_damping = link.forces[0].damping;
  if (!motor || motor->stiffness.has_value() != is_rotor) {
    symbolic.rotor_inertia =
        names.parameter("Jr", link.joint_name, "", link.rotor_inertia, "rotor inertia, at the joint", true);
    return;
  }
  const JointSpec& spec = data->arm.links[size_t(link.i_case)].joint;
  const std::string& joint = spec.name;
  if (motor->ratio() != 1)
    symbolic.motor_ratio = names.parameter("rg", joint, "", motor->ratio(),
                                           motor->turns_a_slide() ? "turn of the motor per travel" : "gear ratio");
  const double damping = is_rotor ? motor->bearing : motor->damping;
  symbolic.motor_damping = names.parameter("bm", joint, "", damping, "viscous damping at the motor");
  symbolic.own_damping = is_rotor ? 0 : spec.damping;
  symbolic.rotor_inertia = symbolic.motor_ratio * symbolic.motor_ratio *
                           names.parameter("Jm", joint, "", motor->inertia, "inertia of the motor's rotor", true);
}

void append(Way& way, const Way& more) { way.insert(way.end(), more.begin(), more.end()); }

/// Whether a pose on a rigid link's tip goes back along its length alone: to the frame that its child's parameters start from.
bool is_shift_back(const Pose& X, double length) {
  return length > 0 && X.R.isIdentity(1e-12) && (X.p + Vector3d(length, 0, 0)).norm() <= 1e-12 * length;
}

}  // namespace

bool SymbolicBody::has_mass() const {
  if (!mass.is_zero()) return true;
  for (const Triple& row : inertia)
    for (const ex& entry : row)
      if (!entry.is_zero()) return true;
  return false;
}

SymbolicArm::SymbolicArm(const Arm& arm, Names& names, const Case* data) {
  small_tips = arm.small_tips();
  std::vector<int> joint_numbers, link_numbers;
  name_coordinates(arm, names, joint_numbers, link_numbers);

  // Gravity along one axis is called g, whichever way it points.
  const Pose X_WR = arm.root(0).X_WR;
  const Vector3d g = X_WR.R.transpose() * arm.gravity(), p = X_WR.R.transpose() * X_WR.p;
  int along = -1, n_along = 0;
  for (int a = 0; a < 3; ++a)
    if (chopped(g[a], g.norm()) != 0) along = a, ++n_along;
  if (n_along == 1) {
    gravity[along] = (g[along] < 0 ? -1 : 1) * names.parameter("g", "", "", std::abs(g[along]), "gravity");
  } else {
    for (int a = 0; a < 3; ++a)
      gravity[a] = names.parameter("g", "", std::string(1, axes[a]), chopped(g[a], g.norm()), "gravity in base axes");
  }
  root_place = symbolic_place(p, "p", "base", "position of the base", names);
  root_turn = constant_turn(X_WR.R, "base", "a0", names);

  for (int i = 0; i < arm.n_links(); ++i) {
    const Link& link = arm.link(i);
    SymbolicLink symbolic;
    symbolic.name = link.name;
    symbolic.parent = link.parent;
    name_motor(data, link, symbolic, names);
    if (link.parent >= 0) symbolic.way = links[link.parent].tip;
    const std::string number = std::to_string(joint_numbers[i]);
    const std::optional<DhLink> dh = dh_link(data, link);

    if (link.role != LinkRole::rotor) {
      // The joint's place on the parent's tip, then the joint itself.
      // The joint's own names are those of its Denavit-Hartenberg parameters.
      const std::string& owner = dh || link.joint_name.empty() ? link.name : link.joint_name;
      const Pose X_PF = dh ? link.X_PF * dh->joint_pose().inverse() : link.X_PF;
      const bool at_parents_frame = dh && link.parent >= 0 && is_shift_back(X_PF, links[link.parent].length_value);
      if (at_parents_frame) {
        symbolic.way.push_back(Shift{{-links[link.parent].length, 0, 0}});
      } else {
        symbolic.way.push_back(
            Shift{symbolic_place(X_PF.p, "p", owner, "position of the joint on its parent's tip", names)});
        append(symbolic.way, constant_turn(X_PF.R, owner, (dh ? "o" : "a") + std::to_string(i + 1), names));
      }
      if (dh) append(symbolic.way, dh->to_joint(i + 1, names));
    }
    if (link.nv() == 1) {
      symbolic.joint_coordinate = link.v0;
      const Joint::Axis joint = *link.joint->single_axis();
      if (joint.turns) {
        symbolic.joint_turn = numbers(joint.axis);
        for (Step& step : joint_turn(joint.axis, number, "\\theta_{" + number + "}", names.coordinate(link.v0)))
          symbolic.way.push_back(step);
      } else {
        symbolic.joint_slide = numbers(joint.axis);
        Shift shift{symbolic.joint_slide};
        for (ex& entry : shift.by) entry *= names.coordinate(link.v0);
        symbolic.way.push_back(shift);
      }
    }
    if (link.joint->group() == Joint::Group::motion) {
      symbolic.is_free_base = true;
      symbolic.joint_coordinate = link.v0;
      // Gravity seen from the base, which may be turned anyhow: R(quaternion)ᵀ g.
      ex position[7];
      const char* letters[7] = {"x", "y", "z", "qw", "qx", "qy", "qz"};
      const char* latex[7] = {"x", "y", "z", "\\epsilon_w", "\\epsilon_x", "\\epsilon_y", "\\epsilon_z"};
      for (int k = 0; k < 7; ++k)
        position[k] = names.add_position(letters[k], latex[k], arm.positions()[link.q0 + k], link.q0 + k);
      base_place = {position[0], position[1], position[2]};
      const ex &w = position[3], &x = position[4], &y = position[5], &z = position[6];
      const ex norm = names.define("qq", "\\epsilon^2", w * w + x * x + y * y + z * z);
      base_turn = {Triple{1 - 2 * (y * y + z * z) / norm, 2 * (x * y - w * z) / norm, 2 * (x * z + w * y) / norm},
                   Triple{2 * (x * y + w * z) / norm, 1 - 2 * (x * x + z * z) / norm, 2 * (y * z - w * x) / norm},
                   Triple{2 * (x * z - w * y) / norm, 2 * (y * z + w * x) / norm, 1 - 2 * (x * x + y * y) / norm}};
      const Table& R = base_turn;
      base_gravity.emplace();
      for (int a = 0; a < 3; ++a)
        (*base_gravity)[a] = names.define(fmt::format("gb{}", axes[a]), fmt::format("g^B_{}", axes[a]),
                                          R[0][a] * gravity[0] + R[1][a] * gravity[1] + R[2][a] * gravity[2]);
    }
    symbolic.way = simplified(symbolic.way);
    register_angles(symbolic.way, names);

    symbolic.first_own = link.flex_v0();
    if (link.flex) {
      std::vector<ex> delta;
      for (int k = 0; k < link.n_flex(); ++k) delta.push_back(names.coordinate(link.flex_v0() + k));
      symbolic.beam = symbolic_beam(*link.flex, link.name, delta, names, small_tips);
      set_symbolic_tip(*link.flex, link.name, link_numbers[i], delta, names, small_tips, symbolic);
    } else if (dh && dh->ends_in_its_frame()) {
      // T is D, moved along x by the link's length; the body is given in D.
      const Pose X_DT = dh->frame_pose().inverse() * link.X_BT;
      const Triple length = symbolic_length(X_DT.p, link.name, names);
      SymbolicBody body = symbolic_body(dh->body_in_frame(link.M_B), link.name, names,
                                        "mass centre, in the link's Denavit-Hartenberg frame");
      for (int a = 0; a < 3; ++a) body.com[a] -= length[a];
      if (body.has_mass()) symbolic.on_tip.push_back(body);
      symbolic.length = length[0];
      symbolic.length_value = X_DT.p[0];
      symbolic.tip = dh->to_frame(i + 1, names);
      symbolic.tip.push_back(Shift{length});
    } else if (link.role != LinkRole::rotor) {
      const SymbolicBody body = symbolic_body(link.M_B, link.name, names);
      if (body.has_mass()) symbolic.body = body;
      symbolic.tip_place = symbolic_length(link.X_BT.p, link.name, names);
      symbolic.length = symbolic.tip_place[0];
      symbolic.length_value = link.X_BT.p[0];
      symbolic.tip = {Shift{symbolic.tip_place}, ConstantTurn{link.X_BT.R}};
    }
    if (link.payload_T.mass > 0 || !link.payload_T.J.isZero(0))
      symbolic.on_tip.push_back(symbolic_body(link.payload_T, link.name + "_payload", names));
    links.push_back(std::move(symbolic));
    // The tip's own angle matters for a body on the tip only if it is more than a point mass.
  }
  for (SymbolicLink& link : links)
    if (!link.on_tip.empty()) {
      link.tip = simplified(link.tip);
      register_angles(link.tip, names);
    }
}

void SymbolicArm::renumber(const std::vector<int>& to) {
  auto change = [&](int& coordinate) {
    if (coordinate >= 0 && coordinate < int(to.size())) coordinate = to[size_t(coordinate)];
  };
  for (SymbolicLink& link : links) {
    change(link.joint_coordinate);
    change(link.first_own);
    for (TipDirection& direction : link.tip_directions) change(direction.coordinate);
  }
}

void check_derivable(const Arm& arm) {
  refuse_constraints(arm, "derive");
  refuse_modal_damping(arm, "derive");
  refuse_exact_links(arm, "derive");
  refuse_stiffening(arm, "derive");
  if (arm.root_moves())
    throw FieldError("arm.base",
                     "expected fixed, planar or free: `derive` does not support a base with a given motion");
  int previous = -1;
  for (int i = 0; i < arm.n_links(); ++i) {
    const Link& link = arm.link(i);
    const std::string path = fmt::format("arm.links[{}]", link.i_case);
    if (arm.small_tips() && link.role != LinkRole::rotor) {
      // What the witness, recursive-lagrangian, has.
      if (link.joint->group() == Joint::Group::motion)
        throw FieldError("arm.base",
                         "expected fixed or planar: with `tip_rotation: small` `derive` supports no free base");
      if (link.parent != previous)
        throw FieldError(path + ".parent",
                         fmt::format("expected a chain: with `tip_rotation: small` `derive` supports no "
                                     "trees, but joint '{}' branches off",
                                     link.joint_name));
      previous = i;
    }
    if (link.nv() > 0 && link.role != LinkRole::base && !link.joint->single_axis())
      throw UnsupportedError(
          path + ".joint.type",
          fmt::format("`derive` supports joints that turn about one axis or slide along one, but '{}' is {}",
                      link.joint_name, link.joint->word()));
    if (!link.flex) continue;
    if (arm.inertia_order() == InertiaOrder::first_order)
      throw FieldError("arm.inertia", "expected complete: `derive` keeps all terms of the kinetic energy");
    if (link.n_flex() > most_shapes)
      throw FieldError(
          path,
          fmt::format(
              "expected at most {} flexible coordinates for `derive`, got {}: use fewer modes, or `keep` for elements",
              most_shapes, link.n_flex()));
  }
}

}  // namespace lithe::derive
