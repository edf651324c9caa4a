// Arms with bending links against numbers that another program made from quadrature and energy alone. Where they come from
// stands in tests/reference/README.md.
#include <gtest/gtest.h>

#include <algorithm>
#include <numbers>

#include "lithe/arm/kinematics.h"
#include "support/covering.h"
#include "support/point_evaluator.h"
#include "support/reference_data.h"

namespace lithe::testing {
namespace {

using nlohmann::json;

LinkSpec beam_link(const std::string& name, const Vector3d& axis, const Beam& beam) {
  LinkSpec link;
  link.name = name;
  link.joint.name = name + "_joint";
  link.joint.axis = axis;
  link.beam = beam;
  return link;
}

/// A uniform thin rod.
LinkSpec rod_link(const std::string& name, const Vector3d& axis, double length, double mass) {
  LinkSpec link;
  link.name = name;
  link.joint.name = name + "_joint";
  link.joint.axis = axis;
  link.rigid = RigidBody{};
  link.rigid->shape = Rod{length};
  link.rigid->mass = mass;
  return link;
}

const Section round_section{GeneralSection{350e-6, 1e-8, 1e-8, {}}, 0.8864};
const Material aluminium{"", 70e9, 0.33, 2700, {}};

Modes clamped_free(int bending_y, int bending_z) { return {bending_y, bending_z, 0, 0, ModeShape::clamped_free}; }

Case without_rotary_inertia(const Vector3d& gravity, std::vector<LinkSpec> links) {
  Case data;
  data.arm.gravity = gravity;
  data.arm.rotary_inertia = false;
  data.arm.links = std::move(links);
  return data;
}

Case planar_2R() {
  const Beam beam{1, aluminium, round_section, clamped_free(1, 0)};
  return without_rotary_inertia(
      {0, -9.81, 0}, {beam_link("upper", Vector3d::UnitZ(), beam), beam_link("fore", Vector3d::UnitZ(), beam)});
}

Case spatial_3R() {
  const Beam beam{1, aluminium, round_section, clamped_free(1, 1)};
  LinkSpec post = rod_link("post", Vector3d::UnitX(), 0.5, 1.5);
  post.joint.origin = Origin{Vector3d::Zero(), {0, -std::numbers::pi / 2, 0}};
  return without_rotary_inertia(
      {0, 0, -9.81}, {post, beam_link("upper", Vector3d::UnitY(), beam), beam_link("fore", Vector3d::UnitY(), beam)});
}

Case ralf_sam() {
  // 6 kg/m and EI = 2e5 N.m².
  const Beam beam{3, {"", 2e10, 0.3, 6000, {}}, {GeneralSection{1e-3, 1e-5, 1e-5, {}}, {}}, clamped_free(1, 0)};
  const Vector3d z = Vector3d::UnitZ();
  return without_rotary_inertia({0, -9.81, 0}, {beam_link("boom", z, beam), beam_link("jib", z, beam),
                                                rod_link("arm", z, 0.3, 4), rod_link("hand", z, 0.24, 2.5)});
}

struct ReferenceArm {
  const char* name;
  Case data;
};
std::vector<ReferenceArm> reference_arms() {
  return {{"flex_planar_2R", planar_2R()}, {"flex_spatial_3R", spatial_3R()}, {"flex_ralf_sam", ralf_sam()}};
}

// Both sides round in double precision, over a few hundred operations; shapes agree to their wavenumbers' last digit, which
// slopes and curvatures multiply.
constexpr double carried = 1e-12;

double scale(const MatrixXd& values) { return 1 + values.cwiseAbs().maxCoeff(); }

State state_of(const json& entry) {
  State state;
  state.q = vector(entry["z"]);
  state.v = vector(entry["zd"]);
  return state;
}

/// The torques, given per joint, at the places of the joints' coordinates.
VectorXd torque_of(const json& entry, const Arm& arm) {
  const VectorXd per_joint = vector(entry["tau"]);
  VectorXd tau = VectorXd::Zero(arm.nv());
  for (size_t i = 0; i < arm.torque_inputs().size(); ++i) tau[arm.torque_inputs()[i].v] = per_joint[Eigen::Index(i)];
  return tau;
}

const std::pair<TipRotation, const char*> tip_rotations[] = {{TipRotation::finite, "finite"},
                                                             {TipRotation::small, "small"}};

// The witness of the random arms, first.
TEST(FlexibleReference, PointEvaluatorAgrees) {
  for (auto& [name, data] : reference_arms()) {
    for (const auto& [tip_rotation, key] : tip_rotations) {
      SCOPED_TRACE(std::string(name) + ", " + key);
      data.arm.tip_rotation = tip_rotation;
      const json reference_values = reference(std::string(name) + ".json");
      ASSERT_EQ(reference_values["states"].size(), 6u);
      for (const json& entry : reference_values["states"]) {
        const json& expected = entry[key];
        const PointDynamics got = point_dynamics(data, state_of(entry));
        auto close = [&](const MatrixXd& ours, const char* what) {
          const MatrixXd theirs =
              expected[what][0].is_array() ? matrix(expected[what]) : MatrixXd(vector(expected[what]));
          expect_close(ours, theirs, carried * scale(theirs), what);
        };
        close(got.M, "M");
        close(got.coriolis, "coriolis");
        close(got.gravity, "gravity");
        close(got.elastic, "elastic");
        close(got.X_WT.back().p, "tip_position");
        close(got.X_WT.back().R, "tip_rotation");
        EXPECT_NEAR(got.kinetic_energy, expected["T"], carried * (1 + got.kinetic_energy));
        EXPECT_NEAR(got.gravity_energy + got.elastic_energy, expected["V"], 100 * carried * (1 + got.elastic_energy));
      }
    }
  }
}

/// One formulation at every state of one arm.
void expect_reference(Formulation& dynamics, const json& states, const char* key) {
  SCOPED_TRACE(std::string(dynamics.name()));
  const Arm& arm = dynamics.arm();
  const int nv = arm.nv();
  for (const json& entry : states) {
    const json& expected = entry[key];
    const State state = state_of(entry);
    MatrixXd M(nv, nv);
    VectorXd h(nv), vdot(nv), tau = torque_of(entry, arm);
    dynamics.mass_matrix(state, M);
    const MatrixXd M_expected = matrix(expected["M"]);
    expect_close(M, M_expected, carried * scale(M_expected), "M");
    const std::pair<Terms, const char*> parts[] = {
        {Terms::coriolis, "coriolis"}, {Terms::gravity, "gravity"}, {Terms::elastic, "elastic"}};
    for (const auto& [terms, what] : parts) {
      const VectorXd part = vector(expected[what]);
      dynamics.bias(state, terms, h);
      expect_close(h, part, carried * scale(part), what);
    }
    dynamics.forward(state, tau, vdot);
    const VectorXd acceleration = vector(expected["acceleration"]);
    const VectorXd forces = M_expected.cwiseAbs() * acceleration.cwiseAbs();
    expect_close(M_expected * vdot, M_expected * acceleration, 10 * carried * scale(forces), "acceleration, as torque");
  }
}

void expect_reference_of_covering(TipRotation tip_rotation, const char* key, const char* must_cover) {
  for (auto& [name, data] : reference_arms()) {
    SCOPED_TRACE(name);
    data.arm.tip_rotation = tip_rotation;
    const json states = reference(std::string(name) + ".json")["states"];
    const auto formulations = covering(Arm::assemble(data));
    EXPECT_TRUE(std::any_of(formulations.begin(), formulations.end(),
                            [&](const auto& formulation) { return formulation->name() == must_cover; }));
    for (const auto& formulation : formulations) expect_reference(*formulation, states, key);
  }
}

TEST(FlexibleReference, FiniteTipRotation) {
  expect_reference_of_covering(TipRotation::finite, "finite", "articulated");
}

// book83's own rotation, which only its own formulation has.
TEST(FlexibleReference, SmallTipRotation) {
  expect_reference_of_covering(TipRotation::small, "small", "recursive-lagrangian");
}

// And its truncations: J z̈ = R as printed, tip rotation small, inertia without terms in δ².
TEST(FlexibleReference, PublishedOrders) {
  for (auto& [name, data] : reference_arms()) {
    SCOPED_TRACE(name);
    data.arm.tip_rotation = TipRotation::small;
    data.arm.inertia = InertiaOrder::first_order;
    const Arm arm = Arm::assemble(data);
    const auto dynamics = make_formulation("recursive-lagrangian", arm);
    const json states = reference(std::string(name) + ".json")["states"];
    for (const json& entry : states) {
      const json& expected = entry["book83_published_orders"];
      const State state = state_of(entry);
      const VectorXd tau = torque_of(entry, arm), R = vector(expected["R"]);
      const MatrixXd J = matrix(expected["J"]);
      MatrixXd M(arm.nv(), arm.nv());
      VectorXd h(arm.nv()), vdot(arm.nv());
      dynamics->mass_matrix(state, M);
      dynamics->bias(state, Terms::all, h);
      dynamics->forward(state, tau, vdot);
      expect_close(M, J, carried * scale(J), "J");
      expect_close(tau - h, R, carried * scale(R), "R");
      expect_close(J * vdot, R, 10 * carried * scale(J.cwiseAbs() * vdot.cwiseAbs()), "acceleration, as torque");
    }
  }
}

TEST(FlexibleReference, KinematicsAndEnergies) {
  for (auto& [name, data] : reference_arms()) {
    for (const auto& [tip_rotation, key] : tip_rotations) {
      SCOPED_TRACE(std::string(name) + ", " + key);
      data.arm.tip_rotation = tip_rotation;
      const Arm arm = Arm::assemble(data);
      const json states = reference(std::string(name) + ".json")["states"];
      for (const json& entry : states) {
        const json& expected = entry[key];
        const State state = state_of(entry);
        const Kinematics kin = kinematics_of(arm, state);
        expect_close(kin.X_WT.back().p, vector(expected["tip_position"]), 10 * carried, "tip");
        expect_close(kin.X_WT.back().R, matrix(expected["tip_rotation"]), 10 * carried, "tip rotation");
        const double elastic = elastic_energy(arm, state);
        EXPECT_NEAR(gravity_energy(arm, kin) + elastic, expected["V"], 100 * carried * (1 + elastic));
        if (tip_rotation != TipRotation::finite) continue;  // sheared links have no velocity of a rigid body
        EXPECT_NEAR(kinetic_energy(arm, state, kin), expected["T"], 10 * carried * (1 + double(expected["T"])));
      }
    }
  }
}

// ------------------------------------------------------------------------------------------ linear Timoshenko elements

TEST(FlexibleReference, PlanarElementsWithDrivenJoints) {
  // Two links of two elements each. Of six coordinates per node the reference has those in the plane.
  const Beam beam{1, {"", 70e9, 0.3, 2700, {}}, round_section, Elements{2, ElementKind::linear, Integration::reduced}};
  Case data;
  data.arm.gravity.setZero();
  data.arm.links = {beam_link("upper", Vector3d::UnitZ(), beam), beam_link("fore", Vector3d::UnitZ(), beam)};
  const Arm arm = Arm::assemble(data);
  const int nv = arm.nv();
  ASSERT_EQ(nv, 2 + 4 * 6);
  std::vector<int> planar;
  for (const Link& link : arm.links())
    for (int node = 0; node < 2; ++node)
      for (const int component : {0, 1, 5}) planar.push_back(link.flex_v0() + 6 * node + component);
  const std::vector<int> joints{arm.link(0).v0, arm.link(1).v0};
  std::vector<bool> driven(nv, false);
  for (const int k : joints) driven[k] = true;

  const json data_of_reference = reference("fe_planar_floating.json");
  const MatrixXd K = matrix(data_of_reference["K"]);
  ASSERT_EQ(data_of_reference["states"].size(), 4u);
  for (const json& entry : data_of_reference["states"]) {
    State state = State::zero(arm);
    VectorXd given = VectorXd::Zero(nv);
    state.q(joints) = vector(entry["phi"]);
    state.v(joints) = vector(entry["phid"]);
    given(joints) = vector(entry["phidd"]);
    state.q(planar) = vector(entry["z"]);
    state.v(planar) = vector(entry["zd"]);
    const MatrixXd M_expected = matrix(entry["M"]);
    const VectorXd h_expected = vector(entry["h"]), elastic_expected = K * vector(entry["z"]);
    for (const auto& dynamics : covering_with_default(arm)) {
      SCOPED_TRACE(std::string(dynamics->name()));
      MatrixXd M(nv, nv);
      VectorXd h(nv), elastic(nv), tau = VectorXd::Zero(nv), vdot = given;
      dynamics->mass_matrix(state, M);
      expect_close(M(planar, planar), M_expected, carried * scale(M_expected), "M");
      dynamics->bias(state, Terms::elastic, elastic);
      expect_close(elastic(planar), elastic_expected, carried * scale(elastic_expected), "elastic");
      // Its h counts what the driven joints' accelerations bring.
      dynamics->bias(state, Terms::coriolis, h);
      h += M * given;
      expect_close(h(planar), h_expected, carried * scale(h_expected), "h");
      dynamics->hybrid(state, driven, tau, vdot);
      const VectorXd acceleration = vector(entry["acceleration"]);
      expect_close(M_expected * vdot(planar), M_expected * acceleration, 10 * carried * scale(elastic_expected),
                   "acceleration, as force");
    }
    const Kinematics kin = kinematics_of(arm, state);
    expect_close(kin.X_WT.back().p.head<2>(), vector(entry["tip"]), 10 * carried, "tip");
    EXPECT_NEAR(kinetic_energy(arm, state, kin), entry["T"], 10 * carried);
    const double angle = entry["tip_angle"];
    EXPECT_NEAR(
        std::remainder(std::atan2(kin.X_WT.back().R(1, 0), kin.X_WT.back().R(0, 0)) - angle, 2 * std::numbers::pi), 0,
        10 * carried);
  }
}

}  // namespace
}  // namespace lithe::testing
