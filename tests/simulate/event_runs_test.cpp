// Events on random arms that bend and in the wind, and what waiting for them costs.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>

#include "lithe/describe/case_reader.h"
#include "lithe/describe/events.h"
#include "lithe/simulate/simulation.h"
#include "support/allocation_count.h"
#include "support/draw.h"
#include "support/random_arm.h"
#include "support/run_results.h"
#include "support/winged_arms.h"

namespace lithe::testing {
namespace {

constexpr double moment = 2e-3;  // of the event: fast shapes oscillate some hundred times before and after

/// A random arm that falls; half-way through the run a link anywhere in it carries another payload.
Case falling_arm(int n_links, std::uint32_t seed) {
  Case data = random_flexible_case(n_links, seed, {.arm = {.other_joints = true}, .stiffer = 20});
  // Shapes of a clamped beam with a mass are others with another payload: the coordinates of the two arms would differ in meaning.
  for (LinkSpec& link : data.arm.links)
    if (Modes* modes = link.beam ? std::get_if<Modes>(&link.beam->flexibility) : nullptr)
      if (modes->shape == ModeShape::clamped_mass) modes->shape = ModeShape::clamped_free;
  const VectorXd drawn = random_vector(4, seed + 1);
  const size_t on = std::min(size_t((drawn[0] + 1) / 2 * n_links), size_t(n_links - 1));
  PayloadChange change{.link = data.arm.links[on].name};
  change.payload.mass = 2 + drawn[1];
  change.payload.com = {0.1 * drawn[2], 0.1 * drawn[3], 0.05};
  data.events = {{.name = "load", .at = moment, .payload = change}};
  data.simulate = Simulate{};
  data.simulate->duration = 2 * moment;
  data.simulate->method = Method::dopri5;
  data.simulate->rtol = 1e-10;
  data.simulate->atol = 1e-12;
  return data;
}

double in_row(Simulation& simulation, const std::string& name) {
  const auto& columns = simulation.columns();
  const auto found =
      std::find_if(columns.begin(), columns.end(), [&](const Column& column) { return column.name == name; });
  return simulation.row()[size_t(found - columns.begin())];
}

// What comes on moving with its link changes no rate, and brings its own energy: the rest is a run of the other arm from there.
RC_GTEST_PROP(EventRuns, GoOnAsTheOtherArmWould, ()) {
  const std::uint32_t seed = any_seed();
  const Case data = falling_arm(any_link_count(5), seed);
  const Arm arm = Arm::assemble(data);
  Simulation whole(data, arm);
  whole.set_state(random_state(arm, seed));
  whole.advance(moment / 2);
  const double energy = in_row(whole, "energy.kinetic");
  Case first = data;
  first.events.clear();
  Simulation before(first, arm);
  before.set_state(random_state(arm, seed));
  before.advance(moment);
  const State at_event = before.state();
  whole.finish();

  Case second = after(data, data.events[0]);
  second.events.clear();
  const Arm other = Arm::assemble(second);
  Simulation rest(second, other);
  rest.set_state(at_event);
  rest.advance(moment);
  // Both follow the same equations at rtol 1e-10, up to ten thousand steps; they start anew at different moments.
  const double moved = (rest.state().q - at_event.q).norm() + (rest.state().v - at_event.v).norm();
  RC_ASSERT((whole.state().q - rest.state().q).norm() + (whole.state().v - rest.state().v).norm() < 1e-6 * moved);
  RC_ASSERT(std::abs(in_row(whole, "energy.residual")) < 1e-6 * std::max(1.0, energy));
}

// What is picked up and let go again on an arm that is held still: its weight times its height, and no part of the start.
TEST(EventRuns, TheEnergyOfPayloadsIsSaidApart) {
  const CaseFile file = read_case_text(R"(
arm:
  links:
    - {name: a, joint: {name: p, type: revolute, axis: [0, -1, 0]}, rigid: {length: 0.5, mass: 2, com: [0.2, 0, 0], inertia: {xx: 1, yy: 1, zz: 1}}}
motion: {p: {dwell: {for: 1 s}}}
initial: {p: 30 deg}
events:
  - {at: 0.2 s, payload: {link: a, mass: 3}}
  - {at: 0.6 s, payload: {link: a, mass: 1}}
simulate: {for: 1 s}
)");
  const TemporaryFolder scratch;
  RunOptions options;
  options.file = scratch.path() + "/results.h5";
  const double g = 9.81, own = 2 * g * 0.2 / 2, brought = 1 * g * 0.5 / 2;
  const RunSummary summary = run(file, Arm::assemble(file.data), options);
  EXPECT_NEAR(summary.energy_start, own, 1e-12);
  EXPECT_NEAR(summary.energy_by_events, brought, 1e-12);
  EXPECT_NEAR(summary.energy_end, own + brought, 1e-12);
  EXPECT_LT(summary.residual, 1e-12);
}

TEST(EventRuns, WaitingForThemAllocatesNothing) {
  const CaseFile file = read_case_text(R"(
arm:
  links:
    - {name: a, joint: {name: p, type: revolute, axis: [0, -1, 0]}, beam: {length: 1, material: aluminium, section: {circle: {diameter: 20 mm}}, flexibility: {modes: {bending_z: 2}}}, payload: {mass: 1}}
loads: [{name: push, link: a, force: [0, 0, 1 N]}]
torque: {p: {pid: {kp: 100, ki: 10, kd: 20, target: 0.5}}}
events:
  - {when: {of: p, rises_above: 3 rad}, payload: {link: a, mass: 0}}
  - {when: {of: tip.z, falls_below: -2 m}, load: {name: push, factor: 0}, again: true}
  - {at: 9 s, torque: {p: 0}}
simulate: {for: 10 s, method: dopri5, output_step: 10 s}
)");
  Simulation simulation(file.data, Arm::assemble(file.data));
  simulation.advance(0.1);
  const long before = allocations(), steps = simulation.work().steps;
  simulation.advance(0.2);
  EXPECT_EQ(allocations(), before);
  EXPECT_GT(simulation.work().steps, steps + 10);
}

TEST(EventRuns, InTheWindALoadIsSwitchedAsByItsProfile) {
  // Switched off by its opposite, which sets in within a microsecond; the other run stops at the same times.
  const std::string load = "{name: push, link: wing, force: [0, 0, 4 N], point: [1.5, 0.2, 0]}, ",
                    within = "scale: {lines: [{at: 30 ms, to: 0}, {at: 30.001 ms, to: 1}]}",
                    opposite = "{link: wing, force: [0, 0, -4 N], point: [1.5, 0.2, 0], " + within + "}",
                    nothing = "{link: wing, force: [0, 0, 1e-12 N], " + within + "}",
                    off = "events: [{at: 30 ms, load: {name: push, factor: 0}}]\n",
                    simulate = "simulate: {for: 60 ms, output_step: 10 ms}\n";
  auto pitch = [&](const std::string& step, const std::string& more) {
    return series(
        results_of(wing_on_a_spring(0.25, 2, 4, "speed: 20 m/s, density: 1.2, step: " + step, more + simulate)),
        "pitch");
  };
  auto difference = [&](const std::string& step) {
    const auto event = pitch(step, "loads: [" + load + nothing + "]\n" + off),
               profile = pitch(step, "loads: [" + load + opposite + "]\n");
    double most = 0, size = 0;
    for (size_t r = 0; r < event.size(); ++r) {
      most = std::max(most, std::abs(event[r] - profile[r]));
      size = std::max(size, std::abs(event[r]));
    }
    EXPECT_GT(std::abs(event.back() - pitch(step, "").back()), 1e-3 * size) << "the load must show";
    return most / size;
  };
  // The rate of the circulation is taken over two steps of the air, so a ramp between them counts by half: of first order in the step.
  const double coarse = difference("1 ms"), fine = difference("0.5 ms");
  EXPECT_LT(coarse, 1e-3);
  EXPECT_LT(fine, 0.6 * coarse);
}

TEST(EventRuns, InTheWindNothingElseChanges) {
  const std::string wind = "speed: 20 m/s, density: 1.2, step: 1 ms", simulate = "simulate: {for: 60 ms}\n";
  const std::pair<std::string, std::string> what[] = {
      {"when: {of: pitch, crosses: 0.1}, load: {name: push, factor: 0}", "events[0].when"},
      {"at: 30 ms, payload: {link: wing, mass: 1}", "events[0].payload"}};
  for (const auto& [event, path] : what) {
    try {
      read_case_text(wing_on_a_spring(
          0.25, 2, 4, wind,
          "loads: [{name: push, link: wing, force: [0, 0, 4 N]}]\nevents: [{" + event + "}]\n" + simulate));
      ADD_FAILURE() << event;
    } catch (const CaseError& error) {
      EXPECT_NE(std::string(error.what()).find(path + ": "), std::string::npos) << error.what();
    }
  }
}

}  // namespace
}  // namespace lithe::testing
