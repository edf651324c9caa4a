// Events against closed forms of what happens before and after them.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <atomic>
#include <cmath>
#include <numbers>

#include "lithe/describe/case_writer.h"
#include "lithe/drive/event_drives.h"
#include "lithe/dynamics/articulated/articulated.h"
#include "lithe/simulate/simulation.h"
#include "support/run_results.h"

namespace lithe::testing {
namespace {

constexpr double g = 9.81;

double largest(const std::vector<double>& values) {
  double most = 0;
  for (const double value : values) most = std::max(most, std::abs(value));
  return most;
}

RunSummary summary_of(const std::string& text, const std::vector<Override>& overrides = {}) {
  const TemporaryFolder scratch;
  const CaseFile file = read_case_text(text, "case", overrides);
  RunOptions options;
  options.file = scratch.path() + "/results.h5";
  return run(file, Arm::assemble(file.data), options);
}

/// What hangs on a spring of 200 N/m: 2 kg of its own, and a payload.
std::string spring_balance(const std::string& rest) {
  return R"(
arm:
  links:
    - {name: pan, joint: {name: z, type: prismatic, axis: [0, 0, 1], spring: {stiffness: 200 N/m}}, rigid: {mass: 2}, payload: {mass: 3}}
)" + rest;
}

// ---- payloads

TEST(Events, APayloadLetGoLeavesAnotherOscillation) {
  constexpr double k = 200, before = 5, after = 2, t1 = 0.4, amplitude = 0.05;
  const std::string text = spring_balance(
      "initial: {z: -0.19525 m}\nevents: [{name: let go, at: 0.4 s, payload: {link: pan, mass: 0}}]\n"
      "simulate: {for: 2 s, output_step: 10 ms, rtol: 1e-10, atol: 1e-12}\n");
  const double w0 = std::sqrt(k / before), w1 = std::sqrt(k / after), rest0 = -before * g / k, rest1 = -after * g / k;
  const double z1 = rest0 + amplitude * std::cos(w0 * t1), v1 = -amplitude * w0 * std::sin(w0 * t1);
  auto position = [&](double t) {
    if (t <= t1) return rest0 + amplitude * std::cos(w0 * t);
    return rest1 + (z1 - rest1) * std::cos(w1 * (t - t1)) + v1 / w1 * std::sin(w1 * (t - t1));
  };
  for (const char* const method : {"cvode", "cvode-adams", "dopri5", "merson", "esdirk", "rk4", "midpoint"}) {
    const bool fixed = method == std::string("rk4") || method == std::string("midpoint");
    std::vector<Override> overrides{{"simulate.method", method}};
    if (fixed) overrides.push_back({"simulate.step", "1e-4 s"});
    const Results results = results_of(text, overrides);
    const std::vector<double>& z = series(results, "z");
    // Adaptive ones: some thousand steps of 3e-11. The midpoint rule with ωh = 1e-3: phases are off by (ωh)²/12 ωt < 2e-6.
    const double tolerance = method == std::string("midpoint") ? 1e-6 : 1e-7;
    for (size_t r = 0; r < z.size(); ++r) EXPECT_NEAR(z[r], position(results.time[r]), tolerance) << method << r;
    // What leaves takes its energy along; nobody has worked and nothing is lost.
    EXPECT_LT(largest(series(results, "energy.residual")), 1e-6) << method;
    EXPECT_LT(largest(series(results, "energy.input")), 1e-9) << method;
    EXPECT_LT(largest(series(results, "energy.dissipated")), 1e-12) << method;
    EXPECT_EQ(results.statistics.at("events"), 1);
  }
  const RunSummary summary = summary_of(text);
  ASSERT_EQ(summary.events.size(), 1);
  EXPECT_EQ(summary.events[0].first, "let go");
  EXPECT_EQ(summary.events[0].second, 0.4);
}

const std::string turntable = R"(
arm:
  gravity: [0, 0, 0]
  links:
    - {name: table, joint: {name: axle, type: revolute, axis: [0, 0, 1]}, rigid: {length: 1 m, mass: 1, inertia: {xx: 1, yy: 1, zz: 0.5}}}
)";

