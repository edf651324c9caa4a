// Numbers that can hardly be meant are asked about, at their place; whatever exists is not.
#include "lithe/describe/plausible.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "app/run_program.h"
#include "lithe/describe/case_reader.h"

namespace lithe::testing {
namespace {

const std::string sound = R"(arm:
  links:
    - name: upper
      joint: {name: shoulder, type: revolute, axis: [0, -1, 0]}
      beam:
        length: 1 m
        material: {E: 70 GPa, nu: 0.33, density: 2700 kg/m^3}
        section: {tube: {outer_diameter: 40 mm, inner_diameter: 36 mm}}
        flexibility: {modes: {bending_z: 2}}
      payload: {mass: 2 kg}
    - name: fore
      joint: {name: elbow, type: revolute, axis: [0, -1, 0]}
      rigid: {length: 0.5, mass: 2, com: [0.25, 0, 0], inertia: {xx: 0.01, yy: 0.05, zz: 0.05}}
initial: {shoulder: 30 deg}
motion: {elbow: {cycloidal: {to: 60 deg, in: 1 s}}}
simulate: {for: 1 s}
)";

std::vector<std::string> doubts(const std::vector<Override>& changes) {
  std::vector<std::string> list;
  for (const Problem& warning : read_case_text(sound, "case", changes).warnings)
    list.push_back(shown_path(warning.path) + ": " + warning.message);
  return list;
}

TEST(Plausible, AsksAboutUnitsThatWereForgotten) {
  const struct {
    const char *path, *value, *doubt;
  } slips[] = {
      {"damping", "{modes: 0.01, at: {elbow: 90}}",
       "damping.at.elbow: 90 rad is 14.3 turns: did you mean 90 deg? If not, write 5156.62 deg"},
      {"damping", "{modes: 0.01, at: {elbow: {position: 90}}}",
       "damping.at.elbow.position: 90 rad is 14.3 turns: did you mean 90 deg? If not, write 5156.62 deg"},
      {"links[0].beam.section", "{tube: {outer_diameter: 40, inner_diameter: 36}}",
       "links[0].beam.section.tube.outer_diameter: 40 m across, on a link 1 m long: did you mean 40 mm?"},
      {"links[0].beam.section", "{area: 350, Iy: 1e-8, Iz: 1e-8}",
       "links[0].beam.section.area: 350 m^2 is 18.7083 m across, on a link 1 m long: did you mean 350 mm^2?"},
      {"links[0].beam.section", "{area: 350 mm^2, Iy: 1e4, Iz: 1e-8}",
       "links[0].beam.section.Iy: with this area, it gives a radius of gyration of 5345.22 m, on a link 1 m long: did "
       "you "
       "mean "
       "10000 mm^4?"},
      {"links[0].beam.section", "{area: 350 mm^2, Iy: 1e-14, Iz: 1e-14}",
       "links[0].beam.section: no section has so little Iy + Iz, 2e-14 m^4, with an area of 0.00035 m^2: did you mean "
       "mm^4, "
       "mm^2?"},
      {"links[0].beam.material.E", "70",
       "links[0].beam.material.E: 70 Pa is less than any solid has: did you mean 70 GPa?"},
      {"links[0].beam.material.E", "70e9 GPa",
       "links[0].beam.material.E: 7e+19 Pa is more than any solid has: did you mean 70 GPa?"},
      {"links[0].beam.material.E", "70000",
       "links[0].beam.material.E: 70000 Pa makes a wave speed of 5.1 m/s, less than in any solid of such density: did "
       "you mean "
       "70 GPa?"},
      {"links[0].beam.material.E", "70 MPa",
       "links[0].beam.material.E: 7e+07 Pa makes a wave speed of 1.6e+02 m/s, less than in any solid of such density: "
       "did you "
       "mean 70 GPa?"},
      {"links[0].beam.material.density", "2.7",
       "links[0].beam.material.density: 2.7 kg/m^3 is less than any solid of such stiffness has: did you mean 2.7 "
       "g/cm^3 (2700 "
       "kg/m^3)?"},
      {"links[0].beam.material.density", "2700 g/cm^3",
       "links[0].beam.material.density: 2.7e+06 kg/m^3 is more than any solid has: did you mean 2700 kg/m^3?"},
      {"links[0].beam.material.G", "26",
       "links[0].beam.material.G: 26 Pa is less than any solid has: did you mean 26 GPa?"},
      {"links[0].beam.material.yield_strength", "270",
       "links[0].beam.material.yield_strength: 270 Pa is less than any solid bears: did you mean 270 MPa?"},
      {"links[0].beam.length", "1000", "links[0].beam.length: 1000 m is longer than any arm: did you mean 1000 mm?"},
      {"links[0].payload.mass", "2000",
       "links[0].payload.mass: 2000 kg on links of 2.64465 kg in all: did you mean 2000 g?"},
      {"links[1].rigid.com", "[250, 0, 0]", "links[1].rigid.com: 250 m away, on an arm of 1.5 m: did you mean mm?"},
      {"links[1].rigid.inertia", "{xx: 10000, yy: 50000, zz: 50000}",
       "links[1].rigid.inertia: 50000 kg.m^2 and 2 kg give a radius of gyration of 158.114 m, on an arm of 1.5 m: did "
       "you mean "
       "kg.mm^2?"},
      {"links[1].rigid", "{shape: {block: {x: 0.5, y: 0.05, z: 0.05}}, density: 2.7}",
       "links[1].rigid.density: 2.7 kg/m^3 is less than any solid has: did you mean 2.7 g/cm^3 (2700 kg/m^3)?"},
      {"links[1].rigid", "{shape: {block: {x: 0.5, y: 0.05, z: 0.05}}, mass: 2000}",
       "links[1].rigid.mass: 2000 kg in 0.00125 m^3 is denser than any solid: did you mean 2000 g?"},
      {"gravity", "[0, 0, -9810]", "gravity: 9810 m/s^2 is more than any planet's: did you mean 9810 mm/s^2?"},
      {"initial.shoulder", "-90",
       "initial.shoulder: -90 rad is -14.3 turns: did you mean -90 deg? If not, write -5156.62 deg"},
      {"initial.shoulder", "-90 rad",
       "initial.shoulder: -90 rad is -14.3 turns: did you mean -90 deg? If not, write -5156.62 deg"},
      {"motion.elbow.cycloidal.to", "60",
       "motion.elbow.cycloidal.to: 60 rad is 9.55 turns: did you mean 60 deg? If not, write 3437.75 deg"},
      {"links[0].joint.origin", "{rpy: [0, 90, 0]}",
       "links[0].joint.origin.rpy[1]: 90 rad is 14.3 turns: did you mean 90 deg? If not, write 5156.62 deg"},
      {"links[0].joint.limits", "{lower: -170, upper: 2}",
       "links[0].joint.limits.lower: -170 rad is -27.1 turns: did you mean -170 deg? If not, write -9740.28 deg"},
  };
  EXPECT_EQ(doubts({}), std::vector<std::string>{});
  for (const auto& slip : slips)
    EXPECT_EQ(doubts({{slip.path, slip.value}}), std::vector<std::string>{slip.doubt})
        << slip.path << "=" << slip.value;
}

TEST(Plausible, AsksAboutSolidsOfFormulasAndMeshes) {
  // A bar of 1000 × 100 × 100 in an STL file's own numbers, as 12 triangles.
  std::string stl = "solid bar\n";
  const int faces[6][4] = {{0, 3, 2, 1}, {4, 5, 6, 7}, {0, 1, 5, 4}, {1, 2, 6, 5}, {2, 3, 7, 6}, {3, 0, 4, 7}};
  const auto corner = [](int k) {
    const bool x = k % 4 == 1 || k % 4 == 2, y = k % 4 >= 2, z = k >= 4;
    return "vertex " + std::to_string(x ? 1000 : 0) + " " + std::to_string(y ? 50 : -50) + " " +
           std::to_string(z ? 50 : -50) + "\n";
  };
  for (const auto& face : faces)
    for (const int k : {1, 2})
      stl += "facet normal 0 0 0\nouter loop\n" + corner(face[0]) + corner(face[k]) + corner(face[k + 1]) +
             "endloop\nendfacet\n";
  const TemporaryFolder folder;
  folder.write("bar.stl", stl + "endsolid\n");
  const auto asked = [&](const std::string& rigid) {
    std::string list;
    for (const Problem& warning :
         read_case(
             folder.write("case.yaml", "arm: {links: [{name: a, joint: {type: fixed}, rigid: {" + rigid + "}}]}\n"))
             .warnings)
      list += shown_path(warning.path) + ": " + warning.message + "\n";
    return list;
  };
  EXPECT_EQ(asked("shape: {mesh: {file: bar.stl}}, density: 2700"),
            "links[0].rigid.shape.mesh: 1000 m across: did you mean `unit: 1 mm`? If not, write `unit: 1 m`\n");
  EXPECT_EQ(asked("shape: {mesh: {file: bar.stl, unit: 1 m}}, density: 2700"), "");
  EXPECT_EQ(asked("shape: {mesh: {file: bar.stl, unit: 1 mm}}, density: 2700"), "");
  const std::string block = "shape: {block: {x: 1, y: 0.1, z: 0.1}}, density_formula: ";
  EXPECT_EQ(
      asked(block + "2.7*(1 + x)"),
      "links[0].rigid.density_formula: a mean of 4.05 kg/m^3 is less than any solid has: did you mean 4.05 g/cm^3 "
      "(4050 kg/m^3)?\n");
  EXPECT_EQ(asked(block + "2.7e6*(1 + x)"),
            "links[0].rigid.density_formula: a mean of 4.05e+06 kg/m^3 is more than any solid has: did you mean 4050 "
            "kg/m^3?\n");
  EXPECT_EQ(asked(block + "2700*(1 + x)"), "");
}

TEST(Plausible, NumbersThatOnlyTogetherMakeNoSense) {
  // Each may be: a long link, a thin one, a soft material. In one link they are a thread that hangs down.
  const auto thread = doubts({{"links[0].beam.section", "{circle: {diameter: 0.06 mm}}"},
                              {"links[0].beam.material", "{E: 3 GPa, nu: 0.4, density: 1150}"}});
  ASSERT_EQ(thread.size(), 1u);
  EXPECT_NE(thread[0].find("links[0].beam: held level, it would sag by"), std::string::npos) << thread[0];
  const auto floating = doubts({{"gravity", "[0, 0, 0]"},
                                {"links[0].beam.length", "250"},
                                {"links[0].beam.section", "{circle: {diameter: 10 mm}}"}});
  ASSERT_EQ(floating.size(), 1u);
  EXPECT_NE(floating[0].find("links[0].beam: clamped at its root, it would vibrate at"), std::string::npos)
      << floating[0];
}

TEST(Plausible, ASectionOfOnesIsMeant) {
  // E and density are EI and mass per length then: example 19.
  EXPECT_EQ(doubts({{"links[0].beam.material", "{E: 1, nu: 0.3, density: 0.2}"},
                    {"links[0].beam.section", "{area: 1, Iy: 1, Iz: 1, J: 2}"}}),
            std::vector<std::string>{});
}

TEST(Plausible, LargeAnglesInDegreesAreMeant) {
  EXPECT_EQ(doubts({{"motion.elbow.cycloidal.to", "3600 deg"}, {"initial.shoulder", "-5000deg"}}),
            std::vector<std::string>{});
  EXPECT_EQ(doubts({{"motion.elbow.cycloidal.to", "12"}}), std::vector<std::string>{});  // just short of two turns
}

TEST(Plausible, LetsEveryMaterialPass) {
  // E and density of what links have been made of, and of the extremes. Ashby; makers' data for silicones and foams.
  const std::pair<const char*, const char*> materials[] = {
      {"50 kPa", "1040"},   // Ecoflex 00-10
      {"1 MPa", "1100"},    // silicone rubber
      {"5 MPa", "1500"},    // filled rubber
      {"5 MPa", "15"},      // polystyrene foam
      {"36 MPa", "31"},     // Rohacell 31
      {"20 kPa", "5"},      // an aerogel
      {"0.5 GPa", "2200"},  // PTFE
      {"3 GPa", "1150"},    // nylon
      {"10 GPa", "500"},    // pine
      {"4 GPa", "160"},     // balsa, along the grain
      {"16 GPa", "11340"},  // lead
      {"45 GPa", "1800"},   // magnesium
      {"70 GPa", "2700"},   {"207 GPa", "7850"}, {"114 GPa", "4430"},
      {"147 GPa", "1600"},  {"588 GPa", "2170"},  // the stiffest carbon fibre, bare
      {"303 GPa", "1850"},                        // beryllium
      {"411 GPa", "19300"},                       // tungsten
      {"560 GPa", "22590"},                       // osmium
      {"1220 GPa", "3515"},                       // diamond
  };
  for (const auto& [E, density] : materials)
    EXPECT_EQ(
        doubts(
            {{"gravity", "[0, 0, 0]"}, {"links[0].beam.material.E", E}, {"links[0].beam.material.density", density}}),
        std::vector<std::string>{})
        << E << ", " << density;
}

TEST(Plausible, LetsEveryExamplePass) {
  int n = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(LITHE_SOURCE_DIR "/examples")) {
    if (entry.path().extension() != ".yaml") continue;
    ++n;
    const CaseFile file = read_case(entry.path().string());
    for (const Problem& warning : file.warnings)
      EXPECT_EQ(warning.message.find("did you mean"), std::string::npos) << warning.text();
    for (const Problem& doubt : doubts_about(file.data, [](const std::string&) { return ""; }))
      ADD_FAILURE() << entry.path() << ": " << doubt.text();
  }
  EXPECT_GE(n, 32);
}

