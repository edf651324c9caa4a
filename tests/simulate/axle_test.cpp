// Wheels that roll and do not slip: against a problem solved on paper, and against equations with the constraint eliminated.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>

#include "lithe/dynamics/articulated/articulated.h"
#include "lithe/dynamics/articulated/batch_forward.h"
#include "lithe/dynamics/constrained_dynamics.h"
#include "lithe/dynamics/derivatives/forward_derivatives.h"
#include "lithe/dynamics/lagrange/lagrange.h"
#include "support/draw.h"
#include "support/random_arm.h"
#include "support/run_results.h"

namespace lithe::testing {
namespace {

/// Chaplygin's sleigh: a body of mass m and inertia I, its mass centre a distance a before the axle. Started turning on the spot,
///   ω = ω₀ sech κt,   u = U tanh κt,   U = ω₀ √((I + m a²)/m),   κ = m a U/(I + m a²)
/// for the turning rate and the axle's speed: it ends up going straight, mass centre first.
struct Sleigh {
  double m = 4, I = 0.6, a = 0.25, omega0 = 3;
  double U() const { return omega0 * std::sqrt((I + m * a * a) / m); }
  double kappa() const { return m * a * U() / (I + m * a * a); }
  std::string text(const std::string& method) const {
    return fmt::format(R"(
arm:
  gravity: [0, 0, -9.81]
  base: {{type: planar, axle: {}, rigid: {{mass: {}, inertia: {{xx: 0.4, yy: 0.4, zz: {}}}}}}}
  links:
    - {{name: mast, joint: {{type: fixed}}, rigid: {{mass: 1e-12}}}}
initial: {{base: {{velocity: [0, {}, 0], angular_velocity: [0, 0, {}]}}}}
simulate: {{for: 2 s, rtol: 1e-10, atol: 1e-12, method: {}}}
)",
                       -a, m, I, a * omega0, omega0, method);
  }
};

double last(const Results& results, const std::string& name) { return series(results, name).back(); }

TEST(Axle, SleighFollowsItsClosedForm) {
  const Sleigh sleigh;
  for (const char* const method : {"cvode", "dopri5"}) {
    const Results results = results_of(sleigh.text(method));
    const double t = 2, x = sleigh.kappa() * t, yaw = 2 * sleigh.omega0 / sleigh.kappa() * std::atan(std::tanh(x / 2));
    EXPECT_NEAR(last(results, "base.yaw.rate"), sleigh.omega0 / std::cosh(x), 2e-8) << method;
    EXPECT_NEAR(last(results, "base.yaw"), yaw, 2e-8) << method;
    const double vx = last(results, "base.x.rate"), vy = last(results, "base.y.rate");
    EXPECT_NEAR(vx * std::cos(yaw) + vy * std::sin(yaw), sleigh.U() * std::tanh(x), 2e-8) << method;
    // m (v̇ across) at the mass centre: u ω + a ω̇, with ω̇ = −m a u ω/(I + m a²).
    const double u = sleigh.U() * std::tanh(x), w = sleigh.omega0 / std::cosh(x);
    const double J = sleigh.I + sleigh.m * sleigh.a * sleigh.a;
    EXPECT_NEAR(last(results, "base.side_force"), sleigh.m * u * w * (1 - sleigh.m * sleigh.a * sleigh.a / J), 1e-7);
  }
}

// The side force does no work and leaves no slip: where a(q) v = 0 spans P (a P = 0), Pᵀ(M v̇ + h − τ) = 0.
RC_GTEST_PROP(Axle, HoldsTheProjectedEquations, ()) {
  const auto seed = any_seed();
  Case data = *rc::gen::arbitrary<bool>()
                  ? random_flexible_case(any_link_count(6), seed, {.arm = {.base = BaseType::planar}})
                  : random_case(any_link_count(8), seed, {.base = BaseType::planar});
  data.arm.base.axle = random_vector(1, seed)[0];
  const Arm arm = Arm::assemble(data);
  const int nv = arm.nv();
  State state = random_state(arm, seed);
  ConstrainedDynamics dynamics(*rc::gen::element<std::string>("articulated", "kane"), arm);
  dynamics.project_rates(state);
  RC_ASSERT(std::abs(dynamics.slip(state)[0]) <= 1e-14 * (1 + state.v.norm()));

  std::vector<bool> driven(nv, false);
  for (const TorqueInput& input : arm.torque_inputs())
    if (*rc::gen::arbitrary<bool>()) driven[input.v] = true;
  VectorXd tau = random_vector(nv, seed + 1, 5), vdot = random_vector(nv, seed + 2, 5);
  const VectorXd given_tau = tau, given_vdot = vdot;
  dynamics.hybrid(state, driven, tau, vdot);
  const double force = dynamics.reactions()[0];

  Lagrange witness(arm.without_constraints());
  MatrixXd M(nv, nv);
  VectorXd h(nv);
  witness.mass_matrix(state, M);
  witness.bias(state, Terms::all, h);
  const double yaw = state.q[2], s = std::sin(yaw), c = std::cos(yaw), d = *data.arm.base.axle;
  MatrixXd P = MatrixXd::Zero(nv, nv - 1);
  P(0, 0) = c, P(1, 0) = s;                        // ahead
  P(0, 1) = d * s, P(1, 1) = -d * c, P(2, 1) = 1;  // about the axle
  P.bottomRightCorner(nv - 3, nv - 3).setIdentity();
  const double size = 1 + (M * vdot).cwiseAbs().maxCoeff() + h.cwiseAbs().maxCoeff();
  const VectorXd left = M * vdot + h - tau;
  RC_ASSERT((P.transpose() * left).cwiseAbs().maxCoeff() <= 1e-10 * size);
  RC_ASSERT(std::abs(force * c - left[1]) <= 1e-10 * size);
  const double across = -s * vdot[0] + c * vdot[1] + d * vdot[2] - state.v[2] * (c * state.v[0] + s * state.v[1]);
  RC_ASSERT(std::abs(across) <= 1e-10 * (1 + vdot.cwiseAbs().maxCoeff()));
  for (int k = 0; k < nv; ++k) {
    const bool kept = driven[k] ? vdot[k] == given_vdot[k] : tau[k] == given_tau[k];
    RC_ASSERT(kept);
  }
}

// Alone, a formulation would let the wheels slip: it says so, and says what to do.
TEST(Axle, BareFormulationsRefuseWheels) {
  const Arm arm = Arm::assemble(read_case(LITHE_SOURCE_DIR "/examples/30_mobile_manipulator/rolling.yaml").data);
  ASSERT_EQ(arm.constraints().size(), 1u);
  for (const std::string& name : formulation_names())
    EXPECT_THROW(make_formulation(name, arm), UnsupportedError) << name;
  EXPECT_THROW(Articulated{arm}, UnsupportedError);
  EXPECT_THROW(Lagrange{arm}, UnsupportedError);
  EXPECT_THROW(BatchForward(arm, 1), UnsupportedError);
  EXPECT_THROW(ForwardDerivatives{arm}, UnsupportedError);
  try {
    Articulated{arm};
  } catch (const UnsupportedError& error) {
    EXPECT_EQ(error.path(), "arm.base.axle");
    EXPECT_STREQ(error.what(),
                 "articulated: wheels that do not slip constrain rates, which it does not support; `eval` and runs "
                 "support constraints (except with midpoint and finite-element), linear analyses do not (in C++: "
                 "ConstrainedDynamics, or arm.without_constraints())");
  }
  // As if they could slip: the same arm otherwise, and no side force.
  const Arm slipping = arm.without_constraints();
  Articulated dynamics(slipping);
  State state = State::zero(arm);
  VectorXd tau = VectorXd::Zero(arm.nv()), vdot(arm.nv());
  tau[1] = 10;  // across
  dynamics.forward(state, tau, vdot);
  EXPECT_GT(vdot[1], 1e-3);
}

// An arm swings on a rolling vehicle that a force pushes: never any slip, and what the audit counts closes without the wheels.
TEST(Axle, VehicleUnderAnArmRollsAndKeepsItsBooks) {
  const CaseFile file = read_case(LITHE_SOURCE_DIR "/examples/30_mobile_manipulator/rolling.yaml");
  const Arm arm = Arm::assemble(file.data);
  ASSERT_EQ(arm.constraints().size(), 1u);
  const Results results = results_of(file);
  const auto x = series(results, "base.x.rate"), y = series(results, "base.y.rate"), yaw = series(results, "base.yaw"),
             rate = series(results, "base.yaw.rate"), kinetic = series(results, "energy.kinetic"),
             residual = series(results, "energy.residual"), force = series(results, "base.side_force");
  double slip = 0, speed = 0, energy = 0, open = 0, push = 0;
  for (size_t k = 0; k < x.size(); ++k) {
    slip = std::max(slip,
                    std::abs(-x[k] * std::sin(yaw[k]) + y[k] * std::cos(yaw[k]) + *file.data.arm.base.axle * rate[k]));
    speed = std::max(speed, std::hypot(x[k], y[k]));
    energy = std::max(energy, kinetic[k]);
    open = std::max(open, std::abs(residual[k]));
    push = std::max(push, std::abs(force[k]));
  }
  EXPECT_GT(speed, 0.1);
  EXPECT_GT(push, 1);
  EXPECT_LT(slip, 1e-12 * speed);
  EXPECT_LT(open, 1e-5 * energy);
}

TEST(Axle, SayWhatTheyCannot) {
  const Sleigh sleigh;
  auto refusal = [&](const std::string& text) -> std::string {
    try {
      results_of(text);
    } catch (const FieldError& error) {
      return error.path();
    }
    return "accepted";
  };
  std::string slipping = sleigh.text("cvode"), elements = slipping;
  slipping.replace(slipping.find("[0, 0.75, 0]"), 12, "[0, 0.7, 0]");
  EXPECT_EQ(refusal(slipping), "initial.base");
  EXPECT_EQ(refusal(sleigh.text("midpoint, step: 1 ms").replace(sleigh.text("").find("rtol"), 26, "")),
            "arm.base.axle");
  elements.replace(elements.find("method: cvode"), 13, "formulation: finite-element");
  EXPECT_EQ(refusal(elements), "arm.base.axle");  // it has none that moves by itself
}

}  // namespace
}  // namespace lithe::testing