TEST(Events, ABodyAtRestIsCaughtWithItsMomentum) {
  // 0.5 kg·m² turns with 3 rad/s and catches 0.25 kg at 1 m: 0.75 kg·m² go on with 2 rad/s.
  const std::string free = turntable + "initial: {axle: {rate: 3 rad/s}}\nsimulate: {for: 1 s, output_step: 0.1 s}\n";
  const Results caught =
      results_of(free + "events: [{at: 0.45 s, payload: {link: table, mass: 0.25, at_rest: true}}]\n");
  EXPECT_NEAR(series(caught, "axle.rate")[4], 3, 1e-12);
  EXPECT_NEAR(series(caught, "axle.rate").back(), 2, 1e-9);  // two solutions that differ by 1e6, and their rounding
  EXPECT_NEAR(series(caught, "axle").back(), 3 * 0.45 + 2 * 0.55, 1e-8);
  EXPECT_NEAR(series(caught, "energy.dissipated").back(), 0.5 * (0.5 * 9 - 0.75 * 4), 1e-9);
  EXPECT_LT(largest(series(caught, "energy.residual")), 1e-9);
  EXPECT_LT(largest(series(caught, "energy.input")), 1e-9);
  // Moving with the tip already, it changes no rate and brings its energy along.
  const Results joined = results_of(free + "events: [{at: 0.45 s, payload: {link: table, mass: 0.25}}]\n");
  EXPECT_NEAR(series(joined, "axle.rate").back(), 3, 1e-12);
  EXPECT_NEAR(series(joined, "energy.kinetic").back(), 0.5 * 0.75 * 9, 1e-9);
  EXPECT_LT(largest(series(joined, "energy.dissipated")), 1e-12);
  EXPECT_LT(largest(series(joined, "energy.residual")), 1e-9);
  // A driven joint does not give way: it puts in P ω = 0.25·9, of which half becomes motion.
  const Results driven = results_of(turntable +
                                    "motion: {axle: {lines: [{at: 2 s, to: 6 rad}]}}\n"
                                    "simulate: {for: 1 s, output_step: 0.1 s}\n"
                                    "events: [{at: 0.45 s, payload: {link: table, mass: 0.25, at_rest: true}}]\n");
  EXPECT_NEAR(series(driven, "axle.rate").back(), 3, 1e-12);
  EXPECT_NEAR(series(driven, "energy.input").back(), 0.25 * 9, 1e-8);
  EXPECT_NEAR(series(driven, "energy.dissipated").back(), 0.25 * 9 / 2, 1e-8);
  EXPECT_LT(largest(series(driven, "energy.residual")), 1e-8);
}

TEST(Events, ACatchOnAMovingBaseKnowsHowTheTipMoves) {
  // A slide of 2 kg lies still on a base that moves with 3 m/s, and catches 1 kg that stands still: both go on with 2 m/s.
  const Results results = results_of(R"(
arm:
  gravity: [0, 0, 0]
  base: {type: moving, motion: {velocity: [3 m/s, 0, 0]}}
  links:
    - {name: cart, joint: {name: x, type: prismatic, axis: [1, 0, 0]}, rigid: {mass: 2}}
events: [{at: 0.5 s, payload: {link: cart, mass: 1, at_rest: true}}]
simulate: {for: 1 s, output_step: 0.1 s}
)");
  EXPECT_NEAR(series(results, "x.rate").back(), -1, 1e-9);
  EXPECT_NEAR(series(results, "energy.dissipated").back(), 0.5 * (2 * 9 - 3 * 4), 1e-8);
  EXPECT_LT(largest(series(results, "energy.residual")), 1e-8);
  EXPECT_LT(largest(series(results, "energy.input")), 1e-8);
}

const std::string bending_arm = R"(
arm:
  links:
    - {name: upper, joint: {name: shoulder, type: revolute, axis: [0, -1, 0], damping: 0.2}, beam: {length: 1, material: aluminium, section: {rectangle: {width_y: 20 mm, height_z: 10 mm}}, flexibility: {modes: {bending_z: 2}}, damping: {ratio: 0.02}}}
    - {name: fore, joint: {name: elbow, type: revolute, axis: [0, -1, 0], damping: 0.1}, rigid: {length: 0.5, mass: 0.6, com: [0.25, 0, 0], inertia: {xx: 0.001, yy: 0.01, zz: 0.01}}, payload: {mass: 0.4}}
)";

