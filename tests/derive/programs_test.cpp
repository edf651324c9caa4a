// Generated programs, compiled or run, against the library at random states; documents; and the command as a user meets it.
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "app/run_program.h"
#include "lithe/arm/kinematics.h"
#include "lithe/describe/case_reader.h"
#include "lithe/dynamics/articulated/articulated.h"
#include "lithe/dynamics/composed/composed.h"
#include "support/random_arm.h"

namespace lithe::derive {
namespace {

using namespace lithe::testing;
using Json = nlohmann::json;

std::string example(const std::string& name) {
  return std::string(LITHE_SOURCE_DIR) + "/examples/" + name + "/case.yaml";
}

constexpr const char* spatial_arm = R"(arm:
  base: {type: free, rigid: {mass: 20, com: [0.1, 0, 0.05], inertia: {xx: 2, yy: 3, zz: 2.5}}}
  links:
    - name: upper-1
      joint: {name: shoulder, type: revolute, axis: [0, -1, 0], origin: {xyz: [0.2, 0, 0.1], rpy: [0, 0, 40 deg]}}
      beam:
        length: 2
        material: aluminium
        section: {tube: {outer_diameter: 60 mm, inner_diameter: 56 mm}}
        flexibility: {modes: {bending_y: 1, bending_z: 1, torsion: 1}}
    - name: fore
      joint: {name: elbow, type: prismatic, axis: [1, 0, 0], damping: 0.1 N.s/m}
      rigid: {length: 0.5, mass: 2, com: [0.25, 0, 0.02], inertia: {xx: 0.01, yy: 0.05, zz: 0.05}}
      payload: {mass: 1.5 kg}
)";

/// All numbers of a nested list, in order: a column and a list of as many numbers are the same.
std::vector<double> numbers_in(const Json& value) {
  std::vector<double> list;
  if (!value.is_array()) return {value.get<double>()};
  for (const Json& part : value)
    for (const double number : numbers_in(part)) list.push_back(number);
  return list;
}

/// Two random states with torques, and what the library says of them by its default formulation.
struct Witness {
  enum class More { nothing, blocks, kinematics };
  Json states = Json::array(), answers = Json::array();
  int nq, nv, n_tau;

  explicit Witness(const std::string& case_file, More more = More::nothing) {
    const Arm arm = Arm::assemble(read_case(case_file).data);
    Articulated dynamics(arm);
    nq = arm.nq();
    nv = arm.nv();
    n_tau = int(arm.torque_inputs().size());
    for (unsigned seed = 1; seed <= 2; ++seed) {
      const State state = random_state(arm, seed);
      const VectorXd tau = random_vector(n_tau, seed, 5);
      VectorXd forces = VectorXd::Zero(nv), h(nv), vdot(nv);
      for (int k = 0; k < n_tau; ++k) forces[arm.torque_inputs()[k].v] = tau[k];
      MatrixXd M(nv, nv);
      dynamics.mass_matrix(state, M);
      dynamics.bias(state, Terms::all, h);
      dynamics.forward(state, forces, vdot);
      const Kinematics kin = kinematics_of(arm, state);
      states.push_back({{"q", list(state.q)}, {"v", list(state.v)}, {"tau", list(tau)}});
      answers.push_back({{"mass_matrix", matrix(M)},
                         {"bias", list(h)},
                         {"acceleration", list(vdot)},
                         {"kinetic_energy", kinetic_energy(arm, state, kin)},
                         {"potential_energy", gravity_energy(arm, kin) + elastic_energy(arm, state)}});
      if (more == More::kinematics) {
        const Pose& tip = kin.X_WT[size_t(arm.last_link())];
        MatrixXd T = MatrixXd::Identity(4, 4);
        T.topLeftCorner(3, 3) = tip.R;
        T.topRightCorner(3, 1) = tip.p;
        ask("of_q", "tip_pose", T);
        ask("of_q", "tip_jacobian", tip_jacobian(arm, kin, arm.last_link()));
      }
      if (more == More::blocks) {
        const CoupledBlocks b = Composed(arm).blocks(state, int(arm.mounts().size()) - 1);
        for (const BlockName& block : block_names()) {
          ask(block.name[0] == 'C' ? "of_qv" : "of_q", block.name, block.of(b));
        }
      }
    }
  }
  void ask(const char* of, const char* name, const MatrixXd& answer) {
    states.back()[of].push_back(name);
    answers.back()[name] = matrix(answer);
    shapes.insert({name, {answer.rows(), answer.cols()}});
  }
  static Json matrix(const MatrixXd& M) {
    Json rows = Json::array();
    for (long k = 0; k < M.rows(); ++k) rows.push_back(list(M.row(k)));
    return rows;
  }
  std::map<std::string, std::pair<long, long>> shapes;  // of what was asked for

