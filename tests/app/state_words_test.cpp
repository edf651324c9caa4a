// Positions, rates and torques as words: what `--q`, `--v` and `--tau` mean on arms that bend, and what eval makes of the case.
#include <gtest/gtest.h>

#include <cmath>

#include "app/run_program.h"

namespace lithe::testing {
namespace {

using Json = nlohmann::ordered_json;

const std::string three_joints = R"(arm:
  links:
    - name: post
      joint: {name: waist, type: revolute, axis: [0, 0, 1]}
      rigid: {length: 0.3, mass: 3, com: [0.1, 0, 0], inertia: {xx: 0.02, yy: 0.02, zz: 0.02}}
    - name: upper
      joint: {name: shoulder, type: revolute, axis: [0, -1, 0]}
      beam: &beam
        length: 1 m
        material: aluminium
        section: {tube: {outer_diameter: 60 mm, inner_diameter: 56 mm}}
        flexibility: {modes: {bending_z: 2}}
    - name: fore
      joint: {name: elbow, type: revolute, axis: [0, -1, 0]}
      beam: *beam
      payload: {mass: 1 kg}
)";

class Words : public ::testing::Test {
 protected:
  TemporaryFolder scratch;
  const std::string file = scratch.write("arm.yaml", three_joints);
};

TEST_F(Words, PlainPositionsMeanJointsInEveryCommand) {
  const std::string plain = "0,0.35,-1.57", named = "shoulder=0.35,elbow=-1.57", all = "0,0.35,0,0,-1.57,0,0";
  for (const std::string& other : {named, all}) {
    for (const char* command : {"eval", "static", "modes", "linearise"})
      EXPECT_EQ(json_of({command, file, "--json", "--q", plain}), json_of({command, file, "--json", "--q", other}))
          << command << " --q " << other;
    auto drawn = [&](const std::string& q) {
      EXPECT_EQ(run_program({"sketch", file, "--q", q, "-o", scratch.path() + "/arm.svg"}).code, 0);
      return read_text(scratch.path() + "/arm.svg");
    };
    EXPECT_EQ(drawn(plain), drawn(other));
    const std::vector<std::string> reach{"reach", file, "--position", "1,0.2,0.9", "--json", "--q"};
    auto reached = [&](const std::string& q) {
      std::vector<std::string> words = reach;
      words.push_back(q);
      return json_of(words);
    };
    EXPECT_EQ(reached(plain), reached(other));
  }
  const Json still = json_of({"static", file, "--json", "--q", plain});
  EXPECT_EQ(still["positions"][2], "upper.1");
  EXPECT_LT(std::abs(still["q"][2].get<double>()), 0.1);  // sag, and not −1.57
  EXPECT_EQ(still["q"][4], -1.57);
}

TEST_F(Words, RatesAndTorquesAreReadTheSameWay) {
  const Json plain =
      json_of({"eval", file, "--json", "--v", "0.1,0.2,0.3", "--tau", "1,2,3", "--acceleration", "4,5,6"});
  EXPECT_EQ(plain, json_of({"eval", file, "--json", "--v", "waist=0.1,shoulder=0.2,elbow=0.3", "--tau",
                            "waist=1,shoulder=2,elbow=3", "--acceleration", "4,5,0,0,6,0,0"}));
  EXPECT_EQ(plain, json_of({"eval", file, "--json", "--v", "0.1,0.2,0,0,0.3,0,0", "--tau", "1,2,0,0,3,0,0",
                            "--acceleration", "waist=4,shoulder=5,elbow=6"}));
}

TEST_F(Words, ACountBetweenIsRefusedWithBothLists) {
  for (const char* option : {"--q", "--v", "--tau", "--acceleration"}) {
    const Finished finished = run_program({"eval", file, option, "0,0.35,-1.57,0.1"});
    EXPECT_EQ(finished.code, 2);
    EXPECT_EQ(finished.err,
              "lithe: " + std::string(option) +
                  ": expected at most 3 numbers for the joints (waist, shoulder, elbow), or 7 for all coordinates "
                  "(waist, shoulder, upper.1, upper.2, elbow, fore.1, fore.2), got 4\n");
  }
  for (const char* command : {"static", "modes", "linearise"})
    EXPECT_EQ(run_program({command, file, "--q", "0,0.35,-1.57,0.1"}).code, 2);
}

TEST_F(Words, ARotorGoesWithItsJointWhereMotorsHold) {
  const std::string elastic = example("11_elastic_joints/case.yaml");
  const Json still = json_of({"static", elastic, "--json", "--q", "0.4"});
  const std::string rotor = still["positions"][0].get<std::string>() + ".motor";
  for (size_t k = 0; k < still["positions"].size(); ++k) {
    if (still["positions"][k] == rotor) {
      EXPECT_EQ(still["q"][k], 0.4);
    }
  }
  EXPECT_NEAR(still["q"][0].get<double>(), 0.4, 0.1);
}

TEST_F(Words, EvalTakesTheFormulationOfTheCase) {
  // book83's small tip rotations are recursive-lagrangian's alone: what was refused is evaluated by it.
  const std::string small = scratch.write("small.yaml", R"(arm:
  gravity: [0, -9.81, 0]
  tip_rotation: small
  rotary_inertia: false
  links:
    - name: upper
      joint: {name: shoulder, type: revolute, axis: [0, 0, 1]}
      beam: &beam
        length: 1 m
        material: aluminium
        section: {tube: {outer_diameter: 60 mm, inner_diameter: 56 mm}}
        flexibility: {modes: {bending_y: 1}}
    - {name: fore, joint: {name: elbow, type: revolute, axis: [0, 0, 1]}, beam: *beam}
simulate: {for: 1 s, formulation: recursive-lagrangian}
)");
  const Json by_case = json_of({"eval", small, "--json", "--q", "0.3,0.2"});
  EXPECT_EQ(by_case, json_of({"eval", small, "--json", "--q", "0.3,0.2", "--formulation", "recursive-lagrangian"}));
  const Finished marching = run_program({"eval", example("22_commanded_motion/case.yaml"), "--what", "mass_matrix"});
  EXPECT_EQ(marching.code, 0);
  EXPECT_EQ(
      marching.err,
      "lithe: eval cannot use 'finite-element', which simulate.formulation asks for; it uses articulated instead\n");
}

TEST_F(Words, EvalKeepsWheelsOnTheGround) {
  const std::string rolling = example("30_mobile_manipulator/rolling.yaml");
  const Finished slips = run_program({"eval", rolling, "--v", "base.y=0.1"});
  EXPECT_EQ(slips.code, 2);
  EXPECT_EQ(slips.err, "lithe: --v: the base moves sideways over its wheels, by 0.1 m/s\n");
  const Json pushed = json_of({"eval", rolling, "--json", "--tau", "base.y=100"});
  // The axle is 0.2 m behind the base's frame: what is pushed sideways there turns about it.
  const double across = pushed["acceleration"][1], turn = pushed["acceleration"][2];
  EXPECT_GT(std::abs(turn), 1e-3);
  EXPECT_NEAR(across, 0.2 * turn, 1e-12 * std::abs(turn));
}

TEST_F(Words, ModesAreAboutTheStraightArmUnlessAskedOtherwise) {
  // A case that starts bent is no other arm: the default is the undeformed one.
  const std::string start = "initial={shoulder: 0.5, elbow: -0.8, deformation: static}";
  const Json bent = json_of({"modes", file, "--json", "--set", start});
  EXPECT_EQ(bent["frequencies_hz"], json_of({"modes", file, "--json", "--q", "0,0.5,-0.8"})["frequencies_hz"]);
  EXPECT_NE(bent["frequencies_hz"], json_of({"modes", file, "--json", "--set", start, "--deformed"})["frequencies_hz"]);
  EXPECT_EQ(bent["frequencies_hz"], json_of({"modes", file, "--json", "--set", start, "--joints", "locked", "--count",
                                             "12"})["frequencies_hz"]);
}

TEST_F(Words, TheResponseIsPrintedUnlessItGoesToAFile) {
  const Finished table =
      run_program({"linearise", file, "--q", "0,0.5,-0.8", "--bode", "shoulder:tip.z", "--range", "1,10"});
  EXPECT_EQ(table.code, 0) << table.err;
  EXPECT_EQ(table.out.rfind("frequency [Hz],magnitude [dB],phase [deg]\n1,", 0), 0u) << table.out.substr(0, 200);
  EXPECT_EQ(std::count(table.out.begin(), table.out.end(), '\n'), 1501);
  const Finished written = run_program({"linearise", file, "--q", "0,0.5,-0.8", "--bode", "shoulder:tip.z", "--range",
                                        "1,10", "-o", scratch.path() + "/b.csv"});
  EXPECT_EQ(written.out.find("frequency [Hz]"), std::string::npos);
  EXPECT_EQ(read_text(scratch.path() + "/b.csv"), table.out);
}

TEST(Help, SaysTheSameEitherWay) {
  EXPECT_EQ(run_program({"help"}).out, run_program({"--help"}).out);
  for (const char* command : {"run", "eval", "modes", "help"}) {
    const Finished help = run_program({"help", command});
    EXPECT_EQ(help.code, 0);
    EXPECT_EQ(help.out, run_program({command, "--help"}).out);
    EXPECT_NE(help.out.find(std::string("lithe ") + command), std::string::npos) << help.out;
  }
}

TEST(Series, TheFiveNearestAreNamed) {
  const TemporaryFolder scratch;
  const std::string out = scratch.path() + "/out";
  ASSERT_EQ(run_program({"run", example("07_double_pendulum/case.yaml"), "--set", "simulate.for=0.01", "-o", out}).code,
            0);
  const Finished unknown = run_program({"export", out, "--columns", "sholder.rate", "-o", scratch.path() + "/a.csv"});
  EXPECT_EQ(unknown.code, 2);
  const std::string start = "lithe: --columns: no series 'sholder.rate'. The nearest of ";
  EXPECT_EQ(unknown.err.rfind(start, 0), 0u) << unknown.err;
  EXPECT_NE(unknown.err.find(": shoulder.rate, "), std::string::npos) << unknown.err;
  EXPECT_EQ(std::count(unknown.err.begin(), unknown.err.end(), ','), 4) << unknown.err;
  const Finished part = run_program({"export", out, "--columns", "tip", "-o", scratch.path() + "/a.csv"});
  EXPECT_NE(part.err.find("tip.x, tip.y, tip.z"), std::string::npos) << part.err;
}

TEST(SetOption, RemovesAKey) {
  const std::string file = example("03_planar_elbow/case.yaml");
  const Json whole = json_of({"eval", file, "--json", "--set", "links[1].payload={mass: 3 kg}"});
  const Json without =
      json_of({"eval", file, "--json", "--set", "links[1].payload={mass: 3 kg}", "--set", "links[1].payload="});
  EXPECT_NE(whole["mass_matrix"], without["mass_matrix"]);
  EXPECT_EQ(without, json_of({"eval", file, "--json", "--set", "links[1].payload={mass: 0 kg}", "--set",
                              "links[fore].payload="}));
}

TEST(JointNames, AJointMayBeCalledInclude) {
  const TemporaryFolder scratch;
  scratch.write("push.yaml", "elbow: 0.1 N.m\n");
  const std::string file = scratch.write("arm.yaml", R"(arm:
  links:
    - {name: upper, joint: {name: include, type: revolute, axis: [0, 0, 1]}, rigid: {length: 1, mass: 1, inertia: {xx: 1, yy: 1, zz: 1}}}
    - {name: fore, joint: {name: elbow, type: revolute, axis: [0, 0, 1]}, rigid: {mass: 1, inertia: {xx: 1, yy: 1, zz: 1}}}
initial: {include: 30 deg}
torque: {include: push.yaml}
motion: {include: {cycloidal: {to: 60 deg, in: 1 s}}}
)");
  const Finished check = run_program({"check", file, "--print"});
  EXPECT_EQ(check.code, 0) << check.err;
  for (const char* part : {"include:\n    position: 0.52", "constant: 0.1", "cycloidal"})
    EXPECT_NE(check.out.find(part), std::string::npos) << check.out;
  // What was printed reads back.
  const std::string again = scratch.write("again.yaml", check.out);
  EXPECT_EQ(run_program({"check", again, "--print"}).out, check.out);
}

}  // namespace
}  // namespace lithe::testing
