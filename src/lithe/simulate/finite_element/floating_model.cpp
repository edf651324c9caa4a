#include "lithe/simulate/finite_element/floating_model.h"

#include <fmt/format.h>

#include <Eigen/SparseCholesky>

#include "lithe/arm/small_motion.h"
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
  for (int k = 0; k < arm.nv(); ++k) {
    if (drives.driven()[k]) continue;
    unknown_[k] = int(free_.size());
    free_.push_back(k);
    group_.push_back(0);
  }
  int n_groups = 1;
  for (const Link& link : arm.links())
    if (link.nv() == 1 && unknown_[link.v0] >= 0) group_[unknown_[link.v0]] = n_groups++;
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
  VectorXd z, v;
  unknowns_of(state_, z, v);
  go_outwards(0, z, v);
  Triplets entries;
  assemble(1, 1, 1, [&](int row, int column, double value) { entries.emplace_back(row, column, value); });
  sum_.resize(size(), size());
  sum_.setFromTriplets(entries.begin(), entries.end());
}

void FloatingModel::unknowns_of(const State& state, VectorXd& z, VectorXd& v) const {
  z = state.q(free_);
  v = state.v(free_);
}

void FloatingModel::state_of(double t, const VectorXd& z, const VectorXd& v, State& state) const {
  state.t = drives_.instant(t);
  for (int k = 0; k < size(); ++k) {
    state.q[free_[k]] = z[k];
    state.v[free_[k]] = v[k];
  }
  drives_.impose(state);
}

void FloatingModel::accelerations_of(double t, const VectorXd& a, Eigen::Ref<VectorXd> vdot) const {
  for (int k = 0; k < size(); ++k) vdot[free_[k]] = a[k];
  drives_.given_accelerations(t, vdot);
}

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

void FloatingModel::go_outwards(double t, const VectorXd& z, const VectorXd& v) {
  state_of(t, z, v, state_);
  drives_.given_accelerations(t, vdot_);
  move_frames();
}

/// By state_ and vdot_.
void FloatingModel::move_frames() {
  const FrameMotion root = root_motion(arm_, state_.t);
  for (int i = 0; i < arm_.n_links(); ++i) {
    const Link& link = arm_.link(i);
    LinkWork& work = work_[i];
    const bool moves = link.nv() == 1;
    work.joint = across_joint(link, link.parent < 0 ? root : work_[link.parent].T, moves ? state_.q[link.q0] : 0,
                              moves ? state_.v[link.v0] : 0, moves ? vdot_[link.v0] : 0);
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
    if (link.nv() == 1)
      forces_[link.v0] = work.joint.direction.dot(work.on_base) + work.on_slide + link.rotor_inertia * vdot_[link.v0];
    if (link.parent >= 0)
      work_[link.parent].on_tip.noalias() += motion_transform(work.joint.X_PB).transpose() * work.on_base;
  }
}

