// Commanded rates that jump: the arm is struck, the momenta of what is free stay, the work of the blow is in the audit.
#include <gtest/gtest.h>

#include <cmath>

#include "lithe/dynamics/lagrange/lagrange.h"
#include "lithe/simulate/system.h"
#include "support/random_arm.h"
#include "support/run_results.h"

namespace lithe::testing {
namespace {

/// Turned at one rate for a second, then stopped at once.
std::string stopped_strip(const std::string& simulate) {
  return R"(
arm:
  gravity: [0, 0, 0]
  links:
    - name: strip
      joint: {name: hub, type: revolute, axis: [0, 0, 1]}
      beam: {length: 1 m, material: aluminium, section: {rectangle: {width_y: 4 mm, height_z: 50 mm}}, flexibility: {modes: {bending_y: 3}}}
motion: {hub: {lines: [{at: 1 s, to: 0.2}]}}
simulate: {for: 1.5 s, )" +
         simulate + "}\n";
}

double largest_after(const Results& results, const std::string& name, double t0) {
  double largest = 0;
  for (size_t i = 0; i < results.time.size(); ++i)
    if (results.time[i] > t0 + 1e-9) largest = std::max(largest, std::abs(series(results, name)[i]));
  return largest;
}
double largest_residual(const Results& results) {
  double worst = 0;
  for (const double r : series(results, "energy.residual")) worst = std::max(worst, std::abs(r));
  return worst;
}

// The first mode gets all it can of the momentum: by hand, with the clamped beam's first mode, the amplitude of the tip is
// q̇ (∫x φ dm)/(∫φ² dm)/ω, and higher modes add a little.
TEST(RateJump, SuddenStopRingsAsItShould) {
  const Results results = results_of(stopped_strip("output_step: 1 ms, rtol: 1e-9, atol: 1e-11"));
  const double EI = 70e9 * 0.05 * std::pow(0.004, 3) / 12, mu = 2700 * 0.05 * 0.004,
               omega = 3.5160 * std::sqrt(EI / mu);
  const double by_hand = 0.2 * 1.1377 / omega;  // ∫ξφ dξ/∫φ² dξ of the clamped–free mode that is one at the tip
  EXPECT_NEAR(largest_after(results, "|tip_error|", 1), by_hand, 0.1 * by_hand);
  EXPECT_LT(largest_residual(results), 1e-6 * *std::max_element(series(results, "energy.kinetic").begin(),
                                                                series(results, "energy.kinetic").end()));
  // Up to the stop it turned steadily: at t = 0 a driven joint has its motion's rate, and nothing rings.
  EXPECT_LT(std::abs(series(results, "|tip_error|")[500]), 1e-3 * by_hand);
}

// A stop within a thousandth of a second by a steep profile is nearly the same.
TEST(RateJump, IsTheLimitOfASteepRamp) {
  auto text = [](const std::string& motion) {
    const std::string whole = stopped_strip("output_step: 1 ms, rtol: 1e-9, atol: 1e-11");
    const std::string line = "{hub: {lines: [{at: 1 s, to: 0.2}]}}";
    return std::string(whole).replace(whole.find(line), line.size(), motion);
  };
  // trapezoidal_velocity with short ramps: rate 0.2 for a second, flanks of half a millisecond.
  const Results steep = results_of(text("{hub: {trapezoidal_velocity: {to: 0.2, in: 1.0005 s, ramp: 0.5 ms}}}"));
  const Results sudden = results_of(text("{hub: {lines: [{at: 1 s, to: 0.2}]}}"), {{"initial", "{hub: {rate: 0}}"}});
  EXPECT_NEAR(largest_after(sudden, "|tip_error|", 1.01), largest_after(steep, "|tip_error|", 1.01),
              0.01 * largest_after(steep, "|tip_error|", 1.01));
}

// Against the mass matrix of another formulation: what is free keeps its momentum, and the work is what kinetic energy gains.
TEST(RateJump, FreeCoordinatesKeepTheirMomenta) {
  for (const BaseType base : {BaseType::fixed, BaseType::moving, BaseType::free, BaseType::planar}) {
    Case data = random_flexible_case(4, 7, {.arm = {.base = base}});
    std::string driven;
    for (const LinkSpec& link : data.arm.links)
      if (link.joint.type != "fixed") driven = link.joint.name;
    data.motion[driven] = {Lines{{{0.5, 0.7}, {1, -0.4}}}};
    data.simulate = Simulate{};
    const Arm arm = Arm::assemble(data);
    Drives drives(data, arm);
    System system(arm, drives, "articulated", false, *data.simulate);
    drives.enter(0, 0.5);
    VectorXd y = system.initial();
    State before = State::zero(arm), after = before;
    y.segment(arm.nq(), arm.nv()) += VectorXd::LinSpaced(arm.nv(), -0.5, 0.8);
    system.state_of(0.5, y.data(), before);
    const double work_before = y[y.size() - 2];
    system.enter(0.5, 1, y);
    system.state_of(0.5, y.data(), after);
    ASSERT_EQ(before.q, after.q);
    Lagrange lagrange(arm);
    MatrixXd M(arm.nv(), arm.nv());
    lagrange.mass_matrix(before, M);
    const VectorXd momentum = M * (after.v - before.v);
    double largest = 0;
    for (int k = 0; k < arm.nv(); ++k) {
      if (drives.driven()[k]) largest = std::max(largest, std::abs(momentum[k]));
    }
    EXPECT_GT(largest, 1e-3);
    for (int k = 0; k < arm.nv(); ++k) {
      if (drives.driven()[k]) continue;
      EXPECT_NEAR(momentum[k], 0, 1e-9 * M.norm()) << int(base) << " " << arm.coordinates()[k];
    }
    Kinematics kin;
    update_kinematics(arm, before, kin);
    const double T0 = kinetic_energy(arm, before, kin);
    update_kinematics(arm, after, kin);
    const double T1 = kinetic_energy(arm, after, kin);
    EXPECT_NEAR(y[y.size() - 2] - work_before, T1 - T0, 1e-9 * (T0 + T1)) << int(base);
  }
}

TEST(RateJump, EveryMethodAndFormulationAgrees) {
  const Results reference = results_of(stopped_strip("rtol: 1e-10, atol: 1e-12"));
  // Local errors of 1e-10 add up over some ten thousand steps of ESDIRK, which has the largest constant of the three.
  for (const auto& [method, tolerance] : {std::pair{"dopri5", 1e-6}, {"cvode-adams", 1e-6}, {"esdirk", 1e-4}})
    EXPECT_NEAR(
        series(results_of(stopped_strip(std::string("rtol: 1e-10, atol: 1e-12, method: ") + method)), "strip.1").back(),
        series(reference, "strip.1").back(), tolerance * 0.01)
        << method;
  const Results midpoint = results_of(stopped_strip("method: midpoint, step: 50 us"));
  EXPECT_NEAR(series(midpoint, "strip.1").back(), series(reference, "strip.1").back(), 5e-3 * 0.01);
  for (const char* formulation : {"kane", "lagrange"})
    EXPECT_NEAR(
        series(results_of(stopped_strip("rtol: 1e-10, atol: 1e-12"), {}, {.formulation = formulation}), "strip.1")
            .back(),
        series(reference, "strip.1").back(), 1e-6 * 0.01)
        << formulation;
}

// Where a checkpoint falls on the jump, a resumed run has been struck once, not twice and not never.
TEST(RateJump, ResumesToTheSameBits) {
  const std::string text = stopped_strip("checkpoint: 0.5 s");
  const CaseFile file = read_case_text(text, "case");
  const Arm arm = Arm::assemble(file.data);
  const TemporaryFolder scratch;
  const std::string whole = scratch.path() + "/whole.h5", broken = scratch.path() + "/broken.h5";
  run(file, arm, {whole});
  std::atomic<bool> stop = false;
  RunOptions options{broken, "", false, &stop};
  options.save_interval = 0;
  options.progress = [&](double t) { stop = t > 1.1; };
  EXPECT_THROW(run(file, arm, options), RunError);
  stop = false;
  options.resume = true;
  options.progress = {};
  run(file, arm, options);
  EXPECT_EQ(Results::read(whole).series, Results::read(broken).series);
}

TEST(RateJump, LeapsAreRefused) {
  const std::string file = LITHE_SOURCE_DIR "/tests/simulate/rate_jump_test.csv";
  const std::string text = stopped_strip("rtol: 1e-6");
  try {
    results_of(text, {{"motion.hub", "{sequence: [{lines: [{at: 0.5 s, to: 0.1}]}, {table: {file: " + file + "}}]}"}});
    FAIL() << "a joint leapt";
  } catch (const FieldError& error) {
    EXPECT_EQ(error.path(), "motion.hub");
    EXPECT_NE(std::string(error.what()).find("jumps from 0.1 to 0.3 at t = 0.5 s"), std::string::npos) << error.what();
  }
}

}  // namespace
}  // namespace lithe::testing
