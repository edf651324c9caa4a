// A simulation in memory, and laws and forces of the user's own: everything here by the public header.
#include <gtest/gtest.h>
#include <lithe/lithe.h>

#include <cmath>
#include <numbers>

#include "support/allocation_count.h"
#include "support/run_results.h"

namespace lithe::testing {
namespace {

const std::string arm_text = R"(
arm:
  links:
    - {name: upper, joint: {name: shoulder, type: revolute, axis: [0, -1, 0], damping: 0.2}, beam: {length: 1, material: aluminium, section: {rectangle: {width_y: 20 mm, height_z: 10 mm}}, flexibility: {modes: {bending_z: 2}}, damping: {ratio: 0.02}}}
    - {name: fore, joint: {name: elbow, type: revolute, axis: [0, -1, 0], damping: 0.1}, rigid: {length: 0.5, mass: 0.6, com: [0.25, 0, 0], inertia: {xx: 0.001, yy: 0.01, zz: 0.01}}}
)";
const std::string controlled = arm_text + R"(
torque:
  shoulder: {pid: {kp: 60, ki: 50, kd: 12, derivative_filter: 10 ms, follow: {cycloidal: {to: 40 deg, in: 0.6 s}}, saturation: 25, envelope: {stall_torque: 30, no_load_speed: 9}}}
  elbow: {pid: {kp: 3, ki: 2, kd: 0.3, target: -30 deg, sample_time: 20 ms}}
forces:
  - spring_damper: {from: {point: [0, 0, 1]}, to: {link: fore}, stiffness: 20 N/m, damping: 0.5 N.s/m, length: 1 m}
simulate: {for: 1 s, output_step: 10 ms, rtol: 1e-7, atol: 1e-9}
)";

TEST(Simulation, IsTheSameAsARun) {
  for (const char* const method : {"cvode", "dopri5", "esdirk"}) {
    const CaseFile file = read_case_text(controlled, "case", {{"simulate.method", method}});
    const Arm arm = Arm::assemble(file.data);
    const Results whole = results_of(file);
    Simulation simulation(file.data, arm);
    simulation.keep_rows();
    simulation.finish();
    EXPECT_TRUE(simulation.done());
    ASSERT_EQ(simulation.columns().size(), whole.header.columns.size());
    EXPECT_EQ(simulation.results().time, whole.time) << method;
    EXPECT_EQ(simulation.results().series, whole.series) << method;  // every bit
    EXPECT_LT(std::abs(whole.series[size_t(whole.find("energy.residual"))].back()), 1e-5);
    // In odd pieces, and by single steps, it gets to the same within the tolerance.
    Simulation pieces(file.data, arm);
    for (double t = 0.0131; t < 1.2; t += 0.0131) pieces.advance(t);
    EXPECT_EQ(pieces.t(), 1);
    Simulation steps(file.data, arm);
    double before = -1;
    while (!steps.done()) {
      EXPECT_GT(steps.step(), before);
      before = steps.t();
    }
    simulation.row();
    const State end = simulation.state();
    EXPECT_LT((pieces.state().q - end.q).norm(), 1e-5) << method;
    EXPECT_LT((steps.state().q - end.q).norm(), 1e-5) << method;
    EXPECT_GT(steps.work().steps, 100);
  }
}

TEST(Simulation, ResumedRunsEndWithTheSameBits) {
  for (const char* const method : {"cvode", "cvode-adams", "merson", "dopri5", "esdirk"}) {
    const std::vector<Override> overrides{{"simulate.method", method}};
    const Results whole = results_of(controlled, overrides);
    const TemporaryFolder scratch;
    std::atomic<bool> stop = false;
    RunOptions options{scratch.path() + "/r.h5", "articulated", false, &stop, [&](double t) { stop = t > 0.55; }, 0};
    EXPECT_THROW(results_of(controlled, overrides, options), RunError) << method;
    stop = false;
    options.progress = {};
    options.resume = true;
    const Results resumed = results_of(controlled, overrides, options);
    EXPECT_TRUE(resumed.complete);
    EXPECT_EQ(resumed.time, whole.time) << method;
    EXPECT_EQ(resumed.series, whole.series) << method;
  }
}

