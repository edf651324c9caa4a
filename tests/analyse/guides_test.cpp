// Arms with beams in guides at rest: modes and sag against the same arm as a rigid stub with an ordinary beam on it, closed forms, and
// the finite-element model that follows the slide.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "lithe/analyse/linearise.h"
#include "lithe/analyse/modes.h"
#include "lithe/analyse/statics.h"
#include "lithe/describe/case_reader.h"
#include "lithe/drive/drives.h"
#include "lithe/dynamics/internal_forces.h"
#include "lithe/simulate/finite_element/floating_model.h"
#include "support/run_results.h"

namespace lithe::testing {
namespace {

constexpr double pi = std::numbers::pi;

/// A bending link that carries a beam in a guide, off axis, which carries a third link.
std::string arm_with(const std::string& ram, const std::string& more = "") {
  return R"(
arm:
  gravity: [0.3, -4, -9.81]
  links:
    - name: upper
      joint: {name: hip, type: revolute, axis: [0, 0.6, 0.8], origin: {rpy: [0.2, -0.4, 0.7]}}
      beam: {length: 0.6, material: aluminium, section: {rectangle: {width_y: 12 mm, height_z: 10 mm}}, flexibility: {elements: 2, element: linear}}
)" + ram +
         R"(
      payload: {mass: 0.7, com: [0.02, 0.03, -0.01], inertia: {xx: 0.002, yy: 0.003, zz: 0.004}}
    - name: hand
      joint: {name: wrist, type: revolute, axis: [0, 1, 0], origin: {xyz: [0, 0.05, 0]}}
      rigid: {length: 0.2, mass: 0.5, com: [0.1, 0.01, 0], inertia: {xx: 0.001, yy: 0.002, zz: 0.0025}}
)" + more;
}

const char* const place = "origin: {xyz: [0.1, 0.2, -0.1], rpy: [0.5, 0.3, -0.8]}";
const char* const made_of =
    "material: aluminium, section: {rectangle: {width_y: 10 mm, height_z: 8 mm}}, damping: {rayleigh: {beta: "
    "1e-4}}, flexibility: {elements: 3, element: linear, mesh: [0.5, 0.3, 0.2]";

std::string guided(const std::string& more = "", const std::string& kind = "") {
  return arm_with(
      fmt::format("    - name: ram\n      joint: {{name: slide, type: prismatic, axis: [1, 0, 0], {}, guide: 0.4 m}}\n"
                  "      beam: {{length: 1, {}{}}}}}",
                  place, made_of, kind),
      more);
}

/// The slide at q: what is held straight as a rigid stub on the same slide, and a beam of the free length clamped on it.
std::string stubbed(double q, const std::string& kind = "") {
  const double free = 1 + q - 0.4, straight = 1 - free, A = 0.01 * 0.008, m = 2700 * A * straight;
  const double jy = 2700 * straight * 0.01 * std::pow(0.008, 3) / 12,
               jz = 2700 * straight * 0.008 * std::pow(0.01, 3) / 12, bar = m * straight * straight / 12;
  return arm_with(
      fmt::format("    - name: stub\n      joint: {{name: slide, type: prismatic, axis: [1, 0, 0], {}}}\n"
                  "      rigid: {{length: {:.17g}, mass: {:.17g}, com: [{:.17g}, 0, 0], inertia: {{xx: {:.17g}, yy: "
                  "{:.17g}, zz: {:.17g}}}}}\n"
                  "    - name: ram\n      joint: {{name: exit, type: fixed}}\n      beam: {{length: {:.17g}, {}{}}}}}",
                  place, straight, m, straight / 2, jy + jz, jy + bar, jz + bar, free, made_of, kind));
}

struct Read {
  Case data;
  Arm arm;
  Drives drives;
  explicit Read(const std::string& text)
      : data(read_case_text(text).data), arm(Arm::assemble(data)), drives(data, arm) {}
  State at(double hip, double slide, double wrist) const {
    State state = State::zero(arm);
    for (const Link& link : arm.links()) {
      if (link.joint_name == "hip") state.q[link.q0] = hip;
      if (link.joint_name == "slide") state.q[link.q0] = slide;
      if (link.joint_name == "wrist") state.q[link.q0] = wrist;
    }
    return state;
  }
};

std::string refusal(auto make) {
  try {
    make();
  } catch (const FieldError& error) {
    return error.path() + ": " + error.what();
  }
  return "";
}

