#include "lithe/analyse/modes.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>

#include "lithe/analyse/eigenmodes.h"
#include "lithe/beam/flex_tip.h"
#include "lithe/beam/natural_modes.h"
#include "lithe/dynamics/resting_arm.h"
#include "lithe/spatial/demand.h"
#include "lithe/spatial/dense_eigen.h"

namespace lithe {
namespace {

const char* word(Deflection kind) {
  switch (kind) {
    case Deflection::bending_y:
      return "bending y";
    case Deflection::bending_z:
      return "bending z";
    case Deflection::torsion:
      return "torsion";
    case Deflection::axial:
      return "stretch";
    case Deflection::mixed:
      return "deflection";
  }
  return "";
}

/// The group to which each coordinate contributes.
std::vector<std::string> groups_of(const Arm& arm) {
  std::vector<std::string> groups(arm.nv());
  for (const Link& link : arm.links()) {
    for (int k = 0; k < link.nv(); ++k)
      groups[link.v0 + k] = link.role == LinkRole::base      ? "base"
                            : link.role == LinkRole::segment ? arm.case_name(link) + " " + word(link.deflection)
                                                             : link.joint_name;
    for (int k = 0; k < link.n_flex(); ++k) groups[link.flex_v0() + k] = link.name + " " + word(link.flex->kinds[k]);
  }
  return groups;
}

/// "upper bending y 78 %, fore torsion 15 %": the largest shares up to nine tenths of the sum, at most four.
std::string description_of(const std::vector<Participation>& participation) {
  double positive = 0, listed = 0;
  for (const Participation& part : participation) positive += std::max(0.0, part.kinetic);
  std::string text;
  int n = 0;
  for (const Participation& part : participation) {
    const double share = part.kinetic / positive;
    if (n == 4 || listed >= 0.9 || share < 0.03) break;
    text += fmt::format("{}{} {:.0f} %", n == 0 ? "" : ", ", part.group, 100 * share);
    listed += share;
    ++n;
  }
  return text;
}

/// Names, shares and frequencies of modes; `momentum` is linear momentum per coordinate rate.
ModesResult explained(const Eigenmodes& solved, const SparseMatrixd& K, const SparseMatrixd& D, const SparseMatrixd& M,
                      const std::vector<int>& moving, const std::vector<std::string>& groups,
                      const Matrix3Xd& momentum) {
  ModesResult result;
  result.n_coordinates = int(moving.size());
  for (int k = 0; k < solved.lambda.size(); ++k) {
    Mode mode;
    const double lambda = solved.lambda[k];
    mode.shape = VectorXd::Zero(Eigen::Index(groups.size()));
    mode.shape(moving) = solved.shapes.col(k);
    if (lambda > 0) {
      mode.frequency_hz = std::sqrt(lambda) / (2 * std::numbers::pi);
      mode.damping_ratio = solved.shapes.col(k).dot(D * solved.shapes.col(k)) / (2 * std::sqrt(lambda));
    }
    if (lambda < 0) mode.growth_rate = std::sqrt(-lambda);
    result.n_rigid += lambda == 0;
    result.n_unstable += lambda < 0;
    const VectorXd inertia = M * solved.shapes.col(k), stiffness = K * solved.shapes.col(k);
    std::map<std::string, Participation> parts;
    for (size_t i = 0; i < moving.size(); ++i) {
      Participation& part = parts[groups[moving[i]]];
      part.kinetic += solved.shapes(Eigen::Index(i), k) * inertia[Eigen::Index(i)];
      if (lambda != 0) part.potential += solved.shapes(Eigen::Index(i), k) * stiffness[Eigen::Index(i)] / lambda;
    }
    for (auto& [group, part] : parts) {
      part.group = group;
      mode.participation.push_back(part);
    }
    std::stable_sort(mode.participation.begin(), mode.participation.end(),
                     [](const Participation& a, const Participation& b) { return a.kinetic > b.kinetic; });
    mode.description = description_of(mode.participation);
    mode.effective_mass = (momentum * mode.shape).cwiseAbs2();
    result.modes.push_back(std::move(mode));
  }
  return result;
}

/// Directions in which anything moves or resists; a bar without rotary inertia may spin about its axis without either.
MatrixXd with_mass_or_stiffness(const MatrixXd& M, const MatrixXd& K) {
  const MatrixXd sum = M / std::max(M.norm(), 1e-300) + K / std::max(K.norm(), 1e-300);
  const VectorXd diagonal = sum.diagonal().cwiseMax(0).cwiseSqrt();
  const VectorXd scale = diagonal.unaryExpr([](double d) { return d > 0 ? 1 / d : 1; });
  const SymmetricModes modes = symmetric_modes(scale.asDiagonal() * sum * scale.asDiagonal());
  const int kept = int((modes.values.array() > 1e-14).count());
  return scale.asDiagonal() * modes.vectors.rightCols(kept);
}

/// Coordinates that do not take part: joints that are held.
std::vector<bool> staying(const Arm& arm, const ModesOptions& options) {
  std::vector<bool> stays(arm.nv(), false);
  if (options.joints == JointCondition::locked)
    for (const TorqueInput& input : arm.torque_inputs()) stays[input.v] = true;
  if (options.joints == JointCondition::servo)
    for (const int v0 : options.driven) stays[v0] = true;
  return stays;
}

}  // namespace

SmallSystem small_system(const Arm& arm, const State& state, const ModesOptions& options) {
  refuse_constraints(arm, "modes");
  refuse_inside_backlash(arm, state.q, "modes");
  if (arm.has_guides()) {
    demand_held_guides(arm, staying(arm, options), "modes");
    return small_system(arm.with_guides_held(state.q), state, options);
  }
  const RestingArm motion(arm, state);
  Triplets stiffness, damping;
  add_elastic_stiffness(arm, state, stiffness);
  motion.add_weight_stiffness(effective_gravity(arm), stiffness);
  add_damping(arm, state, damping);
  if (options.outer.add_stiffness) options.outer.add_stiffness(motion.bodies("forces"), stiffness);
  if (options.outer.add_damping) options.outer.add_damping(motion.bodies("forces"), damping);
  const std::vector<bool> stays = staying(arm, options);
  if (options.joints == JointCondition::servo) {
    for (const CoordinateSpring& spring : options.servos) {
      stiffness.emplace_back(spring.v0, spring.v0, spring.stiffness);
      damping.emplace_back(spring.v0, spring.v0, spring.damping);
    }
  }
  SmallSystem system;
  for (int k = 0; k < arm.nv(); ++k)
    if (!stays[k]) system.moving.push_back(k);
  auto part = [&](const SparseMatrixd& whole) { return submatrix(whole, system.moving, system.moving); };
  system.M = part(motion.mass_matrix());
  system.K = part(assembled(arm.nv(), stiffness));
  system.D = part(assembled(arm.nv(), damping));
  return system;
}

ModesResult natural_modes_of(const Arm& arm, const State& state, const ModesOptions& options) {
  const SmallSystem system = small_system(arm, state, options);
  const Arm held = arm.has_guides() ? arm.with_guides_held(state.q) : arm;
  const RestingArm motion(held, state);
  ModesResult result = explained(lowest_modes(system.K, system.M, options.count), system.K, system.D, system.M,
                                 system.moving, groups_of(arm), motion.linear_momentum());
  result.mass = total_mass(arm);
  return result;
}

ModesResult beam_modes(const Link& link, End root, End tip, int count) {
  LITHE_DEMAND(link.flex != nullptr);
  const FlexBasis& flex = *link.flex;
  const int m = flex.size(), n = 6 + m;
  // The beam without any support: its frame B moves by six coordinates, the rest is deformation.
  FlexMoments moments;
  update_moments(flex, VectorXd::Zero(m), moments);
  MatrixXd M = MatrixXd::Zero(n, n), K = MatrixXd::Zero(n, n);
  M.topLeftCorner<6, 6>() = RigidInertia{flex.mass, moments.s, moments.inertia(flex)}.matrix();
  for (int k = 0; k < m; ++k) {
    M.col(6 + k).head<6>() << moments.angular(flex, k), flex.S.col(k);
    M.row(6 + k).head<6>() = M.col(6 + k).head<6>().transpose();
  }
  M.bottomRightCorner(m, m) = flex.M;
  K.bottomRightCorner(m, m) = flex.K;
  // Linear motion [turn; slide] of the tip, which moves the payload and to which the support applies.
  MatrixXd J_tip = MatrixXd::Zero(6, n);
  J_tip.topLeftCorner<6, 6>().setIdentity();
  J_tip.block<3, 3>(3, 0) = -skew(flex.tip0);
  FlexTip(flex).set_shapes(Matrix3d::Identity(), J_tip.rightCols(m));
  M += J_tip.transpose() * link.payload_T.matrix() * J_tip;

  MatrixXd constraints(0, n);
  auto constrain = [&](const MatrixXd& rows) {
    constraints.conservativeResize(constraints.rows() + rows.rows(), n);
    constraints.bottomRows(rows.rows()) = rows;
  };
  const MatrixXd J_root = MatrixXd::Identity(6, n);
  if (root == End::clamped) constrain(J_root);
  if (root == End::pinned) {
    constrain(J_root.row(0));
    constrain(J_root.bottomRows(3));
  }
  if (tip == End::clamped) constrain(J_tip);
  if (tip == End::pinned) {
    constrain(J_tip.row(0));
    // The root keeps the beam from sliding, if it is held at all.
    if (root == End::free) constrain(J_tip.row(3));
    constrain(J_tip.bottomRows(2));
  }
  // Coordinates that satisfy the constraints; a constraint on what no shape can move has no effect.
  MatrixXd N = constraints.rows() == 0 ? MatrixXd(MatrixXd::Identity(n, n)) : null_space(constraints);
  N = N * with_mass_or_stiffness(N.transpose() * M * N, N.transpose() * K * N);
  const MatrixXd Mn = N.transpose() * M * N, Kn = N.transpose() * K * N;
  const Eigenmodes inner = lowest_modes(Kn.sparseView(), Mn.sparseView(), count);
  const Eigenmodes solved{inner.lambda, N * inner.shapes};

  std::vector<std::string> groups(6, link.name + " rigid");
  for (int k = 0; k < m; ++k) groups.push_back(link.name + " " + word(flex.kinds[k]));
  std::vector<int> all(n);
  for (int k = 0; k < n; ++k) all[k] = k;
  Matrix3Xd momentum = M.middleRows(3, 3);
  MatrixXd D = MatrixXd::Zero(n, n);
  D.bottomRightCorner(m, m) = flex.D;
  ModesResult result = explained(solved, K.sparseView(), D.sparseView(), M.sparseView(), all, groups, momentum);
  // The frame B moves with the beam, so the name is chosen by the energy of deformation.
  for (Mode& mode : result.modes) {
    if (mode.frequency_hz == 0) continue;
    std::vector<Participation> strained = mode.participation;
    for (Participation& part : strained) part.kinetic = part.potential;
    std::stable_sort(strained.begin(), strained.end(),
                     [](const Participation& a, const Participation& b) { return a.kinetic > b.kinetic; });
    mode.description = description_of(strained);
  }
  result.n_coordinates = int(N.cols());
  result.mass = flex.mass + link.payload_T.mass;
  return result;
}

}  // namespace lithe
