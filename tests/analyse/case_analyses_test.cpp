// What commands ask of analyse/, asked directly: statics with stress, modes with the case's servos, Bode grids and poles, and
// quantities by name. Each beside a closed form or an independent call.
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <numbers>

#include "lithe/analyse/bode.h"
#include "lithe/analyse/case_modes.h"
#include "lithe/analyse/configuration.h"
#include "lithe/analyse/evaluate.h"
#include "lithe/analyse/static_report.h"
#include "lithe/describe/case_reader.h"
#include "lithe/describe/whole_file.h"
#include "lithe/dynamics/articulated/articulated.h"
#include "lithe/results/own_folder.h"

namespace lithe::testing {
namespace {

template <class Call>
std::string refusal(Call call) {
  try {
    call();
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "";
}

/// A case with its arm and drives, for as long as it lives.
struct Loaded {
  explicit Loaded(const std::string& text)
      : file(read_case_text(text)), arm(Arm::assemble(file.data)), drives(file.data, arm) {}
  CaseFile file;
  Arm arm;
  Drives drives;
};

// A rod of 2 m and 3 kg on a servo, horizontal at q = 0.
const std::string rod_on_a_servo = R"(arm:
  links:
    - name: rod
      joint: {name: pivot, type: revolute, axis: [0, 1, 0]}
      rigid: {shape: {rod: {length: 2 m}}, mass: 3 kg}
torque:
  pivot: {pd: {kp: 400, kd: 8, target: 0}}
)";

const std::string cantilever = R"(arm:
  links:
    - name: upper
      joint: {name: shoulder, type: revolute, axis: [0, 1, 0]}
      beam:
        length: 1 m
        material: aluminium
        section: {tube: {outer_diameter: 60 mm, inner_diameter: 56 mm}}
        flexibility: {modes: {bending_z: 3}}
      payload: {mass: 1 kg}
)";

TEST(StaticReport, HoldsARodByItsWeight) {
  const Loaded loaded(rod_on_a_servo);
  const StaticReport report =
      static_report(loaded.arm, loaded.drives, configuration(loaded.arm, loaded.drives, "0"), 0);
  ASSERT_EQ(report.holding.size(), 1u);
  EXPECT_EQ(report.holding[0].coordinate, "pivot");
  EXPECT_TRUE(report.holding[0].turns);
  EXPECT_NEAR(report.holding[0].force, -3 * 9.81, 1e-9);  // m g L/2 about +y, which the weight turns it about
  EXPECT_TRUE(report.inside.stresses.empty());            // nothing bends
  EXPECT_LT(report.result.sag.norm(), 1e-12);
}

TEST(StaticReport, FindsTheStressOfACantileverAtItsRoot) {
  const Loaded loaded(cantilever);
  const StaticReport report = static_report(loaded.arm, loaded.drives, configuration(loaded.arm, loaded.drives), 0);
  ASSERT_EQ(report.inside.stresses.size(), 1u);
  const LinkStress& worst = report.inside.stresses[0];
  EXPECT_EQ(worst.link.name, "upper");
  EXPECT_EQ(worst.place.x, 0);
  // σ = M r / I with the payload's weight and the tube's own.
  const double area = std::numbers::pi / 4 * (std::pow(0.06, 2) - std::pow(0.056, 2));
  const double I = std::numbers::pi / 64 * (std::pow(0.06, 4) - std::pow(0.056, 4));
  const double least = 1 * 9.81 * 1 * 0.03 / I;  // the payload alone
  EXPECT_GT(worst.place.stress, least);
  EXPECT_LT(worst.place.stress, least + 3000 * area * 9.81 / 2 * 0.03 / I);  // aluminium is lighter than 3000 kg/m³
  EXPECT_TRUE(stress_text(worst.link, worst.place).find("in 'upper' at x = 0 m (root)") != std::string::npos);
}

TEST(CaseModes, OfAServoAreASpringAndADamper) {
  const Loaded loaded(rod_on_a_servo);
  const CaseModes modes =
      modes_of_case(loaded.arm, loaded.drives,
                    {.about = configuration(loaded.arm, loaded.drives, "90deg"), .joints = JointCondition::servo});
  ASSERT_EQ(modes.result.modes.size(), 1u);
  // Hanging down (q = 90° about +y): the weight adds m g L/2 to the servo's stiffness.
  const double inertia = 3 * 4 / 3.0, stiffness = 400 + 3 * 9.81;
  EXPECT_NEAR(modes.result.modes[0].frequency_hz, std::sqrt(stiffness / inertia) / (2 * std::numbers::pi), 1e-9);
  EXPECT_NEAR(modes.result.modes[0].damping_ratio, 8 / (2 * std::sqrt(stiffness * inertia)), 1e-9);
}

TEST(CaseModes, RefuseInWords) {
  const Loaded bare(cantilever);
  EXPECT_EQ(refusal([&] { modes_options(JointCondition::servo, 3, bare.arm, bare.drives); }),
            "no joint of the case has a servo, pd or pid under `torque`");
  EXPECT_EQ(refusal([] { joints_named("loose"); }), "expected locked, free or servo, got \"loose\"");
  EXPECT_EQ(supports_named("clamped-free"), std::pair(End::clamped, End::free));
  EXPECT_EQ(refusal([] { supports_named("clamped"); }),
            "expected two of clamped, pinned and free (root, then tip), as in clamped-free, got \"clamped\"");
  EXPECT_EQ(bending_link_named(bare.arm, "upper").name, "upper");
  EXPECT_EQ(refusal([&] { bending_link_named(bare.arm, "uper"); }),
            "no bending link 'uper', did you mean 'upper'? Links with modes or elements: upper");
}

TEST(Bode, OfAHangingRodIsASecondOrderSystem) {
  Loaded loaded(rod_on_a_servo);
  const State hanging = configuration(loaded.arm, loaded.drives, "90deg");
  const LinearModel model =
      linearise(loaded.arm, hanging, loaded.drives, {.inputs = input_coordinates(loaded.arm, {"pivot"})});
  const double inertia = 3 * 4 / 3.0, stiffness = 3 * 9.81, natural = std::sqrt(stiffness / inertia);
  const std::vector<Pole> poles = pole_table(model);
  ASSERT_EQ(poles.size(), 1u);
  EXPECT_NEAR(poles[0].frequency_hz(), natural / (2 * std::numbers::pi), 1e-9);
  EXPECT_NEAR(poles[0].damping_ratio(), 0, 1e-9);
  const auto [low, high] = range_around_poles(model);
  EXPECT_NEAR(low, natural / (2 * std::numbers::pi) / 10, 1e-9);
  EXPECT_NEAR(high, 3 * natural / (2 * std::numbers::pi), 1e-9);
  const FrequencyResponse response = bode(model, "pivot", "pivot", {.range_hz = std::pair(0.01, 0.1), .points = 7});
  ASSERT_EQ(response.frequency_hz.size(), 7u);
  for (size_t k = 0; k < 7; ++k) {
    const double omega = 2 * std::numbers::pi * response.frequency_hz[k];
    EXPECT_NEAR(response.magnitude_db[k], -20 * std::log10(std::abs(stiffness - inertia * omega * omega)), 1e-9);
  }
  EXPECT_TRUE(csv_of(response).starts_with("frequency [Hz],magnitude [dB],phase [deg]\n0.01,"));
  EXPECT_TRUE(refusal([&] { bode(model, "pivto", "pivot"); }).starts_with("no input 'pivto', did you mean 'pivot'?"));
  EXPECT_EQ(refusal([&] { input_coordinates(loaded.arm, {"pivto"}); }),
            "no joint 'pivto', did you mean 'pivot'? Joints: pivot");
  EXPECT_NE(refusal([&] { bode(model, "pivot", "pivot", {.range_hz = std::pair(2.0, 1.0)}); }), "");

  const OwnFolder folder("bode");
  write_linear_model(model, folder.path() + "/matrices");
  EXPECT_TRUE(whole_file(folder.path() + "/matrices/A.csv").starts_with(",pivot,"));
  write_linear_model(model, folder.path() + "/model.h5");
  EXPECT_TRUE(std::filesystem::exists(folder.path() + "/model.h5"));
}

TEST(Evaluate, GivesByNameWhatFormulationsGive) {
  const Loaded loaded(cantilever);
  ConstrainedDynamics dynamics("articulated", loaded.arm);
  EvaluationPoint at;
  at.state = configuration(loaded.arm, loaded.drives, "0.3");
  at.kin = kinematics_of(loaded.arm, at.state);
  at.tau = at.vdot = VectorXd::Zero(loaded.arm.nv());
  MatrixXd M(loaded.arm.nv(), loaded.arm.nv());
  dynamics.model().mass_matrix(at.state, M);
  EXPECT_EQ(std::get<MatrixXd>(evaluate("mass_matrix", dynamics, at)), M);
  EXPECT_EQ(std::get<double>(evaluate("kinetic_energy", dynamics, at)), 0);
  EXPECT_EQ(std::get<Pose>(evaluate("tip", dynamics, at)).p, at.kin.X_WT[0].p);
  EXPECT_EQ(std::get<VectorXd>(evaluate("momentum", dynamics, at)).size(), 6);
  EXPECT_TRUE(refusal([&] { evaluate("mass", dynamics, at); }).starts_with("no 'mass'"));
  EXPECT_THROW(evaluate("M_cp", dynamics, at), UnsupportedError);
  at.split = "upper";
  EXPECT_EQ(refusal([&] { evaluate("M_cp", dynamics, at); }),
            "this arm cannot be cut: no link of it is carried by another");
  EXPECT_NO_THROW(demand_dense(loaded.arm, "M", "less"));
}

}  // namespace
}  // namespace lithe::testing
