// Matrices of the nonlinear model, and what follows from its mass matrix: impulses and sudden changes of rates.
#include <Eigen/SparseCholesky>

#include "lithe/arm/small_motion.h"
#include "lithe/simulate/finite_element/floating_model.h"

namespace lithe {

void FloatingModel::impulses(double t, const VectorXd& z, const VectorXd& v, const VectorXd& change,
                             VectorXd& impulse) {
  place(t, z, v);
  vdot_ = change;
  move_frames();
  go_inwards();
  impulse = forces_;
  vdot_.setZero();
  move_frames();
  go_inwards();
  impulse -= forces_;
}

void FloatingModel::strike(double t, const VectorXd& z, VectorXd& v, const VectorXd& change, const VectorXd& blow) {
  impulses(t, z, v, change, found_);
  found_ -= blow;
  VectorXd needed = found_(free_);
  turn_to_unknowns(needed);
  for (double& value : sum_.coeffs()) value = 0;
  assemble(1, 0, 0, [&](int row, int column, double value) { sum_.coeffRef(row, column) += value; });
  const Eigen::SimplicialLDLT<SparseMatrixd, Eigen::Lower> solver(sum_);
  v -= solver.solve(needed);
}

void FloatingModel::jump(double t, const VectorXd& z, VectorXd& v, const VectorXd& change) {
  strike(t, z, v, change, VectorXd::Zero(arm_.nv()));
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
    if (link.nv() > 0) {
      first = link.v0;
      columns_.middleCols(link.v0, link.nv()).noalias() = work.whole_B * work.directions;
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
      for (int k = 0; k < by.nv(); ++k)
        for (int c = std::max(by.v0 + k - first, 0); c < count; ++c)  // of a joint's own block one half
          add_unknown(first + c, by.v0 + k, mass * at.directions.col(k).dot(wrenches.col(c)));
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

/// What elastic transmissions add between joints and rotors, at state_.
template <class Sink>
void FloatingModel::add_transmission_slopes(double damping, double stiffness, Sink add) {
  for (const Transmission& spring : arm_.transmissions()) {
    const Link &joint = arm_.link(spring.joint_link), &rotor = arm_.link(spring.rotor_link);
    const TransmissionSlopes slopes =
        spring.slopes(state_.q[rotor.q0] - state_.q[joint.q0], state_.v[rotor.v0] - state_.v[joint.v0]);
    const double slope =
        stiffness * (slopes.elastic_by_twist + slopes.dissipative_by_twist) + damping * slopes.dissipative_by_rate;
    const int i = unknown_[joint.v0], j = unknown_[rotor.v0];
    if (i >= 0) add(i, i, slope);
    if (j >= 0) add(j, j, slope);
    if (i >= 0 && j >= 0) add(std::max(i, j), std::min(i, j), -slope);
  }
}

/// The places of the matrices' entries, which never change.
void FloatingModel::find_pattern() {
  VectorXd z, v;
  unknowns_of(state_, z, v);
  if (base_) base_directions_ = base_->directions(z);
  move_frames();
  Triplets entries;
  auto note = [&](int row, int column, double value) { entries.emplace_back(row, column, value); };
  assemble(1, 1, 1, note);
  add_transmission_slopes(1, 1, note);
  sum_.resize(size(), size());
  sum_.setFromTriplets(entries.begin(), entries.end());
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
  place(t, z, v);
  drives_.given_accelerations(t, vdot_);
  move_frames();
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
  add_transmission_slopes(damping, stiffness, [&](int row, int column, double value) {
    Steered *of_row = n_steered_ > 0 ? steered(row) : nullptr, *of_column = n_steered_ > 0 ? steered(column) : nullptr;
    if (of_row == nullptr && of_column == nullptr) {
      sum_.coeffRef(row, column) += value;
    } else if (of_column == nullptr) {
      of_row->coupling[column] += value;
    } else if (of_row == nullptr) {
      of_column->coupling[row] += value;
    }  // else in a row of (2), which has no springs
  });
  for (Steered& joint : steered_) {
    if (!joint.acts) continue;
    joint.diagonal = joint.inertia * (mass + damping * joint.kd + stiffness * joint.kp);
    sum_.coeffRef(joint.unknown, joint.unknown) = joint.diagonal;
  }
  return sum_;
}

}  // namespace lithe
