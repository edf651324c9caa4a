// Where runs start: amplitudes by name, let go from a load, settled on servos, from another run's end.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "support/run_results.h"

namespace lithe::testing {
namespace {

const char* const strip = R"(
arm:
  links:
    - name: strip
      joint: {name: hub, type: revolute, axis: [0, -1, 0]}
      beam: {length: 1 m, material: aluminium, section: {rectangle: {width_y: 50 mm, height_z: 10 mm}}, flexibility: {modes: {bending_z: 2, torsion: 1}}}
      payload: {mass: 0.5 kg}
)";
const char* const held = "motion: {hub: {dwell: {for: 10 s}}}\n";

TEST(InitialState, AmplitudesAndRatesByName) {
  const Results results =
      results_of(std::string(strip) + held +
                 "initial: {strip.1: 5 mm, strip.2: {position: -1 mm, rate: 3 mm/s}, strip.3: 2 deg}\n"
                 "simulate: {for: 0.1 s}\n");
  EXPECT_EQ(series(results, "strip.1")[0], 0.005);
  EXPECT_EQ(series(results, "strip.2")[0], -0.001);
  EXPECT_EQ(series(results, "strip.2.rate")[0], 0.003);
  EXPECT_NEAR(series(results, "strip.3")[0], 2 * std::numbers::pi / 180, 1e-15);
}

TEST(InitialState, MistakesAreNamed) {
  auto said = [](const std::string& initial) -> std::string {
    try {
      results_of(std::string(strip) + "simulate: {for: 0.1 s}\ninitial: " + initial + "\n");
    } catch (const CaseError& error) {
      return error.problems().at(0).text();
    } catch (const FieldError& error) {
      return error.path() + ": " + error.what();
    }
    return "";
  };
  EXPECT_NE(said("{strip.1: 5 deg}").find("initial.strip.1: expected a length, got \"5 deg\""), std::string::npos)
      << said("{strip.1: 5 deg}");
  EXPECT_NE(said("{strip.3: 5 mm}").find("initial.strip.3: expected an angle"), std::string::npos)
      << said("{strip.3: 5 mm}");
  EXPECT_NE(said("{strip.4: 5 mm}")
                .find("no joint or coordinate 'strip.4', did you mean 'strip.1'? Known: strip.1, strip.2, "
                      "strip.3, hub"),
            std::string::npos)
      << said("{strip.4: 5 mm}");
  EXPECT_NE(said("{strip.1: 5 mm, deformation: static}").find("initial.strip.1: `deformation` computes it"),
            std::string::npos);
  EXPECT_NE(said("{loads: [{link: strip, force: [0, 0, 1]}]}").find("initial.loads: has no effect"), std::string::npos);
  EXPECT_NE(said("{deformation: static, loads: [{link: stripe, force: [0, 0, 1]}]}")
                .find("initial.loads[0].link: no link 'stripe'"),
            std::string::npos);
}

// Let go from a load P at the tip: it starts PL³/3EI (with its payload's weight) below, and swings about the sag without P.
TEST(InitialState, LetGoFromALoad) {
  const std::string run_for = "simulate: {for: 0.5 s, output_step: 1 ms}\n";
  const Results results =
      results_of(std::string(strip) + held +
                 "initial: {deformation: static, loads: [{link: strip, force: [0, 0, -10]}]}\n" + run_for);
  const Results unloaded = results_of(std::string(strip) + held + "initial: {deformation: static}\n" + run_for);
  const double EI = 70e9 * 0.05 * std::pow(0.01, 3) / 12, by_load = -10 / (3 * EI);
  const auto& z = series(results, "tip_error.z");
  const double rest = series(unloaded, "tip_error.z")[0];
  EXPECT_NEAR(z[0] - rest, by_load, 0.01 * std::abs(by_load));
  EXPECT_NEAR(*std::max_element(z.begin(), z.end()) - rest, -by_load, 0.03 * std::abs(by_load));
  EXPECT_LT(std::abs(series(unloaded, "tip_error.z").back() - rest), 1e-6 * std::abs(rest));
  EXPECT_NEAR(series(results, "|tip_error|")[0], std::abs(z[0]), 1e-3 * std::abs(z[0]));
}

// On servos: settled, nothing moves, and the joint is where its spring carries the weight; `static` leaves it at the command.
TEST(InitialState, SettlesOnServos) {
  const std::string rest = "torque: {hub: {servo: {kp: 800, kv: 5, target: 0}}}\nsimulate: {for: 0.5 s}\n";
  const Results settled = results_of(std::string(strip) + rest + "initial: {deformation: settled}\n");
  const auto& hub = series(settled, "hub");
  const double weight = (2700 * 0.05 * 0.01 / 2 + 0.5) * 9.81;
  EXPECT_NEAR(hub[0], -weight / 800, 0.01 * weight / 800);
  for (const double q : hub) EXPECT_NEAR(q, hub[0], 1e-9);
  EXPECT_NEAR(series(settled, "hub.torque")[0], -800 * hub[0], 1e-9);
  EXPECT_EQ(series(results_of(std::string(strip) + rest + "initial: {deformation: static}\n"), "hub")[0], 0);
}

// A controller that carries the weight by itself holds the joint at its command; a start that says otherwise is refused.
TEST(InitialState, SettlesAtTheCommand) {
  const std::string rest =
      "torque: {hub: {pd: {kp: 800, kd: 30, target: 0.3, gravity_compensation: true}}}\nsimulate: {for: 0.2 s}\n";
  const Results settled = results_of(std::string(strip) + rest + "initial: {deformation: settled}\n");
  EXPECT_EQ(series(settled, "hub")[0], 0.3);
  EXPECT_NEAR(series(settled, "hub").back(), 0.3, 2e-3);
  EXPECT_THROW(results_of(std::string(strip) + rest + "initial: {hub: 0.1, deformation: settled}\n"), FieldError);
}

// An arm at rest has only rounding to audit, and nothing to be warned of.
TEST(InitialState, RestIsNoEnergyThatFailsToClose) {
  const TemporaryFolder scratch;
  const CaseFile file =
      read_case_text(std::string(strip) + held + "initial: {deformation: static}\nsimulate: {for: 0.5 s}\n", "case");
  const RunSummary summary = run(file, Arm::assemble(file.data), {scratch.path() + "/r.h5"});
  EXPECT_EQ(summary.warnings, std::vector<std::string>{});
}

// `check` says of a start what `run` says of it.
TEST(InitialState, CheckAgreesWithRun) {
  const TemporaryFolder scratch;
  auto check = [&](const std::string& initial) {
    return run_program({"check", scratch.write("case.yaml", std::string(strip) + held +
                                                                "simulate: {for: 1 s}\ninitial: " + initial + "\n")});
  };
  EXPECT_EQ(check("{deformation: static, loads: [{link: strip, force: [0, 0, -10]}]}").code, 0);
  EXPECT_EQ(check("{deformation: static, strip.1: 5 mm}").code, 2);
  EXPECT_EQ(check("{loads: [{link: strip, force: [0, 0, -10]}]}").code, 2);
}

TEST(InitialState, FromAnotherRunsEnd) {
  const std::string whole =
      std::string(strip) + "initial: {hub: 0.3}\nsimulate: {for: 1 s, rtol: 1e-10, atol: 1e-12}\n";
  const Results reference = results_of(whole);
  const TemporaryFolder scratch;
  const std::string first = scratch.write("first.yaml", whole);
  ASSERT_EQ(run_program({"run", first, "-o", scratch.path() + "/a", "--set", "simulate.for=0.4 s"}).code, 0);
  const Finished second = run_program(
      {"run", first, "-o", scratch.path() + "/b", "--set", "simulate.for=0.6 s", "--from", scratch.path() + "/a"});
  ASSERT_EQ(second.code, 0) << second.err;
  const Results continued = Results::read(scratch.path() + "/b/results.h5");
  for (const char* name : {"hub", "strip.1", "strip.2", "hub.rate", "strip.1.rate"})
    EXPECT_NEAR(series(continued, name).back(), series(reference, name).back(), 1e-7) << name;
  const Finished other = run_program(
      {"run", example("07_double_pendulum/case.yaml"), "-o", scratch.path() + "/c", "--from", scratch.path() + "/a"});
  EXPECT_EQ(other.code, 2);
  EXPECT_NE(other.err.find("--from"), std::string::npos) << other.err;
}

// An arm of the same names is not the same arm: what differs is said, and other shapes are refused.
TEST(InitialState, FromARunOfAnArmThatDiffers) {
  const TemporaryFolder scratch;
  const std::string file = scratch.write("case.yaml", std::string(strip) + "simulate: {for: 0.1 s}\n");
  const std::string a = scratch.path() + "/a";
  ASSERT_EQ(run_program({"run", file, "-o", a}).code, 0);
  int n = 0;
  auto from_a = [&](const std::string& change) {
    return run_program({"run", file, "-o", scratch.path() + "/b" + std::to_string(n++), "--from", a, "--set", change});
  };
  const Finished same = from_a("simulate.for=0.2 s");
  EXPECT_EQ(same.code, 0);
  EXPECT_EQ(same.err.find("--from"), std::string::npos) << same.err;
  const Finished longer = from_a("links[0].beam.length=1.25");
  EXPECT_EQ(longer.code, 0) << longer.err;
  EXPECT_NE(
      longer.err.find("warning: --from: " + a + "/results.h5 is of a different arm: arm.links[0].beam.length is \""),
      std::string::npos)
      << longer.err;
  EXPECT_NE(longer.err.find("there and \"1.25\" here; its positions and rates are used as they are"), std::string::npos)
      << longer.err;
  const Finished shapes = from_a("links[0].beam.flexibility.modes.shape=clamped-free");
  EXPECT_EQ(shapes.code, 2);
  EXPECT_NE(
      shapes.err.find("its links deform by other shapes, so their coordinates have another meaning: "
                      "arm.links[0].beam.flexibility.modes.shape is \"polynomial\" there and \"clamped-free\" here"),
      std::string::npos)
      << shapes.err;
}

}  // namespace
}  // namespace lithe::testing