TEST(Events, ACatchKeepsAllMomentaOfABendingArm) {
  // By mass matrices alone, which share nothing with how the run finds the rates.
  const std::string text =
      bending_arm + "simulate: {for: 1 s, rtol: 1e-10, atol: 1e-12}\ninitial: {elbow: {rate: 2 rad/s}}\n";
  const std::string caught =
      "events: [{at: 0.2 s, payload: {link: fore, mass: 1, com: [0.1, 0, 0.05], inertia: {xx: 0.01, yy: 0.02, zz: "
      "0.02}, "
      "at_rest: true}}]\n";
  const Case plain = read_case_text(text).data, with = read_case_text(text + caught).data;
  Simulation before(plain, Arm::assemble(plain)), after(with, Arm::assemble(with));
  before.advance(0.2);
  after.advance(0.2);
  const State x = before.state(), y = after.state();
  ASSERT_GT(x.v.norm(), 0.1);
  ASSERT_EQ(after.events().happened().size(), 1);
  MatrixXd M_before(x.v.size(), x.v.size()), M_after = M_before;
  Articulated(before.arm()).mass_matrix(x, M_before);
  Articulated(after.arm()).mass_matrix(y, M_after);
  EXPECT_LT((x.q - y.q).norm(), 1e-8);                       // both within the tolerance of the run
  EXPECT_LT((M_after * y.v - M_before * x.v).norm(), 1e-7);  // the same, of rates
  EXPECT_GT((M_after * x.v - M_before * x.v).norm(), 0.01);  // it is no small thing
}

TEST(Events, ACatchMindsAnAxle) {
  const std::string text = R"(
arm:
  gravity: [0, 0, 0]
  base: {type: planar, axle: 0 m, rigid: {mass: 10, inertia: {xx: 1, yy: 1, zz: 1}}}
  links:
    - {name: mast, joint: {name: swing, type: revolute, axis: [0, 0, 1], origin: {xyz: [0.3, 0, 0]}}, rigid: {length: 1, mass: 1, com: [0.5, 0, 0], inertia: {xx: 0.01, yy: 0.1, zz: 0.1}}}
initial: {base: {velocity: [1, 0, 0]}, swing: {rate: 2 rad/s}}
events: [{when: {of: swing, rises_above: 60 deg}, payload: {link: mast, mass: 2, at_rest: true}}]
simulate: {for: 1 s, output_step: 10 ms, rtol: 1e-9, atol: 1e-11}
)";
  const CaseFile file = read_case_text(text);
  Simulation simulation(file.data, Arm::assemble(file.data));
  simulation.keep_rows();
  simulation.finish();
  ASSERT_EQ(simulation.events().happened().size(), 1);
  // A constraint does no work; a base whose y axis slips would show in the books and in the velocity across.
  EXPECT_LT(largest(series(simulation.results(), "energy.residual")), 1e-6);
  EXPECT_GT(series(simulation.results(), "energy.dissipated").back(), 0.1);
  const State end = simulation.state();
  EXPECT_NEAR(-std::sin(end.q[2]) * end.v[0] + std::cos(end.q[2]) * end.v[1], 0, 1e-9);
}

// ---- laws

TEST(Events, ALawChangesWhereAFallCrosses) {
  // From 5 m; at 2 m a force of twice the weight brakes it.
  const std::string text = R"(
arm:
  links: [{name: ball, joint: {name: z, type: prismatic, axis: [0, 0, 1]}, rigid: {mass: 2}}]
initial: {z: 5 m}
events: [{name: brake, when: {of: z, falls_below: 2 m}, torque: {z: 39.24 N}}]
simulate: {for: 1.4 s, output_step: 10 ms, rtol: 1e-10, atol: 1e-12}
)";
  const double t1 = std::sqrt(2 * 3 / g);
  for (const char* const method : {"cvode", "cvode-adams", "dopri5", "merson", "esdirk", "rk4"}) {
    std::vector<Override> overrides{{"simulate.method", method}};
    if (method == std::string("rk4")) overrides.push_back({"simulate.step", "1 ms"});
    const RunSummary summary = summary_of(text, overrides);
    ASSERT_EQ(summary.events.size(), 1) << method;
    // The height to some hundred steps of the tolerance, 1e-10 of 5 m, divided by the speed of 7.7 m/s.
    EXPECT_NEAR(summary.events[0].second, t1, 1e-7) << method;
    const Results results = results_of(text, overrides);
    const std::vector<double>& z = series(results, "z");
    for (size_t r = 0; r < z.size(); ++r) {
      const double t = results.time[r], s = t - t1;
      EXPECT_NEAR(z[r], s < 0 ? 5 - g * t * t / 2 : 2 - g * t1 * s + g * s * s / 2, 1e-6) << method << t;
    }
    EXPECT_LT(largest(series(results, "energy.residual")), 1e-6);
  }
  // Of the tip's place the same.
  const RunSummary tip = summary_of(text, {{"events[0].when", "{of: tip.z, falls_below: 2 m}"}});
  ASSERT_EQ(tip.events.size(), 1);
  EXPECT_NEAR(tip.events[0].second, t1, 1e-7);
  // A rate: −7 m/s is reached after 7/g.
  const RunSummary rate = summary_of(text, {{"events[0].when", "{of: z.rate, crosses: -7 m/s}"}});
  ASSERT_EQ(rate.events.size(), 1);
  EXPECT_NEAR(rate.events[0].second, 7 / g, 1e-7);
  // What is beyond its value from the start does not come to it.
  EXPECT_TRUE(summary_of(text, {{"events[0].when", "{of: z, falls_below: 6 m}"}}).events.empty());
}