TEST(Simulation, GoesBackToWhatItSaved) {
  const CaseFile file = read_case_text(controlled);
  const Arm arm = Arm::assemble(file.data);
  Simulation simulation(file.data, arm);
  Checkpoint kept;
  simulation.on_checkpoint([&] {
    if (kept.memory.empty() && simulation.t() > 0.3) kept = simulation.save();
  });
  simulation.finish();
  const VectorXd end = simulation.y();
  ASSERT_GT(kept.t, 0.3);
  simulation.restore(kept);
  EXPECT_EQ(simulation.t(), kept.t);
  simulation.finish();
  EXPECT_EQ(simulation.y(), end);  // every bit
  Simulation other(file.data, arm);
  other.restore(kept);
  other.finish();
  EXPECT_EQ(other.y(), end);
  kept.memory.pop_back();
  EXPECT_THROW(other.restore(kept), std::invalid_argument);
}

TEST(Simulation, InputsChangeBetweenSteps) {
  const CaseFile file = read_case_text(R"(
arm:
  gravity: [0, 0, 0]
  links:
    - {name: table, joint: {name: axle, type: revolute, axis: [0, 0, 1]}, rigid: {mass: 1, inertia: {xx: 1, yy: 1, zz: 0.5}}}
torque: {axle: {input: 1 N.m}}
simulate: {for: 3 s}
)");
  for (const char* const method : {"cvode", "dopri5"}) {
    CaseFile with = file;
    with.data.simulate->method = method == std::string("cvode") ? Method::cvode : Method::dopri5;
    Simulation simulation(with.data, Arm::assemble(with.data));
    simulation.advance(1);
    simulation.set_input("axle", -1);
    simulation.advance(2);
    // Pushed for a second with 2 rad/s², braked for one: at rest after 2 rad.
    EXPECT_NEAR(simulation.state().q[0], 2, 1e-7);
    EXPECT_NEAR(simulation.state().v[0], 0, 1e-7);
    EXPECT_THROW(simulation.set_input("axel", 1), std::invalid_argument);
    // What the input put in is what the table has; being moved by hand is no work.
    State moved = simulation.state();
    moved.v[0] = 4;
    simulation.set_state(moved);
    simulation.set_input("axle", 0);
    simulation.finish();
    EXPECT_NEAR(simulation.state().q[0], 6, 1e-6);
    simulation.row();
    EXPECT_NEAR(simulation.whole_row().kinetic, 4, 1e-7);
    const std::vector<Column>& columns = simulation.columns();
    for (size_t c = 0; c < columns.size(); ++c)
      if (columns[c].name == "energy.residual") {
        EXPECT_NEAR(simulation.row()[c], 0, 1e-6);
      }
  }
}

TEST(Simulation, CallsBackAtACrossing) {
  const CaseFile file = read_case_text(R"(
arm:
  links: [{name: ball, joint: {name: z, type: prismatic, axis: [0, 0, 1]}, rigid: {mass: 2}}]
torque: {z: {input: 0 N}}
initial: {z: 5 m}
simulate: {for: 4 s}
)");
  for (const Method method : {Method::cvode, Method::dopri5, Method::esdirk, Method::newmark}) {
    CaseFile with = file;
    with.data.simulate->method = method;
    if (method == Method::newmark) with.data.simulate->formulation = RunFormulation::finite_element;
    Simulation simulation(with.data, Arm::assemble(with.data));
    // A ball that falls to the ground and bounces without loss: back at 5 m after twice the fall.
    std::vector<double> times;
    simulation.on_crossing([](const State& state) { return state.q[0]; }, -1,
                           [&] {
                             times.push_back(simulation.t());
                             State up = simulation.state();
                             up.v[0] = -up.v[0];
                             up.q[0] = 0;
                             simulation.set_state(up);
                           });
    const double fall = std::sqrt(2 * 5 / 9.81);
    simulation.advance(2 * fall);
    ASSERT_EQ(times.size(), 1);
    EXPECT_NEAR(times[0], fall, 1e-7);
    EXPECT_NEAR(simulation.state().q[0], 5, 1e-5);
    simulation.finish();
    ASSERT_EQ(times.size(), 2);
    EXPECT_NEAR(times[1], 3 * fall, 1e-6);
  }
}

