// How the linear models' matrices are summed over pairs of nodes, by (1) of nominal_model.h.
#include "lithe/arm/small_motion.h"
#include "lithe/beam/beam_elements.h"
#include "lithe/simulate/finite_element/nominal_model.h"

namespace lithe {

/// A node fixed on another one, at p from it: u + θ×p, in world axes. Fills the first columns of `to`.
void NominalModel::carry(const NodeMap& from, const Vector3d& p, const Vector3d& dp, const Vector3d& ddp, NodeMap& to) {
  using Rows = Eigen::Matrix<double, 3, Eigen::Dynamic, Eigen::ColMajor, 3, most_columns>;
  auto arm_of = [](const Vector3d& q, const NodeMatrix& M) { return Rows(-skew(q) * M.bottomRows<3>()); };
  const auto n = from.N.cols();
  auto N = to.N.leftCols(n), dN = to.dN.leftCols(n), ddN = to.ddN.leftCols(n);
  N = from.N;
  dN = from.dN;
  ddN = from.ddN;
  N.topRows<3>() += arm_of(p, from.N);
  dN.topRows<3>() += arm_of(dp, from.N) + arm_of(p, from.dN);
  ddN.topRows<3>() += arm_of(ddp, from.N) + 2 * arm_of(dp, from.dN) + arm_of(p, from.ddN);
}

void NominalModel::move_nodes(int i_link, const FrameMotion& P) {
  const Link& link = arm_.link(i_link);
  LinkWork& work = work_[i_link];
  const FrameMotion& B = work.joint.B;
  const Pose& X_WP = link.parent < 0 ? kin_.X_WR : kin_.X_WT[link.parent];
  const Pose& X_WB = kin_.X_WB[i_link];
  const Vector3d turn = work.joint.direction.head<3>(), slide = work.joint.direction.tail<3>();
  NodeMap& root = work.nodes[0];
  if (link.parent >= 0) {
    const double rate = link.nv() == 1 ? state_.v[link.v0] : 0;
    carry(work_[link.parent].tip(), X_WB.p - X_WP.p, X_WP.R * P.omega.cross(work.joint.X_PB.p) + X_WB.R * slide * rate,
          X_WB.R * B.a - X_WP.R * P.a, root);
  }
  if (compliance_[i_link] >= 0) {
    // A turn or slide of the link against its command, along the joint's direction, which the parent carries with it.
    const auto last = root.N.cols() - 1;
    auto in_world = [&](const Vector3d& in_B) { return Vector3d(X_WB.R * in_B); };
    root.N.col(last) << in_world(slide), in_world(turn);
    root.dN.col(last) << in_world(B.omega.cross(slide)), in_world(B.omega.cross(turn));
    root.ddN.col(last) << in_world(B.of_point(slide)), in_world(B.of_point(turn));
  }
  if (beams_[i_link] && beams_[i_link]->sliding) {
    // The guide's exit stands still on the parent, so it recedes in B.
    const Vector3d p(beams_[i_link]->x[0], 0, 0), rate = -state_.v[link.v0] * slide, growth = -vdot_[link.v0] * slide;
    carry(root, X_WB.R * p, X_WB.R * (B.omega.cross(p) + rate),
          X_WB.R * (B.of_point(p) + 2 * B.omega.cross(rate) + growth), work.exit);
  }
  if (!beams_[i_link])
    carry(root, X_WB.R * link.X_BT.p, X_WB.R * B.omega.cross(link.X_BT.p), X_WB.R * B.of_point(link.X_BT.p),
          work.nodes[1]);
}

/// World axes to those of a frame, Φ: d(Rᵀ)/dt = −ω̃Rᵀ, and again (ω̃ω̃ − α̃)Rᵀ, with ω and α in the frame's axes.
void NominalModel::turn(const NodeMap& node, const Matrix3d& R, const FrameMotion& frame, Turned& turned) {
  const Matrix3d omega = skew(frame.omega), Q = R.transpose(), dQ = -omega * Q,
                 ddQ = (omega * omega - skew(frame.alpha)) * Q;
  for (NodeMatrix* matrix : {&turned.T, &turned.dT, &turned.ddT}) matrix->resize(6, node.N.cols());
  for (const int part : {0, 3}) {
    const auto N = node.N.middleRows<3>(part), dN = node.dN.middleRows<3>(part), ddN = node.ddN.middleRows<3>(part);
    turned.T.middleRows<3>(part) = Q * N;
    turned.dT.middleRows<3>(part) = dQ * N + Q * dN;
    turned.ddT.middleRows<3>(part) = ddQ * N + 2 * dQ * dN + Q * ddN;
  }
}

void NominalModel::update_motion(double t) {
  state_.t = drives_.instant(t);
  command(state_, vdot_);
  move_frames();
}

void NominalModel::command(State& state, Eigen::Ref<VectorXd> vdot) const {
  drives_.command_motion(state, vdot);
  for (const Transmission& spring : arm_.transmissions()) {
    const Link &joint = arm_.link(spring.joint_link), &rotor = arm_.link(spring.rotor_link);
    state.q[joint.q0] = state.q[rotor.q0];
    state.v[joint.v0] = state.v[rotor.v0];
    vdot[joint.v0] = vdot[rotor.v0];
  }
}

/// By state_ and vdot_.
void NominalModel::move_frames() {
  update_kinematics(arm_, state_, kin_);
  const FrameMotion root = root_motion(arm_, state_.t);
  for (int i = 0; i < arm_.n_links(); ++i) {
    const Link& link = arm_.link(i);
    LinkWork& work = work_[i];
    const FrameMotion& P = link.parent < 0 ? root : work_[link.parent].T;
    const bool moves = link.nv() == 1;
    work.joint =
        across_joint(link, P, moves ? state_.q[link.q0] : 0, moves ? state_.v[link.v0] : 0, moves ? vdot_[link.v0] : 0);
    work.T = carried(work.joint.B, link.X_BT);
    if (beams_[i] && beams_[i]->sliding) {
      beams_[i]->slide(state_.q[link.q0], state_.v[link.v0], vdot_[link.v0]);
      for (Pair& pair : work.pairs) {
        pair.J = beams_[i]->sliding->mass(pair.i, pair.j);
        pair.K = beams_[i]->sliding->stiffness(pair.i, pair.j);
        pair.D = beams_[i]->sliding->beta() * pair.K;
      }
    }
    move_nodes(i, P);
    work.frames = {kin_.X_WB[i].R, kin_.X_WT[i].R, work.joint.B, work.T};
  }
}

void NominalModel::turn_nodes() {
  for (LinkWork& work : work_)
    for (size_t node = 0; node < work.nodes.size(); ++node)
      turn(work.mesh(int(node)), work.frames.R_WB, work.frames.B, work.turned[node]);
}

/// One pair's share of (1), and of F where row and column are what a force's row and its cause are.
template <class Sink>
void NominalModel::add_pair(const NodeMap& row, const Turned& row_turned, const NodeMap& column,
                            const Turned& column_turned, const Matrix6d& J, const Matrix6d& K_c, const Matrix6d& D,
                            const FrameTerms& terms, Sink add) {
  using Square = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::ColMajor, most_columns, most_columns>;
  const auto& [T, dT, ddT] = column_turned;
  const Matrix6d CD = terms.C + D;
  const NodeMatrix JT = J * T, CT = 2 * J * dT + CD * T, K_cT = K_c * T, KT = J * ddT + CD * dT + K_cT + terms.K_b * T;
  const Square j = row_turned.T.transpose() * JT, c = row_turned.T.transpose() * CT, k = row_turned.T.transpose() * KT,
               k_c = row_turned.T.transpose() * K_cT;
  for (size_t r = 0; r < row.columns.size(); ++r) {
    sums_.F[row.columns[r]] += row_turned.T.col(Eigen::Index(r)).dot(terms.F);
    for (size_t l = 0; l < column.columns.size(); ++l) {
      const auto a = Eigen::Index(r), b = Eigen::Index(l);
      add(row.columns[r], column.columns[l], j(a, b), c(a, b), k(a, b), k_c(a, b));
    }
  }
}

template <class Sink>
void NominalModel::add_body(const RigidInertia& body, const NodeMap& node, const Matrix3d& R, const FrameMotion& frame,
                            Sink add) {
  if (body.mass == 0 && body.J.isZero(0)) return;
  turn(node, R, frame, body_turned_);
  add_pair(node, body_turned_, node, body_turned_, body_mass(body), Matrix6d::Zero(), Matrix6d::Zero(),
           body_terms(body, frame), add);
}

void NominalModel::add_along(const AlongLoad& load) {
  const NodalBeam& beam = *beams_[load.link];
  const ElementPlace place = element_at(beam.x, load.x);
  const double far = place.s / (beam.x[place.element + 1] - beam.x[place.element]);
  const Vector3d lever = load.place - kin_.X_WB[load.link] * Vector3d(load.x, 0, 0);
  const Vector3d moment = load.moment + lever.cross(load.force);
  for (const auto& [node, share] : {std::pair{place.element, 1 - far}, {place.element + 1, far}}) {
    const NodeMap& map = work_[load.link].nodes[node];
    for (size_t k = 0; k < map.columns.size(); ++k) {
      const auto N = map.N.col(Eigen::Index(k));
      sums_.F[map.columns[k]] += share * (N.head<3>().dot(load.force) + N.tail<3>().dot(moment));
    }
  }
}

/// Calls add(row, column, J, C, K, K_c) for every share of the matrices and sums F.
template <class Sink>
void NominalModel::assemble(Sink add) {
  sums_.F.setZero();
  for (Vector6d& wrench : on_tips_) wrench.setZero();
  along_.clear();
  drives_.add_load_wrenches(state_, kin_, on_tips_, along_);
  for (const AlongLoad& load : along_) add_along(load);
  for (int i = 0; i < arm_.n_links(); ++i) {
    const Link& link = arm_.link(i);
    const LinkWork& work = work_[i];
    for (const Pair& pair : work.pairs) {
      FrameTerms terms = node_terms(pair.J, beams_[i]->x[pair.j], work.frames.B);
      if (beams_[i]->sliding) beams_[i]->sliding->add_transport(pair.i, pair.j, work.frames.B, terms);
      add_pair(work.mesh(pair.i), work.turned[pair.i], work.mesh(pair.j), work.turned[pair.j], pair.J, pair.K, pair.D,
               terms, add);
    }
    if (beams_[i] && beams_[i]->sliding)
      add_body(beams_[i]->sliding->straight_part(), work.nodes[0], work.frames.R_WB, work.frames.B, add);
    if (!beams_[i]) add_body(link.M_B, work.nodes[0], work.frames.R_WB, work.frames.B, add);
    add_body(link.payload_T, work.tip(), work.frames.R_WT, work.frames.T, add);
    for (size_t k = 0; k < work.tip().columns.size(); ++k) {
      const auto N = work.tip().N.col(Eigen::Index(k));
      sums_.F[work.tip().columns[k]] += N.head<3>().dot(on_tips_[i].tail<3>()) + N.tail<3>().dot(on_tips_[i].head<3>());
    }
    if (const Transmission* spring = transmission_of(i); spring != nullptr) {
      const double k = spring->stiffness, d = spring->damping;
      const int joint = compliance_[i], rotor = compliance_[spring->rotor_link];
      add(joint, joint, 0, d, k, k);
      if (rotor >= 0) {
        add(rotor, rotor, 0, d, k, k);
        add(rotor, joint, 0, -d, -k, -k);
        add(joint, rotor, 0, -d, -k, -k);
      }
    }
    if (compliance_[i] < 0) continue;
    // Servo (2.29), acting on the compliance alone, and the rotor, which turns with the joint.
    const int at = compliance_[i];
    add(at, at, link.rotor_inertia, 0, 0, 0);
    sums_.F[at] -= link.rotor_inertia * vdot_[link.v0];
    if (const auto law = servo(link.v0)) add(at, at, 0, law->kd, law->kp, law->kp);
  }
}

void NominalModel::sum_up() {
  turn_nodes();
  for (SparseMatrixd* sum : {&sums_.J, &sums_.C, &sums_.K, &sums_.K_c})
    std::fill(sum->valuePtr(), sum->valuePtr() + sum->nonZeros(), 0);
  const int* place = places_.data();
  assemble([&](int, int, double j, double c, double k, double k_c) {
    const int at = *place++;  // the same in all
    sums_.J.valuePtr()[at] += j;
    sums_.C.valuePtr()[at] += c;
    sums_.K.valuePtr()[at] += k;
    sums_.K_c.valuePtr()[at] += k_c;
  });
}

void NominalModel::update(double t) {
  update_motion(t);
  sum_up();
  at_ = t;
}

const NominalModel::Matrices& NominalModel::matrices(double t) {
  update(t);
  return sums_;
}

/// The places of the sums' entries, which never change.
void NominalModel::find_pattern() {
  sums_.F.setZero(size_);
  Triplets entries;
  update_motion(0);
  turn_nodes();
  assemble([&](int row, int column, double, double, double, double) {
    entries.emplace_back(row, column, 0);
    entries.emplace_back(column, row, 0);
  });
  sums_.J.resize(size_, size_);
  sums_.J.setFromTriplets(entries.begin(), entries.end());
  sums_.C = sums_.K = sums_.K_c = sums_.J;
  half_ = sums_.J.triangularView<Eigen::Lower>();
  auto place = [&](Eigen::Index row, Eigen::Index column) {
    return int(&sums_.J.coeffRef(row, column) - sums_.J.valuePtr());
  };
  assemble([&](int row, int column, double, double, double, double) { places_.push_back(place(row, column)); });
  for (int k = 0; k < half_.outerSize(); ++k)
    for (SparseMatrixd::InnerIterator entry(half_, k); entry; ++entry)
      half_places_.push_back({place(entry.row(), k), place(k, entry.row())});
}

}  // namespace lithe
