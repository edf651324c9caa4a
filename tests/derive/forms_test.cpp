// Other forms of the same equations: factored, joints first, with kinematics, motors by their own constants, small tip rotations.
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "app/run_program.h"
#include "lithe/arm/kinematics.h"
#include "lithe/derive/evaluate.h"
#include "lithe/derive/factored.h"
#include "lithe/derive/print.h"
#include "lithe/describe/case_reader.h"
#include "lithe/dynamics/recursive_lagrangian/recursive_lagrangian.h"
#include "support/random_arm.h"

namespace lithe::derive {
namespace {

using namespace lithe::testing;

constexpr double tolerance = 1e-12;  // as in equations_test.cpp

Case example(const std::string& name) {
  return read_case(std::string(LITHE_SOURCE_DIR) + "/examples/" + name + "/case.yaml").data;
}

std::string text_of(const Equations& e, const ex& named) {
  const Printer print(e.names, Style::code);
  return print(GiNaC::is_a<GiNaC::symbol>(named) ? e.names.of(named).definition : named);
}

// ------------------------------------------------------------------ factored

TEST(Factored, IsTheSameFunction) {
  for (const char* name : {"03_planar_elbow", "04_cylindrical", "17_two_link_slew", "30_mobile_manipulator",
                           "31_ralf_sam", "06_free_floating", "05_puma560"}) {
    const Case data = example(name);
    const Arm arm = Arm::assemble(data);
    const Equations e = derive_equations(arm, {.factored = true, .data = &data});
    EXPECT_TRUE(e.factored) << name;
    EXPECT_LT(disagreement(e, arm, 3, 2), tolerance) << name;
  }
  // Constants that are not rational have no factors, and stay what they are.
  RandomArmOptions options;
  options.tree = false;
  const Arm generic = Arm::assemble(random_case(2, 3, options));
  EXPECT_LT(disagreement(derive_equations(generic, {.factored = true}), generic, 3, 2), tolerance);
}

// lew-book's section 5.1, as printed, with the letters of example 30; the turret's own terms are not in the paper.
TEST(Factored, ReadsAsInLewBook) {
  const Equations e = derive_equations(Arm::assemble(example("30_mobile_manipulator")), {.factored = true});
  EXPECT_EQ(text_of(e, e.M[0][3]),
            "-S34*(m_upper*c_upper_x*C5 + m_fore*(c_fore_x*C56 + l_upper*C5))");  // M_cp11
  EXPECT_EQ(text_of(e, e.M[0][5]), "-m_fore*c_fore_x*S56*C34");                   // M_cp13
  EXPECT_EQ(text_of(e, e.M[1][4]),
            "-S34*(m_upper*c_upper_x*S5 + m_fore*(c_fore_x*S56 + l_upper*S5))");  // M_cp22
  EXPECT_EQ(text_of(e, e.M[2][3]),                                                // M_cp31
            "I_turret_zz + I_fore_yy*C56^2 + I_fore_xx*S56^2 + I_upper_yy*C5^2 + I_upper_xx*S5^2 + "
            "m_upper*c_upper_x*C5*(c_upper_x*C5 + l_vehicle*C4) + "
            "m_fore*(c_fore_x*C56 + l_upper*C5)*(c_fore_x*C56 + l_upper*C5 + l_vehicle*C4)");
  EXPECT_EQ(text_of(e, e.M[2][5]), "-m_fore*l_vehicle*c_fore_x*S56*S4");  // M_cp33
}

TEST(Factored, ProductsOfRandomSumsAreThemselves) {
  Names names(false);
  std::vector<ex> letters;
  for (const char* letter : {"a", "b", "c"}) letters.push_back(names.parameter(letter, "", "", 1, ""));
  for (int k = 0; k < 3; ++k) {
    names.add_coordinate("q" + std::to_string(k + 1), "q", "", k);
    names.angle(std::to_string(k + 1), "\\theta", names.coordinate(k));
  }
  std::mt19937 draw(5);
  auto sum = [&] {
    AngleSum result;
    for (int term = 0; term < 2; ++term) {
      AngleSum wave = draw() % 2 ? AngleSum::cosine(int(draw() % 3)) : AngleSum::sine(int(draw() % 3));
      if (draw() % 3 == 0) wave *= AngleSum::cosine(int(draw() % 3));
      result += wave.scaled(letters[draw() % 3] * int(1 + draw() % 4));
    }
    return result;
  };
  int shorter = 0;
  for (int k = 0; k < 60; ++k) {
    const AngleSum product = sum() * sum();
    const ex written = factored(product, names);
    // Back to waves: every name of one is put in again, and folded.
    auto folded = [&](auto&& self, const ex& part) -> AngleSum {
      if (GiNaC::is_a<GiNaC::add>(part)) {
        AngleSum total;
        for (const ex& term : part) total += self(self, term);
        return total;
      }
      if (GiNaC::is_a<GiNaC::mul>(part)) {
        AngleSum total(1);
        for (const ex& factor : part) total *= self(self, factor);
        return total;
      }
      if (GiNaC::is_a<GiNaC::power>(part)) {
        AngleSum total(1);
        for (int i = 0; i < GiNaC::ex_to<GiNaC::numeric>(part.op(1)).to_int(); ++i) total *= self(self, part.op(0));
        return total;
      }
      if (GiNaC::is_a<GiNaC::symbol>(part) && names.of(part).kind == Kind::wave) {
        const Name& name = names.of(part);
        Wave wave;
        wave.sine = name.code[0] == 'S';
        for (int i = 0; i < 3; ++i)
          wave.n[size_t(i)] =
              std::int8_t(GiNaC::ex_to<GiNaC::numeric>(name.angle.coeff(names.coordinate(i), 1)).to_int());
        return AngleSum::term(wave, 1);
      }
      return AngleSum(part);
    };
    EXPECT_TRUE(folded(folded, written) == product);
    shorter += GiNaC::is_a<GiNaC::mul>(written) || GiNaC::is_a<GiNaC::power>(written);
  }
  EXPECT_GT(shorter, 45) << "most products are found to be products";
}

// ------------------------------------------------------------------ joints first

TEST(JointsFirst, AreTheSameEquationsInAnotherOrder) {
  for (const char* name : {"17_two_link_slew", "31_ralf_sam", "06_free_floating", "11_elastic_joints"}) {
    const Case data = example(name);
    const Arm arm = Arm::assemble(data);
    for (const double limit : {60.0, 0.0}) {
      const Equations e =
          derive_equations(arm, {.time_limit = limit, .order = CoordinateOrder::joints_first, .data = &data});
      EXPECT_LT(disagreement(e, arm, 3, 4), tolerance) << name;
    }
  }
  const Arm slew = Arm::assemble(example("17_two_link_slew"));
  const Equations whole = derive_equations(slew, {.order = CoordinateOrder::joints_first});
  EXPECT_EQ(whole.order, (std::vector<int>{0, 3, 1, 2, 4, 5}));
  EXPECT_EQ(whole.coordinate_names,
            (std::vector<std::string>{"shoulder", "elbow", "upper.1", "upper.2", "fore.1", "fore.2"}));
  // lew-book's RALF and SAM: (q1, q2, qf1, qf2 | q5, q6)
  const Equations pair =
      derive_equations(Arm::assemble(example("31_ralf_sam")), {.order = CoordinateOrder::joints_first});
  EXPECT_EQ(pair.order, (std::vector<int>{0, 2, 1, 3, 4, 5}));
  EXPECT_EQ(pair.split->carrier, (std::vector<int>{0, 1, 2, 3}));
}

// ------------------------------------------------------------------ kinematics

/// disagreement() compares poses and Jacobians with the library's where they are derived.
void expect_kinematics(const Case& data, const std::string& what) {
  const Arm arm = Arm::assemble(data);
  for (const bool numbers : {false, true}) {
    const Equations e = derive_equations(
        arm, {.numbers = numbers, .time_limit = numbers ? 60.0 : 0.0, .kinematics = true, .data = &data});
    ASSERT_FALSE(e.tips.empty()) << what;
    EXPECT_LT(disagreement(e, arm, 3, 6), tolerance) << what << " " << numbers;
  }
}

TEST(DerivedKinematics, AreThoseOfTheLibrary) {
  for (const char* name : {"02_cartesian", "04_cylindrical", "05_puma560", "06_free_floating", "11_elastic_joints",
                           "17_two_link_slew", "30_mobile_manipulator", "38_two_arms_on_a_boom"})
    expect_kinematics(example(name), name);
  for (const BaseType base : {BaseType::fixed, BaseType::planar, BaseType::free}) {
    RandomArmOptions options;
    options.base = base;
    options.drive_line = true;
    expect_kinematics(random_case(4, 8 + unsigned(base), options), "random tree");
  }
  FlexibleArmOptions bending;
  bending.most = {1, 1, 1, 0};
  expect_kinematics(random_flexible_case(2, 3, bending), "spatial bending");
}

TEST(DerivedKinematics, ReadAsInTheLecture) {
  const Equations e = derive_equations(Arm::assemble(example("03_planar_elbow")), {.kinematics = true});
  const Printer print(e.names, Style::code);
  EXPECT_EQ(print(e.tips[0].T[0][3]), "l_upper*C1 + l_fore*C12");
  EXPECT_EQ(print(e.tips[0].T[0][1]), "-S12");
  EXPECT_EQ(print(e.tips[0].jacobian[3][0]), "-l_upper*S1 - l_fore*S12");
  EXPECT_EQ(print(e.tips[0].jacobian[2][1]), "1");
}

TEST(DerivedKinematics, NeedTipsThatTurnRigidly) {
  Case data = example("17_two_link_slew");
  data.arm.tip_rotation = TipRotation::small;
  try {
    derive_equations(Arm::assemble(data), {.kinematics = true});
    FAIL();
  } catch (const FieldError& error) {
    EXPECT_EQ(
        std::string(error.what()),
        "expected finite: with small tip rotations what a tip carries has no angular velocity, so `derive` gives no "
        "Jacobian");
  }
}

// ------------------------------------------------------------------ motors

// The lectures' single link: J = r² J_m + J_l and B = r² B_m + B_l (in print r B_m), u = r τ_m.
TEST(DerivedMotors, KeepTheirConstants) {
  const Case data = example("01_single_link_motor");
  const Arm arm = Arm::assemble(data);
  const Equations e = derive_equations(arm, {.data = &data});
  EXPECT_LT(disagreement(e, arm, 3, 1), tolerance);
  const Printer print(e.names, Style::code);
  EXPECT_EQ(text_of(e, e.M[0][0]), "I_bar_yy + Jm_shoulder*rg_shoulder^2 + m_bar*c_bar_x^2") << text_of(e, e.M[0][0]);
  EXPECT_EQ(print(e.D[0][0]), "rg_shoulder^2*bm_shoulder + b_shoulder") << print(e.D[0][0]);
  EXPECT_EQ(print(e.torque_ratios[0]), "rg_shoulder");
  std::map<std::string, double> values;
  for (const Name& name : e.names.all())
    if (name.kind == Kind::parameter) values[name.code] = name.value;
  EXPECT_EQ(values.at("rg_shoulder"), 100);
  EXPECT_EQ(values.at("Jm_shoulder"), 40e-6);
  // Behind an elastic transmission the rotor has them, with its bearing.
  const Case elastic = example("11_elastic_joints");
  const Arm elastic_arm = Arm::assemble(elastic);
  EXPECT_LT(disagreement(derive_equations(elastic_arm, {.data = &elastic}), elastic_arm, 3, 1), tolerance);
  for (unsigned seed = 1; seed <= 3; ++seed) {
    RandomArmOptions options;
    options.drive_line = true;
    const Case random = random_case(3, seed, options);
    const Arm random_arm = Arm::assemble(random);
    EXPECT_LT(disagreement(derive_equations(random_arm, {.data = &random}), random_arm, 3, 1), tolerance) << seed;
  }
}

// ------------------------------------------------------------------ small tip rotations

void expect_small(Case data, const std::string& what, bool symbols_too) {
  data.arm.tip_rotation = TipRotation::small;
  data.arm.inertia = InertiaOrder::complete;
  const Arm arm = Arm::assemble(data);
  ASSERT_TRUE(arm.small_tips()) << what;
  DeriveOptions symbols, numbers, unfolded;
  numbers.numbers = true;
  unfolded.time_limit = 0;
  unfolded.order = CoordinateOrder::joints_first;
  std::vector<DeriveOptions> ways{numbers, unfolded};
  if (symbols_too) ways.push_back(symbols);
  for (const DeriveOptions& way : ways) {
    const Equations e = derive_equations(arm, way);
    // Compares M, C ż, G and the rest with recursive-lagrangian.
    EXPECT_LT(disagreement(e, arm, 3, 9), tolerance) << what << ", " << way.numbers << way.time_limit;
  }
}

TEST(SmallTipRotations, AreThoseOfRecursiveLagrangian) {
  expect_small(example("17_two_link_slew"), "two bending links", true);
  Case ralf = example("31_ralf_sam");
  ralf.arm.mounts.clear();
  expect_small(ralf, "RALF and SAM", true);
  for (const bool rotary : {false, true})
    for (unsigned seed = 1; seed <= 2; ++seed) {
      FlexibleArmOptions options;
      options.most = {1, 1, 1, 0};
      options.arm.tree = false;
      options.rotary_inertia = rotary;
      expect_small(random_flexible_case(2, seed, options), "spatial, rotary " + std::to_string(rotary), false);
    }
}

// lew-book eq 4: the tip's slope enters once, without sine or cosine.
TEST(SmallTipRotations, ReadAsInLewBook) {
  Case data = read_case_text(R"(arm:
  gravity: [0, -9.81, 0]
  rotary_inertia: false
  tip_rotation: small
  links:
    - name: boom
      joint: {name: q1, type: revolute, axis: [0, 0, 1]}
      beam:
        length: 3
        material: aluminium
        section: {tube: {outer_diameter: 100 mm, inner_diameter: 94 mm}}
        flexibility: {modes: {bending_y: 1, shape: clamped-free}}
    - name: load
      joint: {name: q2, type: revolute, axis: [0, 0, 1]}
      rigid: {length: 0.3, mass: 4, com: [0.15, 0, 0]}
)",
                             "case.yaml")
                  .data;
  const Equations e = derive_equations(Arm::assemble(data));
  EXPECT_EQ(text_of(e, e.M[2][2]),
            "m_load*c_load_x^2 + m_load*psi_boom_1z^2*c_load_x^2*d11^2");  // |1 + [θ]×|² = 1 + θ² in the plane
  EXPECT_LT(disagreement(e, Arm::assemble(data), 3, 1), tolerance);
}

TEST(SmallTipRotations, RefuseWhatHasNoWitness) {
  auto message = [](Case data, const DeriveOptions& options = {}) {
    data.arm.tip_rotation = TipRotation::small;
    try {
      derive_equations(Arm::assemble(data), options);
    } catch (const FieldError& error) {
      return error.path() + ": " + error.what();
    }
    return std::string("none");
  };
  Case data = example("17_two_link_slew");
  EXPECT_EQ(
      message(data, {.split = "fore"}),
      "arm.tip_rotation: expected finite: with small tip rotations a carried arm's own mass matrix depends on its "
      "carrier, so `derive` does not split the arm");
  // Also where a mount says where to cut.
  Case ralf = example("31_ralf_sam");
  EXPECT_EQ(message(ralf, {.coupling_only = true}), message(data, {.split = "fore"}));
  Case tree = data;
  tree.arm.links[1].parent = "base";
  EXPECT_EQ(
      message(tree),
      "arm.links[1].parent: expected a chain: with `tip_rotation: small` `derive` supports no trees, but joint 'elbow' "
      "branches off");
  Case floating = data;
  floating.arm.base.type = BaseType::free;
  EXPECT_EQ(message(floating),
            "arm.base: expected fixed or planar: with `tip_rotation: small` `derive` supports no free base");
}

// ------------------------------------------------------------------ the command

TEST(DeriveCommand, HelpListsTheOptions) {
  for (const std::vector<std::string>& words : {std::vector<std::string>{"help", "derive"}, {"derive", "--help"}}) {
    const Finished help = run_program(words);
    EXPECT_EQ(help.code, 0) << help.err;
    for (const char* option : {"--format", "--output", "--name", "--numeric", "--split,--mount", "--coupling-only",
                               "--factored", "--order", "--kinematics", "--neglect", "--time-limit", "--pdf", "sympy"})
      EXPECT_NE(help.out.find(option), std::string::npos) << option;
  }
}

TEST(DeriveCommand, EveryOptionHasAnEffectOrAnError) {
  const std::string elbow = std::string(LITHE_SOURCE_DIR) + "/examples/03_planar_elbow/case.yaml";
  auto error = [&](const std::vector<std::string>& more) {
    std::vector<std::string> words{"derive", elbow};
    words.insert(words.end(), more.begin(), more.end());
    const Finished finished = run_program(words);
    EXPECT_EQ(finished.code, 2) << finished.out;
    return finished.err;
  };
  EXPECT_EQ(error({"--neglect", "m_uper"}), "lithe: --neglect: no parameter is called \"m_uper\"\n");
  EXPECT_EQ(error({"--factored", "--numeric"}),
            "lithe: --factored: numbers have no common factors; use it without --numeric\n");
  EXPECT_EQ(error({"--format", "python", "--name", "mine"}),
            "lithe: --name: a python module takes its name from its file\n");
  EXPECT_EQ(error({"--format", "matlab", "--kinematics", "--name", "pose_upper"}),
            "lithe: --name: \"pose_upper\" is the name of one of the program's functions\n");
}

}  // namespace
}  // namespace lithe::derive