// ---- a law and a force of the user's own

/// Two joints at once: shoulder and elbow pulled to where they should be, each also by the other's error. Without slopes.
class Coupled final : public Law {
 public:
  explicit Coupled(std::vector<Coordinate> joints, bool with_slopes)
      : joints_(std::move(joints)), with_slopes_(with_slopes) {}
  int n_outputs() const override { return 2; }
  std::vector<Coordinate> reads() const override { return joints_; }
  void outputs(const LawReading& now, const double*, double* out) const override {
    for (int i = 0; i < 2; ++i) {
      out[i] = 0;
      for (int k = 0; k < 2; ++k) {
        const Coordinate at = joints_[size_t(k)];
        out[i] -= gain(i, k) * (now.state.q[at.q0] - 0.3) + 0.1 * gain(i, k) * now.state.v[at.v0];
      }
    }
  }
  bool slopes(const LawReading&, const double*, LawSlopes& slopes) const override {
    if (!with_slopes_) return false;
    for (int i = 0; i < 2; ++i)
      for (int k = 0; k < 2; ++k) {
        slopes.by_position(i, k) = -gain(i, k);
        slopes.by_rate(i, k) = -0.1 * gain(i, k);
      }
    return true;
  }

 private:
  static double gain(int i, int k) { return i == k ? 40 : 6; }
  std::vector<Coordinate> joints_;
  bool with_slopes_;
};

/// Drag on the tip, with the square of its speed, which the library knows nothing of.
class Drag final : public Force {
 public:
  explicit Drag(const Arm& arm) : arm_(arm), link_(arm.last_link()) {}
  void add(const ForceReading& now, Eigen::Ref<VectorXd> tau) const override {
    const Vector3d v = now.kinematics.V_WT_W[size_t(link_)].tail<3>(), at = now.kinematics.X_WT[size_t(link_)].p;
    const Vector3d force = -0.8 * v.norm() * v;
    for_each_tip_direction(arm_, now.kinematics, link_,
                           [&](int column, const Vector3d& turn, const Vector3d& slide, const Vector3d& origin) {
                             tau[column] += (slide + turn.cross(at - origin)).dot(force);
                           });
  }
  ForceEnergy energy(const ForceReading& now) const override {
    const double speed = now.kinematics.V_WT_W[size_t(link_)].tail<3>().norm();
    return {0, 0, 0.8 * speed * speed * speed};
  }

 private:
  Arm arm_;
  int link_;
};

