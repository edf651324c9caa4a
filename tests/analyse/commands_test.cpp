// `lithe modes`, `static` and `linearise` as a user meets them.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "app/run_program.h"

namespace lithe::testing {
namespace {

using Json = nlohmann::ordered_json;

const std::string two_links = example("14_two_link_modes/case.yaml");

TEST(ModesCommand, JsonHasWhatTheContractSays) {
  const Json answer = json_of({"modes", two_links, "--json", "--count", "3"});
  ASSERT_EQ(answer["frequencies_hz"].size(), 3u);
  EXPECT_LT(answer["frequencies_hz"][0], answer["frequencies_hz"][1]);
  const Json& mode = answer["modes"][0];
  EXPECT_EQ(mode["frequency_hz"], answer["frequencies_hz"][0]);
  EXPECT_EQ(mode["effective_mass"].size(), 3u);
  EXPECT_EQ(mode["shape"].size(),
            2u + 2 * 4 * 3);  // two joints, four elements of three coordinates a node on each link
  EXPECT_NE(mode["description"].get<std::string>().find("upper bending y"), std::string::npos);
  EXPECT_TRUE(mode["participation"].contains("fore bending y"));
}

TEST(ModesCommand, BendsWithTheElbowAndCountsRigidMotions) {
  auto first = [](const std::string& q) {
    return json_of({"modes", two_links, "--json", "--q", q})["frequencies_hz"][0].get<double>();
  };
  // naganathan86 case 1, converged: 3.807 Hz straight, 5.075 Hz at 90°.
  EXPECT_NEAR(first("0"), 3.807, 0.002);
  EXPECT_NEAR(first("elbow=90deg"), 5.075, 0.002);
  const Json free = json_of({"modes", two_links, "--json", "--joints", "free"});
  EXPECT_EQ(free["rigid_body_modes"], 2);
  EXPECT_EQ(free["frequencies_hz"][1], 0);
  const Json servo = json_of({"modes", two_links, "--json", "--joints", "servo"});
  EXPECT_GT(servo["frequencies_hz"][0].get<double>(), 0.5);
  EXPECT_LT(servo["frequencies_hz"][0].get<double>(), 3.8);
}

TEST(ModesCommand, OneLinkOnSupports) {
  const Json answer =
      json_of({"modes", two_links, "--link", "upper", "--support", "clamped-free", "--json", "--count", "1"});
  const double expected = 1.8751 * 1.8751 / (2 * M_PI) * std::sqrt(70e9 * 1e-8 / (2700 * 3.5e-4));
  EXPECT_NEAR(answer["frequencies_hz"][0].get<double>(), expected, 2e-3 * expected);
}

TEST(CompareCommand, CountsWithoutComparing) {
  const std::string six_joints = example("36_book_six_joint_arm/case.yaml");
  const Json counted = json_of({"compare", six_joints, "--count", "--json"});
  EXPECT_FALSE(counted.contains("pairs"));
  const Json compared = json_of({"compare", six_joints, "--states", "1", "--json"});
  EXPECT_EQ(counted["coordinates"], compared["coordinates"]);
  int found = 0;
  for (const Json& one : counted["formulations"])
    for (const Json& other : compared["formulations"]) {
      if (one["name"] != other["name"]) continue;
      ++found;
      EXPECT_EQ(one["covers"], other["covers"]);
      if (one["covers"].get<bool>()) {
        EXPECT_EQ(one["work"], other["work"]) << one["name"];
      }
    }
  EXPECT_EQ(found, 5);
  EXPECT_EQ(counted["formulations"][0]["work"]["multiplications"], 1675);  // as its README says
  const Finished table = run_program({"compare", six_joints, "--count"});
  EXPECT_NE(table.out.find("recursive-lagrangian             6952        4858"), std::string::npos) << table.out;
  EXPECT_EQ(run_program({"compare", six_joints, "--count", "--states", "3"}).code, 2);
  EXPECT_EQ(run_program({"compare", six_joints, "--count", "--strict"}).err,
            "lithe: --strict is about agreement, and --count compares nothing: leave one of them out\n");
}

TEST(ModesCommand, SaysWhatIsWrong) {
  const std::pair<std::vector<std::string>, std::string> slips[] = {
      {{"--joints", "loose"}, "lithe: --joints: expected locked, free or servo, got \"loose\"\n"},
      {{"--count", "0"}, "lithe: --count: expected at least 1, got 0\n"},
      {{"--link", "uper", "--support", "clamped-free"},
       "lithe: --link: no bending link 'uper', did you mean 'upper'? Links with modes or elements: upper, fore\n"},
      {{"--link", "upper", "--support", "glued-free"},
       "lithe: --support: expected two of clamped, pinned and free (root, then tip), as in clamped-free, got "
       "\"glued-free\"\n"},
      {{"--link", "upper"},
       "lithe: --link and --support must be given together: --link upper --support clamped-free\n"},
      {{"-o", "modes.txt"}, "lithe: -o: expected a file name ending in .svg, .png or .pdf, got \"modes.txt\"\n"},
  };
  for (const auto& [words, text] : slips) {
    std::vector<std::string> all{"modes", two_links};
    all.insert(all.end(), words.begin(), words.end());
    const Finished finished = run_program(all);
    EXPECT_EQ(finished.code, 2);
    EXPECT_EQ(finished.err, text);
  }
  const Finished rigid = run_program({"modes", example("03_planar_elbow/case.yaml"), "--joints", "servo"});
  EXPECT_EQ(rigid.code, 2);
  EXPECT_EQ(rigid.err, "lithe: --joints servo: no joint of the case has a servo, pd or pid under `torque`\n");
}

TEST(ModesCommand, DrawsTheShapes) {
  const TemporaryFolder scratch;
  for (const char* name : {"/modes.svg", "/modes.png"}) {
    const Finished finished =
        run_program({"modes", example("15_spatial_arm_sag/case.yaml"), "-o", scratch.path() + name});
    EXPECT_EQ(finished.code, 0) << finished.err;
    EXPECT_GT(std::filesystem::file_size(scratch.path() + name), 5000u);
  }
  EXPECT_NE(read_text(scratch.path() + "/modes.svg").find("9: "), std::string::npos);
}

TEST(StaticCommand, TellsSagAndTorques) {
  const std::string file = example("15_spatial_arm_sag/case.yaml");
  const Json answer = json_of({"static", file, "--json"});
  EXPECT_LT(answer["sag"][2].get<double>(), -0.001);
  EXPECT_NEAR(answer["sag"][1].get<double>(), 0, 1e-12);
  EXPECT_LT(answer["residual"].get<double>(), 1e-6);
  EXPECT_EQ(answer["q"].size(), answer["positions"].size());
  // The elbow carries forearm and payload at nearly half a metre (30° below the level: cos 30°).
  const double elbow = answer["torque"]["elbow"].get<double>();
  EXPECT_NEAR(elbow, (0.5 * 7850 * 915e-6 + 10) * 9.81 * std::cos(M_PI / 6), 0.5);
  EXPECT_NEAR(answer["torque"]["hip"].get<double>(), 0, 1e-9);
  const Finished text = run_program({"static", file});
  EXPECT_NE(text.out.find("holding torques and forces"), std::string::npos);
}

TEST(LineariseCommand, WritesMatricesForOthersToRead) {
  const TemporaryFolder scratch;
  const std::string file = example("16_flexible_link_bode/case.yaml"), h5 = scratch.path() + "/model.h5",
                    mat = scratch.path() + "/model.mat", folder = scratch.path() + "/csv",
                    figure = scratch.path() + "/bode.svg";
  const Json answer =
      json_of({"linearise", file, "-o", h5, "-o", mat, "-o", folder, "--bode", "hub:tip.y", "-o", figure, "--json"});
  EXPECT_EQ(answer["inputs"], Json({"hub"}));
  EXPECT_EQ(answer["outputs"], Json({"tip.x", "tip.y", "tip.z", "tip.rx", "tip.ry", "tip.rz", "hub"}));
  EXPECT_EQ(answer["poles"][0]["frequency_hz"], 0.0);  // the hub turns freely
  EXPECT_NE(read_text(figure).find("magnitude"), std::string::npos);
  EXPECT_EQ(read_text(scratch.path() + "/bode.csv").rfind("frequency [Hz],magnitude [dB],phase [deg]\n", 0), 0u);
  EXPECT_EQ(read_text(folder + "/B.csv").rfind(",hub\nhub,0\n", 0), 0u);
  // h5py gets A from the one as it is and from the other transposed, as MATLAB stores matrices.
  const std::string check =
      "import h5py, json, sys, numpy as np\n"
      "a = np.array(json.load(open(sys.argv[3]))['A'])\n"
      "h, m = h5py.File(sys.argv[1]), h5py.File(sys.argv[2])\n"
      "assert np.array_equal(h['A'][()], a) and np.array_equal(m['A'][()].T, a)\n"
      "assert h['inputs'].asstr()[0] == 'hub' and m['A'].attrs['MATLAB_class'] == b'double'\n"
      "assert ''.join(map(chr, m['inputs'][:, 0])).strip() == 'hub'\n"
      "assert open(sys.argv[2], 'rb').read(10) == b'MATLAB 7.3'\n";
  const std::string script = scratch.write("check.py", check), json = scratch.write("a.json", answer.dump());
  EXPECT_EQ(std::system(("/usr/bin/python3 " + script + " " + h5 + " " + mat + " " + json).c_str()), 0);
}

// Example 31's page, by its own command: 37 % with feedback, 10 % by spring and damper alone.
TEST(LineariseCommand, DampingOfExample31IsWhatItsPageSays) {
  auto least = [](const std::string& file) {
    const Json answer = json_of({"linearise", example("31_ralf_sam/" + file), "--closed-loop", "--json", "--set",
                                 "motion=", "--set", "initial=", "--set", "links[hand].joint={type: fixed}", "--set",
                                 "links[boom].joint={type: fixed, origin: {rpy: [0, 0, 45 deg]}}", "--set",
                                 "links[jib].joint={type: fixed, origin: {rpy: [0, 0, -70 deg]}}"});
    double ratio = 1;
    for (const Json& pole : answer["poles"]) ratio = std::min(ratio, pole["damping_ratio"].get<double>());
    return ratio;
  };
  EXPECT_NEAR(least("control.yaml"), 0.37, 0.005);
  EXPECT_NEAR(least("absorb.yaml"), 0.10, 0.005);
  const std::string page = read_text(example("31_ralf_sam/README.md"));
  EXPECT_NE(page.find("| with feedback | 37 % |"), std::string::npos);
  EXPECT_NE(page.find("| spring and damper | 10 % |"), std::string::npos);
}

TEST(LineariseCommand, SaysWhatIsWrong) {
  const std::string file = example("16_flexible_link_bode/case.yaml");
  const std::pair<std::vector<std::string>, std::string> slips[] = {
      {{"--input", "hob"}, "lithe: --input: no joint 'hob', did you mean 'hub'? Joints: hub\n"},
      {{"--output", "all"}, "lithe: --output: expected tip or coordinates, got \"all\"\n"},
      {{"--bode", "hub"}, "lithe: --bode: expected JOINT:OUTPUT, as in shoulder:tip.y, got \"hub\"\n"},
      {{"-o", "bode.svg"}, "lithe: -o bode.svg: a frequency response needs --bode JOINT:OUTPUT\n"},
      {{"--bode", "hub:tip.y", "--range", "5,1"},
       "lithe: --range: expected two frequencies in Hz, low,high, got \"5,1\"\n"},
  };
  for (const auto& [words, text] : slips) {
    std::vector<std::string> all{"linearise", file};
    all.insert(all.end(), words.begin(), words.end());
    const Finished finished = run_program(all);
    EXPECT_EQ(finished.code, 2);
    EXPECT_EQ(finished.err, text);
  }
}

}  // namespace
}  // namespace lithe::testing
