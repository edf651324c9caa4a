// Whole runs: the audit closes, stops are hit, resuming changes nothing, driven and free agree.
#include "lithe/simulate/run.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <numeric>

#include "app/run_program.h"
#include "lithe/arm/kinematics.h"
#include "support/random_arm.h"
#include "support/run_results.h"

namespace lithe::testing {
namespace {

const char* elbow = R"(
arm:
  links:
    - {name: upper, joint: {name: shoulder, type: revolute, axis: [0, -1, 0], damping: 0.3}, rigid: {length: 1, mass: 3, com: [0.45, 0, 0], inertia: {xx: 0.1, yy: 0.25, zz: 0.25}}}
    - {name: fore, joint: {name: elbow, type: revolute, axis: [0, -1, 0], friction: 0.4 N.m}, rigid: {length: 0.7, mass: 2, com: [0.35, 0, 0], inertia: {xx: 0.1, yy: 0.12, zz: 0.12}}, payload: {mass: 1}}
)";

double worst_residual(const Results& results) {
  double worst = 0;
  for (const double r : series(results, "energy.residual")) worst = std::max(worst, std::abs(r));
  return worst;
}

/// Nothing put in, nothing lost: a bending double pendulum swings wildly for half a minute and keeps its energy, whoever computes it.
TEST(Run, BendingArmsKeepTheirEnergyForLong) {
  const char* text = R"(
arm:
  gravity: [0, 0, -9.81]
  links:
    - name: upper
      joint: {name: shoulder, type: revolute, axis: [0, 1, 0]}
      beam: {length: 0.8 m, material: aluminium, section: {rectangle: {width_y: 40 mm, height_z: 3 mm}}, flexibility: {modes: {bending_z: 1}}}
    - name: fore
      joint: {name: elbow, type: revolute, axis: [0, 1, 0]}
      beam: {length: 0.6 m, material: aluminium, section: {rectangle: {width_y: 40 mm, height_z: 3 mm}}, flexibility: {modes: {bending_z: 1}}}
initial: {shoulder: 20 deg, elbow: 50 deg}
simulate: {for: 30 s, output_step: 0.5 s, method: dopri5, rtol: 1e-11, atol: 1e-12}
)";
  for (const char* formulation : {"articulated", "kane"}) {
    const Results results = results_of(text, {}, {.formulation = formulation});
    ASSERT_TRUE(results.complete);
    const auto& kinetic = series(results, "energy.kinetic");
    const auto& elastic = series(results, "energy.elastic");
    EXPECT_GT(*std::max_element(kinetic.begin(), kinetic.end()), 1);
    EXPECT_GT(*std::max_element(elastic.begin(), elastic.end()), 1e-3) << "too stiff to prove anything";
    EXPECT_LT(worst_residual(results), 1e-6) << formulation;
  }
}

TEST(Run, AuditClosesForEveryDrive) {
  // Damping, friction, a driven joint, a controller, a load: what goes in, less what is lost, is what is stored.
  const std::string text = std::string(elbow) + R"(
motion: {shoulder: {cycloidal: {to: 60 deg, in: 1.5 s}}}
torque: {elbow: {pd: {kp: 40, kd: 8, target: 45 deg, saturation: 20 N.m}}}
loads: [{link: fore, force: [3, 0, 5], moment: [0, 1, 0], axes: link, scale: {sinusoid: {amplitude: 1, frequency: 0.7 Hz}}}]
simulate: {for: 3 s, rtol: 1e-10, atol: 1e-12}
)";
  const Results results = results_of(text);
  EXPECT_TRUE(results.complete);
  EXPECT_GT(std::abs(series(results, "energy.input").back()), 1) << "nothing was put in: the audit proves nothing";
  EXPECT_GT(series(results, "energy.dissipated").back(), 0.1);
  EXPECT_LT(worst_residual(results), 1e-6);
  EXPECT_EQ(results.time.back(), 3);
  EXPECT_EQ(results.time.size(), 501u);
}

