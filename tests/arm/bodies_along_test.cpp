// Payloads between root and tip: closed forms, limits, what counts their mass, what refuses them.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>

#include "lithe/analyse/modes.h"
#include "lithe/arm/kinematics.h"
#include "lithe/beam/natural_modes.h"
#include "lithe/describe/case_reader.h"
#include "lithe/describe/case_writer.h"
#include "lithe/dynamics/articulated/articulated.h"
#include "lithe/dynamics/internal_forces.h"
#include "lithe/dynamics/recursive_lagrangian/recursive_lagrangian.h"
#include "lithe/show/scene.h"
#include "support/point_evaluator.h"
#include "support/random_arm.h"

namespace lithe::testing {
namespace {

// EI = 100 about both axes, ρA = 0.5 unless said otherwise, L = 2.
std::string bar(const std::string& flexibility, const std::string& payload, double density = 500,
                const std::string& options = "") {
  return fmt::format(R"(
arm:
{}
  links:
    - name: bar
      joint: {{name: pivot, type: revolute, axis: [0, -1, 0]}}
      beam: {{length: 2, material: {{E: 1e8, nu: 0.25, density: {}}}, section: {{area: 1e-3, Iy: 1e-6, Iz: 1e-6, J: 2e-6}}, flexibility: {}}}
      payload: {}
)",
                     options, density, flexibility, payload);
}

Arm arm_of(const std::string& text) { return Arm::assemble(read_case_text(text).data); }

double lowest(const Arm& arm) { return natural_modes(arm.link(0).flex->K, arm.link(0).flex->M, 1).omega[0]; }

constexpr double EI = 100, L = 2, g = 9.81;

TEST(BodiesAlong, AMassOnALightBeamSwingsAsTextbooksSay) {
  // ω² = 3EI/(m a³), for a beam that weighs next to nothing; at a node elements are exact, but for shear.
  for (const double a : {0.8, 1.6}) {
    const Arm elements =
        arm_of(bar("{elements: 5, plane: z}", fmt::format("{{mass: 3, at: {}}}", a), 1e-6, "  rotary_inertia: false"));
    const double kGA = elements.link(0).flex->stations.stiffness[0][2];
    const double flexibility = a * a * a / (3 * EI) + a / kGA;
    EXPECT_NEAR(lowest(elements), 1 / std::sqrt(3 * flexibility), 1e-7 * lowest(elements)) << a;
  }
  // With its own mass: the frequency equation of a clamped beam that carries a mass inside, by the receptance of its modes,
  // 1 = ω² m Σ φ_k(a)²/(ω_k² − ω²), φ_k of unit modal mass. Forty clamped-free modes, and the mass among the integrals.
  const double m = 0.6, a = 0.7;
  const Arm loaded = arm_of(
      bar("{modes: {bending_z: 12}}", fmt::format("{{mass: {}, at: {}}}", m, a), 500, "  rotary_inertia: false"));
  const double rho_A = 0.5, omega = lowest(loaded);
  double sum = 0;
  for (int k = 1; k <= 40; ++k) {
    double beta = (k - 0.5) * M_PI + (k == 1 ? 0.3 : 0);
    for (int i = 0; i < 30; ++i)
      beta -= (std::cos(beta) + 1 / std::cosh(beta)) / (-std::sin(beta) - std::tanh(beta) / std::cosh(beta));
    // cosh z − cos z − σ(sinh z − sin z), of unit mean square; 1 − σ without its cancellation.
    const double below = std::sinh(beta) + std::sin(beta), sigma = (std::cosh(beta) + std::cos(beta)) / below;
    const double rest = (std::sin(beta) - std::cos(beta) - std::exp(-beta)) / below, z = beta * a / L;
    const double shape = rest / 2 * std::exp(z) + (1 + sigma) / 2 * std::exp(-z) - std::cos(z) + sigma * std::sin(z);
    const double own = beta * beta / (L * L) * std::sqrt(EI / rho_A);
    sum += shape * shape / (rho_A * L) / (own * own - omega * omega);
  }
  EXPECT_NEAR(omega * omega * m * sum, 1, 2e-4);
}

TEST(BodiesAlong, ARigidPendulumHasThemInItsBody) {
  // Two masses on a rod without weight: I = Σ (m a² + I_zz), torque Σ m g a.
  const Arm arm = arm_of(R"(
arm:
  links:
    - name: rod
      joint: {name: pivot, type: revolute, axis: [0, -1, 0]}
      rigid: {length: 2, mass: 0}
      payload: [{mass: 3, at: 0.5, inertia: {yy: 0.1, xx: 0.1, zz: 0.1}}, {mass: 2, at: 2}, {mass: 1, at: 1, com: [0.2, 0, 0]}]
)");
  MatrixXd M(1, 1);
  VectorXd h(1);
  Articulated dynamics(arm);
  dynamics.mass_matrix(State::zero(arm), M);
  dynamics.bias(State::zero(arm), Terms::all, h);
  EXPECT_NEAR(M(0, 0), 3 * 0.25 + 0.1 + 2 * 4 + 1.2 * 1.2, 1e-13);
  EXPECT_NEAR(h[0], g * (3 * 0.5 + 2 * 2 + 1.2), 1e-12);
  EXPECT_NEAR(total_mass(arm), 6, 1e-14);
  EXPECT_EQ(arm.link(0).payload_T.mass, 2);
  EXPECT_NEAR(centre_of_mass(arm, kinematics_of(arm, State::zero(arm))).x(), (1.5 + 4 + 1.2) / 6, 1e-14);
}

const char* const kinds[] = {"rigid",         "{modes: {bending_y: 2, bending_z: 2, torsion: 1, axial: 1}}",
                             "{elements: 3}", "{elements: 6, plane: z, keep: 4}",
                             "{segments: 3}", "{modes: {bending_z: 2, shape: clamped-mass}}"};

TEST(BodiesAlong, NearTheTipAreNearlyThePayloadThere) {
  const std::string body = "mass: 3, com: [0.1, 0.05, -0.02], inertia: {xx: 0.02, yy: 0.03, zz: 0.04, xy: 0.004}";
  for (const char* const kind : kinds) {
    const Arm near = arm_of(bar(kind, "{" + body + ", at: 1.9999999}")), tip = arm_of(bar(kind, "{" + body + "}")),
              same = arm_of(bar(kind, "[{" + body + ", at: 2}]"));
    MatrixXd M_near(tip.nv(), tip.nv()), M_tip = M_near, M_same = M_near;
    Articulated(near).mass_matrix(State::zero(near), M_near);
    Articulated(tip).mass_matrix(State::zero(tip), M_tip);
    Articulated(same).mass_matrix(State::zero(same), M_same);
    EXPECT_EQ(M_tip, M_same) << kind;
    EXPECT_LT((M_near - M_tip).cwiseAbs().maxCoeff(), 1e-5 * M_tip.cwiseAbs().maxCoeff()) << kind;
    EXPECT_NEAR(total_mass(near), total_mass(tip), 1e-12);
  }
}

TEST(BodiesAlong, WeighOnSectionsInboardOfThem) {
  // The shear force jumps by m g at the body, and grows by ρA g inwards; the root bears all of it.
  for (const char* const kind : {"{modes: {bending_z: 3}}", "{elements: 5}"}) {
    const Arm arm = arm_of(bar(kind, "[{mass: 3, at: 0.85}, {mass: 1, at: 1.33, com: [0, 0, 0.1]}]"));
    InternalForces internal(arm);
    internal.update(State::zero(arm), VectorXd::Zero(arm.nv()), {});
    const auto& x = arm.link(0).flex->stations.x;
    for (size_t k = 0; k < x.size(); ++k) {
      const double outboard = 0.5 * (L - x[k]) + (x[k] < 0.85 ? 3 : 0) + (x[k] < 1.33 ? 1 : 0);
      EXPECT_NEAR(internal.along(0).force(2, Eigen::Index(k)), -outboard * g, 1e-12) << x[k];
    }
    EXPECT_NEAR(internal.along(0).moment(1, 0), (0.5 * L * L / 2 + 3 * 0.85 + 1.33) * g, 1e-9);
    EXPECT_NEAR(internal.reaction(0)[5], (0.5 * L + 4) * g, 1e-12);
  }
}

TEST(BodiesAlong, ReductionKnowsThem) {
  // The mode that the body makes is among those kept: a few coordinates give what all do.
  const std::string heavy = "{mass: 8, at: 0.9}";
  const double all = lowest(arm_of(bar("{elements: 12}", heavy)));
  EXPECT_NEAR(lowest(arm_of(bar("{elements: 12, keep: 2, reduction: eigenmodes}", heavy))), all, 1e-8 * all);
}

TEST(BodiesAlong, DampingIsThatOfTheBeamAlone) {
  for (const char* const kind : {"{modes: {bending_z: 3}}", "{elements: 4}", "{elements: 4, keep: 8}"}) {
    auto damped = [&](const std::string& payload) {
      std::string text = bar(kind, payload);
      text.replace(text.find("flexibility:"), 0, "damping: {rayleigh: {alpha: 0.7}}, ");
      return arm_of(text);
    };
    const Arm with = damped("{mass: 3, at: 0.9}"), without = damped("{mass: 3}");
    const MatrixXd D = with.link(0).flex->D, M = with.link(0).flex->M;
    EXPECT_GT((D - 0.7 * M).cwiseAbs().maxCoeff(), 0.1) << kind;
    if (std::string(kind).find("keep") == std::string::npos) {
      EXPECT_EQ(D, MatrixXd(without.link(0).flex->D)) << kind;
    }
  }
}

TEST(BodiesAlong, AreDrawnWhereTheySit) {
  for (const char* const kind : kinds) {
    const Case data = read_case_text(bar(kind, "[{mass: 3, at: 0.85, com: [0, 0, 0.1]}, {mass: 1}]")).data;
    const Arm arm = Arm::assemble(data);
    const Scene scene = scene_of(data, arm);
    State state = State::zero(arm);
    const Kinematics kin = kinematics_of(arm, state);
    std::vector<Vector3d> places;
    for (int i = 0; i < arm.n_links(); ++i)
      for (const SceneSolid& solid : scene.links[size_t(i)].solids)
        if (solid.role == SceneSolid::Role::payload)
          places.push_back((solid_frame(scene, arm, i, solid, state, kin) * solid.place).p);
    ASSERT_EQ(places.size(), 2u) << kind;
    if (places[0].x() > places[1].x()) std::swap(places[0], places[1]);
    EXPECT_LT((places[0] - Vector3d(0.85, 0, 0.1)).norm(), 1e-12) << kind;
    EXPECT_LT((places[1] - Vector3d(2, 0, 0)).norm(), 1e-12) << kind;
  }
  // On a bent link, with its section.
  const Case data = read_case_text(bar("{modes: {bending_z: 2}}", "{mass: 3, at: 0.83, com: [0, 0, 0.1]}")).data;
  const Arm arm = Arm::assemble(data);
  const Scene scene = scene_of(data, arm);
  State state = State::zero(arm);
  state.q << 0, 0.3, 0;  // ξ² of the first shape
  const double xi = 0.83 / 2, u = 0.3 * xi * xi, slope = 0.3 * 2 * xi / 2;
  for (const SceneSolid& solid : scene.links[0].solids) {
    if (solid.role != SceneSolid::Role::payload) continue;
    const Vector3d place = (solid_frame(scene, arm, 0, solid, state, kinematics_of(arm, state)) * solid.place).p;
    EXPECT_LT((place - Vector3d(0.83 - 0.1 * std::sin(slope), 0, u + 0.1 * std::cos(slope))).norm(), 1e-12);
  }
}

TEST(BodiesAlong, OneMappingStandsForAListOfOne) {
  const Case one = read_case_text(bar("rigid", "{mass: 3, at: 0.85}")).data,
             list = read_case_text(bar("rigid", "[{mass: 3, at: 0.85}]")).data,
             two = read_case_text(bar("rigid", "[{mass: 3, at: 0.85}, {mass: 1, com: [1, 0, 0]}]")).data;
  EXPECT_EQ(one, list);
  EXPECT_EQ(two.arm.links[0].payloads.size(), 2u);
  for (const Case& data : {one, two}) EXPECT_EQ(read_case_text(write_case(data)).data, data);
  EXPECT_NE(write_case(one).find("payload:\n        mass: 3"), std::string::npos) << write_case(one);
  const CaseFile set =
      read_case_text(bar("rigid", "[{mass: 3, at: 0.85}, {mass: 1}]"), "case", {{"links[0].payload[1].mass", "4 kg"}});
  EXPECT_EQ(set.data.arm.links[0].payloads[1].mass, 4);
  EXPECT_EQ(set.locate("arm.links[0].payload[1].mass").line, 0);  // --set
}

TEST(BodiesAlong, AreRefusedWhereTheyCannotBe) {
  auto refusal = [](const std::string& text) {
    try {
      const Arm arm = arm_of(text);
      RecursiveLagrangian{arm};
    } catch (const FieldError& error) {
      return error.path() + ": " + error.what();
    }
    return std::string();
  };
  // Book's method has them too, with and without an inertia of their own.
  EXPECT_EQ(refusal(bar("{modes: {bending_z: 2}}", "{mass: 3, at: 0.85, com: [0, 0.1, 0]}")), "");
  EXPECT_EQ(
      refusal(bar("{modes: {bending_z: 2}}", "[{mass: 1}, {mass: 3, at: 0.85, inertia: {zz: 0.1, yy: 0.1, xx: 0.1}}]")),
      "");
  // An imported link has sections at its nodes only.
  const auto path = std::filesystem::temp_directory_path() / "lithe_bodies_along.json";
  std::ofstream(path) << R"({"nodes": [[0,0,0],[1,0,0],[2,0,0]], "mass": [1, 2, 3],
    "shapes": [[[0,0,0,0,0,0],[0,0.3,0,0,0,0.5],[0,1,0,0,0,0.8]]], "stiffness": [[100]], "tip": 2})";
  auto imported = [&](const std::string& payload) {
    return fmt::format(
        "arm:\n  links:\n    - {{name: plate, joint: {{name: j, type: revolute, axis: [0, 0, 1]}}, imported: "
        "{{file: {}}}, payload: {}}}\n",
        path.string(), payload);
  };
  const Arm arm = arm_of(imported("{mass: 4, at: 1, com: [0, 0.2, 0], inertia: {zz: 0.1, xx: 0.1, yy: 0.1}}"));
  const FlexBasis& flex = *arm.link(0).flex;
  EXPECT_NEAR(total_mass(arm), 10, 1e-14);
  // The mass centre moves by (−0.5·0.2, 0.3), and the body turns by 0.5.
  EXPECT_NEAR(flex.M.coeff(0, 0), 2 * 0.09 + 3 + 4 * (0.09 + 0.01) + 0.1 * 0.25, 1e-14);
  EXPECT_NEAR(arm_of(imported("{mass: 4, at: 2}")).link(0).payload_T.mass, 4, 0);
  EXPECT_EQ(refusal(imported("{mass: 4, at: 0.5}")),
            "arm.links[0].payload.at: expected a node of the imported link 'plate' on its x axis, got x = 0.5 m; such "
            "nodes: 0, "
            "1, 2");
  std::filesystem::remove(path);
}

}  // namespace
}  // namespace lithe::testing
