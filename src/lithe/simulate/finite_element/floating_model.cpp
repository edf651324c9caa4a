#include "lithe/simulate/finite_element/floating_model.h"

#include <fmt/format.h>

#include "lithe/spatial/exp_map.h"

namespace lithe {

FloatingModel::FloatingModel(const Case& data, const Arm& arm, Drives& drives)
    : arm_(arm),
      drives_(drives),
      model_(arm.without_guides()),
      beams_(nodal_beams(data, arm)),
      unknown_(arm.nv(), -1),
      state_(drives.initial_state()),
      vdot_(VectorXd::Zero(arm.nv())),
      forces_(VectorXd::Zero(arm.nv())),
      applied_(VectorXd::Zero(arm.nv())),
      given_(drives.driven()),
      found_(VectorXd::Zero(arm.nv())),
      work_(arm.n_links()),
      columns_(Matrix6Xd::Zero(6, arm.nv())) {
  for (const Link& link : arm.links()) {
    const int n = link.nv() + link.n_flex(), shift = link.q0 - link.v0;
    for (int k = link.v0; k < link.v0 + n; ++k) {
      if (drives.driven()[k]) continue;
      unknown_[k] = int(free_.size());
      free_.push_back(k);
      places_.push_back(k + shift + (k < link.v0 + link.nv() ? 0 : link.nq() - link.nv()));
    }
    if (link.nv() == 6) base_.emplace(link, unknown_[link.v0]);
  }
  group_.assign(free_.size(), 0);
  group_joints();
  for (int i = 0; i < arm.n_links(); ++i) {
    if (!beams_[i]) continue;
    const int n = beams_[i]->n_nodes();
    work_[i].r.setZero(3, n);
    work_[i].acceleration.setZero(6 * n);
    work_[i].force.setZero(6 * n);
    work_[i].displacement.setZero(6 * n);
    work_[i].velocity.setZero(6 * n);
    work_[i].rigid.setZero(6 * n, 6);
    work_[i].momentum.setZero(6 * n, 6);
    if (beams_[i]->sliding) work_[i].flow.setZero(6, n);
  }
  for (const PlacedLaw& placed : drives.laws()) {
    const bool computed = placed.law->gives_accelerations();
    const LawNeeds needs = placed.law->needs();
    if (computed || needs.weight || needs.sagged_weight)
      refuse_guides(arm, "a controller that uses the arm's dynamics");
    if (!computed) continue;
    for (const Coordinate& output : placed.outputs)
      steered_.push_back({.unknown = unknown_[output.v0], .coupling = VectorXd::Zero(size())});
  }
  if (base_) base_->centre(state_);
  find_pattern();
}

/// Deformations are group 0. A base's places are alike, and so are its turns.
void FloatingModel::group_joints() {
  int n_groups = 1, places_of_base = -1;
  for (const Link& link : arm_.links())
    for (int k = 0; k < link.nv(); ++k) {
      const int unknown = unknown_[link.v0 + k];
      if (unknown < 0) continue;
      if (link.role != LinkRole::base) {
        group_[unknown] = n_groups++;
      } else if (link.nv() == 6) {
        if (k == 0 || k == 3) ++n_groups;
        group_[unknown] = n_groups - 1;
      } else if (link.joint->coordinates()[0].turns) {
        group_[unknown] = n_groups++;
      } else {
        if (places_of_base < 0) places_of_base = n_groups++;
        group_[unknown] = places_of_base;
      }
    }
}

void FloatingModel::unknowns_of(const State& state, VectorXd& z, VectorXd& v) const {
  z = state.q(places_);
  v = state.v(free_);
  if (base_) base_->read(state, z, v);
}

void FloatingModel::state_of(double t, const VectorXd& z, const VectorXd& v, State& state) const {
  state.t = drives_.instant(t);
  for (int k = 0; k < size(); ++k) {
    state.q[places_[k]] = z[k];
    state.v[free_[k]] = v[k];
  }
  if (base_) base_->put(z, v, state);
  drives_.impose(state);
}

void FloatingModel::accelerations_of(double t, const VectorXd& z, const VectorXd& v, const VectorXd& a,
                                     Eigen::Ref<VectorXd> vdot) const {
  for (int k = 0; k < size(); ++k) vdot[free_[k]] = a[k];
  if (base_) base_->put_accelerations(z, v, a, vdot);
  drives_.given_accelerations(t, vdot);
}

bool FloatingModel::recentre(VectorXd& z, VectorXd& v, VectorXd& a) { return base_ && base_->recentre(z, v, a); }

std::string FloatingModel::name_of(int unknown) const {
  const int coordinate = free_[unknown];
  for (const Link& link : arm_.links())
    if (coordinate >= link.v0 && coordinate < link.flex_v0() + link.n_flex())
      return fmt::format("'{}' (link '{}', joint '{}')", arm_.coordinates()[coordinate], link.name, link.joint_name);
  return "?";
}

/// Where the nodes and the tip of a flexible link are and how they accelerate, by that link's frame and coordinates.
void FloatingModel::deform(int i_link) {
  const Link& link = arm_.link(i_link);
  NodalBeam& beam = *beams_[i_link];
  LinkWork& work = work_[i_link];
  const FrameMotion& B = work.joint.B;
  if (beam.sliding) beam.slide(state_.q[link.q0], state_.v[link.v0], vdot_[link.v0]);
  Vector6d u, rate, acceleration;
  for (int node = 0; node < beam.n_nodes(); ++node) {
    u.setZero();
    rate.setZero();
    acceleration.setZero();
    for (size_t k = 0; node > 0 && k < beam.components.size(); ++k) {
      const int at = beam.flexible(node, int(k)), component = beam.components[k];
      u[component] = state_.q[link.flex_q0() + at];
      rate[component] = state_.v[link.flex_v0() + at];
      acceleration[component] = vdot_[link.flex_v0() + at];
    }
    if (beam.sliding) {
      beam.sliding->u.col(node) = u;
      beam.sliding->rate.col(node) = rate;
      beam.sliding->acceleration.col(node) = acceleration;
    }
    work.displacement.segment<6>(6 * node) = u;
    work.r.col(node) = Vector3d(beam.x[node], 0, 0) + u.head<3>();
    work.acceleration.segment<3>(6 * node) =
        B.a + B.of_point(work.r.col(node)) + 2 * B.omega.cross(rate.head<3>()) + acceleration.head<3>();
    work.acceleration.segment<3>(6 * node + 3) = B.alpha + acceleration.tail<3>();
  }
  // The last node is the tip: its rotation vector θ turns T on B.
  const ExpMap turn(u.tail<3>());
  const Vector3d rotation_rate = rate.tail<3>();
  work.left_jacobian = turn.left_jacobian();
  work.X_BT = {turn.rotation(), work.r.rightCols<1>()};
  const Vector3d omega = work.left_jacobian * rotation_rate;
  const Vector3d alpha =
      work.left_jacobian * acceleration.tail<3>() + turn.left_jacobian_derivative(rotation_rate, rotation_rate);
  const Matrix3d R_TB = work.X_BT.R.transpose();
  work.T = {R_TB * (B.omega + omega), R_TB * (B.alpha + alpha + B.omega.cross(omega)),
            R_TB * work.acceleration.segment<3>(6 * (beam.n_nodes() - 1))};
}

/// Where the arm is and how it moves, accelerations aside.
void FloatingModel::place(double t, const VectorXd& z, const VectorXd& v) {
  state_of(t, z, v, state_);
  if (base_) base_directions_ = base_->directions(z);
}

/// By state_ and vdot_.
void FloatingModel::move_frames() {
  const FrameMotion root = root_motion(arm_, state_.t);
  for (int i = 0; i < arm_.n_links(); ++i) {
    const Link& link = arm_.link(i);
    LinkWork& work = work_[i];
    const FrameMotion& P = link.parent < 0 ? root : work_[link.parent].T;
    const bool moves = link.nv() == 1;
    if (link.nv() == 6) {
      work.joint = across_free_joint(link, P, state_.q.data() + link.q0, state_.v.segment<6>(link.v0),
                                     vdot_.segment<6>(link.v0));
      work.directions = base_directions_;
    } else {
      work.joint = across_joint(link, P, moves ? state_.q[link.q0] : 0, moves ? state_.v[link.v0] : 0,
                                moves ? vdot_[link.v0] : 0);
      work.directions = work.joint.direction;
    }
    if (beams_[i]) {
      deform(i);
    } else {
      work.X_BT = link.X_BT;
      work.T = carried(work.joint.B, link.X_BT);
    }
    work.on_tip = inertia_wrench(link.payload_T, work.T);
  }
}

void FloatingModel::go_inwards() {
  for (int i = arm_.n_links() - 1; i >= 0; --i) {
    const Link& link = arm_.link(i);
    LinkWork& work = work_[i];
    const FrameMotion& B = work.joint.B;
    const Vector3d tip_moment = work.X_BT.R * work.on_tip.head<3>(), tip_force = work.X_BT.R * work.on_tip.tail<3>();
    if (beams_[i]) {
      const NodalBeam& beam = *beams_[i];
      const int last = beam.n_nodes() - 1;
      work.on_base << tip_moment + work.X_BT.p.cross(tip_force), tip_force;
      if (beam.sliding) {
        const SlidingBeam::Reaction reaction = beam.sliding->inertia_forces(B, work.force);
        work.on_base += reaction.on_base;
        work.on_slide = reaction.on_slide + beam.sliding->add_elastic_forces(work.force);
      } else {
        work.force.noalias() = beam.M * work.acceleration;
        // Gyroscopic moment of the sections, which only the frame feels.
        const FlexBasis& flex = *link.flex;
        Vector3d spin = flex.j0 * B.omega;
        for (int k = 0; k < flex.size(); ++k) spin += flex.H.col(k) * state_.v[link.flex_v0() + k];
        work.on_base.head<3>() += B.omega.cross(spin);
        for (int node = 0; node <= last; ++node) {
          const Vector3d f = work.force.segment<3>(6 * node), moment = work.force.segment<3>(6 * node + 3);
          work.on_base.head<3>() += work.r.col(node).cross(f) + moment;
          work.on_base.tail<3>() += f;
        }
      }
      // The tip node's rotation is a rotation vector: its generalised moment is J_lᵀ times the moment.
      work.force.segment<3>(6 * last) += tip_force;
      work.force.segment<3>(6 * last + 3) += work.left_jacobian.transpose() * tip_moment;
      for (int node = 1; node <= last; ++node)
        for (size_t k = 0; k < beam.components.size(); ++k)
          forces_[link.flex_v0() + beam.flexible(node, int(k))] = work.force[6 * node + beam.components[k]];
    } else {
      work.on_base = inertia_wrench(link.M_B, B);
      work.on_base.head<3>() += tip_moment + work.X_BT.p.cross(tip_force);
      work.on_base.tail<3>() += tip_force;
    }
    if (link.nv() == 6) forces_.segment<6>(link.v0) = work.on_base;
    if (link.nv() == 1)
      forces_[link.v0] = work.joint.direction.dot(work.on_base) + work.on_slide + link.rotor_inertia * vdot_[link.v0];
    if (link.parent >= 0)
      work_[link.parent].on_tip.noalias() += motion_transform(work.joint.X_PB).transpose() * work.on_base;
  }
}

void FloatingModel::unbalanced(double t, const VectorXd& z, const VectorXd& v, const VectorXd& a, VectorXd& force) {
  place(t, z, v);
  accelerations_of(t, z, v, a, vdot_);
  move_frames();
  go_inwards();
  add_passive_forces(arm_, state_, true, true, forces_);
  drives_.torques(state_, model_, applied_);
  drives_.add_loads(state_, applied_);
  forces_ -= applied_;
  for (int k = 0; k < size(); ++k) force[k] = -forces_[free_[k]];
  turn_to_unknowns(force);
  if (n_steered_ > 0) steer(a, force);
}

/// Forces on the arm's coordinates to those on the unknowns, which differ on a free base: by virtual work, Sᵀ.
void FloatingModel::turn_to_unknowns(VectorXd& force) const {
  if (!base_) return;
  auto on_base = force.segment<6>(base_->first());
  on_base = Vector6d(base_directions_.transpose() * on_base);
}

/// (2): rows of joints under computed torque, and what their corrections take from the others.
void FloatingModel::steer(const VectorXd& a, VectorXd& force) {
  found_ = vdot_;
  model_.hybrid(state_, given_, applied_, found_);
  for (const Steered& joint : steered_) {
    if (!joint.acts) continue;
    force[joint.unknown] = joint.inertia * (found_[free_[joint.unknown]] - a[joint.unknown]);
  }
  for (const Steered& joint : steered_)
    if (joint.acts) force.noalias() -= joint.coupling * (force[joint.unknown] / joint.diagonal);
}

}  // namespace lithe