TEST(Guides, ModesAreThoseOfABeamOnAStub) {
  for (const char* kind : {"", ", integration: full", ", plane: z"})
    for (const double q : {-0.35, 0.1, 0.4}) {
      const Read sliding(guided("", kind)), plain(stubbed(q, kind));
      ModesOptions options;
      const ModesResult ours = natural_modes_of(sliding.arm, sliding.at(0.4, q, -0.7), options),
                        theirs = natural_modes_of(plain.arm, plain.at(0.4, q, -0.7), options);
      ASSERT_EQ(ours.modes.size(), theirs.modes.size());
      EXPECT_EQ(ours.n_coordinates, theirs.n_coordinates);
      EXPECT_NEAR(ours.mass, theirs.mass, 1e-12);
      for (size_t k = 0; k < ours.modes.size(); ++k) {
        const Mode &a = ours.modes[k], &b = theirs.modes[k];
        EXPECT_NEAR(a.frequency_hz, b.frequency_hz, 1e-9 * b.frequency_hz) << kind << q;
        EXPECT_NEAR(a.damping_ratio, b.damping_ratio,
                    1e-6 * b.damping_ratio + 1e-14);  // by shapes: to half the digits of frequencies
        EXPECT_LT((a.effective_mass - b.effective_mass).norm(), 1e-7 * theirs.mass);
        EXPECT_EQ(a.description, b.description);
      }
    }
}

TEST(Guides, FrequenciesOfAClampedBeamGoWithItsFreeLength) {
  const Read boom(R"(
arm:
  gravity: [0, 0, 0]
  rotary_inertia: false
  links:
    - {name: boom, joint: {name: reach, type: prismatic, axis: [1, 0, 0], guide: 0.2 m}, beam: {length: 2 m, material: aluminium, section: {rectangle: {width_y: 4 mm, height_z: 8 mm}}, flexibility: {elements: 60, element: linear}}}
)");
  const double EI = 70e9 * 0.008 * std::pow(0.004, 3) / 12, mu = 2700 * 0.004 * 0.008;
  for (const double free : {0.6, 1.2, 2.0}) {
    State state = State::zero(boom.arm);
    state.q[0] = free - 2 + 0.2;
    ModesOptions options;
    options.count = 2;
    const ModesResult found = natural_modes_of(boom.arm, state, options);
    // The first along the thin side; the second along the thick one, of twice the frequency.
    const double first = 3.5160152685 / (2 * pi * free * free) * std::sqrt(EI / mu);
    EXPECT_NEAR(found.modes[0].frequency_hz, first, 1e-3 * first) << free;
    EXPECT_NEAR(found.modes[1].frequency_hz, 2 * first, 2e-3 * first) << free;
  }
}

TEST(Guides, SagIsThatOfABeamOnAStub) {
  for (const double q : {-0.3, 0.2}) {
    const Read sliding(guided()), plain(stubbed(q));
    const StaticResult ours = static_deflection(sliding.arm, sliding.at(0.4, q, -0.7), 2, {}),
                       theirs = static_deflection(plain.arm, plain.at(0.4, q, -0.7), 3, {});
    EXPECT_GT(theirs.sag.norm(), 1e-3);
    EXPECT_LT((ours.sag - theirs.sag).norm(), 1e-9 * theirs.sag.norm());
    EXPECT_LT((ours.X_WT.p - theirs.X_WT.p).norm(), 1e-11);
    for (const char* joint : {"hip", "wrist"}) {
      auto held = [&](const Read& read, const StaticResult& result) {
        for (const Link& link : read.arm.links())
          if (link.joint_name == joint) return result.rest.force[link.v0];
        return std::nan("");
      };
      EXPECT_NEAR(held(sliding, ours), held(plain, theirs), 1e-9);
    }
    // The stress along the free part, by the same internal forces.
    const Arm still = sliding.arm.with_guides_held(ours.rest.state.q);
    InternalForces inside(still), witness(plain.arm);
    inside.update(ours.rest.state, VectorXd::Zero(still.nv()), {});
    witness.update(theirs.rest.state, VectorXd::Zero(plain.arm.nv()), {});
    EXPECT_LT((inside.along(1).moment - witness.along(2).moment).norm(), 1e-8 * witness.along(2).moment.norm());
    EXPECT_LT((inside.reaction(0) - witness.reaction(0)).norm(), 1e-8 * witness.reaction(0).norm());
  }
}