TEST(Run, AuditClosesOnMovingPlanarAndFreeBases) {
  for (const BaseType base : {BaseType::moving, BaseType::planar, BaseType::free}) {
    Case data = random_case(4, 12, {.drive_line = true, .base = base});
    data.simulate = Simulate{.duration = 1, .rtol = 1e-10, .atol = 1e-12};
    for (const LinkSpec& link : data.arm.links)
      if (link.joint.type != "fixed") data.torque[link.joint.name] = {ConstantTorque{3}};
    const TemporaryFolder scratch;
    CaseFile file;
    file.data = data;
    run(file, Arm::assemble(data), {scratch.path() + "/r.h5"});
    const Results results = Results::read(scratch.path() + "/r.h5");
    EXPECT_GT(std::abs(series(results, "energy.input").back()), 0.1) << int(base);
    EXPECT_LT(worst_residual(results), 1e-6) << int(base);
  }
}

TEST(Run, EveryMethodGivesTheSameMotion) {
  const std::string text = std::string(elbow) +
                           "torque: {elbow: {profile: {trapezoidal_velocity: {to: 5, in: 1 s}}}}\nsimulate: {for: 1.5 "
                           "s, rtol: 1e-10, atol: 1e-12}\n";
  // Friction that a fixed step resolves: at 1e-3 rad/s it would set in within one step.
  const Override friction{"arm.links[1].joint.friction", "{forward: 0.4, backward: 0.4, smoothing: 0.1}"};
  const Results reference = results_of(text, {friction});
  for (const char* method : {"cvode-adams", "merson", "dopri5", "esdirk", "rk4", "midpoint"}) {
    std::vector<Override> overrides{friction, {"simulate.method", method}};
    const bool fixed = std::string(method) == "rk4" || std::string(method) == "midpoint";
    if (fixed) overrides.push_back({"simulate.step", "2e-4"});
    const Results results = results_of(text, overrides);
    // Second order at h = 2e-4 errs by some 1e-7; the others by their tolerance, summed.
    const double tolerance = std::string(method) == "midpoint" ? 3e-6 : 2e-7;
    for (const char* name : {"shoulder", "elbow"})
      EXPECT_NEAR(series(results, name).back(), series(reference, name).back(), tolerance) << method;
  }
}

// A clamped beam let go is a linear oscillator: every method keeps its energy, as its tolerance promises, for fifty periods.
TEST(Run, UndampedBeamRingsOnByEveryMethod) {
  const char* text = R"(
arm:
  gravity: [0, 0, 0]
  links:
    - {name: bar, joint: {name: wall, type: fixed}, beam: {length: 1 m, material: aluminium, section: {tube: {outer_diameter: 60 mm, inner_diameter: 56 mm}}, flexibility: {modes: {bending_z: 2}}}}
initial: {bar.1: 5 mm}
simulate: {for: 0.5 s, rtol: 1e-8, atol: 1e-10}
)";
  for (const char* method : {"cvode", "cvode-adams", "dopri5", "merson", "esdirk"}) {
    const Results results = results_of(text, {{"simulate.method", method}});
    const auto& elastic = series(results, "energy.elastic");
    EXPECT_LT(worst_residual(results), 1e-4 * *std::max_element(elastic.begin(), elastic.end())) << method;
  }
}

TEST(Run, ResumedRunsEndWithTheSameBits) {
  const std::string base = std::string(elbow) + R"(
torque: {elbow: {pd: {kp: 40, kd: 8, follow: {cycloidal: {to: 1, in: 0.5 s}}, sample_time: 10 ms}}}
initial: {shoulder: 0.4}
simulate: {for: 1 s, checkpoint: 0.17 s}
)";
  // The midpoint rule at this step wants friction that sets in less suddenly.
  for (const char* method : {"cvode", "cvode-adams", "merson", "dopri5", "esdirk", "rk4", "midpoint"}) {
    std::vector<Override> overrides{{"simulate.method", method},
                                    {"arm.links[1].joint.friction", "{forward: 0.4, backward: 0.4, smoothing: 0.1}"}};
    if (std::string(method) == "rk4" || std::string(method) == "midpoint")
      overrides.push_back({"simulate.step", "2e-3"});
    const Results whole = results_of(base, overrides);
    const TemporaryFolder scratch;
    std::atomic<bool> stop = false;
    RunOptions options{scratch.path() + "/r.h5", "articulated", false, &stop, [&](double t) { stop = t > 0.55; }, 0};
    EXPECT_THROW(results_of(base, overrides, options), RunError) << method;
    EXPECT_FALSE(Results::read(options.file).complete);
    stop = false;
    options.progress = {};
    options.resume = true;
    const Results resumed = results_of(base, overrides, options);
    EXPECT_TRUE(resumed.complete);
    EXPECT_EQ(resumed.time, whole.time) << method;
    EXPECT_EQ(resumed.series, whole.series) << method;  // every bit
  }
}

