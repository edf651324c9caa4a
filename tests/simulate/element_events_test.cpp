// Events in runs by finite elements: bodies released and caught, laws that change, crossings.
#include <gtest/gtest.h>

#include <atomic>
#include <cmath>

#include "lithe/dynamics/formulation.h"
#include "lithe/simulate/simulation.h"
#include "support/allocation_count.h"
#include "support/random_arm.h"
#include "support/run_results.h"

namespace lithe::testing {
namespace {

const std::vector<Override> by_elements{{"simulate.formulation", "finite-element"}};

double largest(const Results& a, const Results* b, const std::string& name) {
  double worst = 0;
  for (size_t k = 0; k < a.time.size(); ++k)
    worst = std::max(worst, std::abs(series(a, name)[k] - (b == nullptr ? 0 : series(*b, name)[k])));
  return worst;
}

std::vector<std::pair<std::string, double>> events_of(const std::string& text, std::vector<Override> overrides = {}) {
  const TemporaryFolder scratch;
  const CaseFile file = read_case_text(text, "case", overrides);
  RunOptions options;
  options.file = scratch.path() + "/results.h5";
  return run(file, Arm::assemble(file.data), options).events;
}

/// Example 35 with elements: swing, release, back under another law, pick up.
const std::string pick_and_release = R"(
arm:
  links:
    - name: upper
      joint: {name: shoulder, type: revolute, axis: [0, -1, 0], damping: 0.2 N.m.s/rad}
      beam:
        length: 1 m
        material: aluminium
        section: {tube: {outer_diameter: 40 mm, inner_diameter: 36 mm}}
        damping: {rayleigh: {alpha: 0, beta: 1e-4 s}}
        flexibility: {elements: 3, element: linear, plane: z}
    - name: fore
      joint: {name: elbow, type: revolute, axis: [0, -1, 0], damping: 0.1 N.m.s/rad}
      beam:
        length: 0.8 m
        material: aluminium
        section: {tube: {outer_diameter: 30 mm, inner_diameter: 27 mm}}
        damping: {rayleigh: {alpha: 0, beta: 1e-4 s}}
        flexibility: {elements: 3, element: linear, plane: z}
      payload: {mass: 1 kg}
initial: {shoulder: -30 deg, elbow: 20 deg, deformation: static}
torque:
  shoulder: {pd: {kp: 900, kd: 60, gravity_compensation: true, follow: {cycloidal: {to: 60 deg, in: 1.5 s}}}}
  elbow: {pd: {kp: 500, kd: 30, gravity_compensation: true, follow: {cycloidal: {to: -20 deg, in: 1.5 s}}}}
events:
  - {name: release, when: {of: shoulder, rises_above: 30 deg}, payload: {link: fore, mass: 0}}
  - name: way back
    at: 2 s
    torque:
      shoulder: {pd: {kp: 900, kd: 60, gravity_compensation: true, follow: {cycloidal: {to: -30 deg, in: 1.5 s}}}}
      elbow: {pd: {kp: 500, kd: 30, gravity_compensation: true, follow: {cycloidal: {to: 20 deg, in: 1.5 s}}}}
  - {name: pick, when: {of: shoulder, falls_below: -10 deg}, payload: {link: fore, mass: 1 kg, at_rest: true}}
simulate: {for: 4 s, output_step: 10 ms, rtol: 1e-7, atol: 1e-10, checkpoint: 0.7 s}
)";

TEST(ElementEvents, PickAndReleaseIsTheArticulatedRun) {
  const std::vector<Override> fine{{"simulate.rtol", "1e-9"}, {"simulate.atol", "1e-11"}};
  const Results ours = results_of(pick_and_release, by_elements), theirs = results_of(pick_and_release, fine);
  ASSERT_EQ(ours.time, theirs.time);
  for (const char* name : {"tip_error.x", "tip_error.z", "shoulder", "elbow", "energy.dissipated", "energy.input"})
    EXPECT_LT(largest(ours, &theirs, name), 1e-4 * largest(theirs, nullptr, name)) << name;
  for (const char* name : {"shoulder.torque", "elbow.torque", "energy.kinetic"})
    EXPECT_LT(largest(ours, &theirs, name), 2e-4 * largest(theirs, nullptr, name)) << name;
  EXPECT_LT(largest(ours, nullptr, "energy.residual"), 1e-5 * largest(ours, nullptr, "energy.input"));
  const auto when = events_of(pick_and_release, by_elements), then = events_of(pick_and_release, fine);
  ASSERT_EQ(when.size(), 3);
  ASSERT_EQ(then.size(), 3);
  for (size_t k = 0; k < 3; ++k) {
    EXPECT_EQ(when[k].first, then[k].first);
    // The joint's error of 2e-6 rad over its rate of about 1 rad/s.
    EXPECT_NEAR(when[k].second, then[k].second, 5e-6) << when[k].first;
  }
}

/// An arm on a base, one joint of which is driven, that catches a body or is stopped.
std::string catcher(const std::string& base, const std::string& rest) {
  return "arm:\n  gravity: [0, 0, -2]\n  base: " + base + R"(
  links:
    - name: upper
      joint: {name: shoulder, type: revolute, axis: [0, 0, 1], origin: {xyz: [0.2, 0, 0.1]}, motor: {inertia: 1e-4, gear_ratio: 30}}
      beam: &link
        length: 0.8 m
        material: aluminium
        section: {tube: {outer_diameter: 20 mm, inner_diameter: 16 mm}}
        damping: {rayleigh: {alpha: 0, beta: 1e-4 s}}
        flexibility: {elements: 2, element: linear}
    - name: fore
      joint: {name: elbow, type: revolute, axis: [0, -1, 0], motor: {inertia: 1e-4, gear_ratio: 40, stiffness: 900, damping: 1}}
      beam: *link
      payload: {mass: 0.3 kg}
motion: {shoulder: {cycloidal: {to: 60 deg, in: 0.8 s}}}
torque: {elbow: {servo: {kp: 300, kv: 30, follow: {cycloidal: {to: 40 deg, in: 0.7 s}}}}}
simulate: {for: 0.6 s, output_step: 10 ms, formulation: finite-element, rtol: 1e-7, atol: 1e-10}
)" + rest;
}
const std::string caught =
    "events: [{at: 0.3 s, payload: {link: fore, mass: 1 kg, com: [0.1, 0, 0.05], inertia: {xx: 0.01, yy: 0.02, zz: "
    "0.02}, at_rest: true}}]\n";
