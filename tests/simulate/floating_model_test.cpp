// The nonlinear finite-element model against other formulations, which form the same equations in other ways, and against a
// program that sums virtual work over Gauss points.
#include "lithe/simulate/finite_element/floating_model.h"

#include <gtest/gtest.h>

#include "lithe/describe/case_reader.h"
#include "support/allocation_count.h"
#include "support/covering.h"
#include "support/naganathan_arms.h"
#include "support/random_arm.h"
#include "support/reference_data.h"

namespace lithe::testing {
namespace {

/// All that the model covers at once: offsets, a fixed joint on a bending link, a slide, a rigid link, a branch, payloads with
/// inertia, rotors, dampers, unequal sections and a mesh, a base that moves.
const char* everything = R"(
arm:
  gravity: [0.3, -0.4, -9.81]
  base: {type: moving, motion: {velocity: [0.2, 0, 0.1], acceleration: [0.5, -0.7, 0.2], angular_velocity: [0.3, -0.2, 0.5], angular_acceleration: [-0.6, 0.4, -1.0]}}
  links:
    - name: post
      joint: {name: hip, type: revolute, axis: [0, 0, 1], origin: {xyz: [0.1, 0.2, 0.3], rpy: [0.2, -0.4, 0.7]}, damping: 0.2}
      beam: &beam
        length: 0.9
        material: {E: 7 GPa, nu: 0.3, density: 2700}
        section: {rectangle: {width_y: 30 mm, height_z: 12 mm}}
        damping: {rayleigh: {alpha: 0.3, beta: 1e-4}}
        flexibility: {elements: 3, element: linear, mesh: [0.5, 0.3, 0.2]}
      payload: [{mass: 0.7, com: [0.02, 0.03, -0.01], inertia: {xx: 0.002, yy: 0.003, zz: 0.004}}, {mass: 0.3, at: 0.5, inertia: {xx: 0.002, yy: 0.003, zz: 0.004, yz: 0.001}}]
    - name: bracket
      joint: {name: weld, type: fixed, origin: {xyz: [0, 0.05, 0.02], rpy: [0.3, 0.2, -0.1]}}
      rigid: {length: 0.2, mass: 0.5, com: [0.1, 0.01, 0], inertia: {xx: 0.001, yy: 0.002, zz: 0.0025}}
    - name: slider
      joint: {name: slide, type: prismatic, axis: [0.6, 0, 0.8]}
      beam: *beam
    - name: side
      parent: post
      joint: {name: elbow, type: revolute, axis: [0, 0.6, 0.8], origin: {xyz: [0.03, 0, 0.04]}}
      beam: {length: 0.6, material: {E: 7 GPa, nu: 0.3, density: 2700}, section: {tube: {outer_diameter: 20 mm, inner_diameter: 15 mm}}, flexibility: {elements: 2, element: linear, integration: full}}
      payload: {mass: 0.4}
)";

/// The same on another base, or with a motor behind a spring that hardens on the elbow.
std::string with_base(const std::string& base) {
  std::string text = everything;
  const size_t from = text.find("  base: "), to = text.find('\n', from);
  return text.replace(from, to - from, "  base: " + base);
}
std::string with_transmission() {
  std::string text = everything;
  const std::string elbow = "name: elbow, type: revolute,";
  return text.replace(text.find(elbow), elbow.size(),
                      elbow + " motor: {inertia: 1e-3, gear_ratio: 20, stiffness: 300, damping: 2, hardening: 900},");
}
const std::string planar_base =
    "{type: planar, rigid: {mass: 5, com: [0.1, 0.2, 0.3], inertia: {xx: 1, yy: 1, zz: 0.4}}}";
const std::string free_base =
    "{type: free, rigid: {mass: 5, com: [0.1, 0.2, 0.3], "
    "inertia: {xx: 1, yy: 0.9, zz: 0.4, xy: 0.1}}}";

/// A state with the deformations and rates that such links may have.
State deformed_state(const Arm& arm, unsigned seed) {
  State state = State::zero(arm);
  state.t = 0.37;
  displace(arm, state.q, random_vector(arm.nv(), seed));
  state.v = random_vector(arm.nv(), seed + 1);
  for (const Link& link : arm.links()) state.q.segment(link.flex_q0(), link.n_flex()) *= 0.2;
  return state;
}

TEST(FloatingModel, ForcesAndMassOfOtherFormulations) {
  for (const std::string& text : {std::string(everything), with_transmission(), with_base(planar_base)}) {
    const Case data = read_case_text(text).data;
    const Arm arm = Arm::assemble(data);
    Drives drives(data, arm);
    FloatingModel model(data, arm, drives);
    ASSERT_EQ(model.size(), arm.nv());  // no joint is driven here
    VectorXd z, v, force(arm.nv()), tau(arm.nv());
    MatrixXd M(arm.nv(), arm.nv());
    for (unsigned seed = 1; seed <= 20; ++seed) {
      const State state = deformed_state(arm, seed);
      const VectorXd a = random_vector(arm.nv(), seed + 2);
      model.unknowns_of(state, z, v);
      for (const char* name : {"kane", "lagrange", "articulated"}) {
        const auto other = make_formulation(name, arm);
        other->inverse(state, a, tau);
        model.unbalanced(state.t, z, v, a, force);
        EXPECT_LT((force + tau).cwiseAbs().maxCoeff(), 1e-12 * tau.cwiseAbs().maxCoeff()) << name << " " << seed;
        other->mass_matrix(state, M);
        const MatrixXd half = model.weighted_sum(state.t, z, v, 1, 0, 0);
        const MatrixXd ours = half.selfadjointView<Eigen::Lower>();
        EXPECT_LT((ours - M).cwiseAbs().maxCoeff(), 1e-13 * M.cwiseAbs().maxCoeff()) << name << " " << seed;
      }
    }
  }
}

// A wheel and its rotor on a gear with backlash: nothing but the gear has slopes, so the matrices are differences of its torques.
TEST(FloatingModel, SlopesOfAGearWithBacklashAreDifferences) {
  const Case data = read_case_text(R"(
arm:
  gravity: [0, 0, 0]
  links:
    - {name: wheel, joint: {name: axle, type: revolute, axis: [0, 0, 1], motor: {inertia: 1e-4, gear_ratio: 50, stiffness: 800, hardening: 4e4, damping: 12, backlash: 0.1}}, rigid: {mass: 1, inertia: {xx: 2, yy: 2, zz: 2}}}
)")
                        .data;
  const Arm arm = Arm::assemble(data);
  Drives drives(data, arm);
  FloatingModel model(data, arm, drives);
  ASSERT_EQ(model.size(), 2);
  const VectorXd a = VectorXd::Zero(2);
  const double h = 1e-6;
  // Pressed with damping at work and cut, both ways, and within the gap.
  for (const auto& [twist, rate] : {std::pair{0.07, 0.4}, {0.07, -30.0}, {-0.08, 0.4}, {-0.08, 30.0}, {0.02, 1.0}}) {
    State state = State::zero(arm);
    state.q << 0.3, 0.3 + twist;
    state.v << 0.5, 0.5 + rate;
    VectorXd z, v;
    model.unknowns_of(state, z, v);
    MatrixXd by_position(2, 2), by_rate(2, 2);
    for (int k = 0; k < 2; ++k) {
      VectorXd plus(2), minus(2);
      const VectorXd step = h * VectorXd::Unit(2, k);
      model.unbalanced(0, z + step, v, a, plus);
      model.unbalanced(0, z - step, v, a, minus);
      by_position.col(k) = (minus - plus) / (2 * h);
      model.unbalanced(0, z, v + step, a, plus);
      model.unbalanced(0, z, v - step, a, minus);
      by_rate.col(k) = (minus - plus) / (2 * h);
    }
    auto whole = [&](double damping, double stiffness) {
      const MatrixXd half = model.weighted_sum(0, z, v, 0, damping, stiffness);
      return MatrixXd(half.selfadjointView<Eigen::Lower>());
    };
    EXPECT_LT((whole(0, 1) - by_position).norm(), 1e-4) << twist << " " << rate;
    EXPECT_LT((whole(1, 0) - by_rate).norm(), 1e-6) << twist << " " << rate;
  }
}

// The unknowns of a free base are not the arm's: S = ∂v/∂ż is the state's own, and forces and masses are Sᵀf and SᵀMS.
TEST(FloatingModel, ForcesAndMassOnAFreeBase) {
  const Case data = read_case_text(with_base(free_base)).data;
  const Arm arm = Arm::assemble(data);
  Drives drives(data, arm);
  FloatingModel model(data, arm, drives);
  const int n = arm.nv();
  ASSERT_EQ(model.size(), n);
  VectorXd z, v, force(n), tau(n), vdot(n);
  MatrixXd M(n, n), S(n, n);
  for (unsigned seed = 1; seed <= 20; ++seed) {
    const State state = deformed_state(arm, seed);
    model.unknowns_of(state, z, v);
    State back = State::zero(arm);
    model.state_of(state.t, z, v, back);
    EXPECT_LT((back.v - state.v).norm(), 1e-13);
    for (int k = 0; k < n; ++k) {
      model.state_of(state.t, z, VectorXd::Unit(n, k), back);
      S.col(k) = back.v;
    }
    const VectorXd a = random_vector(n, seed + 2);
    model.accelerations_of(state.t, z, v, a, vdot);
    const auto other = make_formulation("lagrange", arm);
    other->inverse(state, vdot, tau);
    model.unbalanced(state.t, z, v, a, force);
    EXPECT_LT((force + S.transpose() * tau).cwiseAbs().maxCoeff(), 1e-12 * tau.cwiseAbs().maxCoeff()) << seed;
    other->mass_matrix(state, M);
    const MatrixXd ours = MatrixXd(model.weighted_sum(state.t, z, v, 1, 0, 0)).selfadjointView<Eigen::Lower>();
    EXPECT_LT((ours - S.transpose() * M * S).cwiseAbs().maxCoeff(), 1e-13 * M.cwiseAbs().maxCoeff()) << seed;
  }
}

// S and its rate by positions alone, also after the reference has moved.
TEST(FloatingModel, UnknownsOfAFreeBaseMoveIt) {
  const Case data = read_case_text(with_base(free_base)).data;
  const Arm arm = Arm::assemble(data);
  Drives drives(data, arm);
  FloatingModel model(data, arm, drives);
  const int n = arm.nv();
  for (unsigned seed = 1; seed <= 5; ++seed) {
    VectorXd z0 = random_vector(n, seed), z1 = random_vector(n, seed + 1), z2 = random_vector(n, seed + 2), vdot(n);
    State before = State::zero(arm), now = before, after = before;
    auto compare = [&] {
      const double h = 1e-5;
      auto at = [&](double s, State& state) { model.state_of(0, z0 + s * z1 + s * s / 2 * z2, z1 + s * z2, state); };
      at(-h, before);
      at(h, after);
      at(0, now);
      VectorXd qdot(arm.nq());
      position_rate(arm, now, qdot);
      EXPECT_LT(((after.q - before.q) / (2 * h) - qdot).norm(), 1e-8) << seed;
      model.accelerations_of(0, z0, z1, z2, vdot);
      EXPECT_LT(((after.v - before.v) / (2 * h) - vdot).norm(), 1e-8) << seed;
    };
    compare();
    z0.head<3>() *= 2 / z0.head<3>().norm();  // far enough for another reference
    compare();
    const State there = now;
    const VectorXd vdot_there = vdot;
    ASSERT_TRUE(model.recentre(z0, z1, z2));
    EXPECT_EQ(z0.head<3>().norm(), 0);
    compare();
    EXPECT_LT((now.q - there.q).norm() + (now.v - there.v).norm() + (vdot - vdot_there).norm(), 1e-13) << seed;
    EXPECT_FALSE(model.recentre(z0, z1, z2));
  }
}

TEST(FloatingModel, EnergiesOfTheArm) {
  for (const std::string& text :
       {std::string(everything), with_transmission(), with_base(planar_base), with_base(free_base)}) {
    Case data = read_case_text(text).data;
    data.arm.links[3].joint.spring = Spring{12, 0.3};
    data.arm.links[2].joint.motor = Motor{.inertia = 0.4, .gear_ratio = 2};
    const Arm arm = Arm::assemble(data);
    Drives drives(data, arm);
    FloatingModel model(data, arm, drives);
    VectorXd z, v, force(arm.nv());
    for (unsigned seed = 1; seed <= 5; ++seed) {
      const State state = deformed_state(arm, seed);
      const Kinematics kin = kinematics_of(arm, state);
      model.unknowns_of(state, z, v);
      model.unbalanced(state.t, z, v, random_vector(arm.nv(), seed + 2), force);
      EXPECT_NEAR(model.kinetic_energy(), kinetic_energy(arm, state, kin), 1e-13 * model.kinetic_energy());
      EXPECT_NEAR(model.elastic_energy(), elastic_energy(arm, state), 1e-13 * model.elastic_energy());
      EXPECT_NEAR(model.gravity_energy(), gravity_energy(arm, kin), 1e-12);
    }
  }
}

TEST(FloatingModel, StiffnessAndDampingAreTheDerivativesOfTheForcesAtRest) {
  for (const bool elastic : {false, true}) {
    Case data = read_case_text(elastic ? with_transmission() : everything).data;
    data.arm.gravity.setZero();
    data.arm.base = {};
    data.torque["elbow"] = {Servo{.kp = 40.0, .kv = 3.0}};
    data.arm.links[2].joint.friction = Friction{2, 2, 0.1};
    data.arm.links[2].joint.spring = Spring{12, 0};
    const Arm arm = Arm::assemble(data);
    Drives drives(data, arm);
    FloatingModel model(data, arm, drives);
    const VectorXd zero = VectorXd::Zero(arm.nv());
    const MatrixXd K = MatrixXd(model.weighted_sum(0, zero, zero, 0, 0, 1)).selfadjointView<Eigen::Lower>();
    const MatrixXd C = MatrixXd(model.weighted_sum(0, zero, zero, 0, 1, 0)).selfadjointView<Eigen::Lower>();
    VectorXd force(arm.nv());
    for (int k = 0; k < arm.nv(); ++k) {
      const double h = 1e-7;
      const VectorXd step = VectorXd::Unit(arm.nv(), k) * h;
      model.unbalanced(0, step, zero, zero, force);
      EXPECT_LT((force / h + K.col(k)).cwiseAbs().maxCoeff(), 1e-9 * K.cwiseAbs().maxCoeff()) << arm.coordinates()[k];
      model.unbalanced(0, zero, step, zero, force);
      EXPECT_LT((force / h + C.col(k)).cwiseAbs().maxCoeff(), 1e-6 * C.cwiseAbs().maxCoeff()) << arm.coordinates()[k];
    }
    // Behind the transmission the servo acts on the rotor, and the joint has the spring alone.
    EXPECT_EQ(K(arm.link(3).v0, arm.link(3).v0), elastic ? 300 : 40);
    EXPECT_EQ(C(arm.link(3).v0, arm.link(3).v0), elastic ? 2 : 3);
  }
}

TEST(FloatingModel, PlanarReference) {
  const Case data = read_case_text(planar_case_1({})).data;
  const Arm arm = Arm::assemble(data);
  Drives drives(data, arm);
  FloatingModel model(data, arm, drives);
  ASSERT_EQ(model.size(), 14);
  const std::vector<int> joints{0, 7}, nodes{1, 2, 3, 4, 5, 6, 8, 9, 10, 11, 12, 13};
  const auto data_of_reference = reference("fe_planar_floating.json");
  const MatrixXd K = matrix(data_of_reference["K"]);
  for (const auto& entry : data_of_reference["states"]) {
    VectorXd z(14), v(14), a = VectorXd::Zero(14), force(14);
    z(joints) = vector(entry["phi"]);
    v(joints) = vector(entry["phid"]);
    a(joints) = vector(entry["phidd"]);
    z(nodes) = vector(entry["z"]);
    v(nodes) = vector(entry["zd"]);
    const VectorXd expected = vector(entry["h"]) + K * vector(entry["z"]);
    model.unbalanced(0, z, v, a, force);
    // Elastic forces of a million newtons beside inertia of a few: also without them, where K must then be the same.
    EXPECT_LT((force(nodes) + expected).cwiseAbs().maxCoeff(), 1e-14 * expected.cwiseAbs().maxCoeff());
    const VectorXd inertia = -force(nodes) - K * z(nodes);
    EXPECT_LT((inertia - vector(entry["h"])).cwiseAbs().maxCoeff(), 2e-9);
    const MatrixXd M = MatrixXd(model.weighted_sum(0, z, v, 1, 0, 0)).selfadjointView<Eigen::Lower>();
    expect_close(M(nodes, nodes), matrix(entry["M"]), 1e-13, "M");
    // The accelerations it finds balance the forces, as well as their last digits can: up to 2e10 rad/s²,
    // so that one rounding of M a is up to 2.4e-6.
    a(nodes) = vector(entry["acceleration"]);
    model.unbalanced(0, z, v, a, force);
    EXPECT_LT(force(nodes).cwiseAbs().maxCoeff(), 3e-12 * expected.cwiseAbs().maxCoeff());
  }
}

TEST(FloatingModel, SaysWhatIsOutside) {
  auto refusal = [](const std::string& link, const std::string& options = "") {
    const Case data =
        read_case_text("arm:\n" + options +
                       "  links:\n    - {name: upper, joint: {name: shoulder, type: revolute, axis: [0, 0, 1]}, beam: "
                       "{length: 1, material: aluminium, section: {circle: {diameter: 20 mm}}, flexibility: " +
                       link + "}}\n")
            .data;
    const Arm arm = Arm::assemble(data);
    try {
      nodal_beams(data, arm);
    } catch (const UnsupportedError& error) {
      return error.path() + ": " + error.what();
    }
    return std::string();
  };
  EXPECT_EQ(refusal("{elements: 2, element: linear}"), "");
  const std::string kind =
      "arm.links[0].beam.flexibility: finite-element: link 'upper' must be rigid or have {elements: "
      "N, element: linear}";
  EXPECT_EQ(refusal("{modes: {bending_y: 2}}"), kind);
  EXPECT_EQ(refusal("{elements: 2}"), kind);
  EXPECT_EQ(refusal("{elements: 4, element: linear, keep: 8}"),
            "arm.links[0].beam.flexibility.keep: finite-element: link 'upper' cannot have its elements reduced");
  EXPECT_EQ(refusal("{segments: 3}"),
            "arm.links: finite-element: link 'upper.s1.y' consists of segments, which are not supported");
  EXPECT_EQ(refusal("{elements: 2, element: linear}",
                    "  base: {type: free, rigid: {mass: 1, inertia: {xx: 1, yy: 1, zz: 1}}}\n"),
            "");
  EXPECT_EQ(refusal("{elements: 2, element: linear}",
                    "  base: {type: planar, rigid: {mass: 1, inertia: {xx: 1, yy: 1, zz: 1}}}\n"),
            "");
  EXPECT_EQ(refusal("{elements: 2, element: linear}", "  tip_rotation: small\n"),
            "arm.tip_rotation: finite-element: tip_rotation must be `finite`");
  EXPECT_EQ(refusal("{elements: 2, element: linear}", "  inertia: first-order\n"),
            "arm.inertia: finite-element: inertia must be `complete`");
}

TEST(FloatingModel, EvaluationsAllocateNothing) {
  for (const std::string& text :
       {std::string(everything), with_transmission(), with_base(planar_base), with_base(free_base)}) {
    const Case data = read_case_text(text).data;
    const Arm arm = Arm::assemble(data);
    Drives drives(data, arm);
    FloatingModel model(data, arm, drives);
    const State state = deformed_state(arm, 3);
    VectorXd z, v, force(arm.nv());
    model.unknowns_of(state, z, v);
    const VectorXd a = random_vector(arm.nv(), 4);
    model.unbalanced(0, z, v, a, force);
    const long before = allocations();
    model.unbalanced(0, z, v, a, force);
    EXPECT_EQ(allocations(), before);
    model.weighted_sum(0, z, v, 1, 1, 1);
    EXPECT_EQ(allocations(), before);
  }
}

}  // namespace
}  // namespace lithe::testing