TEST(Run, SampledTorqueIsHeldBetweenSamples) {
  const std::string text = std::string(elbow) + R"(
torque: {elbow: {pd: {kp: 40, kd: 8, target: 1, sample_time: 50 ms}}}
simulate: {for: 0.5 s, output_step: 10 ms}
)";
  const Results results = results_of(text);
  const auto& torque = series(results, "elbow.torque");
  // A row on a sample shows the value held until then; so rows 1–5, 6–10, … are equal, and neighbours differ.
  for (size_t k = 1; k + 5 < torque.size(); k += 5) {
    for (size_t i = 1; i < 5; ++i) EXPECT_EQ(torque[k + i], torque[k]) << k;
    EXPECT_NE(torque[k + 5], torque[k]) << k;
  }
}

TEST(Run, DrivenEqualsFreeUnderTheReportedTorque) {
  const TemporaryFolder scratch;
  const std::string driven = std::string(elbow) + R"(
motion: {shoulder: {quintic: {to: 1, in: 1 s}}, elbow: {quintic: {to: -0.5, in: 1 s}}}
simulate: {for: 1 s, output_step: 1 ms}
)";
  const Results given = results_of(driven);
  std::ofstream table(scratch.path() + "/torque.csv");
  table.precision(17);
  for (size_t k = 0; k < given.time.size(); ++k)
    table << given.time[k] << "," << series(given, "shoulder.torque")[k] << "," << series(given, "elbow.torque")[k]
          << "\n";
  table.close();
  const std::string free = std::string(elbow) + "torque: {shoulder: {profile: {table: {file: " + scratch.path() +
                           "/torque.csv}}}, elbow: {profile: {table: {file: " + scratch.path() +
                           "/torque.csv, column: 3}}}}\nsimulate: {for: 1 s, rtol: 1e-10, atol: 1e-12}\n";
  const Results fed_back = results_of(free);
  // The spline through the torque errs by h⁴ inside and h² at its ends, where Coulomb friction also sets in.
  EXPECT_NEAR(series(fed_back, "shoulder").back(), 1, 1e-4);
  EXPECT_NEAR(series(fed_back, "elbow").back(), -0.5, 1e-4);
}

TEST(Run, SoftStopsAreCornersThatAreHit) {
  const std::string text = R"(
arm:
  gravity: [0, 0, 0]
  links: [{name: a, joint: {name: p, type: revolute, axis: [0, 0, 1], limits: {lower: -1, upper: 0.5, stiffness: 1e4}}, rigid: {mass: 1, com: [1, 0, 0]}}]
initial: {p: {position: 0, rate: 2}}
simulate: {for: 1 s, rtol: 1e-9, atol: 1e-11, output_step: 1 ms}
)";
  const Results results = results_of(text);
  // Free flight to the stop at t = 0.25, a half period π√(J/k) in it, and away again at the same speed.
  const double contact = M_PI * std::sqrt(1 / 1e4), back = 0.25 + contact;
  const double expected = 0.5 - 2 * (1 - back);
  EXPECT_NEAR(series(results, "p").back(), expected, 1e-6);
  EXPECT_LT(worst_residual(results), 1e-6);
}

