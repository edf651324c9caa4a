// A point that a plane stops: the rebound by its closed form, slopes by differences, statics, a bracing arm.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "lithe/analyse/modes.h"
#include "lithe/describe/case_reader.h"
#include "lithe/drive/drives.h"
#include "support/random_arm.h"
#include "support/run_results.h"

namespace lithe::testing {
namespace {

/// A mass that slides against a wall at z = 0, and off it again.
std::string rebound(double damping) {
  return fmt::format(R"(
arm:
  gravity: [0, 0, 0]
  links:
    - {{name: ball, joint: {{name: z, type: prismatic, axis: [0, 0, 1]}}, rigid: {{mass: 2}}}}
forces:
  - contact: {{link: ball, plane: {{}}, stiffness: 5000 N/m, damping: {} N.s/m}}
initial: {{z: {{position: 0.1 m, rate: -1 m/s}}}}
simulate: {{for: 0.4 s, rtol: 1e-9, atol: 1e-12, output_step: 2 ms}}
)",
                     damping);
}

TEST(Contact, SendsAMassBackAsASpringAndDamperThatNeverPull) {
  for (const double damping : {0.0, 40.0})
    for (const char* const method : {"cvode", "dopri5"}) {
      const double m = 2, k = 5000, decay = damping / (2 * m), w = std::sqrt(k / m - decay * decay);
      // δ = e^(−decay t) sin(w t)/w from the touch on; the wall lets go where k δ + c δ̇ = 0, which is where m δ̈ = 0.
      const double leaves = std::atan2(2 * decay * w, decay * decay - w * w) / w;
      const double t = leaves > 0 ? leaves : leaves + std::numbers::pi / w;
      const double depth = std::exp(-decay * t) * std::sin(w * t) / w,
                   speed = -std::exp(-decay * t) * (std::cos(w * t) - decay / w * std::sin(w * t));
      const Results results = results_of(rebound(damping), {{"simulate.method", method}});
      const std::vector<double>& z = series(results, "z");
      int inside = 0;
      for (size_t i = 0; i < z.size(); ++i) {
        const double now = results.time[i], since = now - 0.1;
        const double expected = since < 0   ? 0.1 - now
                                : since < t ? -std::exp(-decay * since) * std::sin(w * since) / w
                                            : -depth + speed * (since - t);
        EXPECT_NEAR(z[i], expected, 2e-7) << damping << method << now;
        inside += since > 0 && since < t;
      }
      EXPECT_GT(inside, 20);
      for (const double residual : series(results, "energy.residual")) EXPECT_LT(std::abs(residual), 1e-6);
      EXPECT_NEAR(series(results, "energy.dissipated").back(), 1 - speed * speed, 1e-6);  // ½ m v²
      EXPECT_NEAR(series(results, "energy.input").back(), 0, 1e-9);
    }
}

/// Planes through the tips of a random arm, so deep that all of them push.
Case braced(unsigned seed, BaseType base, double damping) {
  FlexibleArmOptions options;
  options.arm.base = base;
  Case data = random_flexible_case(4, seed, options);
  const VectorXd n = random_vector(6, seed + 9);
  data.forces = {
      {Contact{
          data.arm.links[3].name, {}, {Vector3d(0, 0, 0) + 50 * n.head<3>().normalized(), n.head<3>()}, 90, damping}},
      {Contact{
          data.arm.links[1].name, {}, {Vector3d(0, 0, 0) + 50 * n.tail<3>().normalized(), n.tail<3>()}, 60, damping}}};
  return data;
}

TEST(Contact, ForceEnergyAndSlopesBelongTogether) {
  for (const BaseType base : {BaseType::fixed, BaseType::free})
    for (unsigned seed = 1; seed < 5; ++seed) {
      const Case data = braced(seed, base, 7);
      const Arm arm = Arm::assemble(data);
      Drives drives(data, arm);
      State state = random_state(arm, seed);
      const int nv = arm.nv();
      auto force = [&](const State& at) {
        VectorXd tau = VectorXd::Zero(nv);
        drives.add_loads(at, tau);
        return tau;
      };
      const ForceEnergy energy = (force(state), drives.force_energy(state));
      EXPECT_GT(energy.stored, 100);
      EXPECT_NEAR(force(state).dot(state.v), -energy.stored_rate - energy.lost, 1e-9 * (1 + energy.stored));
      state.v.setZero();
      if (base == BaseType::free) continue;  // its directions turn: differences would need that too
      Triplets stiffness, damping;
      const OuterForces outer = drives.forces_at_rest();
      const SmallMotion motion = small_motion(arm, state);
      outer.add_stiffness(motion, stiffness);
      outer.add_damping(motion, damping);
      const MatrixXd K = MatrixXd(assembled(nv, stiffness)), D = MatrixXd(assembled(nv, damping));
      EXPECT_GT(K.norm(), 1);
      for (int k = 0; k < nv; ++k) {
        auto moved = [&](double h) {
          State at = state;
          displace(arm, at.q, h * VectorXd::Unit(nv, k));
          return force(at);
        };
        auto rushed = [&](double h) {
          State at = state;
          at.v[k] = h;
          return force(at);
        };
        const double h = 1e-5;
        EXPECT_LT((K.col(k) - (moved(-h) - moved(h)) / (2 * h)).norm(), 2e-6 * (1 + K.norm())) << seed << k;
        EXPECT_LT((D.col(k) - (rushed(-h) - rushed(h)) / (2 * h)).norm(), 1e-7 * (1 + D.norm()));
      }
    }
}

// A bar that lies on the floor with its tip: half its weight is there.
TEST(Contact, HoldsInStatics) {
  const Case data = read_case_text(R"(
arm:
  links:
    - name: bar
      joint: {name: hinge, type: revolute, axis: [0, 1, 0], motor: {inertia: 1e-6, stiffness: 1e-9}}
      rigid: {length: 1, mass: 4, com: [0.5, 0, 0], inertia: {xx: 0.1, yy: 0.4, zz: 0.4}}
forces:
  - contact: {link: bar, plane: {point: [0, 0, -0.1]}, stiffness: 1e6 N/m}
initial: {hinge: 0.2}
simulate: {for: 1 s}
)")
                        .data;
  const Arm arm = Arm::assemble(data);
  Drives drives(data, arm);
  State start = State::zero(arm);
  start.q.setConstant(0.2);
  const State state =
      find_equilibrium(arm, start, held_by_motors(arm), effective_gravity(arm), drives.all_at_rest()).state;
  const double depth = 4 * 9.81 / 2 / 1e6, angle = state.q[arm.link(arm.find_link("bar")).q0];
  EXPECT_NEAR(std::sin(angle), 0.1 + depth, 1e-9);
}

TEST(Contact, BehindItsPlaneAtTheStartIsQuestioned) {
  auto warnings = [](const std::string& start, bool goes_on = false) {
    const CaseFile file = read_case_text(rebound(0), "case", {{"initial", start}, {"simulate.for", "1 ms"}});
    const TemporaryFolder scratch;
    RunOptions options;
    options.file = scratch.path() + "/results.h5";
    options.goes_on = goes_on;
    return run(file, Arm::assemble(file.data), options).warnings;
  };
  EXPECT_EQ(warnings("{z: -0.5 m}"),
            std::vector<std::string>{"forces[0].contact: the point of 'ball' is 0.5 m behind the plane at the start: "
                                     "does `normal` point to the side where the arm is?"});
  EXPECT_TRUE(warnings("{z: 0.5 m}").empty());
  // Where another run ended the wall may be at work, and at rest on it it is.
  EXPECT_TRUE(warnings("{z: -0.5 m}", true).empty());
  EXPECT_TRUE(warnings("{z: -0.5 m, deformation: static}").empty());
}

TEST(Contact, IsReadAndRefusedWithItsPlace) {
  auto refusal = [](const std::string& contact) -> std::string {
    try {
      read_case_text(
          "arm: {links: [{name: ball, joint: {name: z, type: prismatic, axis: [0, 0, 1]}, rigid: {mass: "
          "2}}]}\nforces:\n  - contact: " +
          contact + "\n");
    } catch (const CaseError& error) {
      return error.what();
    }
    return "accepted";
  };
  EXPECT_EQ(refusal("{link: ball, plane: {normal: [0, 1, 0]}, stiffness: 10 N/m}"), "accepted");
  EXPECT_EQ(refusal("{link: bull, plane: {normal: [0, 1, 0]}, stiffness: 10 N/m}"),
            "case:3:21: forces[0].contact.link: no link 'bull', did you mean 'ball'? Links: ball");
  EXPECT_EQ(refusal("{link: ball, plane: {normal: [0, 0, 0]}, stiffness: 10 N/m}"),
            "case:3:43: forces[0].contact.plane.normal: expected a vector other than zero");
  EXPECT_EQ(refusal("{link: ball, plane: {}, stiffness: 0 N/m}"),
            "case:3:49: forces[0].contact.stiffness: expected a stiffness greater than zero, got \"0 N/m\"");
}

}  // namespace
}  // namespace lithe::testing
