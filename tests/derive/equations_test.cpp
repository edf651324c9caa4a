// Derived equations against the library's `lagrange`, which shares no code with them, over random arms and states.
#include "lithe/derive/equations.h"

#include <gtest/gtest.h>

#include "app/run_program.h"
#include "lithe/arm/cut.h"
#include "lithe/arm/kinematics.h"
#include "lithe/derive/evaluate.h"
#include "lithe/describe/case_reader.h"
#include "lithe/dynamics/composed/composed.h"
#include "lithe/dynamics/lagrange/lagrange.h"
#include "support/random_arm.h"

namespace lithe::derive {
namespace {

using namespace lithe::testing;

// M, C, G and the rest of h, each to this part of its largest entry. Measured: 2e-14 at worst.
constexpr double tolerance = 1e-12;

struct Way {
  const char* name;
  DeriveOptions options;
};
std::vector<Way> ways() {
  DeriveOptions symbols, numbers, unfolded;
  numbers.numbers = true;
  unfolded.time_limit = 0;
  return {{"symbols", symbols}, {"numbers", numbers}, {"unfolded", unfolded}};
}

void expect_agreement(const Case& data, const std::string& what, bool symbols_too = true) {
  const Arm arm = Arm::assemble(data);
  for (const Way& way : ways()) {
    if (way.name == std::string("symbols") && !symbols_too) continue;
    const Equations e = derive_equations(arm, way.options);
    EXPECT_EQ(e.folded, way.name != std::string("unfolded")) << what;
    EXPECT_LT(disagreement(e, arm, 3, 7), tolerance) << what << ", " << way.name;
    // The matrix itself, not only its product with the rates: both are made of Christoffel symbols.
    const State state = random_state(arm, 5);
    Evaluator derived(e);
    derived.update(state.q, state.v);
    MatrixXd C(arm.nv(), arm.nv());
    Lagrange(arm).coriolis_matrix(state, C);
    MatrixXd M(arm.nv(), arm.nv());
    Lagrange(arm).mass_matrix(state, M);
    const double scale = M.cwiseAbs().maxCoeff() * state.v.norm();
    EXPECT_LT((derived(e.C) - C).cwiseAbs().maxCoeff(), tolerance * scale) << what << ", " << way.name;
  }
}

std::string example(const std::string& name) { return std::string(LITHE_SOURCE_DIR) + "/examples/" + name; }

/// Joints about ±z with nothing between them: bends and joints turn about one axis and add up.
void make_planar(Case& data) {
  int k = 0;
  for (LinkSpec& link : data.arm.links) {
    link.joint.axis = Vector3d(0, 0, ++k % 2 ? 1 : -1);
    link.joint.origin.reset();
    link.joint.dh.reset();
  }
}

TEST(DerivedEquations, RigidArmsWithGenericAxes) {
  for (unsigned seed = 1; seed <= 4; ++seed) {
    RandomArmOptions options;
    options.drive_line = true;
    options.tree = seed % 2 == 0;
    // Generic orientations keep their numbers, so symbols bring polynomials of many terms: fewer links for these.
    expect_agreement(random_case(3, seed, options), "three links, seed " + std::to_string(seed));
    expect_agreement(random_case(5, seed, options), "five links, seed " + std::to_string(seed), false);
  }
}

TEST(DerivedEquations, BasesThatMove) {
  for (const BaseType base : {BaseType::planar, BaseType::free}) {
    RandomArmOptions options;
    options.base = base;
    expect_agreement(random_case(2, 11, options), base == BaseType::free ? "free base" : "planar base");
  }
}

TEST(DerivedEquations, PlanarBending) {
  for (unsigned seed = 1; seed <= 3; ++seed) {
    FlexibleArmOptions options;
    options.most = {2, 0, 0, 1};
    options.arm.tree = false;
    options.arm.prismatic = options.arm.fixed_joints = false;
    Case data = random_flexible_case(2, seed, options);
    expect_agreement(data, "generic axes, seed " + std::to_string(seed));
    make_planar(data);
    expect_agreement(data, "planar, seed " + std::to_string(seed));
  }
}

TEST(DerivedEquations, SpatialBending) {
  FlexibleArmOptions options;
  options.most = {1, 1, 1, 0};
  options.arm.tree = false;
  expect_agreement(random_flexible_case(2, 3, options), "spatial");
}

TEST(DerivedEquations, TwoBendsOnEnd) {
  FlexibleArmOptions options;
  options.most = {1, 0, 0, 0};
  Case data = random_flexible_case(3, 2, options);
  make_planar(data);
  data.arm.links[1].joint.type = "fixed";
  expect_agreement(data, "fixed joint between bent links");
}

TEST(DerivedEquations, Examples) {
  for (const char* name : {"01_single_link_motor", "02_cartesian", "04_cylindrical", "05_puma560", "06_free_floating",
                           "10_pendulum_friction", "11_elastic_joints", "17_two_link_slew", "19_de_luca_siciliano"})
    expect_agreement(read_case(example(name) + "/case.yaml").data, name);
}

TEST(DerivedEquations, StopsAndHardeningTransmissions) {
  const TemporaryFolder folder;
  const std::string file = folder.write("case.yaml", R"(arm:
  links:
    - name: one
      joint:
        name: j
        type: revolute
        axis: [0, 1, 0]
        limits: {lower: -0.5, upper: 0.4, stiffness: 30 N.m/rad, damping: 2 N.m.s/rad}
        friction: {forward: 1 N.m, backward: 2 N.m, smoothing: 0.5 rad/s}
        spring: {stiffness: 3 N.m/rad, rest: 0.2}
        motor: {inertia: 0.01, gear_ratio: 3, stiffness: 50 N.m/rad, hardening: 400, damping: 0.3 N.m.s/rad}
      rigid: {length: 1, mass: 2, com: [0.4, 0, 0.1], inertia: {xx: 0.1, yy: 0.2, zz: 0.2}}
)");
  const Case data = read_case(file).data;
  const Arm arm = Arm::assemble(data);
  const Equations e = derive_equations(arm);
  Evaluator derived(e);
  Lagrange library(arm);
  VectorXd h(2);
  // Beyond either stop, on the way in and on the way out, and between them.
  for (const double q : {-0.7, 0.0, 0.6})
    for (const double rate : {-0.8, 0.9}) {
      const State state{0, Eigen::Vector2d(q, q + 0.2), Eigen::Vector2d(rate, -rate)};
      library.bias(state, Terms::all, h);
      derived.update(state.q, state.v);
      EXPECT_LT((derived.bias(state.v) - h).norm(), 1e-13 * h.norm()) << q << " " << rate;
    }
}

TEST(DerivedEquations, PotentialEnergyIsTheLibrarys) {
  for (const char* name : {"03_planar_elbow", "06_free_floating", "11_elastic_joints", "17_two_link_slew"}) {
    Case data = read_case(example(name) + std::string("/case.yaml")).data;
    data.arm.gravity = {1, -2, -9};
    if (data.arm.base.type == BaseType::fixed) data.arm.base.origin.xyz = {0.1, 0.2, 0.3};
    const Arm arm = Arm::assemble(data);
    const Equations e = derive_equations(arm);
    Evaluator derived(e);
    const State state = random_state(arm, 3);
    derived.update(state.q, state.v);
    const double V = gravity_energy(arm, kinematics_of(arm, state)) + elastic_energy(arm, state);
    EXPECT_NEAR(derived(e.potential), V, 1e-12 * (1 + std::abs(V))) << name;
  }
}

TEST(DerivedEquations, SplitPartsAddUp) {
  const Arm arm = Arm::assemble(read_case(example("17_two_link_slew") + "/case.yaml").data);
  DeriveOptions options;
  options.split = "fore";
  const Equations e = derive_equations(arm, options);
  EXPECT_LT(disagreement(e, arm, 2, 1), tolerance);
  ASSERT_TRUE(e.split);
  EXPECT_EQ(e.split->carrier, (std::vector<int>{0, 1, 2}));
  EXPECT_EQ(e.split->carried, (std::vector<int>{3, 4, 5}));
  // The carrier's own part is the carrier's mass matrix by itself: an arm without the second link.
  Case alone = read_case(example("17_two_link_slew") + "/case.yaml").data;
  alone.arm.links.pop_back();
  const Arm carrier = Arm::assemble(alone);
  const State state = random_state(arm, 2);
  Evaluator derived(e);
  derived.update(state.q, state.v);
  MatrixXd M(3, 3);
  Lagrange(carrier).mass_matrix({0, state.q.head(3), state.v.head(3)}, M);
  EXPECT_LT((derived(e.split->own) - M).norm(), 1e-13 * M.norm());
}

// Of a composed arm the coupling alone: what has to be added to two arms that are known.
TEST(DerivedEquations, CouplingAloneIsWhatAddsToKnownArms) {
  for (const char* const name : {"30_mobile_manipulator", "31_ralf_sam"}) {
    const Arm arm = Arm::assemble(read_case(example(name) + "/case.yaml").data);
    const Equations e = derive_equations(arm, {.coupling_only = true});
    ASSERT_TRUE(e.split) << name;
    const int nv = arm.nv(), n = int(e.split->carrier.size()), s = nv - n;
    EXPECT_EQ(s, int(e.split->carried.size()));
    Evaluator derived(e);
    Composed composed(arm);
    for (const unsigned seed : {1u, 2u, 3u}) {
      const State state = random_state(arm, seed);
      derived.update(state.q, state.v);
      const CoupledBlocks b = composed.blocks(state, 0);
      MatrixXd M = MatrixXd::Zero(nv, nv), C = M;
      M << b.M_LS, b.M_cp, b.M_cp.transpose(), MatrixXd::Zero(s, s);
      C << b.C_LS + b.C_Lcp, b.C_cp1, b.C_cp2, b.C_Scp;
      VectorXd G(nv);
      G << b.G_LS, b.G_S;
      EXPECT_LT((derived(e.M) - M).cwiseAbs().maxCoeff(), tolerance * M.cwiseAbs().maxCoeff()) << name;
      EXPECT_LT((derived(e.C) - C).cwiseAbs().maxCoeff(), tolerance * M.cwiseAbs().maxCoeff() * state.v.norm()) << name;
      EXPECT_LT((derived(e.G) - G).cwiseAbs().maxCoeff(), tolerance * (1 + G.cwiseAbs().maxCoeff())) << name;
    }
  }
}

std::map<std::string, double> parameters_of(const Equations& e) {
  std::map<std::string, double> found;
  for (const Name& name : e.names.all())
    if (name.kind == Kind::parameter) found[name.code] = name.value;
  return found;
}

// Mass centres, offsets and angles of a Denavit–Hartenberg arm are those that its case gives, not those of frames within the
// library; that the equations are the arm's own is compared as ever.
TEST(DerivedEquations, DenavitHartenbergParametersKeepTheirNames) {
  const Case puma = read_case(example("05_puma560") + "/case.yaml").data;
  DeriveOptions options;
  options.data = &puma;
  const Arm puma_arm = Arm::assemble(puma);
  const Equations e = derive_equations(puma_arm, options);
  EXPECT_LT(disagreement(e, puma_arm, 2, 1), tolerance);
  const auto named = parameters_of(e);
  EXPECT_EQ(named.at("c_upper_x"), -0.3638);
  EXPECT_EQ(named.at("c_upper_z"), 0.2275);
  EXPECT_EQ(named.at("I_upper_xx"), 0.13);
  EXPECT_EQ(named.at("a_shoulder"), 0.4318);
  EXPECT_EQ(named.at("a_elbow"), 0.0203);
  EXPECT_EQ(named.at("d_elbow"), 0.15005);
  EXPECT_EQ(named.at("c_wrist_y"), 0.019);
  EXPECT_EQ(named.at("rg_waist"), -62.6111);
  EXPECT_EQ(named.at("bm_waist"), 1480e-6) << "viscous damping is no d";
  for (const auto& [code, value] : named)
    EXPECT_FALSE(code.starts_with("p_") || code.starts_with("l_")) << code << " is no parameter of the case";

  const Case mixed = read_case_text(R"(arm:
  links:
    - name: one
      joint: {name: j1, type: revolute, dh: {a: 0.3, alpha: 30 deg, d: 0.1, theta: 20 deg, convention: standard}}
      rigid: {length: 0.2, mass: 2, com: [-0.1, 0.02, 0.03], inertia: {xx: 0.02, yy: 0.03, zz: 0.04, xy: 0.001}}
      payload: {mass: 0.7, com: [0.01, 0.02, 0]}
    - name: two
      joint: {name: j2, type: prismatic, dh: {a: 0.15, alpha: -50 deg, d: 0.05, theta: 10 deg, convention: standard}}
      rigid: {mass: 1.5, com: [0.04, -0.06, 0.01], inertia: {xx: 0.01, yy: 0.02, zz: 0.02}}
    - name: three
      joint: {name: j3, type: revolute, dh: {a: 0.25, alpha: 40 deg, d: -0.07, theta: -15 deg, convention: modified}}
      rigid: {length: 0.4, mass: 1, com: [0.2, 0.01, 0], inertia: {xx: 0.01, yy: 0.02, zz: 0.03}}
    - name: four
      joint: {name: j4, type: revolute, dh: {a: 0.6, alpha: 25 deg, d: 0.02, theta: 5 deg, convention: standard}}
      beam: {length: 0.6, material: aluminium, section: {circle: {diameter: 12 mm}}, flexibility: {modes: {bending_z: 1}}}
      payload: {mass: 0.3}
  mounts: [{link: three, origin: {xyz: [0.03, 0, 0.02], rpy: [0, 0.3, 0]}}]
)",
                                    "mixed.yaml")
                         .data;
  const Arm arm = Arm::assemble(mixed);
  for (const bool numbers : {false, true}) {
    options = {.numbers = numbers, .time_limit = numbers ? 60.0 : 0.0, .data = &mixed};
    const Equations derived = derive_equations(arm, options);
    EXPECT_LT(disagreement(derived, arm, 2, 1), tolerance) << numbers;
    if (numbers) continue;
    const auto of = parameters_of(derived);
    const double degree = std::numbers::pi / 180;
    for (const auto& [code, value] : std::map<std::string, double>{{"a_j1", 0.3},
                                                                   {"d_j1", 0.1},
                                                                   {"theta_j1", 20 * degree},
                                                                   {"alpha_j1", 30 * degree},
                                                                   {"l_one", 0.2},
                                                                   {"c_one_x", -0.1},
                                                                   {"c_one_z", 0.03},
                                                                   {"I_one_xy", 0.001},
                                                                   {"c_one_payload_x", 0.01},
                                                                   {"a_j2", 0.15},
                                                                   {"alpha_j2", -50 * degree},
                                                                   {"theta_j2", 10 * degree},
                                                                   {"c_two_y", -0.06},
                                                                   {"a_j3", 0.25},
                                                                   {"alpha_j3", 40 * degree},
                                                                   {"d_j3", -0.07},
                                                                   {"theta_j3", -15 * degree},
                                                                   {"c_three_x", 0.2},
                                                                   {"d_j4", 0.02},
                                                                   {"theta_j4", 5 * degree}}) {
      ASSERT_TRUE(of.contains(code)) << code;
      EXPECT_NEAR(of.at(code), value, 1e-15) << code;
    }
  }
  // Folded too, where it is small enough.
  Case two = mixed;
  two.arm.mounts.clear();
  two.arm.links.resize(2);
  const Arm small = Arm::assemble(two);
  const Equations folded = derive_equations(small, {.data = &two});
  EXPECT_TRUE(folded.folded);
  EXPECT_LT(disagreement(folded, small, 2, 1), tolerance);
}

// `eval --split` and `derive --split` cut a chain of arms at the same place into the same two parts.
TEST(DerivedEquations, SplitIsTheCutOfAMount) {
  const Case data = read_case_text(R"(arm:
  links:
    - {name: a, joint: {name: ja, type: revolute, axis: [0, 0, 1]}, rigid: {length: 0.5, mass: 2, com: [0.2, 0, 0.1]}}
    - {name: b, joint: {name: jb, type: revolute, axis: [0, 1, 0]}, rigid: {length: 0.4, mass: 1, com: [0.2, 0.1, 0]}}
    - {name: c, joint: {name: jc, type: revolute, axis: [1, 0, 0]}, rigid: {length: 0.3, mass: 1, com: [0.1, 0.1, 0]}}
    - {name: c2, parent: base, joint: {name: jc2, type: revolute, axis: [0, 1, 0]}, rigid: {length: 0.3, mass: 0.4, com: [0.1, 0, 0]}}
    - {name: d, joint: {name: jd, type: prismatic, dh: {a: 0.1, alpha: 90 deg, d: 0.2, convention: modified}}, rigid: {length: 0.2, mass: 0.5}}
    - {name: d2, parent: base, joint: {name: jd2, type: revolute, axis: [0, 0, 1]}, rigid: {length: 0.2, mass: 0.6, com: [0.1, 0, 0]}}
  mounts: [{link: c, origin: {xyz: [0, 0.1, 0]}}, {link: d, origin: {xyz: [0.1, 0, 0], rpy: [0, 0.4, 0]}}]
)",
                                   "chain.yaml")
                        .data;
  const Arm arm = Arm::assemble(data);
  for (int i = 0; i < 2; ++i) {
    const Arm cut = cut_at(arm, data.arm.mounts[size_t(i)].link);
    EXPECT_EQ(cut.coordinates(), arm.coordinates());
    DeriveOptions options;
    options.split = data.arm.mounts[size_t(i)].link;
    const Equations e = derive_equations(arm, options);
    Evaluator derived(e);
    for (const unsigned seed : {1u, 2u}) {
      const State state = random_state(arm, seed);
      derived.update(state.q, state.v);
      const CoupledBlocks b = Composed(cut).blocks(state, 0);
      MatrixXd M(arm.nv(), arm.nv()), whole = M;
      M << b.M_L + b.M_LS, b.M_cp, b.M_cp.transpose(), b.M_S;
      Lagrange(arm).mass_matrix(state, whole);
      EXPECT_LT((M - whole).norm(), tolerance * whole.norm()) << "the blocks add up to the whole arm";
      EXPECT_LT((derived(e.split->own) - b.M_L).norm(), tolerance * whole.norm());
      EXPECT_LT((derived(e.split->load) - b.M_LS).norm(), tolerance * whole.norm());
      EXPECT_EQ(b.M_S.rows(), long(e.split->carried.size()));
    }
  }
}

TEST(DerivedEquations, SayWhatTheyDoNotDo) {
  auto message = [](const Case& data) {
    try {
      derive_equations(Arm::assemble(data));
    } catch (const FieldError& error) {
      return error.path() + ": " + error.what();
    }
    return std::string("none");
  };
  Case data = read_case(example("17_two_link_slew") + "/case.yaml").data;
  data.arm.inertia = InertiaOrder::first_order;
  EXPECT_EQ(message(data), "arm.inertia: expected complete: `derive` keeps all terms of the kinetic energy");
  data.arm.inertia = InertiaOrder::complete;
  data.arm.base.type = BaseType::moving;
  EXPECT_EQ(message(data),
            "arm.base: expected fixed, planar or free: `derive` does not support a base with a given motion");
}

}  // namespace
}  // namespace lithe::derive
