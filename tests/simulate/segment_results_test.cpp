// What a run records along a link made of segments.
#include <gtest/gtest.h>

#include <cmath>

#include "app/run_program.h"
#include "lithe/analyse/agreement.h"
#include "lithe/simulate/run.h"

namespace lithe::testing {
namespace {

/// Two round links that turn about different axes, gravity and an eccentric payload: they bend both ways and twist.
std::string arm_text(const std::string& flexibility) {
  const std::string beam =
      "{length: 1, material: {E: 70 GPa, nu: 0.3, density: 2700}, section: {circle: {diameter: 20 mm}}, flexibility: " +
      flexibility + ", damping: {rayleigh: {beta: 1e-3}}}";
  return R"(
arm:
  links:
    - {name: upper, joint: {name: shoulder, type: revolute, axis: [0, 0, 1]}, beam: )" +
         beam + R"(}
    - {name: fore, joint: {name: elbow, type: revolute, axis: [0, 1, 0]}, beam: )" +
         beam + R"(, payload: {mass: 0.5, com: [0, 0.1, 0], inertia: {xx: 1e-3, yy: 1e-3, zz: 1e-3}}}
initial: {elbow: -40 deg}
motion: {shoulder: {cycloidal: {to: 50 deg, in: 0.8 s}}, elbow: {cycloidal: {to: 20 deg, in: 0.8 s}}}
simulate: {for: 0.4 s, output_step: 0.1 s, rtol: 1e-6, atol: 1e-8}
)";
}

struct LastRow {
  Results results;
  explicit LastRow(const std::string& flexibility) {
    const CaseFile data = read_case_text(arm_text(flexibility));
    const TemporaryFolder scratch;
    RunOptions options;
    options.file = scratch.path() + "/results.h5";
    run(data, Arm::assemble(data.data), options);
    results = Results::read(options.file);
  }
  double operator[](const std::string& name) const { return results.series[results.find(name)].back(); }
};

TEST(SegmentResults, MomentsAtHingesAreThoseOfTheirSprings) {
  const LastRow row("{segments: 4}");
  const double I = M_PI * std::pow(0.02, 4) / 64, k = 70e9 * I * 4, k_twist = 70e9 / 2.6 * 2 * I * 4, beta = 1e-3;
  const std::pair<const char*, const char*> moments[] = {{".Mz", ".y"}, {".My", ".z"}, {".T", ".x"}};
  for (const std::string link : {"upper", "fore"})
    for (int hinge = 1; hinge <= 4; ++hinge) {
      const char* places[] = {"@0.125", "@0.375", "@0.625", "@0.875"};
      const std::string at = link + places[hinge - 1], turn = link + ".s" + std::to_string(hinge);
      for (const auto& [moment, axis] : moments) {
        const double stiffness = axis == std::string(".x") ? k_twist : k;
        const double spring = stiffness * (row[turn + axis] + beta * row[turn + axis + ".rate"]);
        // The three turns follow each other, so springs act about axes that are turned by the ones before.
        const double scale = std::hypot(row[at + ".T"], row[at + ".My"], row[at + ".Mz"]);
        EXPECT_GT(scale, 0.1);
        EXPECT_NEAR(row[at + moment], spring, 0.03 * scale) << at << moment;
      }
    }
}

TEST(SegmentResults, ForcesAndDeflectionsAreThoseOfABeam) {
  const LastRow segments("{segments: 6}"), beam("{elements: 4, keep: 12}");
  for (const std::string at : {"upper@0.", "upper@0.25.", "upper@0.75.", "fore@0.", "fore@0.25.", "fore@0.75."}) {
    const double force = std::hypot(beam[at + "N"], beam[at + "Vy"], beam[at + "Vz"]),
                 moment = std::hypot(beam[at + "T"], beam[at + "My"], beam[at + "Mz"]);
    for (const char* name : {"N", "Vy", "Vz"}) EXPECT_NEAR(segments[at + name], beam[at + name], 0.03 * force) << at;
    for (const char* name : {"T", "My", "Mz"}) EXPECT_NEAR(segments[at + name], beam[at + name], 0.03 * moment) << at;
  }
  for (const std::string at : {"upper@0.75.", "upper@1.", "fore@0.75.", "fore@1."}) {
    const double deflection = std::hypot(beam[at + "uy"], beam[at + "uz"]);
    EXPECT_GT(deflection, 1e-3);
    // Six segments give a deflection to 1/n² of it, some 5 % near their roots.
    for (const char* name : {"uy", "uz"}) EXPECT_NEAR(segments[at + name], beam[at + name], 0.06 * deflection) << at;
    // Finite turns about y and z make a twist of half their product, which shapes do not have.
    EXPECT_NEAR(segments[at + "twist"], beam[at + "twist"],
                0.06 * std::abs(beam[at + "twist"]) + deflection * deflection)
        << at;
  }
}

// The moments that a run records at hinges are those of the springs given, whatever the section is.
TEST(SegmentResults, MomentsAtHingesAreThoseOfGivenSprings) {
  const LastRow row(
      "{segments: 3, springs: {rule: paper, bending_z: [900, 700, 500], torsion: [300]}, locked: [bending_y]}");
  const char* places[] = {"@0", "@0.333", "@0.667"};
  for (const std::string link : {"upper", "fore"})
    for (int hinge = 1; hinge <= 3; ++hinge) {
      const std::string at = link + places[hinge - 1], turn = link + ".s" + std::to_string(hinge);
      EXPECT_EQ(row.results.find(turn + ".y"), -1);
      const double bending = 1100 - 200.0 * hinge, twist = 300, beta = 1e-3;
      const double scale = std::hypot(row[at + ".T"], row[at + ".My"], row[at + ".Mz"]);
      EXPECT_GT(scale, 0.1);
      EXPECT_NEAR(row[at + ".My"], bending * (row[turn + ".z"] + beta * row[turn + ".z.rate"]), 0.03 * scale) << at;
      EXPECT_NEAR(row[at + ".T"], twist * (row[turn + ".x"] + beta * row[turn + ".x.rate"]), 0.03 * scale) << at;
      EXPECT_GT(row[at + ".stress"], 0);
    }
}

// A locked direction is a very stiff one, less its coordinate.
TEST(SegmentResults, LockedHingesAreStiffOnes) {
  const LastRow locked("{segments: 4, locked: [bending_y]}"), stiff("{segments: 4, springs: {bending_y: [1e9]}}");
  for (const char* name : {"tip.x", "tip.y", "tip.z"})
    EXPECT_NEAR(locked[name], stiff[name], 1e-5 * std::abs(stiff[name])) << name;
  for (const char* name : {"upper@0.625.uz", "fore@1.twist"})
    EXPECT_NEAR(locked[name], stiff[name], 5e-3 * std::abs(stiff[name])) << name;
  for (const char* name : {"upper@0.My", "fore@0.125.My", "fore@0.125.T", "upper@0.375.Mz"})
    EXPECT_NEAR(locked[name], stiff[name], 5e-3 * std::abs(stiff["upper@0.My"])) << name;
}

// Formulations that know segments agree on them.
TEST(SegmentResults, FormulationsAgreeOnGivenAndLockedHinges) {
  for (const char* flexibility :
       {"{segments: 2, springs: {rule: paper, bending: [800, 600], torsion: [300]}}",
        "{segments: 3, locked: [torsion]}", "{segments: 2, springs: {torsion: [200, 100]}, locked: [bending_y]}",
        "{segments: 2, locked: [bending_y, bending_z]}"}) {
    const Arm arm = Arm::assemble(read_case_text(arm_text(flexibility)).data);
    const Agreement found = agreement(arm, {.states = 5, .costs = false});
    EXPECT_GE(found.n_covering(), 3) << flexibility;
    EXPECT_LT(found.worst(), 1e-9) << flexibility;
  }
}

}  // namespace
}  // namespace lithe::testing