TEST(Plausible, CheckAndRunSayItWhereItStands) {
  const TemporaryFolder scratch;
  std::string text = sound;
  text.replace(text.find("30 deg"), 6, "-90");
  const std::string file = scratch.write("arm.yaml", text);
  const std::string said =
      "14:21: warning: initial.shoulder: -90 rad is -14.3 turns: did you mean -90 deg? If not, write -5156.62 deg\n";
  const Finished check = run_program({"check", file});
  EXPECT_EQ(check.code, 0);
  EXPECT_EQ(check.err, file + ":" + said);
  const Finished strict = run_program({"check", file, "--strict"});
  EXPECT_EQ(strict.code, 2);
  EXPECT_NE(strict.err.find("initial.shoulder: -90 rad"), std::string::npos);
  EXPECT_EQ(run_program({"run", file, "--strict", "-o", scratch.path() + "/out"}).code, 2);
  const auto json = json_of({"check", file, "--json"});
  ASSERT_EQ(json["warnings"].size(), 1u);
  EXPECT_EQ(json["warnings"][0]["path"], "initial.shoulder");
  EXPECT_EQ(json["warnings"][0]["line"], 14);
  const Finished run = run_program({"run", file, "--json", "-o", scratch.path() + "/out"});
  EXPECT_EQ(run.code, 0);
  EXPECT_NE(run.err.find(said), std::string::npos);
  EXPECT_NE(nlohmann::json::parse(run.out)["warnings"].dump().find("initial.shoulder"), std::string::npos);
}

}  // namespace
}  // namespace lithe::testing
