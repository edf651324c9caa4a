// Springs and dampers between points: the oscillator by its closed form, forces as slopes of their energy, statics, modes.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "lithe/analyse/linearise.h"
#include "lithe/analyse/modes.h"
#include "lithe/describe/case_reader.h"
#include "lithe/drive/drives.h"
#include "support/random_arm.h"
#include "support/run_results.h"

namespace lithe::testing {
namespace {

/// Two carts on one rail, a spring between them.
const char* const carts = R"(
arm:
  gravity: [0, 0, 0]
  links:
    - {name: left, joint: {name: x, type: prismatic, axis: [1, 0, 0]}, rigid: {mass: 2}}
    - {name: right, parent: base, joint: {name: y, type: prismatic, axis: [1, 0, 0]}, rigid: {mass: 3}}
forces:
  - spring_damper: {from: {link: left}, to: {link: right}, stiffness: 120 N/m, damping: 2 N.s/m, length: 0.5 m}
initial: {x: 0.1 m, y: {position: 0.8 m, rate: 0.3 m/s}}
simulate: {for: 3 s, rtol: 1e-10, atol: 1e-12}
)";

TEST(SpringDamper, OfTwoBodiesOscillatesAsTheirReducedMass) {
  const double mu = 2. * 3 / 5, w0 = std::sqrt(120 / mu), decay = 2 / (2 * mu), w = std::sqrt(w0 * w0 - decay * decay);
  const double stretch = 0.2, rate = 0.3;
  for (const char* const method : {"cvode", "dopri5", "esdirk"}) {
    const Results results = results_of(carts, {{"simulate.method", method}});
    const std::vector<double>&x = series(results, "x"), &y = series(results, "y");
    double largest_elastic = 0;
    for (size_t k = 0; k < x.size(); k += 10) {
      const double t = results.time[k];
      const double expected =
          std::exp(-decay * t) * (stretch * std::cos(w * t) + (rate + decay * stretch) / w * std::sin(w * t));
      EXPECT_NEAR(y[k] - x[k] - 0.5, expected, 1e-8) << method << " " << t;
      EXPECT_NEAR((2 * x[k] + 3 * y[k]) / 5, (2 * 0.1 + 3 * 0.8) / 5 + 3 * 0.3 / 5 * t, 1e-8);
      EXPECT_NEAR(series(results, "energy.elastic")[k], 60 * expected * expected, 1e-7);
      largest_elastic = std::max(largest_elastic, series(results, "energy.elastic")[k]);
    }
    EXPECT_GT(largest_elastic, 2);
    for (const double residual : series(results, "energy.residual")) EXPECT_LT(std::abs(residual), 1e-7);
    // Nobody puts anything in; the damper takes what is missing.
    EXPECT_NEAR(series(results, "energy.input").back(), 0, 1e-9);
    EXPECT_GT(series(results, "energy.dissipated").back(), 1);
  }
}

struct Sprung {
  Case data;
  Arm arm;
  Drives drives;
  explicit Sprung(const Case& given) : data(given), arm(Arm::assemble(data)), drives(data, arm) {}

