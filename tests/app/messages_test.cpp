// Error texts are interface: for every file of tests/cases the program must say what stands beside it, word for word.
#include <gtest/gtest.h>

#include <filesystem>
#include <set>

#include "app/run_program.h"

namespace lithe::testing {
namespace {

const std::string folder = std::string(LITHE_SOURCE_DIR) + "/tests/cases";

class BadCase : public ::testing::TestWithParam<std::string> {};

TEST_P(BadCase, IsRefusedInTheseWords) {
  const Finished finished = run_program({"check", GetParam() + ".yaml"}, folder);
  EXPECT_EQ(finished.err, read_text(folder + "/" + GetParam() + ".expected"));
  EXPECT_EQ(finished.out, "");
  EXPECT_EQ(finished.code, 2);
}

std::vector<std::string> bad_cases() {
  std::set<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(folder))
    if (entry.path().extension() == ".expected") names.insert(entry.path().stem().string());
  return {names.begin(), names.end()};
}

INSTANTIATE_TEST_SUITE_P(Cases, BadCase, ::testing::ValuesIn(bad_cases()), [](const auto& bad) { return bad.param; });

struct BadWords {
  const char* name;
  std::vector<std::string> words;
  const char* message;
};

class BadCommand : public ::testing::TestWithParam<BadWords> {};

TEST_P(BadCommand, IsRefusedInTheseWords) {
  const Finished finished = run_program(GetParam().words, std::string(LITHE_SOURCE_DIR) + "/examples/03_planar_elbow");
  EXPECT_EQ(finished.err, GetParam().message);
  EXPECT_EQ(finished.code, 2);
}

const BadWords bad_words[] = {
    {"unknown_formulation",
     {"eval", "case.yaml", "--formulation", "newton"},
     "lithe: --formulation: no formulation 'newton'. Known: articulated, lagrange, kane, recursive-lagrangian, "
     "composed\n"},
    {"too_many_positions",
     {"eval", "case.yaml", "--q", "1,2,3"},
     "lithe: --q: expected at most 2 numbers (shoulder, elbow), got 3\n"},
    {"position_of_wrong_unit",
     {"eval", "case.yaml", "--q", "1,2 m"},
     "lithe: --q: elbow: expected an angle, got \"2 m\"\n"},
    {"empty_position",
     {"eval", "case.yaml", "--q", "1,,2"},
     "lithe: --q: expected numbers separated by commas, got \"1,,2\"\n"},
    {"rate_in_cycles",
     {"eval", "case.yaml", "--v", "1 Hz"},
     "lithe: --v: shoulder: expected an angular velocity, got \"1 Hz\": Hz counts cycles, 1 cycle = 2 pi rad\n"},
    {"torque_of_wrong_unit",
     {"eval", "case.yaml", "--tau", "1 N"},
     "lithe: --tau: shoulder: expected a torque, got \"1 N\"\n"},
    {"unknown_tip",
     {"eval", "case.yaml", "--tip", "upperr"},
     "lithe: --tip: no link 'upperr', did you mean 'upper'? Links: upper, fore\n"},
    {"unknown_quantity",
     {"eval", "case.yaml", "--what", "mass"},
     "lithe: --what: no 'mass'. Known: mass_matrix, bias, gravity, coriolis, elastic, damping, coriolis_matrix, "
     "stiffness_matrix, input_matrix, "
     "acceleration, "
     "torque, kinetic_energy, potential_energy, tip, jacobian, centre_of_mass, momentum, M_L, M_LS, M_cp, M_S, "
     "C_L, C_LS, C_Lcp, C_cp1, C_cp2, C_S, C_Scp, G_L, G_LS, G_S\n"},
    {"mount_of_an_arm_that_is_one",
     {"eval", "case.yaml", "--mount", "fore"},
     "lithe: --mount: this arm carries no other arm\n"},
    {"blocks_of_an_arm_that_is_one",
     {"eval", "case.yaml", "--what", "M_cp"},
     "case.yaml:4:3: arm: formulation 'composed' joins arms whose dynamics are known separately, but this is a single "
     "arm; compose it from files (arm: {carrier: ..., carries: ...}) or give in `mounts` where a carried arm begins\n"},
    {"set_without_value",
     {"eval", "case.yaml", "--set", "arm.gravity"},
     "lithe: --set: expected PATH=VALUE, got \"arm.gravity\"\n"},
    {"set_without_a_path",
     {"eval", "case.yaml", "--set", "[=1"},
     "--set: [: expected a path like arm.links[0].beam.length\n"},
    {"set_to_half_a_list", {"eval", "case.yaml", "--set", "arm.gravity=[0, 0"}, "--set: gravity: not a value: [0, 0\n"},
    {"set_an_index_of_no_list", {"eval", "case.yaml", "--set", "arm[0]=1"}, "--set: arm[0]: [0] needs a list here\n"},
    {"print_and_json", {"check", "case.yaml", "--print", "--json"}, "lithe: --print writes YAML: leave out --json\n"},
    {"set_beyond_the_list",
     {"eval", "case.yaml", "--set", "arm.links[7].name=x"},
     "--set: links[7].name: no [7] in a list of 2\n"},
    {"set_through_a_list",
     {"eval", "case.yaml", "--set", "arm.links.name=x"},
     "--set: links.name: 'name' needs a mapping, and this is a list: add [index]\n"},
    {"set_to_a_wrong_unit",
     {"eval", "case.yaml", "--set", "links[upper].rigid.mass=3 m"},
     "--set: links[0].rigid.mass: expected a mass, got \"3 m\"\n"},
    {"missing_file", {"check", "nowhere.yaml"}, "nowhere.yaml: cannot be read: No such file or directory\n"},
    {"folder_for_file", {"check", "."}, ".: cannot be read: Is a directory\n"},
    {"unknown_command",
     {"evaluate", "case.yaml"},
     "lithe: no command 'evaluate'. Known: eval, check, compare, run, modes, static, linearise, divergence, derive, "
     "reach, sketch, "
     "info, "
     "export, plot, spectrum, report, movie, image, view, schema, help\n"},
    {"help_of_an_unknown_command",
     {"help", "rum"},
     "lithe: no command 'rum', did you mean 'run'? Known: eval, check, compare, run, modes, static, linearise, "
     "divergence, derive, "
     "reach, sketch, info, export, plot, spectrum, report, movie, image, view, schema, help\n"},
    {"misspelt_option",
     {"eval", "case.yaml", "--formulatoin", "kane"},
     "lithe: `lithe eval` has no option '--formulatoin', did you mean '--formulation'? `lithe help eval` lists them\n"},
    {"misspelt_option_beside_what_it_leaves_out",
     {"sketch", "case.yaml", "--ouptut=arm.svg"},
     "lithe: `lithe sketch` has no option '--ouptut', did you mean '--output'? `lithe help sketch` lists them\n"},
    {"option_like_none",
     {"static", "case.yaml", "--backwards"},
     "lithe: `lithe static` has no option '--backwards'. `lithe help static` lists them\n"},
    {"report_of_a_case",
     {"report", "case.yaml"},
     "lithe: case.yaml is a case file, not results: run it first (`lithe run case.yaml -o out`), then give `out`\n"},
    {"plot_of_a_case",
     {"plot", "case.yaml", "--y", "elbow", "-o", "elbow.svg"},
     "lithe: case.yaml is a case file, not results: run it first (`lithe run case.yaml -o out`), then give `out`\n"},
    {"position_given_twice", {"eval", "case.yaml", "--q", "1,2,elbow=3"}, "lithe: --q: elbow is given twice\n"},
    {"position_after_a_name",
     {"eval", "case.yaml", "--q", "elbow=1,2"},
     "lithe: --q: expected numbers without a name before those with one, got \"elbow=1,2\"\n"},
    {"nothing_to_remove",
     {"eval", "case.yaml", "--set", "links[0].payload="},
     "--set: links[0].payload: nothing to remove: there is no 'payload'\n"},
    {"removed_too_much",
     {"check", "case.yaml", "--set", "links[0].joint.axis="},
     "case.yaml:7:14: links[0].joint.axis: missing; a revolute joint needs an axis\n"},
    {"no_states_to_compare",
     {"compare", "case.yaml", "--states", "0"},
     "lithe: --states: Value 0 not in range 1 to 1000000\n"
     "lithe: --help lists the commands and their options\n"},
    {"two_of_three_coordinates",
     {"reach", "case.yaml", "--position", "1,2"},
     "lithe: --position: expected three numbers, got 2\n"},
};

INSTANTIATE_TEST_SUITE_P(Words, BadCommand, ::testing::ValuesIn(bad_words),
                         [](const auto& bad) { return bad.param.name; });

}  // namespace
}  // namespace lithe::testing