TEST(Events, ANewLawBeginsThereAndThen) {
  // Computed torque makes the error obey ë + 20 ė + 100 e = 0. At 0.3 s the table is at 0.5 rad with 1 rad/s, and the command starts from
  // there at rest: e = −s exp(−10 s), s the time since.
  const std::string text = turntable + R"(
initial: {axle: {position: 0.2 rad, rate: 1 rad/s}}
events: [{at: 0.3 s, torque: {axle: {computed_torque: {kp: 100, kd: 20, follow: {cycloidal: {to: 1 rad, in: 0.5 s}}}}}}]
simulate: {for: 1 s, output_step: 10 ms, rtol: 1e-10, atol: 1e-12}
)";
  const Results results = results_of(text);
  const std::vector<double>& q = series(results, "axle");
  for (size_t r = 0; r < q.size(); ++r) {
    const double t = results.time[r], s = t - 0.3, share = std::min(s / 0.5, 1.0), turn = 2 * std::numbers::pi * share;
    const double command = 0.5 + 0.5 * (share - std::sin(turn) / (2 * std::numbers::pi));
    EXPECT_NEAR(q[r], s < 0 ? 0.2 + t : command + s * std::exp(-10 * s), 1e-7) << t;
  }
}

TEST(Events, ANewSampledLawSamplesFromThere) {
  const Results results = results_of(turntable + R"(
initial: {axle: {rate: 1 rad/s}}
events: [{at: 0.25 s, torque: {axle: {pd: {kp: 1, kd: 0, target: 0, sample_time: 0.1 s}}}}]
simulate: {for: 1 s, output_step: 0.05 s, rtol: 1e-10, atol: 1e-12}
)");
  const std::vector<double>&q = series(results, "axle"), &torque = series(results, "axle.torque");
  EXPECT_EQ(torque[4], 0);
  // Rows on a sample show the side before it.
  for (size_t sample = 5; sample + 1 < q.size(); sample += 2)
    EXPECT_NEAR(torque[sample + 1], -q[sample], 1e-9) << sample;
}

TEST(Events, LawsOfOtherJointsGoOn) {
  std::string links = "arm:\n  gravity: [0, 0, 0]\n  links:\n";
  for (const char* const name : {"a", "b", "c"})
    links += fmt::format(
        "    - {{name: {0}, parent: base, joint: {{name: {0}_axle, type: revolute, axis: [0, 0, 1]}}, rigid: {{mass: "
        "1, inertia: "
        "{{xx: 1, yy: 1, zz: 0.5}}}}}}\n",
        name);
  const std::string text = links + R"(
torque:
  b_axle: {pid: {kp: 20, ki: 30, kd: 4, derivative_filter: 20 ms, follow: {cycloidal: {to: 1 rad, in: 0.5 s}}}}
  c_axle: {pid: {kp: 20, ki: 30, kd: 4, target: 1 rad, sample_time: 20 ms}}
simulate: {for: 1 s, output_step: 10 ms, rtol: 1e-10, atol: 1e-12}
)";
  const Results plain = results_of(text);
  // Laws with states before and after theirs in the list, one of them sampled, at a time that is no sample of theirs.
  const Results changed = results_of(text + R"(
events:
  - {at: 0.333 s, torque: {a_axle: {pid: {kp: 5, ki: 5, kd: 1, target: 1 rad}}}}
  - {at: 0.433 s, torque: {a_axle: {pid: {kp: 5, ki: 5, kd: 1, target: 1 rad, sample_time: 7 ms}}}}
  - {at: 0.44 s, torque: {a_axle: 1 N.m}}
)");
  for (const char* const name : {"b_axle", "c_axle", "b_axle.torque", "c_axle.torque"}) {
    const std::vector<double>&was = series(plain, name), &is = series(changed, name);
    for (size_t r = 0; r < was.size(); ++r)
      EXPECT_NEAR(is[r], was[r], 1e-6) << name << r;  // other steps, same tolerance
  }
  EXPECT_GT(std::abs(series(changed, "a_axle").back()), 0.1);
  EXPECT_EQ(series(plain, "a_axle").back(), 0);
  EXPECT_EQ(changed.statistics.at("events"), 3);
}

