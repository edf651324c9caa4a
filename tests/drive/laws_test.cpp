// Control laws and actuators against closed forms of the loops they make.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "lithe/describe/case_reader.h"
#include "lithe/dynamics/articulated/articulated.h"
#include "lithe/simulate/simulation.h"
#include "support/matrix_functions.h"
#include "support/run_results.h"

namespace lithe::testing {
namespace {

/// A joint that turns an inertia of 0.5 kg·m² and nothing else.
constexpr double J = 0.5;
std::string turntable(const std::string& torque, const std::string& simulate = "for: 2 s") {
  return R"(
arm:
  gravity: [0, 0, 0]
  links:
    - {name: table, joint: {name: axle, type: revolute, axis: [0, 0, 1]}, rigid: {mass: 1, inertia: {xx: 1, yy: 1, zz: 0.5}}}
torque: {axle: )" +
         torque + "}\nsimulate: {" + simulate + "}\n";
}

/// Position after `t` of the linear loop x = [q, v, J, d] with command 1, by the matrix exponential.
double linear_pid(double kp, double ki, double kd, double T, double t) {
  MatrixXd A = MatrixXd::Zero(5, 5);  // the last is the constant 1
  const double q = -kp / J;
  A.row(0) << 0, 1, 0, 0, 0;
  if (T > 0) {
    A.row(1) << q, 0, 1 / J, kd / J, kp / J;
    A.row(3) << 0, -1 / T, 0, -1 / T, 0;
  } else {
    A.row(1) << q, -kd / J, 1 / J, 0, kp / J;
  }
  A.row(2) << -ki, 0, 0, 0, ki;
  VectorXd x = VectorXd::Unit(5, 4);
  return (matrix_exponential(A * t) * x)[0];
}

TEST(Pid, StepResponseIsThatOfTheLinearLoop) {
  for (const char* const method : {"cvode", "dopri5", "esdirk", "cvode-adams"})
    for (const double filter : {0.0, 0.02}) {
      const std::string law = "{pid: {kp: 20, ki: 30, kd: 4, target: 1 rad" +
                              (filter > 0 ? ", derivative_filter: 20 ms" : std::string()) + "}}";
      const Results results =
          results_of(turntable(law, std::string("for: 2 s, rtol: 1e-10, atol: 1e-12, method: ") + method));
      const std::vector<double>& q = series(results, "axle");
      for (size_t k = 0; k < q.size(); k += 25)
        EXPECT_NEAR(q[k], linear_pid(20, 30, 4, filter, results.time[k]), 2e-8) << method << " " << filter;
      // What the controller puts in is all the energy there is.
      for (const double residual : series(results, "energy.residual")) EXPECT_LT(std::abs(residual), 1e-7);
    }
}

TEST(Pid, SampledIsTheDifferenceEquation) {
  const double kp = 20, ki = 30, kd = 4, T = 0.02, h = 0.01;
  const Results results =
      results_of(turntable("{pid: {kp: 20, ki: 30, kd: 4, derivative_filter: 20 ms, target: 1, sample_time: 10 ms}}",
                           "for: 1 s, rtol: 1e-11, atol: 1e-13"));
  const std::vector<double>& q = series(results, "axle");
  double x = 0, v = 0, integral = 0, derivative = 0;
  for (int k = 0; k <= 99; ++k) {
    const size_t row = size_t(5 * k);
    ASSERT_NEAR(results.time[row], k * h, 1e-12);
    EXPECT_NEAR(q[row], x, 1e-9) << k;
    const double e = 1 - x, torque = kp * e + integral + kd * derivative;
    integral += h * ki * e;
    derivative += (1 - std::exp(-h / T)) * (-v - derivative);
    x += h * v + h * h / 2 * torque / J;
    v += h * torque / J;
  }
}

/// The same loop with limits, by small steps of the classical Runge–Kutta method.
struct LimitedLoop {
  double kp, ki, kd, track, clamp, saturation, stall, no_load;
  std::array<double, 3> x{0, 0, 0};  // q, v, integral
  double torque(const std::array<double, 3>& at, double& excess) const {
    const double asked = kp * (1 - at[0]) + at[2] - kd * at[1];
    double given = std::min(std::max(asked, -stall * (1 + at[1] / no_load)), stall * (1 - at[1] / no_load));
    given = std::min(std::max(given, -saturation), saturation);
    excess = given - asked;
    return given;
  }
  std::array<double, 3> rates(const std::array<double, 3>& at) const {
    double excess = 0;
    const double given = torque(at, excess), e = 1 - at[0];
    const bool stopped = std::abs(at[2]) >= clamp && e * at[2] > 0;
    return {at[1], given / J, stopped ? 0 : ki * e + track * excess};
  }
  void step(double h) {
    auto moved = [&](const std::array<double, 3>& k, double by) {
      return std::array<double, 3>{x[0] + by * k[0], x[1] + by * k[1], x[2] + by * k[2]};
    };
    const auto a = rates(x), b = rates(moved(a, h / 2)), c = rates(moved(b, h / 2)), d = rates(moved(c, h));
    for (size_t i = 0; i < 3; ++i) x[i] += h / 6 * (a[i] + 2 * b[i] + 2 * c[i] + d[i]);
    x[2] = std::min(std::max(x[2], -clamp), clamp);  // where it stops within the step
  }
};

TEST(Pid, KeepsItsIntegralWhileTheTorqueIsLimited) {
  struct Variant {
    const char* law;
    LimitedLoop loop;
  };
  const double none = 1e30;
  const Variant variants[] = {
      {"{pid: {kp: 20, ki: 30, kd: 4, target: 1, saturation: 2, anti_windup: none}}",
       {20, 30, 4, 0, none, 2, none, none}},
      {"{pid: {kp: 20, ki: 30, kd: 4, target: 1, saturation: 2}}",
       {20, 30, 4, 1 / std::sqrt(4. / 30), none, 2, none, none}},
      {"{pid: {kp: 20, ki: 30, kd: 4, target: 1, saturation: 2, tracking_time: 50 ms}}",
       {20, 30, 4, 20, none, 2, none, none}},
      {"{pid: {kp: 20, ki: 30, kd: 4, target: 1, saturation: 2, anti_windup: clamping, integral_limit: 0.5}}",
       {20, 30, 4, 0, 0.5, 2, none, none}},
      {"{pid: {kp: 20, ki: 30, kd: 4, target: 1, saturation: 6, envelope: {stall_torque: 4, no_load_speed: 1.5 rad/s}, "
       "tracking_time: 50 ms}}",
       {20, 30, 4, 20, none, 6, 4, 1.5}}};
  double overshoot[5] = {};
  for (size_t i = 0; i < 5; ++i)
    for (const char* const method : {"cvode", "dopri5", "esdirk"}) {
      const Results results = results_of(turntable(
          variants[i].law, std::string("for: 2 s, rtol: 1e-10, atol: 1e-12, output_step: 0.02 s, method: ") + method));
      LimitedLoop loop = variants[i].loop;
      const std::vector<double>& q = series(results, "axle");
      for (size_t k = 0; k < q.size(); ++k) {
        EXPECT_NEAR(q[k], loop.x[0], 2e-7) << variants[i].law << " " << method << " " << results.time[k];
        for (int n = 0; n < 1000; ++n) loop.step(2e-5);
        overshoot[i] = std::max(overshoot[i], q[k]);
      }
    }
  EXPECT_GT(overshoot[0], 1.15);                 // wound up
  EXPECT_LT(overshoot[1], overshoot[0] - 0.05);  // and not
  EXPECT_LT(overshoot[2], overshoot[1]);
}

TEST(Pid, SettledItsIntegralHoldsTheWeight) {
  const std::string text = R"(
arm:
  links:
    - {name: bar, joint: {name: pivot, type: revolute, axis: [0, -1, 0]}, rigid: {mass: 2, com: [0.5, 0, 0]}}
torque: {pivot: {pid: {kp: 50, ki: 40, kd: 5, target: 0}}}
initial: {deformation: settled}
simulate: {for: 1 s}
)";
  const Results results = results_of(text);
  for (const double q : series(results, "pivot")) EXPECT_NEAR(q, 0, 1e-9);
  for (const double torque : series(results, "pivot.torque")) EXPECT_NEAR(torque, 2 * 9.81 * 0.5, 1e-6);
}

TEST(MotorEnvelope, SpeedApproachesThatOfNoLoad) {
  // On full voltage J v̇ = S (1 − v/v₀): v = v₀ (1 − exp(−t S/(J v₀))).
  const double S = 3, v0 = 8;
  for (const char* const law : {"{input: 100 N.m, envelope: {stall_torque: 3, no_load_speed: 8 rad/s}}",
                                "{pd: {kp: 1e4, kd: 0, target: 100, envelope: {stall_torque: 3, no_load_speed: 8}}}",
                                "{pd: {kp: 1e4, kd: 0, target: 100, sample_time: 30 ms, envelope: {stall_torque: 3, "
                                "no_load_speed: 8}}}"})
    for (const char* const method : {"cvode", "dopri5", "esdirk"}) {
      const Results results =
          results_of(turntable(law, std::string("for: 3 s, rtol: 1e-10, atol: 1e-12, method: ") + method));
      const std::vector<double>& v = series(results, "axle.rate");
      for (size_t k = 0; k < v.size(); k += 10)
        EXPECT_NEAR(v[k], v0 * (1 - std::exp(-results.time[k] * S / (J * v0))), 1e-7) << law << " " << method;
      EXPECT_LT(std::abs(series(results, "energy.residual").back()), 1e-6);
    }
}

TEST(MotorEnvelope, OfASampledLawHasSlopesAndCorners) {
  const Case data =
      read_case_text(turntable("{input: 2 N.m, sample_time: 0.1 s, envelope: {stall_torque: 4, no_load_speed: 8}}"))
          .data;
  const Arm arm = Arm::assemble(data);
  Drives drives(data, arm);
  Articulated model(arm);
  State state = State::zero(arm);
  drives.sample(state, model);
  VectorXd tau(1);
  ASSERT_EQ(drives.n_switches(), 2);
  double values[2];
  for (const double v : {0.0, 3.9, 4.1, 6.0}) {
    state.v[0] = v;
    drives.torques(state, model, tau);
    EXPECT_NEAR(tau[0], std::min(2., 4 * (1 - v / 8)), 1e-15);
    drives.switches(state, model, values);
    EXPECT_EQ(values[0] > 0, v > 4);
    int visits = 0;
    drives.for_each_acting_law(state, model, [&](const PlacedLaw& placed) {
      ++visits;
      EXPECT_EQ(placed.own_by_rate[0], -0.5);
    });
    EXPECT_EQ(visits, v > 4 ? 1 : 0);
  }
}

TEST(Motor, OnAScrewCountsByItsTurns) {
  // 2π/lead motor turns per metre, times the gear: mass m + n²J, damping n²d.
  struct Variant {
    const char* motor;
    double turns;
  };
  for (const Variant& variant :
       {Variant{"lead: 5 mm, gear_ratio: 3", 3 * 2 * std::numbers::pi / 0.005}, Variant{"pinion_radius: 20 mm", 50}}) {
    const std::string text = std::string(R"(
arm:
  gravity: [0, 0, 0]
  links:
    - {name: cart, joint: {name: slide, type: prismatic, axis: [1, 0, 0], motor: {inertia: 2e-5 kg.m^2, damping: 1e-4 N.m.s/rad, )") +
                             variant.motor + R"(}}, rigid: {mass: 4}}
torque: {slide: 30 N}
simulate: {for: 0.5 s}
)";
    const double mass = 4 + variant.turns * variant.turns * 2e-5, damping = variant.turns * variant.turns * 1e-4;
    const Results results = results_of(text);
    const double t = results.time.back(), v = 30 / damping * (1 - std::exp(-damping / mass * t));
    EXPECT_NEAR(series(results, "slide.rate").back(), v, 1e-7 * v);
    EXPECT_NEAR(series(results, "energy.kinetic").back(), mass * v * v / 2, 1e-6 * mass * v * v);
    EXPECT_LT(std::abs(series(results, "energy.residual").back()), 1e-6 * mass * v * v);
  }
}

TEST(BallJoints, TakeTorquesButNoControllers) {
  auto ball = [](const std::string& torque) {
    return R"(
arm:
  gravity: [0, 0, 0]
  links:
    - {name: top, joint: {name: ball, type: spherical}, rigid: {mass: 1, inertia: {xx: 0.5, yy: 0.5, zz: 0.5}}}
torque: {ball.z: )" +
           torque + "}\nsimulate: {for: 1 s}\n";
  };
  // Rising in a straight line, a torque gives half as much.
  for (const auto& [torque, rate] : {std::pair{"0.3 N.m", 0.3 / J},
                                     {"{input: 0.3 N.m}", 0.3 / J},
                                     {"{profile: {lines: [{at: 1 s, to: 0.3 N.m}]}}", 0.15 / J}})
    EXPECT_NEAR(series(results_of(ball(torque)), "ball.z").back(), rate, 1e-6) << torque;
  for (const char* const law : {"{pd: {kp: 1, kd: 1, target: 0}}", "{pid: {kp: 1, ki: 1, target: 0}}",
                                "{servo: {kp: 1, kv: 1, target: 0}}", "{computed_torque: {kp: 1, kd: 1, target: 0}}"}) {
    const Case data = read_case_text(ball(law)).data;
    const Arm arm = Arm::assemble(data);
    try {
      const Drives drives(data, arm);
      ADD_FAILURE() << law;
    } catch (const FieldError& error) {
      EXPECT_EQ(error.path(), "torque.ball.z");
      EXPECT_EQ(std::string(error.what()),
                "'ball.z' is a rate without a position of its own, but a controller needs one: expected `constant` or "
                "a profile");
    }
  }
}

TEST(GravityCompensation, OfTheCommandKnowsTheSag) {
  const std::string text = R"(
arm:
  links:
    - {name: a, joint: {name: p, type: revolute, axis: [0, -1, 0]}, beam: &beam {length: 1, material: aluminium, section: {rectangle: {width_y: 20 mm, height_z: 8 mm}}, flexibility: {modes: {bending_z: 3}}}}
    - {name: b, joint: {name: q, type: revolute, axis: [0, -1, 0], motor: {inertia: 1e-3, stiffness: 200}}, beam: *beam, payload: {mass: 0.5}}
torque:
  p: {pd: {kp: 30, kd: 8, gravity_compensation: true, gravity_of: command, target: 40 deg}}
  q: {pd: {kp: 30, kd: 8, gravity_compensation: true, gravity_of: command, target: -20 deg}}
initial: {deformation: static, p: 40 deg, q.motor: -20 deg, q: -20 deg}
simulate: {for: 1 s}
)";
  const Case data = read_case_text(text).data;
  const Arm arm = Arm::assemble(data);
  // Where the motors stand at their commands, what they must give is what equilibrium says.
  State held = State::zero(arm);
  held.q[arm.torque_inputs()[0].q] = 40 * std::numbers::pi / 180;
  for (const char* const name : {"b", "q.motor"}) {
    const int i = arm.find_link(name);
    ASSERT_GE(i, 0);
    held.q[arm.link(i).q0] = -20 * std::numbers::pi / 180;
  }
  const Equilibrium rest = find_equilibrium(arm, held, held_by_motors(arm), arm.gravity());
  Drives drives(data, arm);
  Articulated model(arm);
  State elsewhere = held;  // bent otherwise: the law does not look
  elsewhere.q.segment(arm.link(0).flex_q0(), 3) << 0.01, -0.02, 0.005;
  VectorXd tau(arm.nv());
  drives.torques(elsewhere, model, tau);
  for (const TorqueInput& input : arm.torque_inputs())
    EXPECT_NEAR(tau[input.v], rest.force[input.v], 1e-9 * rest.force.cwiseAbs().maxCoeff());
  // Straight links would weigh otherwise: more than rounding tells the two apart.
  model.bias(held, Terms::gravity, tau);
  EXPECT_GT(std::abs(tau[0] - rest.force[0]), 1e-3 * std::abs(rest.force[0]));
  EXPECT_THROW(Drives(read_case_text(text, "case", {{"torque.q", "0"}}).data, arm), FieldError);
}

}  // namespace
}  // namespace lithe::testing