  VectorXd force(const State& state) {
    VectorXd tau = VectorXd::Zero(arm.nv());
    drives.add_loads(state, tau);
    return tau;
  }
  double stored(const State& state) {
    force(state);
    return drives.force_energy(state).stored;
  }
};

/// Springs between links of a random arm that bends, and from one to the world.
Case sprung_case(unsigned seed, BaseType base, double damping) {
  FlexibleArmOptions options;
  options.arm.base = base;
  Case data = random_flexible_case(4, seed, options);
  const auto link = [&](size_t i) { return data.arm.links[i].name; };
  data.forces = {{SpringDamper{{link(0)}, {link(3)}, 80, damping, 0.3}},
                 {SpringDamper{{link(2)}, {{}, Vector3d(0.3, -0.4, 2)}, 50, damping, 0.2}}};
  return data;
}

TEST(SpringDamper, ForceIsTheSlopeOfItsEnergy) {
  for (const BaseType base : {BaseType::fixed, BaseType::planar, BaseType::free})
    for (unsigned seed = 1; seed < 6; ++seed) {
      Sprung sprung(sprung_case(seed, base, 0));
      State state = random_state(sprung.arm, seed);
      const VectorXd force = sprung.force(state);
      for (int k = 0; k < sprung.arm.nv(); ++k) {
        auto energy = [&](double h) {
          State moved = state;
          displace(sprung.arm, moved.q, h * VectorXd::Unit(sprung.arm.nv(), k));
          return sprung.stored(moved);
        };
        const double h = 1e-5, slope = (energy(h) - energy(-h)) / (2 * h);
        EXPECT_NEAR(force[k], -slope, 1e-6 * (1 + force.cwiseAbs().maxCoeff())) << int(base) << seed << k;
      }
    }
}

TEST(SpringDamper, LosesWhatItsDamperTakes) {
  for (unsigned seed = 1; seed < 6; ++seed) {
    Sprung sprung(sprung_case(seed, BaseType::free, 7));
    const State state = random_state(sprung.arm, seed);
    const VectorXd force = sprung.force(state);
    const ForceEnergy energy = sprung.drives.force_energy(state);
    EXPECT_GT(energy.lost, 0);
    EXPECT_NEAR(force.dot(state.v), -energy.stored_rate - energy.lost, 1e-10 * (1 + energy.lost));
  }
}

TEST(SpringDamper, StiffnessAndDampingAtRestAreSlopesOfItsForce) {
  for (const BaseType base : {BaseType::fixed, BaseType::planar})
    for (unsigned seed = 1; seed < 5; ++seed) {
      Sprung sprung(sprung_case(seed, base, 7));
      State state = random_state(sprung.arm, seed);
      state.v.setZero();
      const OuterForces outer = sprung.drives.forces_at_rest();
      Triplets stiffness, damping;
      const SmallMotion motion = small_motion(sprung.arm, state);
      outer.add_stiffness(motion, stiffness);
      outer.add_damping(motion, damping);
      const int nv = sprung.arm.nv();
      const MatrixXd K = MatrixXd(assembled(nv, stiffness)), D = MatrixXd(assembled(nv, damping));
      for (int k = 0; k < nv; ++k) {
        auto moved = [&](double h) {
          State at = state;
          displace(sprung.arm, at.q, h * VectorXd::Unit(nv, k));
          return sprung.force(at);
        };
        auto rushed = [&](double h) {
          State at = state;
          at.v[k] = h;
          return sprung.force(at);
        };
        const double h = 1e-5;
        const VectorXd by_position = (moved(-h) - moved(h)) / (2 * h), by_rate = (rushed(-h) - rushed(h)) / (2 * h);
        EXPECT_LT((K.col(k) - by_position).norm(), 2e-6 * (1 + K.norm())) << int(base) << seed << k;
        EXPECT_LT((D.col(k) - by_rate).norm(), 1e-7 * (1 + D.norm()));
      }
    }
}

TEST(SpringDamper, CountsInStaticsModesAndLinearModels) {
  // A mass on a vertical slide, hanging on a spring and a damper from the world.
  const Case data = read_case_text(R"(
arm:
  links:
    - {name: mass, joint: {name: z, type: prismatic, axis: [0, 0, 1], motor: {inertia: 1e-6 kg, stiffness: 1e-9 N/m}}, rigid: {mass: 2}}
forces:
  - spring_damper: {from: {point: [0, 0, 1]}, to: {link: mass}, stiffness: 400 N/m, damping: 8 N.s/m, length: 1 m}
simulate: {for: 1 s}
)")
                        .data;
  const Arm arm = Arm::assemble(data);
  Drives drives(data, arm);
  State state =
      find_equilibrium(arm, State::zero(arm), held_by_motors(arm), effective_gravity(arm), drives.all_at_rest()).state;
  const int q0 = arm.link(arm.find_link("mass")).q0;
  EXPECT_NEAR(state.q[q0], -2 * 9.81 / 400, 1e-9);
  const ModesOptions options{.joints = JointCondition::locked, .count = 1, .outer = drives.forces_at_rest()};
  const Mode mode = natural_modes_of(arm, state, options).modes.front();
  EXPECT_NEAR(mode.frequency_hz, std::sqrt(400. / 2) / (2 * std::numbers::pi), 1e-8);
  EXPECT_NEAR(mode.damping_ratio, 8 / (2 * std::sqrt(400. * 2)), 1e-8);
  const double decay = 8. / 4, swing = std::sqrt(200 - decay * decay);
  for (const double speed : {0.0, 0.7}) {
    state.v.setZero();
    state.v[arm.link(arm.find_link("mass")).v0] = speed;
    const LinearModel model = linearise(arm, state, drives, {});
    double nearest = 1e9;
    for (const auto& pole : model.poles) nearest = std::min(nearest, std::abs(pole - std::complex(-decay, swing)));
    EXPECT_LT(nearest, 1e-6) << speed;
  }
}

}  // namespace
}  // namespace lithe::testing
