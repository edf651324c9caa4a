// Denavit–Hartenberg rows without a common normal: posts on the joint's axis and slides along it, against origin and axis.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "lithe/arm/kinematics.h"
#include "lithe/describe/case_reader.h"
#include "lithe/dynamics/formulation.h"
#include "support/random_arm.h"

namespace lithe::testing {
namespace {

void expect_same_dynamics(const std::string& one, const std::string& other) {
  const Arm a = Arm::assemble(read_case_text(one).data), b = Arm::assemble(read_case_text(other).data);
  ASSERT_EQ(a.nv(), b.nv());
  for (const std::uint32_t seed : {1u, 2u, 3u}) {
    const State state = random_state(a, seed);
    const int nv = a.nv();
    MatrixXd M_a(nv, nv), M_b(nv, nv);
    VectorXd h_a(nv), h_b(nv);
    const auto of_a = make_formulation("articulated", a), of_b = make_formulation("articulated", b);
    of_a->mass_matrix(state, M_a);
    of_b->mass_matrix(state, M_b);
    of_a->bias(state, Terms::all, h_a);
    of_b->bias(state, Terms::all, h_b);
    EXPECT_LT((M_a - M_b).cwiseAbs().maxCoeff(), 1e-13 * M_b.cwiseAbs().maxCoeff());
    EXPECT_LT((h_a - h_b).cwiseAbs().maxCoeff(), 1e-13 * h_b.cwiseAbs().maxCoeff());
    const Kinematics kin_a = kinematics_of(a, state), kin_b = kinematics_of(b, state);
    for (int i = 0; i < a.n_links(); ++i) EXPECT_LT((kin_a.X_WT[size_t(i)].p - kin_b.X_WT[size_t(i)].p).norm(), 1e-14);
  }
}

const char* beam =
    "length: {} m, material: {{E: 7 GPa, nu: 0.3, density: 2700}}, section: {{rectangle: {{width_y: 30 mm, "
    "height_z: 12 mm}}}}, flexibility: {{modes: {{bending_y: 2, bending_z: 1, torsion: 1}}}}";
std::string beam_of(double length) { return "{" + fmt::format(fmt::runtime(beam), length) + "}"; }

std::string arm_of(const std::string& post, const std::string& upper, const std::string& slide) {
  return fmt::format(
      "arm:\n  gravity: [1, 2, -9.81]\n  links:\n"
      "    - {{name: post, joint: {{name: hip, type: revolute, {}}}, beam: {}}}\n"
      "    - {{name: upper, joint: {{name: shoulder, type: revolute, {}}}, beam: {}}}\n"
      "    - {{name: boom, joint: {{name: reach, type: prismatic, {}}}, beam: {}, payload: {{mass: 1, com: [0.1, 0.2, "
      "0.3]}}}}\n",
      post, beam_of(0.5), upper, beam_of(1), slide, beam_of(0.7));
}

TEST(DenavitHartenbergPosts, AreTheArmByOriginAndAxis) {
  // The post's x points up its axis and its y stays; D at its tip is turned back and by alpha = 90°: z along −y of the base frame.
  const std::string by_dh = arm_of("dh: {a: 0, d: 0.5, alpha: 90 deg, convention: standard}",
                                   "dh: {a: 1, alpha: 90 deg, theta: 0.3, convention: standard}",
                                   "dh: {a: 0, d: 0.7, theta: 20 deg, convention: standard}");
  // In the post's tip frame, whose x is up: Ry(90°) turns back to the joint's frame, then Rx(90°), Rz(0.3), Rx(90°) of the beam.
  const Matrix3d upper = axis_rotation(Vector3d::UnitY(), M_PI / 2) * axis_rotation(Vector3d::UnitX(), M_PI / 2) *
                         axis_rotation(Vector3d::UnitZ(), 0.3) * axis_rotation(Vector3d::UnitX(), M_PI / 2);
  auto rpy = [](const Matrix3d& R) {
    return fmt::format("[{:.17g}, {:.17g}, {:.17g}]", std::atan2(R(2, 1), R(2, 2)),
                       -std::asin(std::clamp(R(2, 0), -1.0, 1.0)), std::atan2(R(1, 0), R(0, 0)));
  };
  // The shoulder's axis, z before alpha turns the beam, is −y… of the beam: Rx(−90°) z.
  const std::string by_origin = arm_of("axis: [1, 0, 0], origin: {rpy: [0, -90 deg, 0]}",
                                       fmt::format("axis: [0, 1, 0], origin: {{rpy: {}}}", rpy(upper)),
                                       "axis: [1, 0, 0], origin: {rpy: [0, -90 deg, 20 deg]}");
  expect_same_dynamics(by_dh, by_origin);
}

TEST(DenavitHartenbergPosts, HangWhereTheOffsetIsNegative) {
  const std::string rest = ", beam: " + beam_of(0.5) + "}\n";
  const std::string head =
      "arm:\n  gravity: [1, 2, -9.81]\n  links:\n    - {name: post, joint: {name: hip, type: revolute, ";
  expect_same_dynamics(head + "dh: {a: 0, d: -0.5, theta: 30 deg, alpha: -90 deg, convention: standard}}" + rest,
                       head + "axis: [-1, 0, 0], origin: {rpy: [0, 90 deg, 30 deg]}}" + rest);
}

TEST(DenavitHartenbergPosts, OfSpatialArmInNaganathansTableStandUpright) {
  const Arm arm = Arm::assemble(read_case_text(R"(
arm:
  links:
    - {name: post, joint: {name: hip, type: revolute, dh: {a: 0, alpha: 90 deg, d: 500 mm, convention: standard}}, beam: &b {length: 0.5, material: steel, section: {circle: {diameter: 50 mm}}, flexibility: rigid}}
    - {name: upper, joint: {name: shoulder, type: revolute, dh: {a: 1, convention: standard}}, beam: {length: 1, material: steel, section: {circle: {diameter: 50 mm}}, flexibility: rigid}}
)")
                                    .data);
  State state = State::zero(arm);
  state.q << 0.4, 0.7;  // the hip turns about the vertical, the shoulder lifts
  const Vector3d tip = kinematics_of(arm, state).X_WT[1].p;
  EXPECT_LT((tip - Vector3d(std::cos(0.7) * std::cos(0.4), std::cos(0.7) * std::sin(0.4), 0.5 + std::sin(0.7))).norm(),
            1e-15);
}

TEST(DenavitHartenbergPosts, AreRefusedUnlessTheBeamSpansTheOffset) {
  auto refusal = [](const std::string& dh, double length) {
    try {
      Arm::assemble(read_case_text("arm:\n  links:\n    - {name: post, joint: {name: hip, type: revolute, dh: " + dh +
                                   "}, beam: " + beam_of(length) + "}\n")
                        .data);
    } catch (const FieldError& error) {
      return error.path() + ": " + error.what();
    }
    return std::string();
  };
  EXPECT_EQ(refusal("{a: 0, d: 0.4, convention: standard}", 0.5),
            "arm.links[0].beam.length: expected the offset along the joint's axis, |dh.d| = 0.4 m, which the beam "
            "spans where "
            "dh.a = 0; got 0.5 m");
  EXPECT_EQ(
      refusal("{a: 0.1, d: 0.5, convention: standard}", 0.5),
      "arm.links[0].beam.length: expected the length of the common normal, dh.a = 0.1 m, got 0.5 m: a beam lies along "
      "the joint's axis, as long as dh.d, only where dh.a = 0");
  EXPECT_EQ(refusal("{a: 0, d: 0, convention: standard}", 0.5),
            "arm.links[0].beam.length: expected the length of the common normal, dh.a = 0 m, got 0.5 m");
}

}  // namespace
}  // namespace lithe::testing