const std::vector<std::string> bases{
    "{type: fixed}", "{type: planar, rigid: {mass: 8, inertia: {xx: 1, yy: 1, zz: 1}}}",
    "{type: free, rigid: {mass: 8, com: [0.1, 0, 0], inertia: {xx: 1, yy: 1, zz: 0.7}}}",
    "{type: moving, motion: {z: {cycloidal: {to: 0.4 m, in: 0.5 s}}, yaw: {cycloidal: {to: 30 deg, in: 0.5 s}}}}"};

TEST(ElementEvents, ACatchKeepsTheMomentaOfAllThatIsFree) {
  for (const std::string& base : bases) {
    const Case plain = read_case_text(catcher(base, "")).data, with = read_case_text(catcher(base, caught)).data;
    Simulation before(plain, Arm::assemble(plain)), after(with, Arm::assemble(with));
    before.advance(0.3);
    after.advance(0.3);
    const State x = before.state(), y = after.state();
    ASSERT_EQ(after.events().happened().size(), 1);
    const Arm &arm_before = before.arm(), &arm_after = after.arm();
    MatrixXd M_before(arm_before.nv(), arm_before.nv()), M_after = M_before;
    make_formulation("lagrange", arm_before)->mass_matrix(x, M_before);
    make_formulation("lagrange", arm_after)->mass_matrix(y, M_after);
    // The body had no momentum in the world. M₊ v₊ counts it from a moving base, so what it has by the base's motion alone, which J v is
    // without, comes in addition: M₊ v₊ + Jᵀ I (V − J v) = M₋ v₋ of all that is free.
    const Kinematics kin = kinematics_of(arm_after, x);
    const int tip = arm_after.find_link("fore");
    const Matrix6Xd J = tip_jacobian(arm_after, kin, tip);
    const Vector6d by_base = kin.V_WT_W[size_t(tip)] - J * x.v;
    const Matrix3d R = kin.X_WT[size_t(tip)].R;
    RigidInertia added = CarriedBody{1, Vector3d(0.1, 0, 0.05), Vector3d(0.01, 0.02, 0.02).asDiagonal()}.about_frame();
    added.mass -= 0.3;
    Matrix6d turn = Matrix6d::Zero();
    turn.topLeftCorner<3, 3>() = turn.bottomRightCorner<3, 3>() = R;
    const VectorXd of_base = J.transpose() * (turn * added.matrix() * turn.transpose() * by_base);
    const VectorXd change = M_after * y.v + of_base - M_before * x.v, brought = M_after * x.v - M_before * x.v;
    ASSERT_GT(brought.norm(), 0.05);
    for (int k = 0; k < arm_after.nv(); ++k) {
      const std::string& name = arm_after.coordinates()[size_t(k)];
      if (name == "shoulder")
        EXPECT_NEAR(y.v[k], x.v[k], 1e-12);  // driven
      else
        EXPECT_NEAR(change[k], 0, 1e-9 * brought.norm())
            << name << " " << base;  // rounding of M, 1e-12, and of its solution
    }
  }
}

