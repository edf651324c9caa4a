// Damping of the arm's own natural modes: each gets what was asked at the pose, every formulation and derivative knows it.
#include "lithe/arm/modal_damping.h"

#include <gtest/gtest.h>

#include <cmath>

#include "lithe/analyse/linearise.h"
#include "lithe/analyse/modes.h"
#include "lithe/describe/case_reader.h"
#include "lithe/dynamics/derivatives/forward_derivatives.h"
#include "lithe/spatial/dense_eigen.h"
#include "support/covering.h"
#include "support/random_arm.h"
#include "support/run_results.h"

namespace lithe::testing {
namespace {

const char* const two_links = R"(
arm:
  damping: {modes: 5 %, at: {elbow: 40 deg}}
  links:
    - name: upper
      joint: {name: shoulder, type: revolute, axis: [0, -1, 0]}
      beam: {length: 1 m, material: aluminium, section: {tube: {outer_diameter: 30 mm, inner_diameter: 27 mm}}, flexibility: {modes: {bending_y: 2, bending_z: 2, torsion: 1}}}
    - name: fore
      joint: {name: elbow, type: revolute, axis: [0, -1, 0], motor: {inertia: 1e-4, gear_ratio: 50, stiffness: 900}}
      beam: {length: 0.8 m, material: aluminium, section: {tube: {outer_diameter: 25 mm, inner_diameter: 23 mm}}, flexibility: {elements: 2}}
      payload: {mass: 1 kg}
)";
Arm arm_of(const std::string& text, const std::vector<Override>& overrides = {}) {
  return Arm::assemble(read_case_text(text, "case", overrides).data);
}
State bent(const Arm& arm, double elbow) {
  State state = State::zero(arm);
  for (const Link& link : arm.links())
    if (link.joint_name == "elbow" || link.joint_name == "elbow.motor") state.q[link.q0] = elbow;
  return state;
}

TEST(ModalDamping, EveryModeHasItAtThePose) {
  const Arm arm = arm_of(two_links);
  const ModesResult there = natural_modes_of(arm, bent(arm, 40 * M_PI / 180), {.count = 17});
  ASSERT_EQ(there.modes.size(), 17u);
  for (const Mode& mode : there.modes) EXPECT_NEAR(mode.damping_ratio, 0.05, 1e-9) << mode.frequency_hz;
  // Elsewhere modes are others, and get a little more or less: that is said, not hidden.
  const ModesResult elsewhere = natural_modes_of(arm, bent(arm, 2), {.count = 3});
  EXPECT_GT(std::abs(elsewhere.modes[0].damping_ratio - 0.05), 1e-4);
}

// True damping ratios, from the eigenvalues of the damped arm with its joints locked.
TEST(ModalDamping, IsTheRealPartOfTheEigenvalues) {
  const Arm arm = arm_of(two_links);
  const SmallSystem system = small_system(arm, bent(arm, 40 * M_PI / 180), {});
  const Eigen::Index n = system.M.rows();
  MatrixXd A = MatrixXd::Zero(2 * n, 2 * n);
  A.topRightCorner(n, n).setIdentity();
  A.bottomLeftCorner(n, n) = -solve_symmetric(MatrixXd(system.M), MatrixXd(system.K));
  A.bottomRightCorner(n, n) = -solve_symmetric(MatrixXd(system.M), MatrixXd(system.D));
  for (const auto& pole : balanced_eigenvalues(A)) EXPECT_NEAR(-pole.real() / std::abs(pole), 0.05, 1e-6) << pole;
}

TEST(ModalDamping, EveryFormulationHasIt) {
  const Arm arm = arm_of(two_links), without = arm_of(two_links, {{"arm.damping.modes", "0"}});
  const State state = random_state(arm, 3);
  VectorXd h(arm.nv()), h0(arm.nv());
  const auto all = covering_with_default(arm);
  EXPECT_GE(all.size(), 3u);
  for (const auto& formulation : all) {
    formulation->bias(state, Terms::damping, h);
    make_formulation(std::string(formulation->name()), without)->bias(state, Terms::damping, h0);
    const VectorXd expected = *arm.modal_damping() * state.v;
    EXPECT_LT((h - h0 - expected).norm(), 1e-12 * expected.norm()) << formulation->name();
    // And in forward dynamics, which may take another way: M v̇ differs by the same force.
    VectorXd a(arm.nv()), a0(arm.nv());
    MatrixXd M(arm.nv(), arm.nv());
    formulation->forward(state, VectorXd::Zero(arm.nv()), a);
    make_formulation(std::string(formulation->name()), without)->forward(state, VectorXd::Zero(arm.nv()), a0);
    formulation->mass_matrix(state, M);
    EXPECT_LT((M * (a - a0) + expected).norm(), 1e-7 * expected.norm()) << formulation->name();
  }
}

TEST(ModalDamping, DerivativesHaveItOnTreesToo) {
  Case data = random_flexible_case(6, 11, {.arm = {.tree = true, .fixed_joints = false}});
  data.arm.damping = ModalDamping{0.03, {}};
  const Arm arm = Arm::assemble(data);
  ForwardDerivatives derivatives(arm);
  const State state = random_state(arm, 5);
  const VectorXd tau = random_vector(arm.nv(), 6);
  const auto dynamics = make_formulation("articulated", arm);
  for (int twice = 0; twice < 2; ++twice) derivatives.update(state, tau);
  const MatrixXd by_rate = derivatives.by_rate();
  const double step = 1e-6;
  for (int k = 0; k < arm.nv(); ++k) {
    VectorXd up(arm.nv()), down(arm.nv());
    State moved = state;
    moved.v[k] += step;
    dynamics->forward(moved, tau, up);
    moved.v[k] -= 2 * step;
    dynamics->forward(moved, tau, down);
    const VectorXd slope = (up - down) / (2 * step);
    EXPECT_LT((by_rate.col(k) - slope).norm(), 1e-6 * by_rate.norm()) << arm.coordinates()[k];
  }
}

TEST(ModalDamping, RunsCloseTheirAudit) {
  const std::string text =
      std::string(two_links) + "motion: {shoulder: {cycloidal: {to: 0.5, in: 0.4 s}}}\nsimulate: {for: 0.8 s}\n";
  for (const char* method : {"cvode", "dopri5"}) {
    const Results results =
        results_of(text, {{"simulate.method", method}, {"links[fore].beam.flexibility", "{modes: {bending_z: 2}}"}});
    EXPECT_GT(series(results, "energy.dissipated").back(), 1e-3);
    double worst = 0;
    for (const double r : series(results, "energy.residual")) worst = std::max(worst, std::abs(r));
    EXPECT_LT(worst, 1e-5) << method;
  }
}

TEST(ModalDamping, RefusesWhatItCannotDo) {
  auto said = [](const std::string& text, const std::vector<Override>& overrides) -> std::string {
    try {
      arm_of(text, overrides);
    } catch (const FieldError& error) {
      return error.path() + ": " + error.what();
    }
    return "";
  };
  EXPECT_NE(said(two_links, {{"links[fore].beam.flexibility", "{elements: 200}"}})
                .find("arm.damping: modal damping needs a full"),
            std::string::npos);
  EXPECT_NE(said(two_links, {{"arm.rotary_inertia", "false"}}).find("arm.damping: some coordinates have no mass"),
            std::string::npos);
  const Arm arm = arm_of(two_links);
  EXPECT_THROW(refuse_modal_damping(arm, "derive"), UnsupportedError);
}

}  // namespace
}  // namespace lithe::testing
