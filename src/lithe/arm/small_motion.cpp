#include "lithe/arm/small_motion.h"

#include <cmath>

#include "lithe/beam/flex_forces.h"
#include "lithe/spatial/demand.h"

namespace lithe {
namespace {

void add_pair(Triplets& entries, int a, int b, double value) {
  if (value == 0) return;
  entries.emplace_back(a, b, value);
  entries.emplace_back(b, a, value);
}

auto into_block(Triplets& entries, int first) {
  return [&entries, first](int row, int column, double value) {
    entries.emplace_back(first + row, first + column, value);
  };
}

}  // namespace

SmallMotion::SmallMotion(const Arm& arm, const State& state)
    : arm_(arm), state_{state.t, state.q, VectorXd::Zero(arm.nv())} {
  LITHE_DEMAND(arm.tip_rotation() == TipRotation::finite);
  update_kinematics(arm_, state_, kin_);
  reference_ = arm.n_links() > 0 ? kin_.X_WB[0].p : kin_.X_WR.p;
  tips_.resize(size_t(arm.n_links()));
  rods_.resize(size_t(arm.n_links()));
  for (int i = 0; i < arm.n_links(); ++i) {
    const Link& link = arm_.link(i);
    if (!link.flex) continue;
    const auto delta = state.q.segment(link.flex_q0(), link.n_flex());
    if (link.flex->exact) {
      rods_[size_t(i)] = std::make_shared<RodSlopes>(link.flex->exact);
      rods_[size_t(i)]->place(delta.data());
    } else {
      tips_[size_t(i)].emplace(*link.flex, delta);
    }
  }
  walk_outward();
  walk_inward();
}

void SmallMotion::walk_outward() {
  const int n = arm_.n_links();
  frame_directions_.resize(n);
  own_tip_directions_.resize(n);
  for (int i = 0; i < n; ++i) {
    auto into = [&](std::vector<Direction>& list) {
      return [&](int column, const Vector3d& turn, const Vector3d& slide, const Vector3d& origin) {
        list.push_back({column, turn, slide - turn.cross(origin - reference_)});
      };
    };
    for_each_direction(arm_, kin_, i, into(frame_directions_[i]));
    for_each_flexible_direction(arm_, kin_, i, into(own_tip_directions_[i]));
  }
}

void SmallMotion::walk_inward() {
  const int n = arm_.n_links();
  carried_.assign(n, {});
  whole_.assign(n, {});
  angular_.setZero(3, arm_.nv());
  linear_.setZero(3, arm_.nv());
  auto add_momentum = [&](const RigidInertia& body, const Direction& direction) {
    angular_.col(direction.column) += body.J * direction.turn + body.first_moment.cross(direction.slide);
    linear_.col(direction.column) += body.mass * direction.slide + direction.turn.cross(body.first_moment);
  };
  auto shifted = [&](const Pose& X) { return Pose{X.R, X.p - reference_}; };
  for (int i = n - 1; i >= 0; --i) {
    const Link& link = arm_.link(i);
    const Pose X_B = shifted(kin_.X_WB[i]);
    carried_[i] += link.payload_T.seen_from(shifted(kin_.X_WT[i]));
    const OwnInertia own(arm_, kin_, i);
    if (link.flex) {
      for (int k = 0; k < link.n_flex(); ++k) {
        const Vector3d linear = X_B.R * own.linear(k);
        linear_.col(link.flex_v0() + k) = linear;
        angular_.col(link.flex_v0() + k) = X_B.R * own.angular(k) + X_B.p.cross(linear);
      }
      for (const Direction& direction : own_tip_directions_[i]) add_momentum(carried_[i], direction);
    }
    RigidInertia whole = own.rigid().seen_from(X_B);
    whole += carried_[i];
    for (const Direction& direction : frame_directions_[i]) {
      if (direction.column < link.v0 || direction.column >= link.v0 + link.nv()) break;
      add_momentum(whole, direction);
    }
    whole_[i] = whole;
    if (link.parent >= 0) carried_[link.parent] += whole;
  }
}

SparseMatrixd SmallMotion::mass_matrix() const {
  Triplets entries;
  for (int i = 0; i < arm_.n_links(); ++i) {
    const Link& link = arm_.link(i);
    auto along = [&](const Direction& direction, int column) {
      return direction.turn.dot(angular_.col(column)) + direction.slide.dot(linear_.col(column));
    };
    auto inside_joint = [&](int column) { return column >= link.v0 && column < link.v0 + link.nv(); };
    for (const Direction& direction : frame_directions_[i]) {
      const bool own = inside_joint(direction.column);
      for (int column = link.v0; column < link.v0 + link.nv(); ++column) {
        if (own)
          entries.emplace_back(direction.column, column, along(direction, column));
        else
          add_pair(entries, direction.column, column, along(direction, column));
      }
      for (int column = link.flex_v0(); column < link.flex_v0() + link.n_flex(); ++column)
        add_pair(entries, direction.column, column, along(direction, column));
    }
    if (link.nv() == 1) entries.emplace_back(link.v0, link.v0, link.rotor_inertia);
    if (!link.flex) continue;
    OwnInertia(arm_, kin_, i).for_each_entry(into_block(entries, link.flex_v0()));
    for (const Direction& b : own_tip_directions_[i]) {
      const RigidInertia& body = carried_[i];
      const Vector3d angular = body.J * b.turn + body.first_moment.cross(b.slide),
                     linear = body.mass * b.slide + b.turn.cross(body.first_moment);
      for (const Direction& a : own_tip_directions_[i])
        entries.emplace_back(a.column, b.column, a.turn.dot(angular) + a.slide.dot(linear));
    }
  }
  return assembled(arm_.nv(), entries);
}

Matrix6Xd SmallMotion::momentum(const Vector3d& origin) const {
  Matrix6Xd result(6, arm_.nv());
  result.topRows<3>() = angular_ - skew(origin - reference_) * linear_;
  result.bottomRows<3>() = linear_;
  return result;
}

VectorXd SmallMotion::weight(const Vector3d& g) const { return -(linear_.transpose() * g); }

void SmallMotion::add_weight_stiffness(const Vector3d& g, Triplets& entries) const {
  if (g.isZero(0)) return;
  for (int i = 0; i < arm_.n_links(); ++i) {
    const Link& link = arm_.link(i);
    if (link.joint->group() == Joint::Group::motion) continue;
    const bool alone = link.nv() == 1 && !link.joint->directions_change();
    // A rotation further inboard also turns the displacement of the mass centre by this coordinate.
    for (const Direction& direction : frame_directions_[i]) {
      if (direction.turn.isZero(0)) continue;
      auto value = [&](int column) { return -g.dot(direction.turn.cross(linear_.col(column))); };
      const bool own = direction.column >= link.v0 && direction.column < link.v0 + link.nv();
      for (int column = link.v0; column < link.v0 + link.nv(); ++column) {
        if (own && alone)
          entries.emplace_back(column, column, value(column));
        else if (!own)
          add_pair(entries, direction.column, column, value(column));
      }
      for (int column = link.flex_v0(); column < link.flex_v0() + link.n_flex(); ++column)
        add_pair(entries, direction.column, column, value(column));
    }
    if (link.nv() > 0 && !alone) add_joint_weight_stiffness(i, g, entries);
    // The mass of an exact link moves along curves as its coordinates grow; that of shapes along straight lines.
    if (const auto& rod = rods_[size_t(i)])
      for (int k = 0; k < link.n_flex(); ++k)
        for (int l = 0; l <= k; ++l) {
          const double value = -g.dot(kin_.X_WB[i].R * (rod->linear(k, l) + rod->linear(l, k))) / 2;
          entries.emplace_back(link.flex_v0() + k, link.flex_v0() + l, value);
          if (l != k) entries.emplace_back(link.flex_v0() + l, link.flex_v0() + k, value);
        }
    // With `stiffening` the mass of shapes sinks back as they grow.
    if (link.flex && link.flex->shortening) {
      const double along = g.dot(kin_.X_WB[i].R.col(0));
      const SparseMatrixd& G = link.flex->shortening->mass;
      for (int l = 0; l < G.cols(); ++l)
        for (SparseMatrixd::InnerIterator entry(G, l); entry; ++entry)
          entries.emplace_back(link.flex_v0() + int(entry.row()), link.flex_v0() + l, along * entry.value());
    }
    // Two coordinates of the tip turn what it carries one after the other.
    const Vector3d lever = carried_[i].first_moment - carried_[i].mass * (kin_.X_WT[i].p - reference_);
    for (const Direction& a : own_tip_directions_[i])
      for (const Direction& b : own_tip_directions_[i]) {
        const Vector3d second = turn_derivative(i, b.column, a.column).cross(lever) +
                                b.turn.cross(a.turn.cross(lever)) +
                                carried_[i].mass * slide_derivative(i, b.column, a.column);
        // The order of the two matters only for rounding; the mean is symmetric.
        entries.emplace_back(a.column, b.column, -g.dot(second) / 2);
        entries.emplace_back(b.column, a.column, -g.dot(second) / 2);
      }
  }
}

/// Among the coordinates of one joint, whose directions H may turn each other: with the link moved along coordinate b,
///   ∂J_a = J_b × J_a + ∂H_a     so that     ∂²V/∂a∂b = −g·(momentum of what the joint carries, along that).
/// The mean of both orders, which are one where the rates are those of coordinates; else one in equilibrium.
void SmallMotion::add_joint_weight_stiffness(int i, const Vector3d& g, Triplets& entries) const {
  const Link& link = arm_.link(i);
  const int n = link.nv();
  const RigidInertia& body = whole_[i];  // about the reference, world axes
  for (int a = 0; a < n; ++a)
    for (int b = 0; b < n; ++b) {
      const Vector3d turn_b = kin_.joint_W[i].col(b).head<3>();
      const Direction own = own_slope(i, a, b);
      const Vector3d linear =
          turn_b.cross(linear_.col(link.v0 + a)) + body.mass * own.slide + own.turn.cross(body.first_moment);
      const double half = -g.dot(linear) / 2;
      entries.emplace_back(link.v0 + a, link.v0 + b, half);
      entries.emplace_back(link.v0 + b, link.v0 + a, half);
    }
}

SmallMotion::Direction SmallMotion::own_slope(int i_link, int a, int b) const {
  const Link& link = arm_.link(i_link);
  Direction slope{link.v0 + a, Vector3d::Zero(), Vector3d::Zero()};
  if (!link.joint->directions_change()) return slope;
  const Pose& X_WB = kin_.X_WB[i_link];
  const Vector6d unit = Vector6d::Unit(a);
  JointDirections slopes;
  link.joint->direction_slopes(state_.q.data() + link.q0, unit.data(), slopes);
  slope.turn = X_WB.R * slopes.col(b).head<3>();
  slope.slide = X_WB.R * slopes.col(b).tail<3>() - slope.turn.cross(X_WB.p - reference_);
  return slope;
}

Vector3d SmallMotion::turn_derivative(int i_link, int a, int b) const {
  const Link& link = arm_.link(i_link);
  const int k = a - link.flex_v0(), l = b - link.flex_v0();
  const auto& rod = rods_[size_t(i_link)];
  return kin_.X_WB[i_link].R * (rod ? rod->tip_turn(k, l) : tips_[size_t(i_link)]->turn_slope(k, l));
}

Vector3d SmallMotion::slide_derivative(int i_link, int a, int b) const {
  const Link& link = arm_.link(i_link);
  const int k = a - link.flex_v0(), l = b - link.flex_v0();
  const auto& rod = rods_[size_t(i_link)];
  return kin_.X_WB[i_link].R * (rod ? rod->tip_slide(k, l) : tips_[size_t(i_link)]->slide_slope(k, l));
}

SectionSlopes SmallMotion::section_slopes(const LinkSection& section, const SectionFrame& frame) const {
  const auto& rod = rods_[size_t(section.link)];
  return {section, frame, rod.get()};
}

void add_elastic_stiffness(const Arm& arm, const State& state, Triplets& entries) {
  for (const Link& link : arm.links()) {
    for (int k = 0; k < link.nv(); ++k) {
      const JointForces& forces = link.forces[k];
      const double q = state.q[link.q0 + k];
      double stiffness = forces.spring ? forces.spring->stiffness : 0;
      if (const auto& limits = forces.limits; limits && (q < limits->lower || q > limits->upper))
        stiffness += limits->stiffness;
      if (stiffness != 0) entries.emplace_back(link.v0 + k, link.v0 + k, stiffness);
    }
    if (link.flex)
      elastic_slopes(*link.flex, state.q.segment(link.flex_q0(), link.n_flex()), into_block(entries, link.flex_v0()));
  }
  for (const Transmission& spring : arm.transmissions()) {
    const Link &joint = arm.link(spring.joint_link), &rotor = arm.link(spring.rotor_link);
    const double stiffness = spring.slopes(state.q[rotor.q0] - state.q[joint.q0], 0).elastic_by_twist;
    entries.emplace_back(joint.v0, joint.v0, stiffness);
    entries.emplace_back(rotor.v0, rotor.v0, stiffness);
    add_pair(entries, joint.v0, rotor.v0, -stiffness);
  }
}

void add_damping(const Arm& arm, const State& state, Triplets& entries) {
  for (const Link& link : arm.links()) {
    for (int k = 0; k < link.nv(); ++k) {
      const double damping = link.forces[k].slopes(state.q[link.q0 + k], state.v[link.v0 + k]).dissipative_by_rate;
      if (damping != 0) entries.emplace_back(link.v0 + k, link.v0 + k, damping);
    }
    if (link.flex)
      damping_slopes(*link.flex, state.q.segment(link.flex_q0(), link.n_flex()), into_block(entries, link.flex_v0()));
  }
  for (const Transmission& spring : arm.transmissions()) {
    const Link &joint = arm.link(spring.joint_link), &rotor = arm.link(spring.rotor_link);
    const double damping =
        spring.slopes(state.q[rotor.q0] - state.q[joint.q0], state.v[rotor.v0] - state.v[joint.v0]).dissipative_by_rate;
    entries.emplace_back(joint.v0, joint.v0, damping);
    entries.emplace_back(rotor.v0, rotor.v0, damping);
    add_pair(entries, joint.v0, rotor.v0, -damping);
  }
  if (const MatrixXd* D = arm.modal_damping())
    for (int i = 0; i < arm.nv(); ++i)
      for (int k = 0; k < arm.nv(); ++k)
        if ((*D)(i, k) != 0) entries.emplace_back(i, k, (*D)(i, k));
}

SparseMatrixd assembled(int n, const Triplets& entries) {
  SparseMatrixd matrix(n, n);
  matrix.setFromTriplets(entries.begin(), entries.end());
  return matrix;
}

SmallMotion small_motion(const Arm& arm, const State& state) {
  if (arm.tip_rotation() != TipRotation::finite)
    throw UnsupportedError(
        "arm.tip_rotation",
        "small motions need `tip_rotation: finite`: with `small`, links do not move as rigid bodies");
  return {refuse_guides(arm, "small motions"), state};
}

SparseMatrixd sparse_mass_matrix(const Arm& arm, const State& state) { return small_motion(arm, state).mass_matrix(); }

Vector3d effective_gravity(const Arm& arm) {
  if (arm.n_links() == 0 || arm.link(0).role != LinkRole::base) return arm.gravity();
  if (arm.link(0).joint->group() == Joint::Group::motion) return Vector3d::Zero();
  // A planar base slides along x and y of the root frame.
  const Vector3d z = arm.root(0).X_WR.R.col(2);
  return z.dot(arm.gravity()) * z;
}

}  // namespace lithe