TEST(ElementEvents, ACatchAndAStopAtOnceLeaveNothingUnaccounted) {
  // At 0.3 s the driven joint is stopped at once and the tip catches a body.
  for (const std::string& base : bases) {
    const std::string text = catcher(base, caught);
    const std::vector<Override> at_once{
        {"motion.shoulder", "{sinusoid: {amplitude: 30 rad, frequency: 0.0015915494309189535 Hz, for: 0.3 s}}"}};
    const Results results = results_of(text, at_once);
    double most = 0;
    for (const char* name : {"energy.kinetic", "energy.input", "energy.dissipated"})
      most = std::max(most, largest(results, nullptr, name));
    // The arm rings after the blow; the audit's own trapezoidal rule over steps at rtol 1e-7.
    EXPECT_LT(largest(results, nullptr, "energy.residual"), 5e-5 * most) << base;
    const std::vector<double>& lost = series(results, "energy.dissipated");
    EXPECT_GT(lost[31] - lost[30], 1e-3) << "the catch must cost energy, or the audit shows nothing: " << base;
    const Results theirs = results_of(
        text,
        {at_once[0], {"simulate.formulation", "articulated"}, {"simulate.rtol", "1e-9"}, {"simulate.atol", "1e-11"}});
    EXPECT_LT(largest(results, &theirs, "tip.x"), 1e-5) << base;
    EXPECT_LT(largest(results, &theirs, "energy.input"), 1e-4 * most) << base;
  }
}

TEST(ElementEvents, ACartCatchesAMass) {
  // By hand: 2 kg at 3 m/s catch 1 kg, go on at 2 m/s, and 3 J are lost. In the linear model the cart is commanded and keeps its rate: 3 J
  // go into the heap and 4.5 J into the mass, and the drive puts in 9 J.
  const std::string text = R"(
arm:
  gravity: [0, 0, 0]
  links: [{name: cart, joint: {name: x, type: prismatic, axis: [1, 0, 0]}, rigid: {mass: 2}}]
initial: {x: {rate: 3 m/s}}
events: [{when: {of: x, rises_above: 1 m}, payload: {link: cart, mass: 1, at_rest: true}}]
simulate: {for: 1 s, output_step: 10 ms, formulation: finite-element, rtol: 1e-8, atol: 1e-12}
)";
  const Results results = results_of(text);
  EXPECT_NEAR(series(results, "x.rate").back(), 2, 1e-12);
  EXPECT_NEAR(series(results, "energy.dissipated").back(), 3, 1e-11);
  EXPECT_LT(largest(results, nullptr, "energy.residual"), 1e-11);
  const auto when = events_of(text);
  ASSERT_EQ(when.size(), 1);
  EXPECT_NEAR(when[0].second, 1.0 / 3, 1e-10);
  // A sinusoid so slow that its rate is 3 m/s to 1e-10.
  for (const char* model : {"nonlinear", "linear"}) {
    const Results driven = results_of(
        text, {{"simulate.model", model},
               {"motion.x", "{sinusoid: {amplitude: 300000 m, frequency: 1.5915494309189535e-06 Hz, for: 2 s}}"}});
    EXPECT_NEAR(series(driven, "energy.input").back(), 9, 1e-8) << model;
    EXPECT_NEAR(series(driven, "energy.dissipated").back(), 4.5, 1e-8) << model;
  }
}

TEST(ElementEvents, CrossingsOfAFallAreRoots) {
  // The average acceleration is exact for a free fall, so what remains is the search.
  const std::string text = R"(
arm:
  links: [{name: ball, joint: {name: z, type: prismatic, axis: [0, 0, 1]}, rigid: {mass: 2}}]
initial: {z: 5 m}
events: [{name: brake, when: {of: z, falls_below: 2 m}, torque: {z: 39.24 N}}]
simulate: {for: 1.4 s, output_step: 10 ms, formulation: finite-element, rtol: 1e-8, atol: 1e-12}
)";
  constexpr double g = 9.81;
  const double t1 = std::sqrt(2 * 3 / g);
  for (const auto& method :
       {std::vector<Override>{}, {{"simulate.step", "3 ms"}}, {{"simulate.method", "generalised-alpha"}}}) {
    for (const char* of : {"z", "tip.z"}) {
      std::vector<Override> overrides = method;
      overrides.push_back({"events[0].when.of", of});
      const auto when = events_of(text, overrides);
      ASSERT_EQ(when.size(), 1);
      EXPECT_NEAR(when[0].second, t1, 1e-9);
    }
    const Results results = results_of(text, method);
    for (size_t r = 0; r < results.time.size(); ++r) {
      const double t = results.time[r], s = t - t1;
      EXPECT_NEAR(series(results, "z")[r], s < 0 ? 5 - g * t * t / 2 : 2 - g * t1 * s + g * s * s / 2, 1e-8) << t;
    }
  }
}