  static std::vector<double> list(const VectorXd& x) { return {x.begin(), x.end()}; }

  /// Every number to 1e-10 of the largest of its kind; accelerations lose figures by the mass matrix's condition.
  void expect(const Json& given, const std::string& what) const {
    ASSERT_EQ(given.size(), answers.size()) << what;
    for (size_t s = 0; s < answers.size(); ++s) {
      // Blocks that cancel to zero count against the mass matrix.
      double size = 0;
      for (const double number : numbers_in(answers[s]["mass_matrix"])) size = std::max(size, std::abs(number));
      for (const auto& [key, value] : answers[s].items()) {
        const std::vector<double> a = numbers_in(value), b = numbers_in(given[s].at(key));
        ASSERT_EQ(a.size(), b.size()) << what << " " << key;
        double largest = shapes.contains(key) ? size : 0;
        for (const double number : a) largest = std::max(largest, std::abs(number));
        for (size_t k = 0; k < a.size(); ++k)
          EXPECT_NEAR(b[k], a[k], (key == "acceleration" ? 1e-8 : 1e-10) * largest) << what << " " << key << " " << k;
      }
    }
  }
};

int shell(const std::string& command) { return std::system(command.c_str()); }

Json run_python(const std::string& language, const std::string& program, const Witness& witness,
                const TemporaryFolder& folder) {
  const std::string states = folder.write("states.json", witness.states.dump()), out = folder.path() + "/out.json";
  const std::string driver = std::string(LITHE_SOURCE_DIR) + "/tests/derive/evaluate_program.py";
  EXPECT_EQ(shell("PYTHONDONTWRITEBYTECODE=1 /usr/bin/python3 " + driver + " " + language + " " + program + " <" +
                  states + " >" + out),
            0);
  return Json::parse(read_text(out));
}

/// A program around the generated header that prints JSON for the witness's states.
Json run_cpp(const std::string& header, const Witness& witness, const TemporaryFolder& folder) {
  std::string text = "#include <cstdio>\n#include \"" + header + R"("
using namespace tested;
static void print(const char* name, const double* x, int rows, int columns) {
  std::printf("\"%s\":", name);
  if (columns > 1) std::printf("[");
  for (int k = 0; k < rows; ++k) {
    std::printf(k ? ",[" : "[");
    for (int j = 0; j < columns; ++j) std::printf(j ? ",%.17g" : "%.17g", x[k*columns + j]);
    std::printf("]");
  }
  if (columns > 1) std::printf("]");
  std::printf(",");
}
int main() {
  const Arm arm;
  std::printf("[");
)";
  auto numbers = [](const Json& list) {
    const std::string dumped = list.dump();
    return "{" + dumped.substr(1, dumped.size() - 2) + "}";
  };
  for (size_t s = 0; s < witness.states.size(); ++s) {
    const Json& state = witness.states[s];
    text += "  {\n    const double q[] = " + numbers(state["q"]) + ", v[] = " + numbers(state["v"]) +
            ", tau[] = " + numbers(state["tau"]) + ";\n" + R"(    double M[nv*nv], h[nv], vdot[nv];
    arm.mass_matrix(q, M);
    arm.bias(q, v, h);
    arm.acceleration(q, v, tau, vdot);
    std::printf("{");
    print("mass_matrix", M, nv, nv);
    std::printf("\"bias\":");
    for (int k = 0; k < nv; ++k) std::printf("%c%.17g", k ? ',' : '[', h[k]);
    std::printf("],\"acceleration\":");
    for (int k = 0; k < nv; ++k) std::printf("%c%.17g", k ? ',' : '[', vdot[k]);
    std::printf("],\"kinetic_energy\":%.17g,\"potential_energy\":%.17g", arm.kinetic_energy(q, v), arm.potential_energy(q));
)";
    for (const auto& [name, shape] : witness.shapes)
      text += "    {\n      double block[" + std::to_string(shape.first * shape.second) + "];\n      arm." + name +
              (name[0] == 'C' ? "(q, v, block);\n" : "(q, block);\n") + "      std::printf(\",\\\"" + name +
              "\\\":[\");\n      for (int k = 0; k < " + std::to_string(shape.first * shape.second) +
              "; ++k) std::printf(k ? \",%.17g\" : \"%.17g\", block[k]);\n      std::printf(\"]\");\n    }\n";
    text += R"(    std::printf("}");
  }
)" + std::string(s + 1 < witness.states.size() ? "  std::printf(\",\");\n" : "");
  }
  text += "  std::printf(\"]\");\n}\n";
  const std::string source = folder.write("main.cpp", text), program = folder.path() + "/program",
                    out = folder.path() + "/out";
  EXPECT_EQ(shell("g++ -std=c++11 -O0 -Wall -Wextra -Wpedantic -Wshadow -Werror " + source + " -o " + program), 0);
  EXPECT_EQ(shell(program + " >" + out), 0);
  return Json::parse(read_text(out));
}

