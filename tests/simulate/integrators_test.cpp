// Every method against a solution known in closed form: the pendulum by elliptic functions.
#include <gtest/gtest.h>

#include "lithe/describe/case_reader.h"
#include "lithe/simulate/integrator.h"
#include "lithe/simulate/system.h"
#include "simulate/pendulum.h"
#include "support/allocation_count.h"
#include "support/random_arm.h"

namespace lithe::testing {
namespace {

constexpr double start = 2.0, length = 0.8, gravity = 9.81, end = 3.0;

/// A point mass on a massless rod; the joint's zero is hanging down.
Case pendulum() {
  return read_case_text(R"(
arm:
  links:
    - {name: bob, joint: {name: pivot, type: revolute, axis: [0, 1, 0], origin: {rpy: [0, 90 deg, 0]}}, rigid: {mass: 1.7, com: [0.8, 0, 0]}}
initial: {pivot: 2 rad}
)")
      .data;
}

double error_at_end(const Simulate& options) {
  const Case data = pendulum();
  const Arm arm = Arm::assemble(data);
  Drives drives(data, arm);
  System system(arm, drives, "articulated", options.method == Method::midpoint);
  const auto integrator = make_integrator(system, options);
  VectorXd y = system.initial();
  integrator->restart(0, y, end);
  EXPECT_NEAR(integrator->advance(end, y), end, 1e-14);
  return std::abs(y[0] - pendulum_angle(start, std::sqrt(gravity / length), end));
}

Simulate fixed(Method method, double step) {
  Simulate options;
  options.method = method;
  options.step = step;
  return options;
}
Simulate adaptive(Method method, double rtol) {
  Simulate options;
  options.method = method;
  options.rtol = rtol;
  options.atol = rtol / 100;
  return options;
}

TEST(Pendulum, ClosedFormSatisfiesTheEquationOfMotion) {
  const double w = std::sqrt(gravity / length), h = 1e-4;
  for (double t = 0.1; t < 3; t += 0.2) {
    const double a =
        (pendulum_angle(start, w, t + h) - 2 * pendulum_angle(start, w, t) + pendulum_angle(start, w, t - h)) / (h * h);
    EXPECT_NEAR(a, -w * w * std::sin(pendulum_angle(start, w, t)), 1e-5);
  }
}

TEST(Integrators, FixedStepMethodsHaveTheirOrder) {
  const std::pair<Method, double> methods[] = {{Method::rk4, 4}, {Method::midpoint, 2}};
  for (const auto& [method, order] : methods) {
    // Measured over two halvings, where the error is far above rounding.
    const double coarse = error_at_end(fixed(method, 0.01)), fine = error_at_end(fixed(method, 0.0025));
    EXPECT_NEAR(std::log2(coarse / fine) / 2, order, 0.15) << int(method);
  }
}

TEST(Integrators, ExplicitMethodsEvaluateEveryStageOnce) {
  // The last stage of Dormand and Prince's seven is the first of the next step; none of Merson's five is.
  const std::pair<Method, int> methods[] = {{Method::dopri5, 6}, {Method::merson, 5}};
  for (const auto& [method, per_step] : methods) {
    const Case data = pendulum();
    const Arm arm = Arm::assemble(data);
    Drives drives(data, arm);
    System system(arm, drives, "articulated", false);
    const auto integrator = make_integrator(system, adaptive(method, 1e-7));
    VectorXd y = system.initial();
    integrator->restart(0, y, end);
    integrator->advance(end, y);
    const IntegratorWork work = integrator->work();
    const long attempts = work.steps + work.failed_steps;
    ASSERT_GT(attempts, 30);
    EXPECT_NEAR(double(system.evaluations() - per_step * attempts), 0, 5) << int(method);  // some to begin with
  }
}

TEST(Integrators, AdaptiveMethodsFollowTheirTolerance) {
  for (const Method method : {Method::cvode, Method::cvode_adams, Method::merson, Method::dopri5, Method::esdirk}) {
    const double loose = error_at_end(adaptive(method, 1e-5)), tight = error_at_end(adaptive(method, 1e-9));
    // Error per step is controlled, not the sum: a hundredfold over some hundred steps is usual, BDF's loses most.
    EXPECT_LT(loose, 1e-5 * 3000) << int(method);
    EXPECT_LT(tight, 1e-9 * 3000) << int(method);
    EXPECT_LT(tight, loose / 300) << int(method);
  }
}

TEST(Integrators, MersonConvergesWithOrderFour) {
  // With error control the step follows tol^(1/4), so the error falls in proportion to the tolerance and work grows as its
  // fourth root: counted in evaluations.
  const Case data = pendulum();
  const Arm arm = Arm::assemble(data);
  auto steps = [&](double rtol) {
    Drives drives(data, arm);
    System system(arm, drives, "articulated", false);
    const auto integrator = make_integrator(system, adaptive(Method::merson, rtol));
    VectorXd y = system.initial();
    integrator->restart(0, y, end);
    integrator->advance(end, y);
    return double(integrator->work().steps);
  };
  const double slope = std::log10(steps(1e-11) / steps(1e-7)) / 4;
  EXPECT_GT(slope, 0.19);  // an embedded estimate of order 3 to 4 (5 for linear systems): between 1/5 …
  EXPECT_LT(slope, 0.27);  // … and 1/4
}

TEST(Integrators, MidpointKeepsEnergyWhereRk4Drifts) {
  Case data = read_case_text(R"(
arm:
  links:
    - {name: upper, joint: {name: shoulder, type: revolute, axis: [0, 1, 0]}, rigid: {shape: {rod: {length: 1 m}}, mass: 1}}
    - {name: fore, joint: {name: elbow, type: revolute, axis: [0, 1, 0]}, rigid: {shape: {rod: {length: 1 m}}, mass: 1}}
initial: {shoulder: 0.5, elbow: 0.3}
)")
                  .data;
  const Arm arm = Arm::assemble(data);
  auto worst = [&](Method method) {
    Drives drives(data, arm);
    System system(arm, drives, "articulated", method == Method::midpoint);
    const auto integrator = make_integrator(system, fixed(method, 0.02));
    VectorXd y = system.initial();
    Row row;
    system.row(0, y.data(), 1, row);
    const double first = row.energy();
    double early = 0, late = 0;
    integrator->restart(0, y, 40);
    for (int k = 1; k <= 200; ++k) {
      integrator->advance(0.2 * k, y);
      system.row(0.2 * k, y.data(), 1, row);
      (k <= 100 ? early : late) = std::max(k <= 100 ? early : late, std::abs(row.energy() - first));
    }
    return std::pair{early, late};
  };
  const auto [midpoint_early, midpoint_late] = worst(Method::midpoint);
  const auto [rk4_early, rk4_late] = worst(Method::rk4);
  EXPECT_LT(midpoint_late, 1.5 * midpoint_early);  // bounded: it oscillates
  EXPECT_GT(rk4_late, 1.5 * rk4_early);            // grows with time
}

TEST(Integrators, RatesAllocateNothing) {
  Case data = random_case(8, 4, {.drive_line = true, .base = BaseType::free});
  data.torque[data.arm.links[0].joint.name] = {ConstantTorque{1}};
  data.loads = {{"link2", Vector3d(0, 0, 0), {1, 2, 3}, {}, Axes::world, {}}};
  for (LinkSpec& link : data.arm.links)
    if (link.joint.type != "fixed" && !data.torque.contains(link.joint.name)) {
      data.motion[link.joint.name] = {Cycloidal{0.1, 2}};
      break;
    }
  if (data.arm.links[0].joint.type == "fixed") data.torque.clear();
  const Arm arm = Arm::assemble(data);
  Drives drives(data, arm);
  drives.enter(0, 1);
  System system(arm, drives, "articulated", false);
  VectorXd y = system.initial(), ydot(y.size());
  ASSERT_TRUE(system.rates(0.5, y.data(), ydot.data()));
  const long before = allocations();
  system.rates(0.6, y.data(), ydot.data());
  EXPECT_EQ(allocations(), before);
}

}  // namespace
}  // namespace lithe::testing
