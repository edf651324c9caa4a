// Rigid arms against numbers of other people's and other programs' making. Where each number comes from stands in
// tests/reference/README.md.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <nlohmann/json.hpp>
#include <numbers>
#include <string>
#include <vector>

#include "lithe/arm/kinematics.h"
#include "lithe/describe/case_reader.h"
#include "lithe/dynamics/formulation.h"
#include "lithe/dynamics/lagrange/lagrange.h"
#include "support/reference_data.h"

namespace lithe::testing {
namespace {

using nlohmann::json;

// Values carried with all their digits come from another program in double precision: both sides round, over some
// hundreds of operations on numbers up to about 100 times the answer (lever arms of metres times weights of 200 N).
constexpr double carried = 1e-12;
// Values printed with four decimals.
constexpr double printed = 0.5e-4 + 1e-9;

Arm example(const std::string& path) { return Arm::assemble(read_case(LITHE_SOURCE_DIR "/examples/" + path).data); }

State state_at(const VectorXd& q, const VectorXd& v) {
  State state;
  state.q = q;
  state.v = v;
  return state;
}

// By-value wrappers: a test reads better with answers than with places to put them.
MatrixXd mass_matrix(Formulation& formulation, const State& state) {
  MatrixXd M(formulation.arm().nv(), formulation.arm().nv());
  formulation.mass_matrix(state, M);
  return M;
}
VectorXd bias(Formulation& formulation, const State& state, Terms terms) {
  VectorXd h(formulation.arm().nv());
  formulation.bias(state, terms, h);
  return h;
}
VectorXd forward(Formulation& formulation, const State& state, const VectorXd& tau) {
  VectorXd vdot(formulation.arm().nv());
  formulation.forward(state, tau, vdot);
  return vdot;
}
VectorXd inverse(Formulation& formulation, const State& state, const VectorXd& vdot) {
  VectorXd tau(formulation.arm().nv());
  formulation.inverse(state, vdot, tau);
  return tau;
}

/// These arms are single ones: nothing for `composed` to join.
std::vector<std::string> names_for_single_arms() {
  std::vector<std::string> names = formulation_names();
  std::erase(names, "composed");
  return names;
}

/// Each test once per formulation.
class ReferenceValues : public ::testing::TestWithParam<std::string> {
 protected:
  static std::unique_ptr<Formulation> formulation(const std::string& path) {
    return make_formulation(GetParam(), example(path));
  }
};
INSTANTIATE_TEST_SUITE_P(Every, ReferenceValues, ::testing::ValuesIn(names_for_single_arms()), [](const auto& test) {
  std::string name = test.param;  // GoogleTest takes letters, digits and underscores
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
});

// ---------------------------------------------------------------------------------------------------- planar elbow arm

TEST_P(ReferenceValues, PlanarElbow) {
  const auto arm = formulation("03_planar_elbow/case.yaml");
  const json data = reference("rigid_2R.json");
  ASSERT_EQ(data["states"].size(), 6u);
  for (const json& entry : data["states"]) {
    const State state = state_at(vector(entry["q"]), vector(entry["v"]));
    const MatrixXd M = mass_matrix(*arm, state);
    expect_close(M, matrix(entry["M"]), carried, "M");
    expect_close(bias(*arm, state, Terms::coriolis), vector(entry["coriolis"]), carried, "Coriolis forces");
    expect_close(bias(*arm, state, Terms::gravity), vector(entry["gravity"]), carried, "gravity");
    const VectorXd tau = vector(entry["tau"]), vdot = vector(entry["acceleration"]);
    expect_close(inverse(*arm, state, vdot), tau, 100 * carried, "torque");  // M times accelerations of up to 40
    expect_close(M * forward(*arm, state, tau), M * vdot, 100 * carried, "acceleration, as torque");
  }
}

// ---------------------------------------------------------------------------------------------------- PUMA 560,
// standard DH

const VectorXd& pose_qn() {
  constexpr double pi = std::numbers::pi;
  static const VectorXd q = (VectorXd(6) << 0, pi / 4, pi, 0, pi / 4, 0).finished();
  return q;
}

TEST_P(ReferenceValues, Puma560PrintedByTheToolbox) {
  const auto arm = formulation("05_puma560/case.yaml");
  const json data = reference("puma560.json")["printed_rtb"];
  const VectorXd zero = VectorXd::Zero(6), one = VectorXd::Ones(6);
  const State rest = state_at(pose_qn(), zero), moving = state_at(pose_qn(), one);

  expect_close(bias(*arm, rest, Terms::gravity), vector(data["gravity"]), printed, "gravity");
  // At rest nothing else acts: smoothed friction vanishes with the rate.
  expect_close(inverse(*arm, rest, zero), vector(data["gravity"]), printed, "holding torque");
  const MatrixXd M = mass_matrix(*arm, rest);
  expect_close(M, matrix(data["M"]), printed, "M");
  const VectorXd a = (VectorXd(6) << 1, 2, 3, 1, 2, 3).finished();
  expect_close(M * a, vector(data["itorque_qdd_123123"]), printed, "M a");

  // A rate of 1 rad/s is a thousand times the smoothing of friction, where tanh is 1 to the last digit.
  ASSERT_EQ(std::tanh(0.1 / Friction{}.smoothing), 1);
  const VectorXd tau = inverse(*arm, moving, zero);
  expect_close(tau, vector(data["rne_qd1_qdd0_with_friction"]), printed, "torque");
  expect_close(inverse(*arm, moving, one), vector(data["rne_qd1_qdd1_with_friction"]), printed,
               "torque with acceleration");

  // The toolbox's wrench is exerted by the last frame on the surroundings, force (1,2,3) and moment (1,2,3) in its
  // axes.
  const Kinematics kin = kinematics_of(arm->arm(), moving);
  const Matrix3d& R_WT = kin.X_WT.back().R;
  Vector6d F_T_W;
  F_T_W << R_WT * Vector3d(1, 2, 3), R_WT * Vector3d(1, 2, 3);
  const Matrix6Xd J = tip_jacobian(arm->arm(), kin, arm->arm().n_links() - 1);
  expect_close(tau + J.transpose() * F_T_W, vector(data["rne_qd1_qdd0_fext_123123_with_friction"]), printed,
               "torque with a wrench at the tip");

  const json& accel = data["accel"];
  expect_close(forward(*arm, state_at(pose_qn(), vector(accel["qd"])), vector(accel["tau"])), vector(accel["qdd"]),
               printed, "acceleration");

  // Inertia felt at the tip, Λ = J⁻ᵀ M J⁻¹, rows and columns [force; moment] in the toolbox and so swapped here.
  Matrix6d J_toolbox;
  J_toolbox << J.bottomRows<3>(), J.topRows<3>();
  const Matrix6d J_inverse = J_toolbox.inverse();
  const Matrix6d lambda = J_inverse.transpose() * M * J_inverse;
  expect_close(lambda.row(0), vector(data["cartesian_inertia_first_row"]).transpose(), printed, "inertia at the tip");
}

TEST(CoriolisMatrix, Puma560PrintedByTheToolbox) {
  Lagrange lagrange(example("05_puma560/case.yaml"));
  const VectorXd v = (VectorXd(6) << 1, 2, 3, 1, 2, 3).finished();
  MatrixXd C(6, 6);
  lagrange.coriolis_matrix(state_at(pose_qn(), v), C);
  expect_close(C, matrix(reference("puma560.json")["printed_rtb"]["coriolis_qd_123123"]), printed, "C");
}

TEST_P(ReferenceValues, Puma560RecomputedElsewhere) {
  const auto arm = formulation("05_puma560/case.yaml");
  const json data = reference("puma560.json")["recomputed_standard"];
  ASSERT_EQ(data.size(), 7u);
  for (const json& entry : data) {
    SCOPED_TRACE(entry["name"].get<std::string>());
    const VectorXd q = vector(entry["q"]), v = vector(entry["qd"]), vdot = vector(entry["qdd"]);
    const State state = state_at(q, v);
    expect_close(kinematics_of(arm->arm(), state).X_WT.back().p, vector(entry["tip"]), carried, "tip");
    expect_close(bias(*arm, state, Terms::gravity), vector(entry["gravity"]), carried, "gravity");

    const MatrixXd M = mass_matrix(*arm, state);
    expect_close(M, matrix(entry["M_with_motor"]), carried, "M");
    MatrixXd links_only = M;
    for (const Link& link : arm->arm().links()) links_only(link.v0, link.v0) -= link.rotor_inertia;
    expect_close(links_only, matrix(entry["M_links_only"]), carried, "M without rotors");

    const VectorXd frictionless = M * vdot + bias(*arm, state, Terms::coriolis | Terms::gravity);
    expect_close(frictionless, vector(entry["tau_no_friction"]), 10 * carried, "torque without friction");
    // The slowest rate among the states is 0.014 rad/s, fourteen times the smoothing: friction lacks 2e-12 of its level
    // there (1 − tanh 14), of 0.7 N.m.
    expect_close(inverse(*arm, state, vdot), vector(entry["tau_with_friction"]), 10 * carried, "torque with friction");
    // Back again, as torques: accelerations of the wrist are as badly conditioned as its inertia is small.
    expect_close(M * forward(*arm, state, vector(entry["tau_with_friction"])), M * vdot, 100 * carried,
                 "forward dynamics");
  }
}

// ---------------------------------------------------------------------------------------------------- PUMA 560,
// modified DH

TEST_P(ReferenceValues, Puma560ArmstrongKhatibBurdick) {
  const auto arm = formulation("05_puma560/akb.yaml");
  const json data = reference("puma560.json")["recomputed_akb"];
  ASSERT_EQ(data.size(), 3u);
  for (const json& entry : data) {
    SCOPED_TRACE(entry["name"].get<std::string>());
    const State state = state_at(vector(entry["q"]), VectorXd::Zero(6));
    expect_close(kinematics_of(arm->arm(), state).X_WT.back().p, vector(entry["tip"]), carried, "tip");
    expect_close(bias(*arm, state, Terms::gravity), vector(entry["gravity"]), carried, "gravity");
    expect_close(mass_matrix(*arm, state), matrix(entry["M_with_motor"]), carried, "M");
  }
}

}  // namespace
}  // namespace lithe::testing