// ---- loads

TEST(Events, ALoadIsSwitchedByItsFactor) {
  const std::string text = R"(
arm:
  gravity: [0, 0, 0]
  links: [{name: cart, joint: {name: x, type: prismatic, axis: [1, 0, 0]}, rigid: {mass: 2}}]
loads:
  - {link: cart, force: [1 N, 0, 0]}
  - {name: push, active: false, link: cart, force: [3 N, 0, 0]}
events:
  - {at: 0.2 s, load: {name: push, factor: 1}}
  - {at: 0.5 s, load: {name: push, factor: 0.5}}
  - {at: 0.9 s, load: {name: push, factor: 0}}
simulate: {for: 1 s, output_step: 0.1 s}
)";
  for (const char* const method : {"cvode", "dopri5", "esdirk"}) {
    const Results results = results_of(text, {{"simulate.method", method}});
    const std::vector<double>& v = series(results, "x.rate");
    // The impulse is force times time; rates that grow by straight lines leave rounding, the tolerance of 1e-8 at most.
    EXPECT_NEAR(v[2], 0.2 * 1 / 2, 1e-8);
    EXPECT_NEAR(v[5], (0.5 * 1 + 0.3 * 3) / 2, 1e-8);
    EXPECT_NEAR(v.back(), (1 * 1 + 0.3 * 3 + 0.4 * 1.5) / 2, 1e-8);
    EXPECT_LT(largest(series(results, "energy.residual")), 1e-6);
  }
}

TEST(Events, HappenOnceOrAgain) {
  const std::string text = R"(
arm:
  gravity: [0, 0, 0]
  links: [{name: pan, joint: {name: z, type: prismatic, axis: [0, 0, 1], spring: {stiffness: 200 N/m}}, rigid: {mass: 2}}]
loads: [{name: push, active: false, link: pan, force: [0, 0, 1 N]}]
initial: {z: 0.1 m}
events: [{when: {of: z, rises_above: 0 m}, load: {name: push, factor: 0}}]
simulate: {for: 2 s, rtol: 1e-10, atol: 1e-12}
)";
  // z = 0.1 cos 10 t passes zero at 10 t = π/2 + nπ: downwards first.
  auto times = [&](const std::vector<Override>& overrides) {
    std::vector<double> list;
    for (const auto& [name, t] : summary_of(text, overrides).events) {
      EXPECT_EQ(name, "1");
      list.push_back(t);
    }
    return list;
  };
  const std::vector<double> once = times({});
  ASSERT_EQ(once.size(), 1);
  EXPECT_NEAR(once[0], 0.15 * std::numbers::pi, 1e-7);
  for (const char* const method : {"cvode", "dopri5", "esdirk"}) {
    const std::vector<double> again = times({{"events[0].again", "true"}, {"simulate.method", method}});
    ASSERT_EQ(again.size(), 3) << method;
    for (size_t k = 0; k < 3; ++k) EXPECT_NEAR(again[k], (0.15 + 0.2 * double(k)) * std::numbers::pi, 1e-7) << method;
    const std::vector<double> both =
        times({{"events[0]", "{when: {of: z, crosses: 0}, again: true, load: {name: push, factor: 0}}"},
               {"simulate.method", method}});
    ASSERT_EQ(both.size(), 6) << method;
    for (size_t k = 0; k < 6; ++k) EXPECT_NEAR(both[k], (0.05 + 0.1 * double(k)) * std::numbers::pi, 1e-7) << method;
  }
}

// ---- checkpoints

const std::string eventful = bending_arm + R"(
torque:
  shoulder: {pid: {kp: 60, ki: 50, kd: 12, target: 40 deg, saturation: 25}}
  elbow: {pid: {kp: 3, ki: 2, kd: 0.3, target: -30 deg, sample_time: 20 ms}}
