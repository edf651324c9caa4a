// The program as a user meets it: what it prints, where, and with which exit code.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "app/run_program.h"
#include "lithe/lithe.h"
#include "support/leftovers.h"

namespace lithe::testing {
namespace {

using Json = nlohmann::ordered_json;

TEST(Eval, JsonHasTheContractsKeysInOrder) {
  const Json answer = json_of({"eval", example("03_planar_elbow/case.yaml"), "--json"});
  std::vector<std::string> keys;
  for (const auto& [key, value] : answer.items()) keys.push_back(key);
  EXPECT_EQ(keys, (std::vector<std::string>{"coordinates", "mass_matrix", "bias", "gravity", "acceleration",
                                            "kinetic_energy", "potential_energy", "tip"}));
  EXPECT_EQ(answer["coordinates"], Json({"shoulder", "elbow"}));
  EXPECT_EQ(answer["tip"]["position"].size(), 3u);
  EXPECT_EQ(answer["tip"]["rotation"].size(), 3u);
}

TEST(Eval, PrintsWhatTheLibraryComputes) {
  const Json answer = json_of(
      {"eval", example("03_planar_elbow/case.yaml"), "--q", "-20deg,0.5", "--v", "1,-2", "--tau", "3,4", "--json"});
  const Arm arm = Arm::assemble(read_case(example("03_planar_elbow/case.yaml")).data);
  Articulated dynamics(arm);
  State state = State::zero(arm);
  state.q << -M_PI / 9, 0.5;
  state.v << 1, -2;
  VectorXd vdot(2), h(2);
  dynamics.forward(state, Eigen::Vector2d(3, 4), vdot);
  dynamics.bias(state, Terms::all, h);
  for (int i = 0; i < 2; ++i) {
    // Printed with all digits: nothing may be lost but the conversion of degrees.
    EXPECT_NEAR(answer["acceleration"][i].get<double>(), vdot[i], 1e-13 * vdot.norm());
    EXPECT_NEAR(answer["bias"][i].get<double>(), h[i], 1e-13 * h.norm());
  }
}

TEST(Eval, FormulationsAgreeOnEveryExample) {
  for (const char* name : {"01_single_link_motor", "02_cartesian", "03_planar_elbow", "04_cylindrical", "05_puma560",
                           "06_free_floating"}) {
    const std::string file = example(name) + "/case.yaml";
    const std::string q =
        std::string(name) == "06_free_floating" ? "0.1,0.2,0.3,0.9,0.1,-0.2,0.3,0.4,0.5" : "0.3,0.2,0.4,0.1,0.5,-0.6";
    const std::string v =
        std::string(name) == "06_free_floating" ? "1,-2,0.5,0.3,0.2,-0.1,1,2" : "1,0.5,-0.7,0.2,0.3,0.9";
    // Each example takes as many as it has coordinates.
    const Json zero = json_of({"eval", file, "--json"});
    auto first = [](const std::string& list, size_t n) {
      size_t end = 0;
      for (size_t i = 0; i < n && end != std::string::npos; ++i) end = list.find(',', end + (i > 0 ? 1 : 0));
      return list.substr(0, end);
    };
    const size_t nv = zero["coordinates"].size(), nq = nv + (std::string(name) == "06_free_floating" ? 1 : 0);
    const Json a = json_of({"eval", file, "--q", first(q, nq), "--v", first(v, nv), "--json"});
    const Json b =
        json_of({"eval", file, "--q", first(q, nq), "--v", first(v, nv), "--json", "--formulation", "lagrange"});
    double largest = 0, difference = 0;
    for (size_t i = 0; i < nv; ++i) {
      largest = std::max(largest, std::abs(a["bias"][i].get<double>()));
      difference = std::max(difference, std::abs(a["bias"][i].get<double>() - b["bias"][i].get<double>()));
    }
    EXPECT_GT(largest, 0) << name << ": a state at which nothing acts proves nothing";
    EXPECT_LE(difference, 1e-9 * largest) << name;  // the agreement that docs/model.md promises
  }
}

/// Folders of the examples that have something to run, in order.
std::vector<std::string> examples_that_run() {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(std::string(LITHE_SOURCE_DIR) + "/examples")) {
    const std::string file = entry.path().string() + "/case.yaml";
    if (!std::filesystem::exists(file)) continue;
    // By its text, which is quick and cannot fail: this lists the tests. Composed arms run as their carrier does, others as what they
    // include.
    const std::string text = "\n" + read_text(file);
    const auto says = [&](const char* words) { return text.find(words) != std::string::npos; };
    if (says("\nsimulate:") || says("carrier:") || says("\ninclude:"))
      names.push_back(entry.path().filename().string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

/// A test for each, so that they run side by side.
class EveryExample : public ::testing::TestWithParam<std::string> {};

TEST_P(EveryExample, RunsAndClosesItsEnergyAudit) {
  const TemporaryFolder scratch;
  const Json answer = json_of({"run", example(GetParam() + "/case.yaml"), "-o", scratch.path(), "--json"});
  // Integrated to 1e-8 a step by default: some thousand steps.
  EXPECT_LT(answer["energy"]["residual"].get<double>(), 1e-5 * (1e-3 + answer["energy"]["scale"].get<double>()));
}

INSTANTIATE_TEST_SUITE_P(Examples, EveryExample, ::testing::ValuesIn(examples_that_run()),
                         [](const auto& one) { return one.param; });

TEST(Examples, ThatRunAreFound) {
  std::vector<std::string> by_reader;
  for (const auto& entry : std::filesystem::directory_iterator(std::string(LITHE_SOURCE_DIR) + "/examples")) {
    const std::string file = entry.path().string() + "/case.yaml";
    if (std::filesystem::exists(file) && read_case(file).data.simulate)
      by_reader.push_back(entry.path().filename().string());
  }
  std::sort(by_reader.begin(), by_reader.end());
  EXPECT_EQ(examples_that_run(), by_reader);
  EXPECT_GE(by_reader.size(), 20u);
}

TEST(Eval, StiffnessAndInputAreMatricesOfTheirOwn) {
  const std::string file = example("17_two_link_slew/case.yaml");
  const Json answer = json_of(
      {"eval", file, "--q=0.1,0.01,0.02,0.3,0.03,0.04", "--what", "elastic,stiffness_matrix,input_matrix", "--json"});
  const std::vector<double> q{0.1, 0.01, 0.02, 0.3, 0.03, 0.04};
  for (size_t i = 0; i < q.size(); ++i) {  // links are linear springs
    double force = 0;
    for (size_t k = 0; k < q.size(); ++k) force += answer["stiffness_matrix"][i][k].get<double>() * q[k];
    EXPECT_NEAR(force, answer["elastic"][i].get<double>(), 1e-12 * (1 + std::abs(force))) << i;
  }
  EXPECT_EQ(answer["input_matrix"], Json::parse("[[1,0],[0,0],[0,0],[0,1],[0,0],[0,0]]"));
}

TEST(Eval, WhatGivesJustThat) {
  const Json answer =
      json_of({"eval", example("03_planar_elbow/case.yaml"), "--what", "jacobian,centre_of_mass", "--json"});
  EXPECT_EQ(answer.size(), 3u);  // and the coordinates' names
  EXPECT_EQ(answer["jacobian"].size(), 6u);
}

TEST(Eval, AccelerationsAskForTorques) {
  const std::string file = example("03_planar_elbow/case.yaml");
  const Json inverse = json_of({"eval", file, "--q", "0.3,0.4", "--v", "1,2", "--acceleration", "5,-6", "--json"});
  const Json forward = json_of({"eval", file, "--q", "0.3,0.4", "--v", "1,2", "--json", "--tau",
                                inverse["torque"][0].dump() + "," + inverse["torque"][1].dump()});
  EXPECT_NEAR(forward["acceleration"][0].get<double>(), 5, 1e-12);
  EXPECT_NEAR(forward["acceleration"][1].get<double>(), -6, 1e-12);
}

TEST(Eval, SetChangesAField) {
  const std::string file = example("03_planar_elbow/case.yaml");
  const Json plain = json_of({"eval", file, "--json"}),
             light = json_of({"eval", file, "--json", "--set", "arm.gravity=[0, 0, 0]"});
  EXPECT_NE(plain["gravity"][0].get<double>(), 0);
  EXPECT_EQ(light["gravity"][0].get<double>(), 0);
}

TEST(Eval, TipNamesALink) {
  const std::string file = example("03_planar_elbow/case.yaml");
  const Json upper = json_of({"eval", file, "--tip", "upper", "--what", "tip", "--json"}),
             fore = json_of({"eval", file, "--tip", "fore", "--what", "tip", "--json"}),
             last = json_of({"eval", file, "--what", "tip", "--json"});
  EXPECT_LT(upper["tip"]["position"][0].get<double>(), fore["tip"]["position"][0].get<double>());
  EXPECT_EQ(fore, last);
}

/// A bent link on a joint, with these options of the arm.
std::string bent_arm(const std::string& options) {
  return "arm:\n" + options + R"(
  links:
    - name: upper
      joint: {name: shoulder, type: revolute, axis: [0, -1, 0]}
      beam: {length: 1, material: aluminium, section: {rectangle: {width_y: 0.02, height_z: 0.01}},
             flexibility: {modes: {bending_y: 1, bending_z: 2, torsion: 1}}}
      payload: {mass: 0.5}
    - name: fore
      joint: {name: elbow, type: revolute, axis: [0, 0, 1]}
      rigid: {length: 0.5, mass: 2, com: [0.25, 0, 0], inertia: {xx: 0.01, yy: 0.05, zz: 0.05}}
)";
}

TEST(Compare, FindsAgreementAndCosts) {
  const TemporaryFolder scratch;
  for (const std::string& file : {example("05_puma560/case.yaml"), scratch.write("bent.yaml", bent_arm(""))}) {
    const Json answer = json_of({"compare", file, "--states", "4", "--strict", "--json"});
    EXPECT_EQ(answer["states"], 4);
    EXPECT_EQ(answer["agree"], true);
    ASSERT_GE(answer["pairs"].size(), 1u);
    EXPECT_EQ(answer["pairs"][0]["formulations"], Json({"articulated", "lagrange"}));
    for (const char* name : {"acceleration", "mass_matrix", "bias", "kinetic_energy", "potential_energy"})
      EXPECT_LT(answer["pairs"][0]["worst"][name].get<double>(), 1e-9) << name;
    for (const Json& formulation : answer["formulations"])
      if (formulation["covers"] == true) {
        EXPECT_GT(formulation["microseconds"].get<double>(), 0);
        if (formulation["name"] == "lagrange" || formulation["name"] == "kane") {
          EXPECT_GT(formulation["work"]["multiplications"].get<int>(), 100);
          EXPECT_GT(formulation["work"]["additions"].get<int>(), 100);
        }
      }
  }
}

TEST(Compare, StrictFailsAboveTheToleranceAndSaysWhere) {
  const std::string file = example("03_planar_elbow/case.yaml");
  const Finished lax = run_program({"compare", file, "--tolerance", "0"}),
                 strict = run_program({"compare", file, "--tolerance", "0", "--strict"});
  EXPECT_EQ(lax.code, 0);
  EXPECT_EQ(strict.code, 1);
  EXPECT_NE(lax.out.find("articulated / lagrange"), std::string::npos) << lax.out;
  // What it prints is a state that eval takes.
  const size_t q = strict.out.find("--q="), v = strict.out.find(" --v="), end = strict.out.find('\n', q);
  ASSERT_NE(v, std::string::npos) << strict.out;
  EXPECT_EQ(run_program({"eval", file, strict.out.substr(q, v - q), strict.out.substr(v + 1, end - v - 1)}).code, 0);
}

TEST(Compare, ListsWhatDoesNotCoverTheCaseWithTheReason) {
  const TemporaryFolder scratch;
  const std::string small = scratch.write("small.yaml", bent_arm("  tip_rotation: small\n  rotary_inertia: false\n"));
  const Finished finished =
      run_program({"compare", small, "--set", "links[0].beam.flexibility={modes: {bending_z: 2}}"});
  EXPECT_EQ(finished.code, 0) << finished.err;
  EXPECT_NE(finished.out.find("tip_rotation: formulation 'lagrange' treats carried links as rigid bodies"),
            std::string::npos)
      << finished.out;
}

TEST(Check, PumaHasDoubtsThatStrictRefuses) {
  const std::string file = example("05_puma560/case.yaml");
  const Finished lax = run_program({"check", file}), strict = run_program({"check", file, "--strict"});
  EXPECT_EQ(lax.code, 0);
  EXPECT_NE(lax.err.find("warning: links[0].rigid.mass: zero mass"), std::string::npos) << lax.err;
  EXPECT_EQ(strict.code, 2);
  EXPECT_EQ(strict.err.find("warning"), std::string::npos) << strict.err;
}

TEST(Check, JsonListsPlaces) {
  const std::string folder = std::string(LITHE_SOURCE_DIR) + "/tests/cases";
  const Finished finished = run_program({"check", "units.yaml", "--json"}, folder);
  EXPECT_EQ(finished.code, 2);
  const Json answer = Json::parse(finished.out);
  EXPECT_EQ(answer["errors"][2], (Json{{"file", "units.yaml"},
                                       {"line", 8},
                                       {"column", 17},
                                       {"path", "links[0].beam.length"},
                                       {"message", "expected a length, got \"3 kg\""}}));
}

TEST(Check, PrintedCaseReadsBackToTheSameAnswers) {
  const TemporaryFolder scratch;
  const Finished printed = run_program({"check", example("05_puma560/case.yaml"), "--print"});
  const std::string copy = scratch.write("copy.yaml", printed.out);
  EXPECT_EQ(read_case(copy).data, read_case(example("05_puma560/case.yaml")).data);
}

TEST(Reach, FindsAPoseAndSaysWhenItCannot) {
  const std::string file = example("05_puma560/case.yaml");
  const Json there = json_of({"reach", file, "--position", "0.5,-0.2,0.1", "--rpy", "0.3,0.2,1", "--json"});
  EXPECT_TRUE(there["reached"]);
  std::string q;
  for (const Json& number : there["q"]) q += (q.empty() ? "" : ",") + number.dump();
  const Json tip = json_of({"eval", file, "--q", q, "--what", "tip", "--json"});
  EXPECT_NEAR(tip["tip"]["position"][0].get<double>(), 0.5, 1e-8);
  EXPECT_NEAR(tip["tip"]["position"][1].get<double>(), -0.2, 1e-8);
  const Finished far = run_program({"reach", file, "--position", "2,0,0"});
  EXPECT_EQ(far.code, 1);
  EXPECT_NE(far.err.find("out of reach: the nearest pose found is"), std::string::npos) << far.err;
  EXPECT_NE(far.err.find("the target is 2 m from the base and the arm reaches"), std::string::npos) << far.err;
}

TEST(Sketch, WritesAPictureOrNothing) {
  const TemporaryFolder scratch;
  const std::string file = scratch.path() + "/arm.svg";
  EXPECT_EQ(
      run_program({"sketch", example("03_planar_elbow/case.yaml"), "-o", file, "--q", "0.5,0.5", "--q", "1,1"}).code,
      0);
  const std::string svg = read_text(file);
  EXPECT_NE(svg.find("shoulder</text>"), std::string::npos);
  EXPECT_NE(svg.find("</svg>"), std::string::npos);
  const Finished refused =
      run_program({"sketch", example("03_planar_elbow/case.yaml"), "-o", scratch.path() + "/no/arm.svg"});
  EXPECT_EQ(refused.code, 1);
  EXPECT_NE(refused.err.find("/no/arm.svg: No such file or directory"), std::string::npos) << refused.err;
  // A file in the way: nothing half-written stays beside it.
  std::filesystem::create_directory(scratch.path() + "/taken.svg");
  EXPECT_EQ(run_program({"sketch", example("03_planar_elbow/case.yaml"), "-o", scratch.path() + "/taken.svg"}).code, 1);
  EXPECT_EQ(n_leftovers(scratch.path()), 0);
}

TEST(Schema, ReferencePageIsFresh) {
  EXPECT_EQ(run_program({"schema", "--markdown"}).out, read_text(std::string(LITHE_SOURCE_DIR) + "/docs/case-file.md"))
      << "run: ./lithe schema --markdown > docs/case-file.md";
}

TEST(Run, TakesItsTextFromAnotherFileAndStillSeeksTablesBesideTheCase) {
  const TemporaryFolder scratch, elsewhere;
  scratch.write("table.csv", "0,0\n1,0.5\n2,0.5\n3,0.5\n");
  const std::string text =
      "arm:\n  links:\n    - name: bar\n      joint: {name: hub, type: revolute, axis: [0, 1, 0]}\n"
      "      rigid: {length: 1, mass: 2, com: [0.5, 0, 0]}\n"
      "motion: {hub: {table: {file: table.csv}}}\nsimulate: {for: 3 s}\n";
  const std::string edited = elsewhere.write("edited.yaml", text);
  const std::string file = scratch.path() + "/case.yaml";  // never written
  const Finished ran = run_program({"run", file, "--text", edited, "-o", elsewhere.path() + "/out", "--progress"});
  EXPECT_EQ(ran.code, 0) << ran.err;
  double t = -1, duration = -1;
  ASSERT_EQ(std::sscanf(ran.err.c_str(), "progress %lf %lf", &t, &duration), 2) << ran.err;
  EXPECT_EQ(duration, 3);
  elsewhere.write("edited.yaml", text + "simulat: {}\n");
  const Finished refused = run_program({"run", file, "--text", edited, "-o", elsewhere.path() + "/out"});
  EXPECT_EQ(refused.code, 2);
  EXPECT_TRUE(refused.err.starts_with(file + ":8:1: ")) << refused.err;
  EXPECT_EQ(run_program({"run", file, "--text", elsewhere.path() + "/none"}).code, 2);
}

TEST(Program, HelpAndVersionGoToStandardOutput) {
  const Finished help = run_program({"--help"}), version = run_program({"--version"});
  EXPECT_EQ(help.code, 0);
  for (const char* command : {"eval", "check", "schema", "reach", "sketch"})
    EXPECT_NE(help.out.find(command), std::string::npos);
  EXPECT_EQ(version.code, 0);
  EXPECT_EQ(version.out.rfind("lithe ", 0), 0u);
}

}  // namespace
}  // namespace lithe::testing
