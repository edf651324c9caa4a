#include "lithe/simulate/finite_element/nominal_model.h"

#include <fmt/format.h>

#include <map>

#include "lithe/arm/small_motion.h"
#include "lithe/beam/beam_elements.h"
#include "lithe/spatial/demand.h"

namespace lithe {
namespace {

/// Takes displacements of all nodes to those of the flexible coordinates from the frame that the root node carries.
SparseMatrixd relative_to_root(const NodalBeam& beam) {
  Triplets entries;
  for (int node = 1; node < beam.n_nodes(); ++node)
    for (size_t k = 0; k < beam.components.size(); ++k) {
      const int row = beam.flexible(node, int(k)), component = beam.components[k];
      entries.emplace_back(row, 6 * node + component, 1);
      entries.emplace_back(row, component, -1);
      // u_y = x θ_z, u_z = −x θ_y of a frame turned by θ
      if (component == 1) entries.emplace_back(row, 5, -beam.x[node]);
      if (component == 2) entries.emplace_back(row, 4, beam.x[node]);
    }
  SparseMatrixd E(beam.flexible(beam.n_nodes(), 0), 6 * beam.n_nodes());
  E.setFromTriplets(entries.begin(), entries.end());
  return E;
}

}  // namespace

void NominalModel::NodeMap::resize() {
  const auto n = Eigen::Index(columns.size());
  LITHE_DEMAND(n <= most_columns);
  for (NodeMatrix* matrix : {&N, &dN, &ddN}) matrix->setZero(6, n);
}

NominalModel::NominalModel(const Case& data, const Arm& arm, Drives& drives)
    : arm_(arm),
      drives_(drives),
      beams_(nodal_beams(data, arm)),
      table_(arm.n_links()),
      compliance_(arm.n_links(), -1),
      state_(drives.initial_state()),
      vdot_(VectorXd::Zero(arm.nv())),
      work_(arm.n_links()),
      on_tips_(arm.n_links(), Vector6d::Zero()) {
  drives_.command_state(state_);
  state_.v.setZero();
  update_kinematics(arm_, state_, kin_);
  number_unknowns(data);
  for (int i = 0; i < arm.n_links(); ++i)
    if (beams_[i]) prepare_pairs(i);

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

/// All six, or for bending confined to a plane the three of that plane, which must be a coordinate plane of the world.
std::vector<int> NominalModel::components_in_world() const {
  int normal = -1;
  bool confined = false, free = false;
  for (int i = 0; i < arm_.n_links(); ++i) {
    if (!beams_[i]) continue;
    if (beams_[i]->components.size() == 6) {
      free = true;
      continue;
    }
    confined = true;
    const Vector3d n = kin_.X_WB[i].R.col(beams_[i]->components[2] == 5 ? 2 : 1);
    Eigen::Index axis;
    const double along = n.cwiseAbs().maxCoeff(&axis);
    if (along < 1 - 1e-12 || (normal >= 0 && normal != int(axis)) || arm_.root_moves())
      throw UnsupportedError(
          fmt::format("arm.links[{}].beam.flexibility.plane", arm_.link(i).i_case),
          "finite-element, linear: all bending must stay in one coordinate plane of the world, or be free");
    normal = int(axis);
  }
  if (!confined) return {0, 1, 2, 3, 4, 5};
  for (int i = 0; i < arm_.n_links(); ++i) {
    const Link& link = arm_.link(i);
    const JointStep step = across_joint(link, {}, 0, 0, 0);
    const Vector3d turn = kin_.X_WB[i].R * step.direction.head<3>(), slide = kin_.X_WB[i].R * step.direction.tail<3>();
    if (free || turn.cross(Vector3d::Unit(normal)).norm() > 1e-12 || std::abs(slide[normal]) > 1e-12)
      throw UnsupportedError("arm.links",
                             fmt::format("finite-element, linear: joint '{}' or a link's free bending leaves "
                                         "the plane that other links are confined to",
                                         link.joint_name));
  }
  return {(normal + 1) % 3, (normal + 2) % 3, 3 + normal};
}

/// Of a spring and damper to the command and nothing else; none for other laws.
std::optional<Law::Spring> NominalModel::servo(int v0) const {
  for (const PlacedLaw& placed : drives_.laws())
    if (placed.outputs.front().v0 == v0 && placed.law->only_spring() && !placed.sampled() && !placed.actuator.limits())
      return placed.law->spring();
  return {};
}

/// The variable-correlation table: which unknown each component of each node is. Roots have none of their own.
void NominalModel::number_unknowns(const Case& data) {
  const std::vector<int> components = components_in_world();
  for (int i = 0; i < arm_.n_links(); ++i) {
    const Link& link = arm_.link(i);
    if (link.nv() == 1 && !drives_.driven()[link.v0]) {
      if (!servo(link.v0))
        throw UnsupportedError(data.torque.contains(link.joint_name) ? "torque." + link.joint_name : "arm.links",
                               fmt::format("finite-element, linear: joint '{}' must be driven by a motion or a servo "
                                           "without saturation and sampling; the nonlinear model supports others",
                                           link.joint_name));
      compliance_[i] = size_++;
    }
    const int n_nodes = beams_[i] ? beams_[i]->n_nodes() : 2;
    LinkWork& work = work_[i];
    work.nodes.resize(n_nodes);
    work.turned.resize(n_nodes);
    if (link.parent >= 0) work.nodes[0].columns = work_[link.parent].tip().columns;
    if (compliance_[i] >= 0) work.nodes[0].columns.push_back(compliance_[i]);
    if (!beams_[i]) {
      work.nodes[1].columns = work.nodes[0].columns;
    } else {
      std::array<int, 6> none;
      none.fill(-1);
      table_[i].assign(n_nodes, none);
      for (int node = 1; node < n_nodes; ++node)
        for (const int component : components) {
          table_[i][node][component] = size_;
          work.nodes[node].columns.push_back(size_++);
        }
    }
    if (beams_[i] && beams_[i]->sliding) work.exit.columns = work.nodes[0].columns;
    work.exit.resize();
    for (NodeMap& node : work.nodes) node.resize();
    // Displacements of nodes beyond the root are unknowns as they are.
    for (int node = 1; beams_[i] && node < n_nodes; ++node)
      for (size_t k = 0; k < components.size(); ++k) work.nodes[node].N(components[k], Eigen::Index(k)) = 1;
  }
}

/// Mass, stiffness and damping of a link by pairs of nodes.
void NominalModel::prepare_pairs(int i_link) {
  const NodalBeam& beam = *beams_[i_link];
  if (beam.sliding) {  // filled at every time
    for (int i = 0; i < beam.n_nodes(); ++i)
      for (int j = std::max(i - 1, 0); j <= std::min(i + 1, beam.n_nodes() - 1); ++j)
        work_[i_link].pairs.push_back({i, j, Matrix6d::Zero(), Matrix6d::Zero(), Matrix6d::Zero()});
    return;
  }
  const SparseMatrixd E = relative_to_root(beam);
  const SparseMatrixd D = E.transpose() * arm_.link(i_link).flex->D * E;
  std::map<std::pair<int, int>, Pair> pairs;
  auto spread = [&](const SparseMatrixd& A, Matrix6d Pair::*part) {
    for (int k = 0; k < A.outerSize(); ++k)
      for (SparseMatrixd::InnerIterator entry(A, k); entry; ++entry) {
        const int row = int(entry.row()), i = row / 6, j = k / 6;
        const auto place = pairs.try_emplace({i, j}, Pair{i, j, Matrix6d::Zero(), Matrix6d::Zero(), Matrix6d::Zero()});
        (place.first->second.*part)(row % 6, k % 6) = entry.value();
      }
  };
  spread(beam.M, &Pair::J);
  spread(beam.K, &Pair::K);
  spread(D, &Pair::D);
  for (const auto& [nodes, pair] : pairs) work_[i_link].pairs.push_back(pair);
}

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
  drives_.command_motion(state_, vdot_);
  move_frames();
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

void NominalModel::unbalanced(double t, const VectorXd& z, const VectorXd& v, const VectorXd& a, VectorXd& force) {
  if (t != at_) update(t);
  balance(z, v, a, force);
}

void NominalModel::balance(const VectorXd& z, const VectorXd& v, const VectorXd& a, VectorXd& force) const {
  force = sums_.F;
  force.noalias() -= sums_.J * a;
  force.noalias() -= sums_.C * v;
  force.noalias() -= sums_.K * z;
  for (int i = 0; i < arm_.n_links(); ++i) {
    const int at = compliance_[i];
    const Link& link = arm_.link(i);
    if (at < 0 || !link.forces[0].any()) continue;
    const double q = state_.q[link.q0] + z[at];
    force[at] -= link.forces[0].elastic(q) + link.forces[0].dissipative(q, state_.v[link.v0] + v[at]);
  }
}

const SparseMatrixd& NominalModel::weighted_sum(double t, const VectorXd& z, const VectorXd& v, double mass,
                                                double damping, double stiffness) {
  update(t);
  return weigh(z, v, mass, damping, stiffness);
}

void NominalModel::jump(double t, const VectorXd& z, VectorXd& v, const VectorXd& change) {
  // F_u is linear in the commanded accelerations: its change by them is that of the momentum by the commanded rates.
  const VectorXd still = VectorXd::Zero(size_);
  VectorXd with = still, without = still;
  state_.t = drives_.instant(t);
  drives_.command_motion(state_, vdot_);
  vdot_.setZero();
  move_frames();
  sum_up();
  balance(z, v, still, without);
  vdot_ = change;
  move_frames();
  sum_up();
  balance(z, v, still, with);
  const Eigen::SimplicialLDLT<SparseMatrixd, Eigen::Lower> solver(weigh(z, v, 1, 0, 0));
  v += solver.solve(with - without);
  at_ = -1;
}

const SparseMatrixd& NominalModel::weigh(const VectorXd& z, const VectorXd& v, double mass, double damping,
                                         double stiffness) {
  auto sum = [&](int at) {
    return mass * sums_.J.valuePtr()[at] + damping * sums_.C.valuePtr()[at] + stiffness * sums_.K.valuePtr()[at];
  };
  for (size_t k = 0; k < half_places_.size(); ++k)
    half_.valuePtr()[k] = (sum(half_places_[k][0]) + sum(half_places_[k][1])) / 2;
  for (int i = 0; i < arm_.n_links(); ++i) {
    const int at = compliance_[i];
    const Link& link = arm_.link(i);
    if (at < 0 || !link.forces[0].any()) continue;
    const JointSlopes slopes = link.forces[0].slopes(state_.q[link.q0] + z[at], state_.v[link.v0] + v[at]);
    half_.coeffRef(at, at) += stiffness * (slopes.elastic_by_position + slopes.dissipative_by_position) +
                              damping * slopes.dissipative_by_rate;
  }
  return half_;
}

void NominalModel::quasi_static(double t, VectorXd& z) {
  update(t);
  z.setZero(size_);
  // One solution, unless joints under servos have springs, dampers, friction or stops. With a stop's corners two or three.
  VectorXd force(size_), correction(size_);
  for (int pass = 0; pass < 20; ++pass) {
    SparseMatrixd K = sums_.K_c;
    force = sums_.F;
    force.noalias() -= K * z;
    bool passive = false;
    for (int i = 0; i < arm_.n_links(); ++i) {
      const int at = compliance_[i];
      const Link& link = arm_.link(i);
      if (at < 0 || !link.forces[0].any()) continue;
      passive = true;
      const double q = state_.q[link.q0] + z[at], rate = state_.v[link.v0];
      force[at] -= link.forces[0].elastic(q) + link.forces[0].dissipative(q, rate);
      const JointSlopes slopes = link.forces[0].slopes(q, rate);
      K.coeffRef(at, at) += slopes.elastic_by_position + slopes.dissipative_by_position;
    }
    static_solver_.compute(K);
    correction = static_solver_.solve(force);
    z += correction;
    if (!passive || correction.lpNorm<Eigen::Infinity>() <= 1e-12 * z.lpNorm<Eigen::Infinity>()) break;
  }
}

Vector6d NominalModel::tip_displacement(double t, const VectorXd& z, int i_link) {
  if (t != at_) update(t);
  const NodeMap& tip = work_[i_link].tip();
  Vector6d displacement = Vector6d::Zero();
  for (size_t k = 0; k < tip.columns.size(); ++k) displacement += tip.N.col(Eigen::Index(k)) * z[tip.columns[k]];
  return displacement;
}

}  // namespace lithe
