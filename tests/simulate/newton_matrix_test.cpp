// The matrix of an implicit step against differences of the rates themselves.
#include "lithe/simulate/newton_matrix.h"

#include <gtest/gtest.h>

#include <cmath>

#include "lithe/describe/case_reader.h"
#include "lithe/simulate/integrator.h"
#include "support/allocation_count.h"
#include "support/random_arm.h"

namespace lithe::testing {
namespace {

struct Subject {
  Case data;
  Arm arm;
  Drives drives;
  System system;
  explicit Subject(const Case& given)
      : data(given), arm(Arm::assemble(data)), drives(data, arm), system(arm, drives, "articulated", false) {
    drives.enter(0, 1);
  }
  explicit Subject(const std::string& text) : Subject(read_case_text(text).data) {}

  /// Somewhere, with a quaternion not quite of unit length.
  VectorXd somewhere(std::uint32_t seed) {
    const State state = random_state(arm, seed);
    VectorXd y = VectorXd::Zero(system.size());
    y.head(arm.nq()) = state.q;
    y.segment(arm.nq(), arm.nv()) = state.v;
    for (const Link& link : arm.links())
      if (link.joint->quaternion() >= 0) y.segment<4>(link.q0 + link.joint->quaternion()) *= 1.01;
    return y;
  }

  /// ∂f/∂y by central differences, extrapolated once.
  MatrixXd slopes(double t, const VectorXd& y) {
    const int n = int(y.size());
    MatrixXd J(n, n);
    for (int k = 0; k < n; ++k) {
      auto rates = [&](double step) {
        VectorXd moved = y, f(n);
        moved[k] += step;
        EXPECT_TRUE(system.rates(t, moved.data(), f.data()));
        return f;
      };
      auto slope = [&](double h) -> VectorXd { return (rates(h) - rates(-h)) / (2 * h); };
      J.col(k) = (4 * slope(5e-5) - slope(1e-4)) / 3;
    }
    return J;
  }