TEST(Run, ElasticTransmissionsAreTheFourMassBenchmark) {
  // Moberg, Öhr & Gunnarsson's chain motor – k1 – k2 – k3 on one axis, integrated here in absolute angles by our own
  // Runge–Kutta; with a hardening first spring.
  const double Jm = 5e-3, J1 = 2e-3, J2 = 0.02, J3 = 0.02, k1 = 16.7, hard = 4000, k2 = 110, k3 = 80;
  const double d1 = 0.08, d2 = 0.06, d3 = 0.08, fm = 6e-3, torque = 2;
  using Vector8d = Eigen::Matrix<double, 8, 1>;
  auto f = [&](const Vector8d& y) {
    const auto x = y.head<4>(), v = y.tail<4>();
    const double a = x[0] - x[1], t1 = k1 * a + hard * a * a * a + d1 * (v[0] - v[1]);
    const double t2 = k2 * (x[1] - x[2]) + d2 * (v[1] - v[2]), t3 = k3 * (x[2] - x[3]) + d3 * (v[2] - v[3]);
    Vector8d r;
    r << v, (torque - fm * v[0] - t1) / Jm, (t1 - t2) / J1, (t2 - t3) / J2, t3 / J3;
    return r;
  };
  Vector8d y = Vector8d::Zero();
  const int n = 40000;
  const double h = 0.5 / n;
  for (int i = 0; i < n; ++i) {
    const Vector8d a = f(y), b = f(y + h / 2 * a), c = f(y + h / 2 * b), d = f(y + h * c);
    y += h / 6 * (a + 2 * b + 2 * c + d);
  }
  const Results results = results_of(R"(
arm:
  gravity: [0, 0, 0]
  links:
    - {name: a1, joint: {name: gear, type: revolute, axis: [0, 0, 1], motor: {inertia: 5e-7, gear_ratio: 100, stiffness: 16.7, hardening: 4000, damping: 0.08, bearing: 6e-7}}, rigid: {mass: 1, inertia: {xx: 2e-3, yy: 2e-3, zz: 2e-3}}}
    - {name: a2, joint: {name: second, type: revolute, axis: [0, 0, 1], damping: 0.06, spring: {stiffness: 110}}, rigid: {mass: 1, inertia: {xx: 0.02, yy: 0.02, zz: 0.02}}}
    - {name: a3, joint: {name: third, type: revolute, axis: [0, 0, 1], damping: 0.08, spring: {stiffness: 80}}, rigid: {mass: 1, inertia: {xx: 0.02, yy: 0.02, zz: 0.02}}}
torque: {gear: 2 N.m}
simulate: {for: 0.5 s, rtol: 1e-10, atol: 1e-12}
)");
  const double motor = series(results, "gear.motor").back(), first = series(results, "gear").back();
  EXPECT_NEAR(motor, y[0], 1e-6);
  EXPECT_NEAR(first, y[1], 1e-6);
  EXPECT_NEAR(first + series(results, "second").back(), y[2], 1e-6);
  EXPECT_NEAR(first + series(results, "second").back() + series(results, "third").back(), y[3], 1e-6);
  EXPECT_LT(worst_residual(results), 1e-6);
}

TEST(Run, FloatingArmKeepsItsMomentum) {
  Case data = random_case(4, 8, {.base = BaseType::free});
  data.arm.gravity.setZero();
  data.initial.base = InitialBase{{1, 2, 3}, {0.1, 0.2, 0.3}, {0.3, 0.1, -0.2}, {0.5, -0.4, 0.2}};
  for (const LinkSpec& link : data.arm.links)
    if (link.joint.type != "fixed") data.torque[link.joint.name] = {Profile{Sinusoid{2, 1, 0, {}}}};
  data.simulate = Simulate{.duration = 2, .rtol = 1e-10, .atol = 1e-12};
  const TemporaryFolder scratch;
  CaseFile file;
  file.data = data;
  const Arm arm = Arm::assemble(data);
  run(file, arm, {scratch.path() + "/r.h5"});
  const Results results = Results::read(scratch.path() + "/r.h5");
  Vector6d first;
  for (size_t k = 0; k < results.time.size(); k += 50) {
    State state = State::zero(arm);
    for (int i = 0; i < arm.nq(); ++i) state.q[i] = results.series[i][k];
    for (int i = 0; i < arm.nv(); ++i) state.v[i] = results.series[arm.nq() + i][k];
    const Vector6d now = momentum(arm, state, kinematics_of(arm, state));
    if (k == 0) first = now;
    EXPECT_LT((now - first).norm(), 1e-6 * (1 + first.norm())) << results.time[k];
  }
}

TEST(RunProgram, SaysWhereAndWhyItStopped) {
  const TemporaryFolder scratch;
  const std::string file = scratch.write("wild.yaml", std::string(elbow) + R"(
torque: {elbow: {pd: {kp: 1e7, kd: 0, target: 1, sample_time: 20 ms}}}
simulate: {for: 10 s, output_step: 5 ms}
)");
  const Finished finished = run_program({"run", file, "-o", scratch.path() + "/out"});
  EXPECT_EQ(finished.code, 1);
  EXPECT_NE(finished.err.find("stopped at t = "), std::string::npos) << finished.err;
  EXPECT_NE(finished.err.find("Moving fastest: '"), std::string::npos) << finished.err;
  EXPECT_NE(finished.err.find("marked incomplete"), std::string::npos) << finished.err;
  const Results kept = Results::read(scratch.path() + "/out/results.h5");
  EXPECT_FALSE(kept.complete);
  EXPECT_GT(kept.time.size(), 1u);
}

