// What do forward dynamics, inverse dynamics and the mass matrix of rigid chains cost, beside MuJoCo and Orocos KDL?
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>

#include "bench/kdl_peer.h"
#include "bench/registry.h"
#include "bench/timing.h"
#include "lithe/dynamics/articulated/articulated.h"
#include "peers/mujoco_peer.h"
#include "support/random_arm.h"

namespace lithe::bench {
namespace {

/// The chain as KDL takes it: frame N of a link is its frame B turned so that z lies on its joint's axis, and each link
/// ends in the frame E that its successor turns about.
std::vector<KdlLink> kdl_links(const Arm& arm) {
  const auto X_BN = [](const Link& link) {
    return Pose{rotation_taking_z_to(link.joint->single_axis()->axis), Vector3d::Zero()};
  };
  std::vector<KdlLink> links;
  for (int i = 0; i < arm.n_links(); ++i) {
    const Link& link = arm.link(i);
    Pose X_NE;
    if (i + 1 < arm.n_links()) {
      const Link& next = arm.link(i + 1);
      X_NE = X_BN(link).inverse() * link.X_BT * next.X_PF * X_BN(next);  // the axis is the same in F and B
    }
    const RigidInertia body_E = link.M_B.seen_from((X_BN(link) * X_NE).inverse());
    KdlLink to{};
    Eigen::Map<Eigen::Matrix<double, 3, 3, Eigen::RowMajor>>(to.R_NE.data()) = X_NE.R;
    Eigen::Map<Vector3d>(to.p_NE.data()) = X_NE.p;
    to.mass = body_E.mass;
    Eigen::Map<Vector3d>(to.com_E.data()) = body_E.com();
    const Matrix3d I = body_E.inertia_com();
    to.inertia_com_E = {I(0, 0), I(1, 1), I(2, 2), I(0, 1), I(0, 2), I(1, 2)};
    links.push_back(to);
  }
  return links;
}

std::array<double, 3> kdl_gravity(const Arm& arm) {
  const Link& first = arm.link(0);
  const Matrix3d R_WN = arm.root(0).X_WR.R * first.X_PF.R * rotation_taking_z_to(first.joint->single_axis()->axis);
  const Vector3d g = R_WN.transpose() * arm.gravity();
  return {g.x(), g.y(), g.z()};
}

/// One chain in all three programs, with the states they are asked about and room for an answer.
struct Rivals {
  explicit Rivals(int n_joints)
      : arm(Arm::assemble(testing::chain_case(n_joints, 1))),
        lithe(arm),
        mujoco(arm),
        kdl(kdl_links(arm), kdl_gravity(arm)),
        answer(arm.nv()),
        M(arm.nv(), arm.nv()) {
    for (int k = 0; k < n_variants; ++k) {
      states.push_back(testing::random_state(arm, std::uint32_t(k)));
      inputs.push_back(testing::random_vector(arm.nv(), std::uint32_t(k), 5));
    }
  }

