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
    {"cut_where_nothing_carries",
     {"eval", "case.yaml", "--mount", "upper"},
     "lithe: --split: no link 'upper' that is carried by another. Links: fore\n"},
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
    // What a formulation, an analysis or a law cannot do.
    {"small_tips_by_articulated",
     {"eval", "../17_two_link_slew/case.yaml", "--set", "arm.tip_rotation=small", "--formulation", "articulated"},
     "--set: tip_rotation: `articulated` needs finite tip rotations: with small ones a carried link is strained as it "
     "turns, and six numbers do not describe its motion; recursive-lagrangian covers `small`\n"},
    {"small_tips_by_lagrange",
     {"eval", "../17_two_link_slew/case.yaml", "--set", "arm.tip_rotation=small", "--formulation", "lagrange"},
     "--set: tip_rotation: formulation 'lagrange' treats carried links as rigid bodies, but with a small tip rotation "
     "they do not move as such; recursive-lagrangian covers that\n"},
    {"small_tips_by_kane",
     {"eval", "../17_two_link_slew/case.yaml", "--set", "arm.tip_rotation=small", "--formulation", "kane"},
     "--set: tip_rotation: kane needs 'finite'; recursive-lagrangian covers 'small'\n"},
    {"first_order_by_lagrange",
     {"eval", "../17_two_link_slew/case.yaml", "--set", "arm.inertia=first-order", "--formulation", "lagrange"},
     "--set: inertia: formulation 'lagrange' keeps all terms of the kinetic energy; recursive-lagrangian covers "
     "first-order\n"},
    {"first_order_by_kane",
     {"eval", "../17_two_link_slew/case.yaml", "--set", "arm.inertia=first-order", "--formulation", "kane"},
     "--set: inertia: kane needs 'complete'; recursive-lagrangian covers 'first-order'\n"},
    {"ball_by_recursive_lagrangian",
     {"eval", "../34_ball_wrist/case.yaml", "--formulation", "recursive-lagrangian"},
     "../34_ball_wrist/case.yaml:16:33: links[2].joint.type: expected a joint made of turns about axes and slides "
     "along them: recursive-lagrangian has a matrix A(q) for each coordinate, but 'ball' is spherical; articulated, "
     "kane and lagrange cover it\n"},
    {"linear_model_on_a_moving_base",
     {"linearise", "../33_crane_on_a_ship/case.yaml"},
     "lithe: linearise: the base has a given motion, so there is no steady state to linearise about\n"},
    {"linear_model_with_a_guide",
     {"linearise", "../26_turn_and_slide/case.yaml"},
     "../26_turn_and_slide/case.yaml:14:16: links[1].joint.guide: linearise: joint 'reach' slides its beam through a "
     "guide, so its free length changes; only finite-element supports that\n"},
    {"linear_model_of_small_tips_with_its_tip",
     {"linearise", "../17_two_link_slew/case.yaml", "--set", "arm.tip_rotation=small"},
     "--set: tip_rotation: linearise with the tip among its outputs needs 'finite': with 'small', the tip has no "
     "angular velocity; --output coordinates has every coordinate instead\n"},
    {"modes_of_a_link_in_a_guide",
     {"modes", "../26_turn_and_slide/case.yaml", "--link", "boom", "--support", "clamped-free"},
     "lithe: --link: 'boom' slides through a guide, which is its support; modes of the arm without --link show it over "
     "its free length\n"},
    {"modes_drawn_of_a_link",
     {"modes", "../17_two_link_slew/case.yaml", "--link", "upper", "--support", "clamped-free", "-o", "modes.svg"},
     "lithe: -o draws modes of the whole arm: leave out --link\n"},
    {"stability_without_wind", {"divergence", "case.yaml"}, "case.yaml:3:1: wind: missing; the case has no wind\n"},
    {"sweep_and_speeds",
     {"divergence", "../29_diverging_wing/case.yaml", "--sweep", "10..130 m/s", "--speeds", "1,2"},
     "lithe: --sweep: leave out --speeds, which says the same\n"},
    {"sweep_backwards",
     {"divergence", "../29_diverging_wing/case.yaml", "--sweep", "130..10 m/s"},
     "lithe: --sweep: expected two speeds above zero, the lower one first, got \"130..10 m/s\"\n"},
    {"speeds_in_words",
     {"divergence", "../29_diverging_wing/case.yaml", "--speeds", "slow"},
     "lithe: --speeds: expected LOW,HIGH in m/s, got \"slow\"\n"},
    {"bode_and_sweep",
     {"linearise", "case.yaml", "--sweep", "elbow=0..90deg", "--bode", "elbow:tip.x"},
     "lithe: --sweep: leave out --bode, which is about one linear model\n"},
    {"sweep_without_a_range",
     {"linearise", "case.yaml", "--sweep", "elbow=90deg"},
     "lithe: --sweep: expected LOW..HIGH and a unit, as in \"10..130 m/s\", got \"90deg\"\n"},
    {"sweep_of_one_point",
     {"linearise", "case.yaml", "--sweep", "elbow=0..90deg", "--points", "1"},
     "lithe: --points: expected one or two numbers from 2 to 10000, as in 61,5, got \"1\"\n"},
    {"command_without_a_command",
     {"check", "case.yaml", "--set",
      "torque={shoulder: {pd: {kp: 1, kd: 1, target: 0, gravity_compensation: true, gravity_of: command}}}"},
     "--set: torque.shoulder.pd.gravity_of: `command`: joint 'elbow' has no commanded position; give it a motion or a "
     "controller, or use `state`\n"},
    {"initial_loads_alone",
     {"check", "../17_two_link_slew/case.yaml", "--set", "initial={loads: [{link: fore, force: [0, 1 N, 0]}]}"},
     "--set: initial.loads: has no effect: expected `deformation: static` beside it, or `loads` of the case itself\n"},
    {"static_and_given",
     {"check", "../17_two_link_slew/case.yaml", "--set", "initial={deformation: static, upper.1: 1 mm}"},
     "--set: initial.upper.1: `deformation` computes it: give only one of the two (a rate is allowed)\n"},
    {"initial_load_with_a_scale",
     {"check", "../17_two_link_slew/case.yaml", "--set",
      "initial={deformation: static, loads: [{link: fore, force: [0, 1 N, 0], scale: {dwell: {for: 1 s}}}]}"},
     "--set: initial.loads[0].scale: an initial load does not change over time: leave out `scale`\n"},
    {"adaptive_method_with_a_step",
     {"check", "case.yaml", "--set", "simulate={for: 1 s, step: 1 ms}"},
     "--set: simulate.step: cvode chooses its steps from rtol and atol: leave out `step`\n"},
    {"modal_damping_of_rigid_links",
     {"check", "case.yaml", "--set", "arm.damping={modes: 5 %}"},
     "--set: damping: nothing in this arm vibrates: no link bends and no transmission is elastic\n"},
    {"spring_between_small_tips",
     {"check", "../17_two_link_slew/case.yaml", "--set", "arm.tip_rotation=small", "--set",
      "forces=[{spring_damper: {from: {link: upper}, to: {link: fore}, stiffness: 1 N/m, length: 1 m}}]"},
     "--set: forces[0].spring_damper.from: forces between points need velocities, which `tip_rotation: small` does not "
     "provide: use `finite`\n"},
    {"spring_inside_a_bending_link",
     {"check", "../17_two_link_slew/case.yaml", "--set",
      "forces=[{spring_damper: {from: {link: upper, point: [0.5, 0, 0]}, to: {point: [0, 0, 0]}, stiffness: 1 N/m, "
      "length: 1 m}}]"},
     "--set: forces[0].spring_damper.from.point: link 'upper' bends, so a force between links acts on its tip frame; "
     "expected no point\n"},
    {"catch_with_small_tips",
     {"check", "../17_two_link_slew/case.yaml", "--set", "arm.tip_rotation=small", "--set", "simulate={for: 1 s}",
      "--set", "events=[{at: 0.5 s, payload: {link: fore, mass: 9 kg, at_rest: true}}]"},
     "--set: events[0].payload.at_rest: with `tip_rotation: small` the velocity of the tip, which a catch needs, is "
     "not known\n"},
    {"gauge_in_a_guide",
     {"check", "../26_turn_and_slide/case.yaml", "--set", "gauges=[{name: g, link: boom, at: 0.1 m, y: 1 mm}]"},
     "--set: gauges[0].link: link 'boom' slides through a guide: the forces inside it are not known\n"},
    {"no_arm_to_compare_because_nothing_moves",
     {"compare", "../13_cantilever_modes/case.yaml", "--set", "links[ruler].beam.flexibility=rigid"},
     "lithe: compare: nothing moves: the arm has no coordinates\n"},
    {"negative_count_of_segments",
     {"spectrum", "nowhere", "--y", "x", "--segments", "0"},
     "lithe: --segments: expected at least 1, got 0\n"},
};

INSTANTIATE_TEST_SUITE_P(Words, BadCommand, ::testing::ValuesIn(bad_words),
                         [](const auto& bad) { return bad.param.name; });

}  // namespace
}  // namespace lithe::testing