  /// How well (1 − γ ∂f/∂y) x = b is solved for random b: the largest remainder of a row, relative to its terms.
  double remainder(std::uint32_t seed, double gamma) {
    const double t = 0.3;
    const VectorXd y = somewhere(seed);
    const int n = int(y.size());
    VectorXd f(n), x(n);
    EXPECT_TRUE(system.rates(t, y.data(), f.data()));
    NewtonMatrix newton(system);
    newton.update(t, y.data(), f.data());
    EXPECT_TRUE(newton.factor(gamma));
    const MatrixXd A = MatrixXd::Identity(n, n) - gamma * slopes(t, y);
    double worst = 0;
    for (std::uint32_t k = 0; k < 5; ++k) {
      const VectorXd b = random_vector(n, seed + k);
      newton.solve(b.data(), x.data());
      const VectorXd size = A.cwiseAbs() * x.cwiseAbs() + b.cwiseAbs();
      worst = std::max(worst, ((A * x - b).cwiseAbs().array() / size.array()).maxCoeff());
    }
    return worst;
  }
};

constexpr double tolerance = 1e-6;  // of the differences

TEST(NewtonMatrix, OfFreeArmsOnEveryBase) {
  for (const BaseType base : {BaseType::fixed, BaseType::planar, BaseType::free, BaseType::moving})
    for (const std::uint32_t seed : {1u, 2u, 3u}) {
      // Friction curves on the scale of mrad/s, below the step of the differences.
      Subject rigid(random_case(4, seed, {.base = base})),
          bending(random_flexible_case(3, seed, {.arm = {.base = base}}));
      for (const double gamma : {1e-4, 1e-2}) {
        EXPECT_LT(rigid.remainder(seed, gamma), tolerance) << int(base) << " " << seed;
        EXPECT_LT(bending.remainder(seed, gamma), tolerance) << int(base) << " " << seed;
      }
    }
}

std::string two_links(const std::string& drives) {
  return R"(
arm:
  links:
    - {name: a, joint: {name: p, type: revolute, axis: [0, -1, 0], damping: 0.3, spring: {stiffness: 20}}, beam: {length: 1, material: aluminium, section: {rectangle: {width_y: 20 mm, height_z: 8 mm}}, flexibility: {modes: {bending_z: 2, bending_y: 1}}, damping: {ratio: 0.01}}}
    - {name: b, joint: {name: q, type: revolute, axis: [0, 0.6, 0.8], damping: 0.1, motor: {inertia: 0.02, stiffness: 300, damping: 2}}, beam: {length: 0.8, material: aluminium, section: {rectangle: {width_y: 16 mm, height_z: 6 mm}}, flexibility: {modes: {bending_z: 2}}}, payload: {mass: 0.3}}
)" + drives;
}

TEST(NewtonMatrix, OfDrivenAndControlledArms) {
  for (const char* const drives :
       {"motion: {p: {quintic: {to: 1, in: 1 s}}}", "motion: {q: {sinusoid: {amplitude: 1, frequency: 0.5 Hz}}}",
        "torque: {p: {pd: {kp: 60, kd: 5, target: 1}}, q: {pd: {kp: 60, kd: 5, target: 1}}}",
        "motion: {p: {quintic: {to: 1, in: 1 s}}}\ntorque: {q: {pd: {kp: 60, kd: 5, target: 1}}}",
        "torque: {p: {pd: {kp: 60, kd: 5, target: 1, gravity_compensation: true}}, q: {pd: {kp: 60, kd: 5, target: 1, "
        "gravity_compensation: true}}}",
        "loads: [{link: b, force: [10, 5, -20], moment: [0, 1, 2]}, {link: a, force: [10, 5, -20], moment: [0, 1, 2], "
        "axes: link}]",
        "loads: [{link: b, point: [0.3, 0.02, -0.01], force: [10, 5, -20], moment: [0, 1, 2]}, {link: a, point: [0.45, "
        "0, "
        "0.03], force: [10, 5, -20], moment: [0, 1, 2], axes: link}]",
        // Of two laws one is at its limit, the other is not.
        "torque: {p: {pd: {kp: 600, kd: 5, target: 9, saturation: 3}}, q: {pd: {kp: 60, kd: 5, target: 1, saturation: "
        "1e6}}}",
        "torque: {p: {pd: {kp: 60, kd: 5, target: 1, sample_time: 0.01 s}}}",
        "torque: {p: {pd: {kp: 60, kd: 5, target: 1, feedback: [{of: a.2, position: 70, rate: 30}, {of: q, rate: "
        "-4}]}}}",
        "torque: {p: {computed_torque: {kp: 60, kd: 5, target: 1}}, q: {computed_torque: {kp: 9, kd: 2, target: 1}}}",
        "motion: {p: {quintic: {to: 1, in: 1 s}}}\ntorque: {q: {computed_torque: {kp: 60, kd: 5, target: 1}}}"}) {
    Subject subject(two_links(drives));
    ASSERT_TRUE(NewtonMatrix::covers(subject.system));
    for (const double gamma : {1e-4, 1e-2}) EXPECT_LT(subject.remainder(3, gamma), tolerance) << drives;
  }
}

TEST(NewtonMatrix, OfLawsWithStatesEnvelopesAndForces) {
  for (
      const char* const drives :
      {"torque: {p: {pid: {kp: 60, ki: 40, kd: 5, target: 1, derivative_filter: 20 ms}}, q: {pid: {kp: 30, ki: 20, kd: "
       "2, target: 1}}}",
       "motion: {q: {quintic: {to: 1, in: 1 s}}}\ntorque: {p: {pid: {kp: 60, ki: 40, kd: 5, target: 1}}}",
       // Limited, so that the integral follows what the limit takes away.
       "torque: {p: {pid: {kp: 600, ki: 40, kd: 5, target: 9, saturation: 3, tracking_time: 0.05 s}}, q: {pid: {kp: "
       "30, "
       "ki: 20, kd: 2, target: 9, derivative_filter: 0.1 s, envelope: {stall_torque: 4, no_load_speed: 20}}}}",
       "torque: {p: {pid: {kp: 6, ki: 40, kd: 5, target: 9, anti_windup: clamping, integral_limit: 1e-3}}}",
       "torque: {p: {pd: {kp: 600, kd: 5, target: 9, envelope: {stall_torque: 4, no_load_speed: 20}}}}",
       "torque: {p: {pd: {kp: 60, kd: 5, target: 1, gravity_compensation: true, gravity_of: command}}, q: {pd: {kp: "
       "60, "
       "kd: 5, target: 1}}}",
       "forces: [{spring_damper: {from: {link: a}, to: {link: b}, stiffness: 90, length: 0.3}}, {spring_damper: {from: "
       "{point: [0.2, 0.3, 1.5]}, to: {link: b}, stiffness: 200, length: 1}}]",
       "motion: {p: {quintic: {to: 1, in: 1 s}}}\nforces: [{spring_damper: {from: {point: [0.2, 0.3, 1.5]}, to: {link: "
       "b}, stiffness: 200, length: 1}}]"}) {
    Subject subject(two_links(drives));
    ASSERT_TRUE(NewtonMatrix::covers(subject.system));
    for (const double gamma : {1e-4, 1e-2}) EXPECT_LT(subject.remainder(3, gamma), tolerance) << drives;
  }
}

// Exact links: bent in a plane, in space with stretch and shear; loads on their tips and along them, in world axes and in theirs.
std::string two_exact_links(const std::string& drives) {
  return R"(
arm:
  links:
    - {name: a, joint: {name: p, type: revolute, axis: [0, -1, 0], damping: 0.3, spring: {stiffness: 20}}, beam: {length: 1, material: aluminium, section: {rectangle: {width_y: 20 mm, height_z: 8 mm}}, flexibility: {strains: {bending_z: 2, bending_y: 1, torsion: 1, axial: 1, shear_y: 1}}, damping: {ratio: 0.01}}}
    - {name: b, joint: {name: q, type: revolute, axis: [0, 0.6, 0.8], damping: 0.1, motor: {inertia: 0.02, stiffness: 300, damping: 2}}, beam: {length: 0.8, material: aluminium, section: {rectangle: {width_y: 16 mm, height_z: 6 mm}}, flexibility: {strains: {bending_z: 3}}}, payload: {mass: 0.3}}
)" + drives;
}