TEST(ElementEvents, CrossingsComeInTheirOrderWithinOneStep) {
  // Two marks within one step of 50 ms, and one that is passed in the other direction.
  const std::string text = R"(
arm:
  gravity: [0, 0, 0]
  links: [{name: cart, joint: {name: x, type: prismatic, axis: [1, 0, 0]}, rigid: {mass: 2}}]
initial: {x: {rate: 1 m/s}}
events:
  - {name: second, when: {of: x, rises_above: 0.33 m}, torque: {x: 0}}
  - {name: first, when: {of: x, crosses: 0.32 m}, torque: {x: 0}}
  - {name: never, when: {of: x, falls_below: 0.325 m}, torque: {x: 0}}
simulate: {for: 1 s, output_step: 50 ms, formulation: finite-element, step: 50 ms}
)";
  const auto when = events_of(text);
  ASSERT_EQ(when.size(), 2);
  EXPECT_EQ(when[0].first, "first");
  EXPECT_NEAR(when[0].second, 0.32, 1e-10);
  EXPECT_EQ(when[1].first, "second");
  EXPECT_NEAR(when[1].second, 0.33, 1e-10);
}

TEST(ElementEvents, LinearRunsDifferAtSecondOrder) {
  // All joints are driven; the tip catches a body and vibrates. What the linear model leaves out is of second order: at ten times the
  // stiffness the same blow bends the arm by a third of what it did, so that a third of the share is left.
  auto differ = [](const char* E, const char* model, const char* name) {
    const std::string text = catcher("{type: fixed}", caught);
    std::vector<Override> overrides{{"arm.links[0].beam.material", E},
                                    {"arm.links[1].beam.material", E},
                                    {"arm.links[1].joint.motor", "{inertia: 1e-4, gear_ratio: 40}"},
                                    {"motion.elbow", "{cycloidal: {to: 40 deg, in: 0.7 s}}"},
                                    {"torque", "{}"}};
    const Results nonlinear = results_of(text, overrides);
    overrides.push_back({"simulate.model", model});
    return largest(results_of(text, overrides), &nonlinear, name) / largest(nonlinear, nullptr, name);
  };
  const char *soft = "{E: 70 GPa, nu: 0.33, density: 2700 kg/m^3}",
             *stiff = "{E: 700 GPa, nu: 0.33, density: 2700 kg/m^3}";
  for (const char* name : {"tip_error.x", "tip_error.y"}) {
    const double share = differ(soft, "linear", name), less = differ(stiff, "linear", name);
    EXPECT_LT(share, 0.15) << name;
    EXPECT_LT(less, 0.5 * share) << name;
  }
}

TEST(ElementEvents, AQuasiStaticTipRisesWhenItsPayloadIsReleased) {
  const std::string text = catcher("{type: fixed}", "");
  const std::vector<Override> still{{"arm.links[1].joint.motor", "{inertia: 1e-4, gear_ratio: 40}"},
                                    {"motion.elbow", "{cycloidal: {to: 40 deg, in: 0.7 s}}"},
                                    {"torque", "{}"},
                                    {"simulate.model", "quasi-static"}};
  std::vector<Override> released = still, light = still;
  released.push_back({"events", "[{at: 0.3 s, payload: {link: fore, mass: 0}}]"});
  light.push_back({"arm.links[1].payload.mass", "1e-12"});
  const Results whole = results_of(text, still), other = results_of(text, light), run = results_of(text, released);
  for (size_t r = 0; r < run.time.size(); ++r) {
    const Results& as = run.time[r] < 0.3 + 1e-9 ? whole : other;
    EXPECT_NEAR(series(run, "tip_error.z")[r], series(as, "tip_error.z")[r], 1e-11) << run.time[r];
  }
  EXPECT_GT(std::abs(series(whole, "tip_error.z").back() - series(other, "tip_error.z").back()), 1e-4);
}