TEST(Simulation, TakesLawsAndForcesOfTheUsersOwn) {
  const CaseFile file = read_case_text(arm_text + "simulate: {for: 1 s, rtol: 1e-9, atol: 1e-11}\n");
  const Arm arm = Arm::assemble(file.data);
  std::vector<Coordinate> joints;
  for (const TorqueInput& input : arm.torque_inputs()) joints.push_back({input.q, input.v});
  VectorXd ends[4];
  int k = 0;
  for (const bool slopes : {false, true})
    for (const Method method : {Method::cvode, Method::dopri5}) {
      Case data = file.data;
      data.simulate->method = method;
      SimulationOptions options;
      options.additions.laws.push_back({{"shoulder", "elbow"}, std::make_shared<Coupled>(joints, slopes)});
      options.additions.forces.push_back(std::make_shared<Drag>(arm));
      Simulation simulation(data, arm, options);
      simulation.keep_rows();
      simulation.finish();
      ends[k++] = simulation.state().q;
      const Results& results = simulation.results();
      for (const double residual : results.series[size_t(results.find("energy.residual"))])
        EXPECT_LT(std::abs(residual), 1e-6);
      EXPECT_GT(results.series[size_t(results.find("energy.dissipated"))].back(), 0.01);
    }
  for (int i = 1; i < 4; ++i) EXPECT_LT((ends[i] - ends[0]).norm(), 1e-6) << i;
  // Independent of all that: the same torques and drag by hand, one evaluation.
  Drives drives(file.data, arm, {{{{"shoulder", "elbow"}, std::make_shared<Coupled>(joints, false)}}, {}});
  Articulated model(arm);
  State state = State::zero(arm);
  state.q[joints[0].q0] = 0.1;
  VectorXd tau(arm.nv());
  drives.torques(state, model, tau);
  EXPECT_NEAR(tau[joints[0].v0], 40 * 0.2 + 6 * 0.3, 1e-12);
  EXPECT_NEAR(tau[joints[1].v0], 6 * 0.2 + 40 * 0.3, 1e-12);
  // One law a joint.
  SimulationOptions twice;
  twice.additions.laws.push_back({{"shoulder", "shoulder"}, std::make_shared<Coupled>(joints, false)});
  EXPECT_THROW(Simulation(file.data, arm, twice), FieldError);
}

TEST(Simulation, GoingOnAllocatesNothing) {
  for (const Method method : {Method::cvode, Method::dopri5, Method::esdirk}) {
    Case data = read_case_text(controlled, "case", {{"simulate.checkpoint", "1 s"}}).data;
    data.simulate->method = method;
    Simulation simulation(data, Arm::assemble(data));
    simulation.advance(0.2);
    simulation.state();
    const long before = allocations();
    for (int k = 0; k < 40; ++k) simulation.step();
    simulation.advance(0.4);
    simulation.state();
    EXPECT_EQ(allocations(), before) << int(method);
  }
}

TEST(Simulation, RefusesByNameWhatElementsCannotDo) {
  const std::string beam = R"(
arm:
  gravity: [0, 0, 0]
  links:
    - {name: a, joint: {name: p, type: revolute, axis: [0, 0, 1]}, beam: {length: 1, material: aluminium, section: {circle: {diameter: 20 mm}}, flexibility: {elements: 2, element: linear}}}
simulate: {for: 0.1 s, formulation: finite-element, step: 1e-3}
)";
  auto refusal = [&](const std::string& more) -> std::string {
    const CaseFile file = read_case_text(beam + more);
    try {
      Simulation simulation(file.data, Arm::assemble(file.data));
      simulation.on_crossing([](const State& state) { return state.q[0]; }, 0, [] {});
    } catch (const UnsupportedError& error) {
      return error.path() + ": " + error.what();
    }
    return "";
  };
  EXPECT_EQ(refusal("torque: {p: {pid: {kp: 1, ki: 1, target: 0}}}").substr(0, 32), "torque.p: finite-element: states");
  EXPECT_EQ(refusal("forces: [{spring_damper: {from: {}, to: {link: a}, damping: 1}}]").substr(0, 25),
            "forces[0]: finite-element");
  EXPECT_EQ(refusal("torque: {p: {pid: {kp: 1, ki: 1, target: 0, sample_time: 1 ms}}}"), "");
  // The quasi-static model finds no crossings, and takes no state.
  const std::string still = "motion: {p: {cycloidal: {to: 1 rad, in: 0.1 s}}}\n";
  std::string text = beam + still;
  text.replace(text.find("step: 1e-3"), 10, "model: quasi-static");
  const CaseFile file = read_case_text(text);
  Simulation simulation(file.data, Arm::assemble(file.data));
  EXPECT_THROW(simulation.on_crossing([](const State& state) { return state.q[0]; }, 0, [] {}), UnsupportedError);
  EXPECT_THROW(simulation.set_state(simulation.state()), UnsupportedError);
}

}  // namespace
}  // namespace lithe::testing