  Arm arm;
  Articulated lithe;
  testing::MujocoPeer mujoco;
  KdlPeer kdl;
  std::vector<State> states;
  std::vector<VectorXd> inputs;  // torques of forward dynamics, accelerations of inverse
  VectorXd answer;
  MatrixXd M;
};

struct Quantity {
  std::string name;
  std::vector<Contender> contenders;  // lithe, MuJoCo, then KDL's ways
};

std::vector<Quantity> quantities(Rivals& r) {
  const auto q = [&r](int k) { return r.states[k].q.data(); };
  const auto v = [&r](int k) { return r.states[k].v.data(); };
  const auto input = [&r](int k) { return r.inputs[k].data(); };
  return {
      {"forward",
       {{"lithe", [&r](int k) { r.lithe.forward(r.states[k], r.inputs[k], r.answer); }},
        {"MuJoCo", [&r](int k) { r.mujoco.forward_fast(r.states[k], r.inputs[k], r.answer); }},
        {"KDL by recursion", [=, &r](int k) { r.kdl.forward_by_recursion(q(k), v(k), input(k), r.answer.data()); }},
        {"KDL by mass matrix",
         [=, &r](int k) { r.kdl.forward_by_mass_matrix(q(k), v(k), input(k), r.answer.data()); }}}},
      {"inverse",
       {{"lithe", [&r](int k) { r.lithe.inverse(r.states[k], r.inputs[k], r.answer); }},
        {"MuJoCo", [&r](int k) { r.mujoco.inverse_fast(r.states[k], r.inputs[k], r.answer); }},
        {"KDL", [=, &r](int k) { r.kdl.inverse(q(k), v(k), input(k), r.answer.data()); }}}},
      {"mass_matrix",
       {{"lithe", [&r](int k) { r.lithe.mass_matrix(r.states[k], r.M); }},
        {"MuJoCo", [&r](int k) { r.mujoco.mass_matrix_fast(r.states[k], r.M); }},
        {"KDL", [=, &r](int k) { r.kdl.mass_matrix(q(k), r.M.data()); }}}},
  };
}

/// How far a contender is from lithe, at worst over the states, relative to the largest entry. Accelerations are
/// compared as the torques they stand for, relative to the largest of the torques given and the bias, so that the
/// condition of the mass matrix does not enter.
double disagreement(Rivals& r, const Quantity& quantity, const Contender& contender) {
  double worst = 0;
  MatrixXd M(r.arm.nv(), r.arm.nv());
  VectorXd h(r.arm.nv());
  for (int k = 0; k < n_variants; ++k) {
    r.M.setConstant(std::nan(""));
    r.answer.setConstant(std::nan(""));
    quantity.contenders[0].call(k);
    const MatrixXd ours = quantity.name == "mass_matrix" ? r.M : MatrixXd(r.answer);
    contender.call(k);
    MatrixXd difference = (quantity.name == "mass_matrix" ? r.M : MatrixXd(r.answer)) - ours;
    double scale = ours.cwiseAbs().maxCoeff();
    if (quantity.name == "forward") {
      r.lithe.mass_matrix(r.states[k], M);
      r.lithe.bias(r.states[k], Terms::all, h);
      difference = M * difference;
      scale = std::max(h.cwiseAbs().maxCoeff(), r.inputs[k].cwiseAbs().maxCoeff());
    }
    const double relative = difference.cwiseAbs().maxCoeff() / scale;
    worst = relative <= worst ? worst : relative;  // a NaN stays
  }
  return worst;
}

constexpr double agreement_limit = 1e-9;  // of the largest force, as between our own formulations
constexpr int sizes[] = {6, 7, 12, 24, 48, 96};

/// The worst disagreement on one chain; throws where one is beyond the limit.
double checked_agreement(Rivals& rivals) {
  double worst = 0;
  for (const Quantity& quantity : quantities(rivals))
    for (const Contender& contender : quantity.contenders) {
      const double difference = disagreement(rivals, quantity, contender);
      if (!(difference <= agreement_limit))
        throw Disagreement(
            fmt::format("{} of {} joints: {} differs from lithe by {:.1e} of the largest entry, limit {:.0e}",
                        quantity.name, rivals.arm.nv(), contender.name, difference, agreement_limit));
      worst = std::max(worst, difference);
    }
  return worst;
}

/// One row of a table, printed and as figures.
nlohmann::json time_row(const Quantity& quantity, int n_joints) {
  const std::vector<double> times = median_ns(quantity.contenders);
  const double ours = times[0], mujoco = times[1];
  const double kdl = *std::min_element(times.begin() + 2, times.end());  // the quicker of its ways
  fmt::print("{:>5} joints{:>12.0f}{:>13.0f}{:>12.0f}{:>16.2f}{:>12.2f}\n", n_joints, ours, mujoco, kdl, ours / mujoco,
             ours / kdl);
  return {{"lithe_ns", ours},
          {"mujoco_ns", mujoco},
          {"kdl_ns", kdl},
          {"ratio_to_mujoco", ours / mujoco},
          {"ratio_to_kdl", ours / kdl}};
}

nlohmann::json run() {
  std::vector<std::unique_ptr<Rivals>> chains;
  double worst = 0;
  for (const int n : sizes) {
    chains.push_back(std::make_unique<Rivals>(n));
    worst = std::max(worst, checked_agreement(*chains.back()));
  }
  fmt::print("answers agree to {:.1e} of the largest entry (accelerations: as torques)\n", worst);
  fmt::print("MuJoCo and KDL as Debian packages them, for any x86-64; ratios below 1: lithe is faster\n");

  nlohmann::json figures{{"agreement", worst}};
  for (size_t i_quantity = 0; i_quantity < quantities(*chains[0]).size(); ++i_quantity) {
    fmt::print("\n{:<12}{:>12}{:>13}{:>12}{:>16}{:>12}\n", quantities(*chains[0])[i_quantity].name, "lithe [ns]",
               "MuJoCo [ns]", "KDL [ns]", "lithe/MuJoCo", "lithe/KDL");
    for (const auto& rivals : chains) {
      const Quantity quantity = quantities(*rivals)[i_quantity];
      const int n = rivals->arm.nv();
      figures[quantity.name][std::to_string(n)] = time_row(quantity, n);
    }
  }

  std::vector<double> growth_sizes, growth_times;
  for (const int n : sizes)
    if (n >= 12) {
      growth_sizes.push_back(n);
      growth_times.push_back(figures["forward"][std::to_string(n)]["lithe_ns"]);
    }
  const double order = growth_order(growth_sizes, growth_times);
  fmt::print("\nlithe's forward dynamics grow as n^{:.2f} from 12 to 96 joints\n", order);
  figures["forward_growth_order"] = order;
  return figures;
}

const Registration registration(
    {"rigid-chain",
     "What do forward dynamics, inverse dynamics and the mass matrix of rigid chains cost, beside "
     "MuJoCo and Orocos KDL?",
     run});

}  // namespace
}  // namespace lithe::bench