TEST(ElementEvents, AFloatingArmWithDriveTrainsCatchesABody) {
  // All parts at once: a free base, two branches, elastic transmissions with a motion and under computed torque, a crossing of the base's
  // own rate, a catch.
  const std::string text = R"(
arm:
  gravity: [0, 0, 0]
  base: {type: free, rigid: {mass: 20, inertia: {xx: 1, yy: 1.5, zz: 2}}}
  links:
    - name: left
      joint: {name: a, type: revolute, axis: [0, 0, 1], origin: {xyz: [0, 0.3, 0]}, motor: &motor {inertia: 1e-4, gear_ratio: 50, stiffness: 500, damping: 1}}
      beam: &beam {length: 1 m, material: aluminium, section: {circle: {diameter: 20 mm}}, damping: {rayleigh: {alpha: 0, beta: 1e-4 s}}, flexibility: {elements: 3, element: linear}}
    - name: right
      parent: base
      joint: {name: b, type: revolute, axis: [0, 1, 0], origin: {xyz: [0, -0.3, 0]}, motor: *motor}
      beam: *beam
      payload: {mass: 1}
motion: {a: {cycloidal: {to: 80 deg, in: 0.8 s}}}
torque: {b: {computed_torque: {kp: 100, kd: 20, follow: {cycloidal: {to: 60 deg, in: 0.8 s}}}}}
events: [{when: {of: base.wy, rises_above: 0}, payload: {link: left, mass: 1 kg, at_rest: true}}]
simulate: {for: 1.2 s, output_step: 10 ms, rtol: 1e-7, atol: 1e-10}
)";
  const std::vector<Override> fine{{"simulate.rtol", "1e-9"}, {"simulate.atol", "1e-11"}};
  const Results ours = results_of(text, by_elements), theirs = results_of(text, fine);
  for (const char* name : {"tip_error.x", "tip_error.z", "base.x", "base.qy", "energy.dissipated", "energy.input"})
    EXPECT_LT(largest(ours, &theirs, name), 1e-4 * largest(theirs, nullptr, name)) << name;
  EXPECT_LT(largest(ours, nullptr, "energy.residual"), 1e-5 * largest(ours, nullptr, "energy.input"));
  EXPECT_GT(series(ours, "energy.dissipated").back(), 0.005);
  const auto when = events_of(text, by_elements), then = events_of(text, fine);
  ASSERT_EQ(when.size(), 1);
  ASSERT_EQ(then.size(), 1);
  EXPECT_NEAR(when[0].second, then[0].second, 5e-6);
}

TEST(ElementEvents, WaitingForThemAllocatesNothing) {
  const std::string waiting =
      "events: [{when: {of: elbow, rises_above: 3 rad}, payload: {link: fore, mass: 0}}, {when: {of: tip.z, "
      "falls_below: "
      "-9 m}, torque: {elbow: 0}}]\n";
  const std::vector<Override> steps{{"simulate.step", "1 ms"}, {"simulate.method", "generalised-alpha"}};
  for (const std::string& base : bases) {
    const Case data = read_case_text(catcher(base, waiting), "case", steps).data;
    Simulation simulation(data, Arm::assemble(data));
    simulation.advance(0.1);
    long quiet = 0;
    for (int k = 0; k < 80; ++k) {
      const long before = allocations(), factorisations = simulation.work().jacobians;
      simulation.advance(simulation.t() + 1e-3);
      if (simulation.work().jacobians > factorisations) continue;  // these allocate
      EXPECT_EQ(allocations(), before) << base;
      ++quiet;
    }
    EXPECT_GT(quiet, 10) << base;
  }
}

TEST(ElementEvents, ResumedRunsEndWithTheSameBits) {
  struct Trial {
    std::string text;
    double until;
    std::vector<Override> overrides;
  };
  std::vector<Trial> trials{{pick_and_release, 3.2, by_elements}};
  for (const std::string& base : bases)
    trials.push_back({catcher(base, caught), 0.45, {{"simulate.checkpoint", "0.08 s"}}});
  for (auto& [text, until, overrides] : trials) {
    overrides.push_back({"simulate.rtol", "1e-5"});
    const Results whole = results_of(text, overrides);
    const TemporaryFolder scratch;
    std::atomic<bool> stop = false;
    RunOptions options{
        scratch.path() + "/r.h5", "", false, &stop, [&, after = until](double t) { stop = t > after; }, 0};
    EXPECT_THROW(results_of(text, overrides, options), RunError);
    stop = false;
    options.progress = {};
    options.resume = true;
    const Results resumed = results_of(text, overrides, options);
    EXPECT_TRUE(resumed.complete);
    EXPECT_EQ(resumed.series, whole.series) << text;
  }
}

}  // namespace
}  // namespace lithe::testing