void FloatingModel::unbalanced(double t, const VectorXd& z, const VectorXd& v, const VectorXd& a, VectorXd& force) {
  for (int k = 0; k < size(); ++k) vdot_[free_[k]] = a[k];
  go_outwards(t, z, v);
  go_inwards();
  add_passive_forces(arm_, state_, true, true, forces_);
  drives_.torques(state_, model_, applied_);
  drives_.add_loads(state_, applied_);
  forces_ -= applied_;
  for (int k = 0; k < size(); ++k) force[k] = -forces_[free_[k]];
  if (n_steered_ > 0) steer(a, force);
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

void FloatingModel::impulses(double t, const VectorXd& z, const VectorXd& v, const VectorXd& change,
                             VectorXd& impulse) {
  state_of(t, z, v, state_);
  vdot_ = change;
  move_frames();
  go_inwards();
  impulse = forces_;
  vdot_.setZero();
  move_frames();
  go_inwards();
  impulse -= forces_;
}

void FloatingModel::jump(double t, const VectorXd& z, VectorXd& v, const VectorXd& change) {
  impulses(t, z, v, change, found_);
  for (double& value : sum_.coeffs()) value = 0;
  assemble(1, 0, 0, [&](int row, int column, double value) { sum_.coeffRef(row, column) += value; });
  const Eigen::SimplicialLDLT<SparseMatrixd, Eigen::Lower> solver(sum_);
  const VectorXd needed = found_(free_);
  v -= solver.solve(needed);
}

/// [turn; slide] of T, in T axes, per rate of the tip node's six components.
Matrix6d FloatingModel::tip_directions(const LinkWork& work) const {
  Matrix6d G = Matrix6d::Zero();
  G.topRightCorner<3, 3>().noalias() = work.X_BT.R.transpose() * work.left_jacobian;
  G.bottomLeftCorner<3, 3>() = work.X_BT.R.transpose();
  return G;
}

/// Calls add(row, column, value) on the lower half. The mass matrix from composite inertias: a coordinate's unit acceleration
/// needs a wrench at its link's frame, which every coordinate further in feels along its own direction.
template <class Sink>
void FloatingModel::assemble(double mass, double damping, double stiffness, Sink add) {
  auto add_unknown = [&](int coordinate, int other, double value) {
    const int row = unknown_[coordinate], column = unknown_[other];
    if (row >= 0 && column >= 0) add(std::max(row, column), std::min(row, column), value);
  };
  for (int i = 0; i < arm_.n_links(); ++i) work_[i].carried_T = arm_.link(i).payload_T.matrix();
  for (int i = arm_.n_links() - 1; i >= 0; --i) {
    const Link& link = arm_.link(i);
    LinkWork& work = work_[i];
    const Matrix6d X_TB = motion_transform(work.X_BT), G = tip_directions(work);
    int first = link.v0 + link.nv();
    SlidingBeam::Flow flow;
    if (beams_[i]) {
      const NodalBeam& beam = *beams_[i];
      const int last = beam.n_nodes() - 1, per_node = int(beam.components.size());
      for (int node = 0; node <= last; ++node) {
        auto rigid = work.rigid.middleRows<6>(6 * node);
        rigid.setZero();
        rigid.topLeftCorner<3, 3>() = -skew(work.r.col(node));
        rigid.topRightCorner<3, 3>().setIdentity();
        rigid.bottomLeftCorner<3, 3>().setIdentity();
      }
      const double scale = beam.sliding ? beam.sliding->mass_scale() : 1;
      work.momentum.noalias() = scale * (beam.M * work.rigid);
      work.whole_B.noalias() = work.rigid.transpose() * work.momentum;
      const Matrix6d tip_block = G.transpose() * work.carried_T * G, tip_wrench = X_TB.transpose() * work.carried_T * G;
      auto coordinate = [&](int node, int k) { return link.flex_v0() + beam.flexible(node, k); };
      for (int node = 1; node <= last; ++node)
        for (int k = 0; k < per_node; ++k) {
          const int column = 6 * node + beam.components[k], at = coordinate(node, k);
          columns_.col(at) = work.momentum.row(column).transpose();
          if (node == last) columns_.col(at) += tip_wrench.col(beam.components[k]);
        }
      for (int k = 0; k < per_node; ++k)
        for (int l = 0; l <= k; ++l)
          add_unknown(coordinate(last, k), coordinate(last, l),
                      mass * tip_block(beam.components[k], beam.components[l]));
      auto add_half = [&](const SparseMatrixd& A, double weight) {
        for (int k = 0; k < A.outerSize(); ++k)
          for (SparseMatrixd::InnerIterator entry(A, k); entry; ++entry)
            if (entry.row() >= k)
              add_unknown(link.flex_v0() + int(entry.row()), link.flex_v0() + k, weight * entry.value());
      };
      add_half(link.flex->M, mass * scale);
      if (beam.sliding) {
        const SlidingBeam& sliding = *beam.sliding;
        work.whole_B += sliding.straight_part().matrix();
        for (int element = 0; element < last; ++element) {
          const SlidingBeam::Matrix12d K = (stiffness + damping * sliding.beta()) * sliding.element_stiffness(element);
          for (int end = 0; end < 2; ++end)
            for (int other = 0; other <= end; ++other)
              for (int k = 0; element + other > 0 && k < per_node; ++k)
                for (int l = 0; l < (end == other ? k + 1 : per_node); ++l)
                  add_unknown(coordinate(element + end, k), coordinate(element + other, l),
                              K(6 * end + beam.components[k], 6 * other + beam.components[l]));
        }
        // What the flow of matter past the nodes adds to the slide's row.
        flow = sliding.flow_momentum(work.flow);
        for (int node = 1; node <= last; ++node)
          for (int k = 0; k < per_node; ++k)
            add_unknown(coordinate(node, k), link.v0, mass * work.flow(beam.components[k], node));
        add_unknown(link.v0, link.v0, mass * (work.joint.direction.dot(flow.on_base) + flow.itself));
      } else {
        add_half(link.flex->D, damping);
        add_half(link.flex->K, stiffness);
      }
    } else {
      work.whole_B = link.M_B.matrix();
    }
    work.whole_B.noalias() += X_TB.transpose() * work.carried_T * X_TB;
    if (link.nv() == 1) {
      first = link.v0;
      columns_.col(link.v0).noalias() = work.whole_B * work.joint.direction;
      columns_.col(link.v0) += flow.on_base;
      add_unknown(link.v0, link.v0, mass * link.rotor_inertia);
    }
    // Wrenches at B of this link's coordinates, carried inwards.
    const int count = link.flex_v0() + link.n_flex() - first;
    auto wrenches = columns_.middleCols(first, count);
    for (int inner = i; inner >= 0; inner = arm_.link(inner).parent) {
      const Link& by = arm_.link(inner);
      const LinkWork& at = work_[inner];
      if (inner != i) {
        if (beams_[inner]) {
          const NodalBeam& beam = *beams_[inner];
          const Matrix6d G_inner = tip_directions(at);
          for (size_t k = 0; k < beam.components.size(); ++k)
            for (int c = 0; c < count; ++c)
              add_unknown(first + c, by.flex_v0() + beam.flexible(beam.n_nodes() - 1, int(k)),
                          mass * G_inner.col(beam.components[k]).dot(wrenches.col(c)));
        }
        const Matrix6d X = motion_transform(at.X_BT);
        for (int c = 0; c < count; ++c) wrenches.col(c) = Vector6d(X.transpose() * wrenches.col(c));
      }
      if (by.nv() == 1)
        for (int c = 0; c < count; ++c) add_unknown(first + c, by.v0, mass * at.joint.direction.dot(wrenches.col(c)));
      const Matrix6d X = motion_transform(at.joint.X_PB);
      for (int c = 0; c < count; ++c) wrenches.col(c) = Vector6d(X.transpose() * wrenches.col(c));
    }
    if (link.parent >= 0) {
      const Matrix6d X = motion_transform(work.joint.X_PB);
      work_[link.parent].carried_T.noalias() += X.transpose() * work.whole_B * X;
    }
  }
}

/// What joints and their controllers add to the diagonal, at state_.
template <class Sink>
void FloatingModel::add_joint_slopes(double damping, double stiffness, Sink add) {
  for (const Link& link : arm_.links()) {
    if (link.nv() != 1 || unknown_[link.v0] < 0 || !link.forces[0].any()) continue;
    const JointSlopes slopes = link.forces[0].slopes(state_.q[link.q0], state_.v[link.v0]);
    add(unknown_[link.v0], stiffness * (slopes.elastic_by_position + slopes.dissipative_by_position) +
                               damping * slopes.dissipative_by_rate);
  }
  drives_.for_each_acting_law(state_, model_, [&](const PlacedLaw& placed) {
    for (int i = 0; i < placed.n_outputs(); ++i) {
      if (Drives::accelerates(placed, i)) continue;
      const int v0 = placed.outputs[size_t(i)].v0;
      for (size_t k = 0; k < placed.reads.size(); ++k)
        if (placed.reads[k].v0 == v0)
          add(unknown_[v0], damping * -placed.slopes.by_rate(i, Eigen::Index(k)) +
                                stiffness * -placed.slopes.by_position(i, Eigen::Index(k)));
      if (placed.own_by_rate[i] != 0) add(unknown_[v0], damping * -placed.own_by_rate[i]);
    }
  });
}

/// Which controllers give their joints' accelerations at state_; one that is saturated or samples gives a torque.
void FloatingModel::choose_steered() {
  n_steered_ = 0;
  for (Steered& joint : steered_) {
    joint.acts = false;
    joint.inertia = 0;
    joint.coupling.setZero();
  }
  if (steered_.empty()) return;
  drives_.for_each_acting_law(state_, model_, [&](const PlacedLaw& placed) {
    const auto spring = placed.law->spring();
    for (int i = 0; i < placed.n_outputs(); ++i) {
      if (!Drives::accelerates(placed, i) || !spring) continue;
      for (Steered& joint : steered_) {
        if (joint.unknown != unknown_[placed.outputs[size_t(i)].v0]) continue;
        joint.acts = true;
        joint.kp = spring->kp;
        joint.kd = spring->kd;
        ++n_steered_;
      }
    }
  });
  for (const Steered& joint : steered_) given_[size_t(free_[joint.unknown])] = !joint.acts;
}

FloatingModel::Steered* FloatingModel::steered(int unknown) {
  for (Steered& joint : steered_)
    if (joint.acts && joint.unknown == unknown) return &joint;
  return nullptr;
}

const SparseMatrixd& FloatingModel::weighted_sum(double t, const VectorXd& z, const VectorXd& v, double mass,
                                                 double damping, double stiffness) {
  go_outwards(t, z, v);
  for (double& value : sum_.coeffs()) value = 0;
  choose_steered();
  assemble(mass, damping, stiffness, [&](int row, int column, double value) {
    Steered *of_row = n_steered_ > 0 ? steered(row) : nullptr, *of_column = n_steered_ > 0 ? steered(column) : nullptr;
    if (of_row == nullptr && of_column == nullptr) {
      sum_.coeffRef(row, column) += value;
    } else if (of_row == of_column) {
      of_row->inertia += value / mass;
    } else if (of_column == nullptr) {
      of_row->coupling[column] += value;
    } else if (of_row == nullptr) {
      of_column->coupling[row] += value;
    }
  });
  add_joint_slopes(damping, stiffness, [&](int unknown, double value) {
    if (n_steered_ == 0 || steered(unknown) == nullptr) sum_.coeffRef(unknown, unknown) += value;
  });
  for (Steered& joint : steered_) {
    if (!joint.acts) continue;
    joint.diagonal = joint.inertia * (mass + damping * joint.kd + stiffness * joint.kp);
    sum_.coeffRef(joint.unknown, joint.unknown) = joint.diagonal;
  }
  return sum_;
}

double FloatingModel::kinetic_energy() {
  update_kinematics(arm_, state_, kin_);
  auto of_body = [](const RigidInertia& body, const Vector6d& V) { return V.dot(body.matrix() * V) / 2; };
  double energy = 0;
  for (int i = 0; i < arm_.n_links(); ++i) {
    const Link& link = arm_.link(i);
    LinkWork& work = work_[i];
    auto in_axes = [](const Matrix3d& R, const Vector6d& V_W) {
      return stacked(R.transpose() * V_W.head<3>(), R.transpose() * V_W.tail<3>());
    };
    const Vector6d V_B = in_axes(kin_.X_WB[i].R, kin_.V_WB_W[i]);
    energy += of_body(link.payload_T, in_axes(kin_.X_WT[i].R, kin_.V_WT_W[i]));
    if (link.nv() == 1) energy += link.rotor_inertia * state_.v[link.v0] * state_.v[link.v0] / 2;
    if (!beams_[i]) {
      energy += of_body(link.M_B, V_B);
    } else if (beams_[i]->sliding) {
      energy += beams_[i]->sliding->kinetic_energy(V_B);
    } else {
      const NodalBeam& beam = *beams_[i];
      for (int node = 0; node < beam.n_nodes(); ++node) {
        auto velocity = work.velocity.segment<6>(6 * node);
        velocity << V_B.tail<3>() + V_B.head<3>().cross(Vector3d(work.r.col(node))), V_B.head<3>();
        for (size_t k = 0; node > 0 && k < beam.components.size(); ++k)
          velocity[beam.components[k]] += state_.v[link.flex_v0() + beam.flexible(node, int(k))];
      }
      work.force.noalias() = beam.M * work.velocity;
      energy += work.velocity.dot(work.force) / 2;
    }
  }
  return energy;
}

double FloatingModel::elastic_energy() {
  double energy = 0;
  for (int i = 0; i < arm_.n_links(); ++i) {
    const Link& link = arm_.link(i);
    if (link.nv() == 1) energy += link.forces[0].energy(state_.q[link.q0]);
    if (!beams_[i]) continue;
    if (beams_[i]->sliding) {
      energy += beams_[i]->sliding->elastic_energy();
      continue;
    }
    work_[i].force.noalias() = beams_[i]->K * work_[i].displacement;
    energy += work_[i].displacement.dot(work_[i].force) / 2;
  }
  return energy;
}

double FloatingModel::power_lost_in_guided_beams() const {
  double power = 0;
  for (const auto& beam : beams_)
    if (beam && beam->sliding) power += beam->sliding->power_lost();
  return power;
}

double FloatingModel::gravity_energy() {
  update_kinematics(arm_, state_, kin_);
  double energy = 0;
  for (int i = 0; i < arm_.n_links(); ++i) {
    const Link& link = arm_.link(i);
    auto add = [&](double mass, const Vector3d& first_moment, const Pose& X) {
      energy -= arm_.gravity().dot(mass * X.p + X.R * first_moment);
    };
    add(link.payload_T.mass, link.payload_T.first_moment, kin_.X_WT[i]);
    Vector3d first_moment = link.M_B.first_moment;
    if (beams_[i] && beams_[i]->sliding) {
      first_moment = beams_[i]->sliding->first_moment();
    } else if (beams_[i]) {
      // M times a unit motion along an axis sums the masses of the nodes.
      const NodalBeam& beam = *beams_[i];
      first_moment.setZero();
      for (int k = 0; k < beam.M.outerSize(); ++k)
        for (SparseMatrixd::InnerIterator entry(beam.M, k); entry; ++entry)
          if (k % 6 == 0 && entry.row() % 6 == 0) first_moment += entry.value() * work_[i].r.col(k / 6);
    }
    add(link.M_B.mass, first_moment, kin_.X_WB[i]);
  }
  return energy;
}

}  // namespace lithe