TEST(NewtonMatrix, OfExactLinks) {
  for (const char* const drives :
       {"", "motion: {p: {quintic: {to: 1, in: 1 s}}}",
        "torque: {p: {pd: {kp: 60, kd: 5, target: 1, gravity_compensation: true}}, q: {pd: {kp: 60, kd: 5, target: 1, "
        "gravity_compensation: true}}}",
        "loads: [{link: b, point: [0.3, 0.02, -0.01], force: [10, 5, -20], moment: [0, 1, 2]}, {link: a, point: [0.45, "
        "0, 0.03], force: [10, 5, -20], moment: [0, 1, 2], axes: link}, {link: a, force: [3, 0, 1]}]",
        "motion: {p: {quintic: {to: 1, in: 1 s}}}\nloads: [{link: b, point: [0.3, 0, 0], force: [10, 5, -20]}]",
        "motion: {p: {quintic: {to: 1, in: 1 s}}}\ntorque: {q: {computed_torque: {kp: 60, kd: 5, target: 1}}}",
        "forces: [{spring_damper: {from: {link: a}, to: {link: b}, stiffness: 90, length: 0.3}}]"}) {
    Subject subject(two_exact_links(drives));
    ASSERT_TRUE(NewtonMatrix::covers(subject.system));
    for (const double gamma : {1e-4, 1e-2}) EXPECT_LT(subject.remainder(3, gamma), tolerance) << drives;
  }
}

TEST(NewtonMatrix, OfADamperBetweenPointsIsGoodEnoughForNewton) {
  // What the turning of its line does to the rate along it is left out: exact at rest, and near it in motion.
  Subject subject(
      two_links("forces: [{spring_damper: {from: {point: [0.2, 0.3, 1.5]}, to: {link: b}, stiffness: 200, damping: 4, "
                "length: 1}}]"));
  EXPECT_LT(subject.remainder(3, 1e-3), 0.1);
}

TEST(NewtonMatrix, LeavesWhatItDoesNotKnowToDifferences) {
  Subject partial(R"(
arm:
  links:
    - {name: a, joint: {name: p, type: revolute, axis: [0, -1, 0]}, rigid: {length: 1, mass: 1, com: [0.5, 0, 0]}}
    - {name: b, joint: {name: q, type: revolute, axis: [0, -1, 0]}, rigid: {length: 1, mass: 1, com: [0.5, 0, 0]}}
torque: {p: {computed_torque: {kp: 60, kd: 5, target: 1}}}
)");
  EXPECT_FALSE(NewtonMatrix::covers(partial.system));
  FlexibleArmOptions options{.rotary_inertia = false, .tip_rotation = TipRotation::small};
  options.arm = {.tree = false, .prismatic = false};
  const Case data = random_flexible_case(2, 5, options);
  const Arm arm = Arm::assemble(data);
  Drives drives(data, arm);
  System small(arm, drives, "recursive-lagrangian", false);
  EXPECT_FALSE(NewtonMatrix::covers(small));
}