loads: [{name: gust, link: fore, force: [0, 0, 2 N]}]
events:
  - {name: let go, when: {of: shoulder, rises_above: 5 deg}, payload: {link: fore, mass: 0}}
  - {name: other laws, at: 0.42 s, torque: {shoulder: {pd: {kp: 50, kd: 10, follow: {cycloidal: {to: 40 deg, in: 0.3 s}}}}, elbow: {pid: {kp: 3, ki: 2, kd: 0.3, target: 0 deg}}}}
  - {name: calm, at: 0.55 s, load: {name: gust, factor: 0}}
  - {name: sampled, at: 0.61 s, torque: {elbow: {pid: {kp: 3, ki: 2, kd: 0.3, target: 10 deg, sample_time: 13 ms}}}}
  - {name: catch, at: 0.73 s, payload: {link: fore, mass: 0.3, at_rest: true}}
  - {name: swings, when: {of: elbow.rate, crosses: 0}, again: true, torque: {shoulder: {pd: {kp: 55, kd: 10, target: 40 deg}}}}
simulate: {for: 1 s, output_step: 10 ms, rtol: 1e-7, atol: 1e-9}
)";

TEST(Events, RunsEndWithTheSameBitsWhereverTheyAreTakenUp) {
  for (const char* const method : {"cvode", "dopri5", "esdirk"}) {
    const std::vector<Override> overrides{{"simulate.method", method}};
    const Results whole = results_of(eventful, overrides);
    ASSERT_GE(whole.statistics.at("events"), 5);
    EXPECT_LT(largest(series(whole, "energy.residual")), 1e-3) << method;
    for (const double cut : {0.03, 0.36, 0.52, 0.58, 0.68, 0.9}) {
      const TemporaryFolder scratch;
      std::atomic<bool> stop = false;
      RunOptions options{scratch.path() + "/r.h5", "articulated", false, &stop, [&](double t) { stop = t > cut; }, 0};
      EXPECT_THROW(results_of(eventful, overrides, options), RunError) << method;
      stop = false;
      options.progress = {};
      options.resume = true;
      const Results resumed = results_of(eventful, overrides, options);
      EXPECT_TRUE(resumed.complete);
      EXPECT_EQ(resumed.time, whole.time) << method << cut;
      EXPECT_EQ(resumed.series, whole.series) << method << cut;
      EXPECT_EQ(resumed.statistics.at("events"), whole.statistics.at("events")) << method << cut;
    }
  }
}

TEST(Events, ASimulationGoesBackBeforeThem) {
  const CaseFile file = read_case_text(eventful);
  Simulation simulation(file.data, Arm::assemble(file.data));
  std::vector<Checkpoint> kept;
  simulation.on_checkpoint([&] { kept.push_back(simulation.save()); });
  simulation.finish();
  const VectorXd end = simulation.y();
  const size_t n = simulation.events().happened().size();
  ASSERT_EQ(kept.size(), 20);
  const std::vector<Checkpoint> all = kept;
  for (const size_t k : {size_t(16), size_t(0), size_t(10)}) {
    simulation.restore(all[k]);
    simulation.finish();
    EXPECT_EQ(simulation.y(), end) << k;  // every bit
    EXPECT_EQ(simulation.events().happened().size(), n) << k;
  }
  Checkpoint bad = all[10];
  bad.memory.pop_back();
  EXPECT_THROW(simulation.restore(bad), std::invalid_argument);
}

// ---- files and refusals

TEST(Events, AreWrittenAsTheyWereRead) {
  const Case data = read_case_text(eventful).data;
  ASSERT_EQ(data.events.size(), 6);
  EXPECT_EQ(read_case_text(write_case(data)).data, data);
}