void expect_programs(const std::string& case_file, const std::vector<std::string>& options = {},
                     Witness::More more = Witness::More::nothing) {
  const Witness witness(case_file, more);
  const TemporaryFolder folder;
  for (const std::string language : {"cpp", "python", "sympy", "matlab"}) {
    const std::string file = folder.path() + "/tested" +
                             (language == "cpp"      ? ".h"
                              : language == "matlab" ? ".m"
                                                     : ".py");
    std::vector<std::string> words{"derive", case_file, "--format", language, "-o", file};
    if (language == "cpp" || language == "matlab") words.insert(words.end(), {"--name", "tested"});
    words.insert(words.end(), options.begin(), options.end());
    const Finished finished = run_program(words);
    ASSERT_EQ(finished.code, 0) << finished.err;
    witness.expect(language == "cpp" ? run_cpp(file, witness, folder) : run_python(language, file, witness, folder),
                   case_file + " " + language);
  }
}

TEST(GeneratedPrograms, RigidArmWithFriction) { expect_programs(example("05_puma560")); }
TEST(GeneratedPrograms, PlanarBending) { expect_programs(example("17_two_link_slew")); }
TEST(GeneratedPrograms, NumbersInsteadOfSymbols) { expect_programs(example("19_de_luca_siciliano"), {"--numeric"}); }
TEST(GeneratedPrograms, SplitArm) { expect_programs(example("03_planar_elbow"), {"--split", "fore"}); }
TEST(GeneratedPrograms, BlocksOfAnArmOnAnArm) {
  expect_programs(example("30_mobile_manipulator"), {}, Witness::More::blocks);
  expect_programs(example("31_ralf_sam"), {"--factored"}, Witness::More::blocks);
}
TEST(GeneratedPrograms, Kinematics) {
  expect_programs(example("05_puma560"), {"--kinematics"}, Witness::More::kinematics);
  expect_programs(example("17_two_link_slew"), {"--kinematics", "--factored"}, Witness::More::kinematics);
}
TEST(GeneratedPrograms, SpatialBending) {
  const TemporaryFolder folder;
  expect_programs(folder.write("case.yaml", R"(arm:
  links:
    - name: pole
      joint: {name: shoulder, type: revolute, axis: [0, -1, 0]}
      beam:
        length: 2
        material: aluminium
        section: {tube: {outer_diameter: 60 mm, inner_diameter: 56 mm}}
        flexibility: {modes: {bending_y: 1, bending_z: 1, shape: clamped-free}}
      payload: {mass: 3, com: [0.1, 0, 0], inertia: {xx: 0.1, yy: 0.2, zz: 0.2}}
)"));
}
TEST(GeneratedPrograms, FreeBaseUnfolded) {
  const TemporaryFolder folder;
  expect_programs(folder.write("case.yaml", spatial_arm), {"--time-limit", "0"});
}

TEST(DeriveCommand, WritesTheSameEveryTime) {
  // GiNaC orders terms by addresses, which differ between runs; what is written must not.
  auto expect_one_text = [](const std::string& name, const std::vector<std::string>& more) {
    std::vector<std::string> words{"derive", example(name)};
    words.insert(words.end(), more.begin(), more.end());
    const Finished once = run_program(words);
    EXPECT_EQ(once.code, 0) << once.err;
    for (int k = 0; k < 4; ++k) EXPECT_TRUE(once.out == run_program(words).out) << name << " " << more.back();
  };
  for (const char* format : {"latex", "cpp"}) expect_one_text("05_puma560", {"--format", format});
  for (const char* name : {"06_free_floating", "11_elastic_joints", "17_two_link_slew", "31_ralf_sam"})
    for (const std::vector<std::string>& more : {std::vector<std::string>{"--format", "cpp", "--factored"},
                                                 {"--format", "sympy", "--kinematics"},
                                                 {"--format", "python", "--time-limit", "0"}})
      expect_one_text(name, more);
}

TEST(DeriveCommand, SaysThatNothingWasCompared) {
  const TemporaryFolder folder;
  const Json report =
      json_of({"derive", example("17_two_link_slew"), "--neglect", "psi_*", "--json", "-o", folder.path() + "/a.tex"});
  EXPECT_TRUE(report["disagreement"].is_null()) << report;
}

TEST(DeriveCommand, DocumentsAreWhole) {
  for (const std::vector<std::string>& more :
       {std::vector<std::string>{}, {"--split", "fore"}, {"--time-limit", "0"}}) {
    std::vector<std::string> words{"derive", example("17_two_link_slew"), "--format", "latex"};
    words.insert(words.end(), more.begin(), more.end());
    const std::string text = run_program(words).out;
    int depth = 0, formulas = 0;
    for (size_t k = 0; k < text.size(); ++k) {
      const bool escaped = k > 0 && text[k - 1] == '\\';
      if (text[k] == '{' && !escaped) ++depth;
      if (text[k] == '}' && !escaped) --depth;
      ASSERT_GE(depth, 0) << text.substr(k > 80 ? k - 80 : 0, 80);
      formulas += text.compare(k, 14, "\\begin{align*}") == 0;
      formulas -= text.compare(k, 12, "\\end{align*}") == 0;
    }
    EXPECT_EQ(depth, 0);
    EXPECT_EQ(formulas, 0);
    EXPECT_NE(text.find("\\end{document}"), std::string::npos);
  }
}

TEST(DeriveCommand, SaysWhatIsMissingWhereItWasBuiltWithoutGinac) {
  const TemporaryFolder folder;
  const std::string alone = folder.path() + "/lithe", err = folder.path() + "/err";
  std::filesystem::copy_file(LITHE_PROGRAM, alone);
  EXPECT_EQ(WEXITSTATUS(shell(alone + " derive " + example("03_planar_elbow") + " 2>" + err)), 1);
  EXPECT_EQ(read_text(err), "lithe: derive: " + alone +
                                "-derive is missing: it is built only if GiNaC is installed (Debian: libginac-dev)\n");
}

/// Either word in either command is the same cut: blocks that add up to the whole.
TEST(DeriveCommand, SplitAndMountAreOneCut) {
  const TemporaryFolder folder;
  const std::string chain = folder.write("chain.yaml", R"(arm:
  links:
    - {name: a, joint: {name: ja, type: revolute, axis: [0, 0, 1]}, rigid: {length: 0.5, mass: 2, com: [0.2, 0, 0]}}
    - {name: b, joint: {name: jb, type: revolute, axis: [0, 0, 1]}, rigid: {length: 0.4, mass: 1, com: [0.2, 0, 0]}}
    - {name: c, joint: {name: jc, type: revolute, axis: [0, 0, 1]}, rigid: {length: 0.3, mass: 1, com: [0.1, 0, 0]}}
  mounts: [{link: b}, {link: c}]
)");
  for (const char* option : {"--mount", "--split"}) {
    const Json blocks = json_of(
        {"eval", chain, "--q", "0.1,0.2,0.3", "--what", "mass_matrix,M_L,M_LS,M_cp,M_S", option, "b", "--json"});
    ASSERT_EQ(blocks["M_S"].size(), 2u) << option;
    EXPECT_NEAR(blocks["M_L"][0][0].get<double>() + blocks["M_LS"][0][0].get<double>(), blocks["mass_matrix"][0][0],
                1e-12);
    for (int k = 0; k < 2; ++k) {
      EXPECT_NEAR(blocks["M_cp"][0][k], blocks["mass_matrix"][0][k + 1], 1e-12);
      EXPECT_NEAR(blocks["M_S"][k][1], blocks["mass_matrix"][k + 1][2], 1e-12);
    }
    const Finished derived = run_program({"derive", chain, "--format", "markdown", option, "b"});
    ASSERT_EQ(derived.code, 0) << derived.err;
    EXPECT_NE(derived.out.find("cut at the joint of `b`: the carrier has $z_{1}$, the carried arm has $z_{2}, z_{3}$"),
              std::string::npos);
  }
}

TEST(DeriveCommand, TellsMistakes) {
  const std::string elbow = example("03_planar_elbow");
  const Finished split = run_program({"derive", elbow, "--split", "fort"});
  EXPECT_EQ(split.code, 2);
  EXPECT_EQ(split.err, "lithe: --split: no link 'fort' that is carried by another, did you mean 'fore'? Links: fore\n");
  const Finished pdf = run_program({"derive", elbow, "--pdf"});
  EXPECT_EQ(pdf.code, 2);
  EXPECT_EQ(pdf.err, "lithe: --pdf: needs --format latex and -o FILE.tex\n");
  const Finished elements = run_program({"derive", example("14_two_link_modes")});
  EXPECT_EQ(elements.code, 0) << elements.err;
  const Finished many = run_program({"derive", example("15_spatial_arm_sag")});
  EXPECT_EQ(many.code, 2);
  EXPECT_NE(many.err.find("expected at most 12 flexible coordinates for `derive`, got 24"), std::string::npos)
      << many.err;
  EXPECT_EQ(run_program({"derive", elbow, "--format", "fortran"}).code, 2);
  EXPECT_EQ(run_program({"derive", "nowhere.yaml"}).code, 2);
}

}  // namespace
}  // namespace lithe::derive