// Loads, gravity compensation and a payload: Newton's iteration converges to the same motion, with fewer evaluations.
TEST(NewtonMatrix, RunsAgreeWithThoseByDifferences) {
  for (const auto& [method, of] : {std::pair(Method::cvode, &two_links),
                                   {Method::cvode_adams, &two_links},
                                   {Method::esdirk, &two_links},
                                   {Method::cvode, &two_exact_links},
                                   {Method::esdirk, &two_exact_links}}) {
    long evaluations[2];
    VectorXd ends[2];
    for (const Slopes slopes : {Slopes::differences, Slopes::analytic}) {
      Subject subject(
          of("torque: {p: {pd: {kp: 60, kd: 5, target: 1, gravity_compensation: true}}, q: {pd: {kp: 60, kd: 5, "
             "target: 1}}}\n"
             "loads: [{link: b, force: [1, 0.5, -2], moment: [0, 0.1, 0.2]}]\n"));
      Simulate options;
      options.method = method;
      options.rtol = 1e-9;
      options.atol = 1e-11;
      VectorXd y = subject.system.initial();
      const auto integrator = make_integrator(subject.system, options, nullptr, slopes);
      const double end = of == &two_exact_links ? 0.02 : 0.2;  // stretch and shear are stiff
      integrator->restart(0, y, end);
      integrator->advance(end, y);
      ends[int(slopes)] = y;
      evaluations[int(slopes)] = subject.system.evaluations();
    }
    EXPECT_LT((ends[0] - ends[1]).cwiseAbs().maxCoeff(), 1e-5) << int(method);
    EXPECT_LT(evaluations[int(Slopes::analytic)], evaluations[int(Slopes::differences)]) << int(method);
  }
}

// A link of 1 m and 1 kg with EI = 0.5 N·m² that falls on a hinge from the horizontal. Tips by an independent program (ten strains, good to
// 2e-4 m).
TEST(NewtonMatrix, ImplicitMethodsLetAFlexiblePendulumFall) {
  const std::string text = R"(
arm:
  gravity: [0, 0, -9.81]
  rotary_inertia: false
  links:
    - {name: rod, joint: {type: revolute, axis: [0, -1, 0]}, beam: {length: 1, material: {E: 1e6, nu: 0, density: 1e3}, section: {area: 1e-3, Iy: 5e-7, Iz: 5e-7, J: 1e-6}, flexibility: {strains: {bending_z: 7}}}}
)";
  for (const Method method : {Method::cvode, Method::esdirk}) {
    Subject subject(text);
    Simulate options;
    options.method = method;
    options.rtol = 1e-6;
    options.atol = 1e-8;
    VectorXd y = subject.system.initial();
    const auto integrator = make_integrator(subject.system, options, nullptr, Slopes::analytic);
    integrator->restart(0, y, 1.2);
    for (const auto& [t, x, z] : {std::tuple{0.4, 0.3882, -0.9167}, {0.8, -0.9649, -0.1089}, {1.2, -0.9332, -0.3557}}) {
      integrator->advance(t, y);
      const State state{t, y.head(subject.arm.nq()), y.segment(subject.arm.nq(), subject.arm.nv())};
      const Vector3d tip = kinematics_of(subject.arm, state).X_WT[0].p;
      EXPECT_NEAR(tip.x(), x, 1e-3) << t;
      EXPECT_NEAR(tip.z(), z, 1e-3) << t;
    }
  }
}

TEST(NewtonMatrix, AllocatesNothing) {
  Subject subject(random_flexible_case(6, 5, {.arm = {.drive_line = true, .base = BaseType::free}}));
  const VectorXd y = subject.somewhere(5);
  VectorXd f(y.size()), x(y.size());
  ASSERT_TRUE(subject.system.rates(0, y.data(), f.data()));
  NewtonMatrix newton(subject.system);
  newton.update(0, y.data(), f.data());
  newton.factor(1e-3);
  newton.solve(f.data(), x.data());
  const long before = allocations();
  newton.update(0, y.data(), f.data());
  EXPECT_EQ(allocations(), before) << "update";
  newton.factor(1e-3);
  EXPECT_EQ(allocations(), before) << "factor";
  newton.solve(f.data(), x.data());
  EXPECT_EQ(allocations(), before) << "solve";
  Subject controlled(two_links(
      "torque: {p: {pid: {kp: 600, ki: 40, kd: 5, target: 9, saturation: 3, derivative_filter: 0.1 s}}, q: {pid: {kp: "
      "30, "
      "ki: 20, kd: 2, target: 9, envelope: {stall_torque: 4, no_load_speed: 20}}}}\nforces: [{spring_damper: {from: "
      "{point: [0.2, 0.3, 1.5]}, to: {link: b}, stiffness: 200, damping: 4, length: 1}}]"));
  const VectorXd there = controlled.somewhere(5);
  VectorXd rates(there.size()), solved(there.size());
  NewtonMatrix matrix(controlled.system);
  auto go = [&] {
    ASSERT_TRUE(controlled.system.rates(0, there.data(), rates.data()));
    matrix.update(0, there.data(), rates.data());
    matrix.factor(1e-3);
    matrix.solve(rates.data(), solved.data());
  };
  go();
  const long between = allocations();
  go();
  EXPECT_EQ(allocations(), between) << "laws with states, envelopes and forces";
}

}  // namespace
}  // namespace lithe::testing