TEST(Events, RefuseWhatCannotGoOn) {
  auto refusal = [](const std::string& text) -> std::string {
    try {
      const CaseFile file = read_case_text(text);
      Simulation simulation(file.data, Arm::assemble(file.data));
    } catch (const FieldError& error) {
      return error.path() + ": " + error.what();
    } catch (const CaseError& error) {
      return error.problems()[0].path + ": " + error.problems()[0].message;
    }
    return "";
  };
  const std::string beam = R"(
arm:
  gravity: [0, 0, 0]
  links:
    - {name: a, joint: {name: p, type: revolute, axis: [0, 0, 1]}, beam: {length: 1, material: aluminium, section: {circle: {diameter: 20 mm}}, flexibility: FLEX}, payload: {mass: 1}}
loads: [{name: push, link: a, force: [0, 1 N, 0]}]
)";
  auto with = [&](const std::string& flexibility, const std::string& rest) {
    std::string text = beam + rest;
    text.replace(text.find("FLEX"), 4, flexibility);
    return refusal(text);
  };
  const std::string elements = "{elements: 2, element: linear}",
                    simulate = "simulate: {for: 0.1 s, formulation: finite-element, step: 1e-3}\n";
  auto model = [&](const std::string& name) {
    return "simulate: {for: 0.1 s, formulation: finite-element, model: " + name + ", step: 1e-3}\n" +
           "motion: {p: {cycloidal: {to: 1 rad, in: 0.1 s}}}\n";
  };
  for (const char* event :
       {"when: {of: p, crosses: 1}, load: {name: push, factor: 0}", "at: 0.05 s, payload: {link: a, mass: 0}",
        "at: 0.05 s, payload: {link: a, mass: 2, at_rest: true}"}) {
    EXPECT_EQ(with(elements, simulate + "events: [{" + event + "}]"), "");
    EXPECT_EQ(with(elements, model("linear") + "events: [{" + event + "}]"), "");
  }
  EXPECT_EQ(with(elements, simulate + "events: [{at: 0.05 s, torque: {p: 1}}]"), "");
  EXPECT_EQ(
      with(elements, model("quasi-static") + "events: [{when: {of: p, crosses: 1}, load: {name: push, factor: 0}}]"),
      "events[0].when: finite-element, quasi-static: nothing is known between rows: expected `at`, or another model");
  EXPECT_EQ(
      with(elements, model("quasi-static") + "events: [{at: 0.05 s, payload: {link: a, mass: 2, at_rest: true}}]"),
      "events[0].payload.at_rest: finite-element, quasi-static: deformations have no momentum, which a catch would "
      "keep: expected no `at_rest`, or another model");
  EXPECT_EQ(with(elements, model("quasi-static") + "events: [{at: 0.05 s, payload: {link: a, mass: 0}}]"), "");
  EXPECT_EQ(
      with(elements, model("literal") + "events: [{at: 0.05 s, payload: {link: a, mass: 0}}]"),
      "events[0].payload: finite-element, literal: the thesis's text has no changes during a run: expected another "
      "model");
  // What elements cannot carry, or a law that they cannot follow, is found before the run.
  EXPECT_EQ(with(elements, simulate + "events: [{at: 0.05 s, payload: {link: a, mass: 1, at: 0.4, com: [0, 0.1, 0]}}]"),
            "events[0].payload: finite-element: a body along link 'a' must have its mass centre on the link's axis, at "
            "`at`; expected no `com`, or a payload on the tip");
  EXPECT_EQ(with(elements, simulate + "events: [{at: 0.05 s, torque: {p: {pid: {kp: 1, ki: 1, kd: 1, target: 0}}}}]"),
            "events[0].torque.p: finite-element: states of controllers (an integral, a filter) are not supported; give "
            "sample_time, or use another formulation");
  EXPECT_EQ(with(elements, simulate + "events: [{at: 0.05 s, load: {name: push, factor: 0}}]"), "");
  const std::string drop = "simulate: {for: 0.1 s}\nevents: [{at: 0.05 s, payload: {link: a, mass: 0}}]";
  EXPECT_EQ(with("{modes: {bending_y: 2}}", drop), "");
  EXPECT_EQ(with("{modes: {bending_y: 2, shape: clamped-mass}}", drop).substr(0, 67),
            "events[0].payload: the shapes of link 'a' depend on what it carries");
  EXPECT_EQ(with("{modes: {bending_y: 2}}",
                 "simulate: {for: 0.1 s}\nevents: [{at: 0.05 s, torque: {p: {pd: {kp: 1, kd: 1, target: 0, feedback: "
                 "[{of: a.7, "
                 "rate: 1}]}}}}]"),
            "events[0].torque.p.pd.feedback[0].of: no coordinate 'a.7', did you mean 'a.1'? Coordinates: p, a.1, a.2");
  EXPECT_EQ(read_case_text(turntable + "simulate: {for: 1 s}\n").data.events.size(), 0);
}

}  // namespace
}  // namespace lithe::testing
