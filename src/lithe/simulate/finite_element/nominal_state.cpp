// What the unknowns of the linear models mean for the arm: its state and accelerations, and back; their names.
#include <fmt/format.h>

#include "lithe/simulate/finite_element/nominal_model.h"

namespace lithe {

NominalModel::NodeMotion NominalModel::motion_of(int i_link, int node, const VectorXd& z, const VectorXd& v,
                                                 const VectorXd& a) const {
  const std::vector<int>& columns = work_[i_link].mesh(node).columns;
  const auto& [T, dT, ddT] = work_[i_link].turned[node];
  NodeMotion motion{Vector6d::Zero(), Vector6d::Zero(), Vector6d::Zero()};
  for (size_t k = 0; k < columns.size(); ++k) {
    const auto l = Eigen::Index(k);
    const double position = z[columns[k]], rate = v[columns[k]];
    motion.q += T.col(l) * position;
    motion.dq += dT.col(l) * position + T.col(l) * rate;
    motion.ddq += ddT.col(l) * position + 2 * rate * dT.col(l) + T.col(l) * a[columns[k]];
  }
  return motion;
}

NominalModel::MeshPoint NominalModel::mesh_point(int i_link, int node) const {
  const NodalBeam& beam = *beams_[i_link];
  const double x = beam.x[node] - beam.x[0];
  if (!beam.sliding) return {x, 0, 0};
  const int v0 = arm_.link(i_link).v0;
  const double fraction = x / beam.sliding->free_length();
  return {x, fraction * state_.v[v0], fraction * vdot_[v0]};
}

/// Adds what a node has by a small motion of the first node's frame, or takes it away: u + θ × x e_x.
void NominalModel::NodeMotion::add_carried(const NodeMotion& root, const MeshPoint& from_root, double sign) {
  const Vector3d r(from_root.x, 0, 0), dr(from_root.dx, 0, 0), ddr(from_root.ddx, 0, 0);
  auto turn = [](const Vector6d& motion) { return motion.tail<3>(); };
  q += sign * root.q;
  dq += sign * root.dq;
  ddq += sign * root.ddq;
  q.head<3>() += sign * turn(root.q).cross(r);
  dq.head<3>() += sign * (turn(root.dq).cross(r) + turn(root.q).cross(dr));
  ddq.head<3>() += sign * (turn(root.ddq).cross(r) + 2 * turn(root.dq).cross(dr) + turn(root.q).cross(ddr));
}

void NominalModel::state_of(double t, const VectorXd& z, const VectorXd& v, const VectorXd& a, State& state,
                            Eigen::Ref<VectorXd> vdot) {
  if (t != at_) update(t);
  state.t = drives_.instant(t);
  for (int i = 0; i < arm_.n_links(); ++i) {
    const Link& link = arm_.link(i);
    if (link.nv() == 1) {
      const int at = compliance_[i];
      state.q[link.q0] = state_.q[link.q0] + (at < 0 ? 0 : z[at]);
      state.v[link.v0] = state_.v[link.v0] + (at < 0 ? 0 : v[at]);
      vdot[link.v0] = vdot_[link.v0] + (at < 0 ? 0 : a[at]);
    }
    if (!beams_[i]) continue;
    const NodalBeam& beam = *beams_[i];
    const NodeMotion root = motion_of(i, 0, z, v, a);
    for (int node = 1; node < beam.n_nodes(); ++node) {
      NodeMotion motion = motion_of(i, node, z, v, a);
      motion.add_carried(root, mesh_point(i, node), -1);
      for (size_t k = 0; k < beam.components.size(); ++k) {
        const int at = beam.flexible(node, int(k)), component = beam.components[k];
        state.q[link.flex_q0() + at] = motion.q[component];
        state.v[link.flex_v0() + at] = motion.dq[component];
        vdot[link.flex_v0() + at] = motion.ddq[component];
      }
    }
  }
}

void NominalModel::unknowns_of(const State& state, VectorXd& z, VectorXd& v) {
  update(state.t);
  z.setZero(size_);
  v.setZero(size_);
  const VectorXd still = VectorXd::Zero(size_);
  for (int i = 0; i < arm_.n_links(); ++i) {
    const Link& link = arm_.link(i);
    if (compliance_[i] >= 0) {
      z[compliance_[i]] = state.q[link.q0] - state_.q[link.q0];
      v[compliance_[i]] = state.v[link.v0] - state_.v[link.v0];
    }
    if (!beams_[i]) continue;
    const NodalBeam& beam = *beams_[i];
    const NodeMotion root = motion_of(i, 0, z, v, still);
    const Matrix3d& R = kin_.X_WB[i].R;
    const Vector3d& omega = work_[i].joint.B.omega;
    for (int node = 1; node < beam.n_nodes(); ++node) {
      NodeMotion motion{Vector6d::Zero(), Vector6d::Zero(), Vector6d::Zero()};
      for (size_t k = 0; k < beam.components.size(); ++k) {
        motion.q[beam.components[k]] = state.q[link.flex_q0() + beam.flexible(node, int(k))];
        motion.dq[beam.components[k]] = state.v[link.flex_v0() + beam.flexible(node, int(k))];
      }
      motion.add_carried(root, mesh_point(i, node), 1);
      for (const int part : {0, 3}) {
        const Vector3d q = motion.q.segment<3>(part), world = R * q,
                       rate = R * (motion.dq.segment<3>(part) + omega.cross(q));
        for (int axis = 0; axis < 3; ++axis) {
          const int at = table_[i][node][part + axis];
          if (at < 0) continue;
          z[at] = world[axis];
          v[at] = rate[axis];
        }
      }
    }
  }
}

std::string NominalModel::name_of(int unknown) const {
  constexpr const char* components[] = {"u_x", "u_y", "u_z", "θ_x", "θ_y", "θ_z"};
  for (int i = 0; i < arm_.n_links(); ++i) {
    const Link& link = arm_.link(i);
    if (compliance_[i] == unknown) return fmt::format("the compliance of joint '{}'", link.joint_name);
    for (size_t node = 0; node < table_[i].size(); ++node)
      for (int c = 0; c < 6; ++c)
        if (table_[i][node][c] == unknown)
          return fmt::format("{} of node {} (link '{}', joint '{}')", components[c], node, link.name, link.joint_name);
  }
  return "?";
}

}  // namespace lithe