/// A double pendulum that never comes to rest, so that its run lasts.
const char* restless = R"(
arm:
  links:
    - {name: upper, joint: {name: shoulder, type: revolute, axis: [0, 1, 0]}, rigid: {shape: {rod: {length: 1}}, mass: 1}}
    - {name: fore, joint: {name: elbow, type: revolute, axis: [0, 1, 0]}, rigid: {shape: {rod: {length: 1}}, mass: 1}}
initial: {shoulder: -1}
)";

TEST(RunProgram, KilledRunLeavesAReadableFile) {
  const TemporaryFolder scratch;
  const std::string file = scratch.write(
      "long.yaml", std::string(restless) + "simulate: {for: 4000 s, checkpoint: 1 s, rtol: 1e-10, atol: 1e-12}\n");
  const std::string out = scratch.path() + "/out";
  const pid_t child = fork();
  if (child == 0) {
    execl(LITHE_PROGRAM, LITHE_PROGRAM, "run", file.c_str(), "-o", out.c_str(), "--json", nullptr);
    _exit(127);
  }
  // Until some checkpoints are there; the run takes far longer than that.
  for (int k = 0; k < 600; ++k) {
    usleep(10'000);
    if (std::filesystem::exists(out + "/results.h5") && Results::read(out + "/results.h5").time.size() > 3) break;
  }
  kill(child, SIGKILL);
  waitpid(child, nullptr, 0);
  const Results left = Results::read(out + "/results.h5");
  EXPECT_FALSE(left.complete);
  EXPECT_GT(left.time.size(), 3u);
  EXPECT_NE(run_program({"info", out}).out.find("incomplete"), std::string::npos);
}

TEST(RunProgram, InterruptStopsCleanly) {
  const TemporaryFolder scratch;
  const std::string file =
      scratch.write("long.yaml", std::string(restless) + "simulate: {for: 40000 s, rtol: 1e-10, atol: 1e-12}\n");
  const std::string out = scratch.path() + "/out";
  const pid_t child = fork();
  if (child == 0) {
    execl(LITHE_PROGRAM, LITHE_PROGRAM, "run", file.c_str(), "-o", out.c_str(), nullptr);
    _exit(127);
  }
  usleep(300'000);
  kill(child, SIGINT);
  int status = 0;
  waitpid(child, &status, 0);
  EXPECT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 1);
  const Results left = Results::read(out + "/results.h5");
  EXPECT_FALSE(left.complete);
  EXPECT_NE(left.stopped_because.find("interrupted at t = "), std::string::npos) << left.stopped_because;
}

TEST(RunProgram, PrintsJsonAndNeedsADuration) {
  const TemporaryFolder scratch;
  const std::string file = scratch.write("case.yaml", std::string(elbow) + "simulate: {for: 0.1 s}\n");
  const Finished finished = run_program({"run", file, "-o", scratch.path() + "/out", "--json"});
  ASSERT_EQ(finished.code, 0) << finished.err;
  const auto answer = nlohmann::json::parse(finished.out);
  EXPECT_EQ(answer["rows"], 501);
  EXPECT_LT(answer["energy"]["residual"].get<double>(), 1e-5);
  EXPECT_TRUE(answer["peaks"].contains("shoulder.rate"));
  // A stiff controller under gravity compensation arrives.
  const Finished held = run_program({"run", file, "-o", scratch.path() + "/held", "--json", "--set", "simulate.for=3 s",
                                     "--set", "torque={elbow: {computed_torque: {kp: 100, kd: 20, target: 0.4}}}",
                                     "--set", "motion={shoulder: {dwell: {for: 1 s}}}"});
  ASSERT_EQ(held.code, 0) << held.err;
  EXPECT_NEAR(nlohmann::json::parse(held.out)["final_errors"]["elbow"].get<double>(), 0, 1e-5);
  const Finished missing = run_program({"run", scratch.write("short.yaml", elbow)});
  EXPECT_EQ(missing.code, 2);
  EXPECT_NE(missing.err.find("simulate: missing; expected a duration"), std::string::npos) << missing.err;
  const Finished unwritable = run_program({"run", file, "-o", "/proc/no"});
  EXPECT_EQ(unwritable.code, 1);
  EXPECT_NE(unwritable.err.find("cannot write /proc/no"), std::string::npos) << unwritable.err;
}

}  // namespace
}  // namespace lithe::testing