// The model that follows the slide finds nothing unbalanced there, and the same forces on every drive, the slide's too.
TEST(Guides, FiniteElementsRestWhereItSags) {
  for (const char* transport : {"true", "false"}) {
    std::string text = guided("initial: {slide: 0.1 m}\n");
    text.replace(text.find("guide: 0.4 m"), 12, fmt::format("guide: {{exit: 0.4 m, transport: {}}}", transport));
    Read sliding(text);
    const StaticResult result = static_deflection(sliding.arm, sliding.at(0.4, 0.1, -0.7), 2, {});
    FloatingModel model(sliding.data, sliding.arm, sliding.drives);
    const VectorXd still = VectorXd::Zero(sliding.arm.nv());
    VectorXd force(sliding.arm.nv());
    model.unbalanced(0, result.rest.state.q, still, still, force);
    EXPECT_LT((result.rest.force + force).cwiseAbs().maxCoeff(), 1e-9 * force.cwiseAbs().maxCoeff()) << transport;
    EXPECT_LT(result.rest.residual, 1e-8);
  }
}

// A sagging beam pushes itself out: M²/2EI + V²/2κGA at the exit.
TEST(Guides, SlideBearsTheEnergyAtItsExit) {
  const Read boom(R"(
arm:
  links:
    - {name: boom, joint: {name: reach, type: prismatic, axis: [1, 0, 0], guide: 0.5 m}, beam: {length: 1 m, material: aluminium, section: {area: 100 mm^2, Iy: 800 mm^4, Iz: 800 mm^4}, flexibility: {elements: 64, element: linear}}, payload: {mass: 0.4}}
)");
  State state = State::zero(boom.arm);
  state.q[0] = 0.3;
  const StaticResult result = static_deflection(boom.arm, state, 0, {});
  const double mu = 2700 * 100e-6, l = 0.8, g = 9.81, M = g * (0.4 * l + mu * l * l / 2), EI = 70e9 * 800e-12;
  EXPECT_NEAR(result.rest.force[0], -M * M / (2 * EI), 2e-3 * M * M / (2 * EI));
  const double sag = g * (0.4 * l * l * l / 3 + mu * std::pow(l, 4) / 8) / EI;
  EXPECT_NEAR(-result.sag.z(), sag, 1e-3 * sag);
}

TEST(Guides, StaticStartRests) {
  const Results results =
      results_of(guided("initial: {hip: 0.4, slide: 0.1 m, wrist: -0.7, deformation: static}\n"
                        "motion: {hip: {dwell: {for: 1}}, slide: {dwell: {for: 1}}, wrist: {dwell: {for: 1}}}\n"
                        "simulate: {for: 0.2 s, formulation: finite-element, step: 1 ms}\n"));
  for (const char* name : {"tip.x", "tip.y", "tip.z"})
    for (const double x : series(results, name)) EXPECT_NEAR(x, series(results, name)[0], 1e-9) << name;
  EXPECT_GT(series(results, "|tip_error|")[0], 1e-3);
}

TEST(Guides, WhatWouldSlideIsRefused) {
  Read sliding(guided());
  const State state = sliding.at(0, 0.1, 0);
  for (const JointCondition joints : {JointCondition::free, JointCondition::servo})
    EXPECT_EQ(refusal([&] {
                ModesOptions options;
                options.joints = joints;
                natural_modes_of(sliding.arm, state, options);
              }),
              "arm.links[1].joint.guide: modes: joint 'slide' slides its beam through a guide and must be held: the "
              "beam's free length would change with it, which only finite-element runs support");
  ModesOptions driven;
  driven.joints = JointCondition::servo;
  driven.driven = {sliding.arm.link(1).v0};
  EXPECT_EQ(refusal([&] { natural_modes_of(sliding.arm, state, driven); }), "");
  EXPECT_EQ(refusal([&] { static_deflection(sliding.arm, sliding.at(0, -0.6, 0), 2, {}); }),
            "arm.links[1].joint.guide: with joint 'slide' at -0.6 m the free length of link 'ram' is 0 m; expected "
            "more than zero and at most the beam's 1 m");
  EXPECT_EQ(refusal([&] { linearise(sliding.arm, state, sliding.drives, {}); }),
            "arm.links[1].joint.guide: linearise: joint 'slide' slides its beam through a guide, so its free length "
            "changes; only finite-element supports that");
}

}  // namespace
}  // namespace lithe::testing
