// Peak stresses of links: how much, where and when, against closed forms of beams and bars.
#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "app/run_program.h"
#include "lithe/dynamics/link_stress.h"
#include "lithe/simulate/run.h"
#include "support/allocation_count.h"

namespace lithe::testing {
namespace {

/// One link on a fixed joint, no gravity.
Case cantilever(const Section& section, const Flexibility& flexibility) {
  Case data;
  data.arm.gravity.setZero();
  LinkSpec link;
  link.name = "beam";
  link.joint.name = "root";
  link.joint.type = "fixed";
  link.beam = Beam{2.0, {"", 70e9, 0.3, 2700, {}}, section, flexibility};
  data.arm.links.push_back(link);
  return data;
}

StressPlace under_tip_load(const Case& data, const Vector6d& load) {
  const Arm arm = Arm::assemble(data);
  const State state = State::zero(arm);
  InternalForces internal(arm);
  const std::vector<Vector6d> on_tips(size_t(arm.n_links()), Vector6d::Zero());
  std::vector<Vector6d> loads = on_tips;
  loads.back() = load;
  internal.update(state, VectorXd::Zero(arm.nv()), loads);
  return largest_stress(arm, internal, stressed_links(arm).at(0).i_link);
}

TEST(LinkStress, CantileversUnderForceAndTorque) {
  const Vector6d load = (Vector6d() << 6, 0, 0, 0, 5, -7).finished();
  const double d = 0.02, bending = 32 * std::hypot(5, 7) * 2 / (M_PI * d * d * d), twist = 16 * 6 / (M_PI * d * d * d);
  for (const Flexibility& flexibility :
       {Flexibility(Modes{2, 2, 1, 1}), Flexibility(Elements{.count = 3}), Flexibility(Segments{.count = 4})}) {
    const StressPlace round = under_tip_load(cantilever({.shape = Circle{d}}, flexibility), load);
    EXPECT_NEAR(round.stress, std::hypot(bending, std::sqrt(3) * twist), 1e-5 * bending);
    EXPECT_EQ(round.x, 0);
    // A flat bar, 30 mm by 10 mm: both bendings add up in a corner, where the torque does nothing.
    const StressPlace flat = under_tip_load(cantilever({.shape = Rectangle{0.03, 0.01}}, flexibility), load);
    const double corner = 6 * 7 * 2 / (0.03 * 0.01 * 0.01) + 6 * 5 * 2 / (0.01 * 0.03 * 0.03);
    EXPECT_NEAR(flat.stress, corner, 1e-9 * corner);
    EXPECT_EQ(flat.x, 0);
  }
}

TEST(LinkStress, TheWeakestSectionCounts) {
  Case data = cantilever({.shape = Circle{0.03}}, Modes{2, 2, 1, 1});
  data.arm.links[0].beam->steps = {{0.6, {.shape = Circle{0.015}}}};
  const Vector6d load = (Vector6d() << 0, 0, 0, 0, 5, 0).finished();
  const StressPlace place = under_tip_load(data, load);
  EXPECT_DOUBLE_EQ(place.x, 0.6);
  EXPECT_NEAR(place.stress, 32 * 5 * (2 - 0.6) / (M_PI * std::pow(0.015, 3)), 1e-4 * place.stress);
}

// Tension of a turning bar, ρω²(L² − x²)/2.
TEST(LinkStress, TurningBar) {
  Case data = cantilever({.shape = Box{0.04, 0.03, 0.002}}, Modes{2, 0, 0, 0});
  data.arm.links[0].joint.type = "revolute";
  data.arm.links[0].joint.axis = Vector3d(0, 0, 1);
  const Arm arm = Arm::assemble(data);
  State state = State::zero(arm);
  state.v[0] = 5;
  InternalForces internal(arm);
  internal.update(state, VectorXd::Zero(arm.nv()), {});
  const StressPlace place = largest_stress(arm, internal, 0);
  EXPECT_EQ(place.x, 0);
  EXPECT_NEAR(place.stress, 2700 * 25 * 4 / 2.0, 1e-9 * place.stress);
  const long before = allocations();
  largest_stress(arm, internal, 0);
  EXPECT_EQ(allocations(), before);
}

struct Outcome {
  RunSummary summary;
  Results results;
  explicit Outcome(const std::string& text) {
    const CaseFile data = read_case_text(text);
    const TemporaryFolder scratch;
    RunOptions options;
    options.file = scratch.path() + "/results.h5";
    summary = run(data, Arm::assemble(data.data), options);
    results = Results::read(options.file);
  }
  const std::vector<double>& series(const std::string& name) const { return results.series[results.find(name)]; }
};

std::string slew(const std::string& yield) {
  return R"(
arm:
  gravity: [0, 0, 0]
  links:
    - name: upper
      joint: {name: shoulder, type: revolute, axis: [0, 0, 1]}
      beam: {length: 1, material: {E: 70 GPa, nu: 0.3, density: 2700)" +
         yield + R"(}, section: {rectangle: {width_y: 20 mm, height_z: 10 mm}},
             flexibility: {modes: {bending_y: 2}}, damping: {ratio: 0.3}}
motion: {shoulder: {cycloidal: {to: 90 deg, in: 4 s}}}
simulate: {for: 4 s, output_step: 0.02 s}
)";
}

// A slow slew: the beam follows its inertia forces. M = ρAL³/3 · 2πΔ/T² at a quarter of the way and again at three quarters.
TEST(LinkStress, SlewedLinkIsWorstAtItsRootWhenItAcceleratesMost) {
  const Outcome slow(slew(""));
  const double A = 0.02 * 0.01, acceleration = 2 * M_PI * (M_PI / 2) / 16;
  const double stress = 2700 * A / 3 * acceleration / (0.01 * 0.02 * 0.02 / 6);
  ASSERT_EQ(slow.summary.stresses.size(), 1u);
  const StressPeak& peak = slow.summary.stresses[0];
  EXPECT_EQ(peak.link.name, "upper");
  EXPECT_NEAR(peak.stress, stress, 0.01 * stress);
  EXPECT_EQ(peak.x, 0);
  EXPECT_NEAR(std::abs(peak.time - 2), 1, 0.1);
  EXPECT_TRUE(slow.summary.warnings.empty());
  // The columns: of the link, its place, and at five sections.
  const auto& whole = slow.series("upper.stress");
  const auto& root = slow.series("upper@0.stress");
  for (size_t i = 0; i < whole.size(); ++i) {
    EXPECT_GE(whole[i], root[i]);
    EXPECT_GE(slow.series("upper.stress_at")[i], 0);
  }
  EXPECT_EQ(*std::max_element(whole.begin(), whole.end()), peak.stress);
  // E cancels between strain and stress where nothing twists.
  EXPECT_NEAR(70e9 * slow.series("upper@0.strain")[50], root[50], 1e-3 * root[50]);
}

TEST(LinkStress, WarnsBeyondTheYieldStrength) {
  const Outcome fine(slew(", yield_strength: 0.2 MPa")), weak(slew(", yield_strength: 0.1 MPa"));
  EXPECT_TRUE(fine.summary.warnings.empty());
  ASSERT_EQ(weak.summary.warnings.size(), 1u);
  EXPECT_TRUE(weak.summary.warnings[0].starts_with("'upper': its stress reached 0.166")) << weak.summary.warnings[0];
  EXPECT_NE(weak.summary.warnings[0].find("times the yield strength"), std::string::npos);
}

TEST(LinkStress, StandsInWhatTheProgramPrints) {
  // A horizontal aluminium bar of 20 mm with 5 kg at its tip: (50 + ½·8.4823) N·m · 32/(π d³) = 69.062 MPa.
  const TemporaryFolder scratch;
  scratch.write("bar.yaml", R"(
arm:
  gravity: [0, 0, -10]
  links:
    - name: bar
      joint: {name: root, type: fixed}
      beam: {length: 1, material: aluminium, section: {circle: {diameter: 20 mm}}, flexibility: {modes: {bending_z: 4}}}
      payload: {mass: 5}
initial: {deformation: static}
simulate: {for: 0.01 s}
)");
  const Finished rest = run_program({"static", "bar.yaml"}, scratch.path()),
                 rest_json = run_program({"static", "bar.yaml", "--json"}, scratch.path()),
                 moving = run_program({"run", "bar.yaml"}, scratch.path()),
                 moving_json = run_program({"run", "bar.yaml", "--json"}, scratch.path());
  EXPECT_NE(rest.out.find("peak stress      69.06 MPa in 'bar' at x = 0 m (root), 25.6 % of yield\n"),
            std::string::npos)
      << rest.out;
  EXPECT_NE(moving.out.find("peak stress: 69.06 MPa in 'bar' at x = 0 m (root), t = "), std::string::npos)
      << moving.out;
  for (const Finished* finished : {&rest_json, &moving_json}) {
    const auto peak = nlohmann::json::parse(finished->out).at("peak_stress").at(0);
    EXPECT_EQ(peak.at("link"), "bar");
    EXPECT_EQ(peak.at("x"), 0);
    EXPECT_NEAR(peak.at("stress"), 69.062e6, 1e4);
    EXPECT_NEAR(peak.at("share_of_yield"), 69.062 / 270, 1e-4);
    EXPECT_EQ(peak.contains("time"), finished == &moving_json);
  }
}

}  // namespace
}  // namespace lithe::testing
