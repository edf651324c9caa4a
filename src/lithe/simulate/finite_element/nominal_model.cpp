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

  find_pattern();
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

const Transmission* NominalModel::transmission_of(int i_link) const {
  for (const Transmission& spring : arm_.transmissions())
    if (spring.joint_link == i_link) return &spring;
  return nullptr;
}

/// The variable-correlation table: which unknown each component of each node is. Roots have none of their own.
void NominalModel::number_unknowns(const Case& data) {
  const std::vector<int> components = components_in_world();
  for (int i = 0; i < arm_.n_links(); ++i) {
    const Link& link = arm_.link(i);
    if (link.role == LinkRole::base)
      throw UnsupportedError("arm.base",
                             "finite-element, linear: the base must be fixed or have a given motion; the nonlinear "
                             "model supports planar and free bases");
    if (link.nv() == 1 && !drives_.driven()[link.v0]) {
      const Transmission* spring = transmission_of(i);
      if (spring != nullptr && spring->hardening != 0)
        throw UnsupportedError(fmt::format("arm.links[{}].joint.motor.hardening", link.i_case),
                               fmt::format("finite-element, linear: the transmission of joint '{}' must have a linear "
                                           "spring; the nonlinear model supports others",
                                           link.joint_name));
      if (spring != nullptr && spring->gap > 0)
        throw UnsupportedError(fmt::format("arm.links[{}].joint.motor.backlash", link.i_case),
                               fmt::format("finite-element, linear: the transmission of joint '{}' must have no gap; "
                                           "the nonlinear model supports backlash",
                                           link.joint_name));
      if (spring == nullptr && !servo(link.v0))
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

}  // namespace lithe
