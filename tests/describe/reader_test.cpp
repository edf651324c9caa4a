// What the reader makes of good files: includes, overrides, short forms, and the writer as its inverse.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>

#include "app/run_program.h"
#include "lithe/describe/case_reader.h"
#include "lithe/describe/case_writer.h"
#include "lithe/describe/spelling.h"
#include "support/draw.h"
#include "support/random_arm.h"

namespace lithe::testing {
namespace {

constexpr const char* elbow = R"(
arm:
  links:
    - name: upper
      joint: {name: shoulder, type: revolute, axis: [0, -1, 0], damping: 0.1 N.m.s/rad}
      beam:
        length: 1000 mm
        material: aluminium
        section: {area: 350 mm^2, Iy: 10000 mm^4, Iz: 10000 mm^4, J: 20000 mm^4, shear: 0.8864}
        flexibility: {modes: {bending_z: 2}}
    - name: fore
      joint: {name: elbow, type: prismatic, axis: [0, -1, 0]}
      rigid: {length: 0.5, mass: 2, com: [0.25, 0, 0], inertia: {xx: 0.01, yy: 0.05, zz: 0.05}}
      payload: {mass: 1.5 kg}
motion: {shoulder: {cycloidal: {to: 60 deg, in: 2.5 s}}}
torque: {elbow: 0.3 N}
initial: {shoulder: 30 deg, elbow: {position: 10 mm, rate: 0 m/s}, deformation: static}
simulate: {for: 5 s, method: cvode-adams, output_step: 0.01 s}
)";

TEST(Reader, ReadsTheContractsExample) {
  const Case data = read_case_text(elbow).data;
  ASSERT_EQ(data.arm.links.size(), 2u);
  const Beam& beam = data.arm.links[0].beam.value();
  EXPECT_EQ(beam.length, 1);
  EXPECT_EQ(beam.material.density, 2700);
  EXPECT_EQ(std::get<Modes>(beam.flexibility).bending_z, 2);
  EXPECT_EQ(std::get<Modes>(beam.flexibility).shape, ModeShape::polynomial);
  EXPECT_EQ(data.arm.gravity, Vector3d(0, 0, -9.81));
  EXPECT_EQ(data.arm.base.type, BaseType::fixed);
  EXPECT_NEAR(std::get<Cycloidal>(data.motion.at("shoulder").shape).to, M_PI / 3, 1e-15);
  EXPECT_EQ(std::get<ConstantTorque>(data.torque.at("elbow").law).constant, 0.3);
  EXPECT_EQ(data.initial.joints.at("elbow").position, 0.01);
  EXPECT_EQ(data.initial.deformation, Deformation::at_rest);
  EXPECT_EQ(data.simulate.value().method, Method::cvode_adams);
  EXPECT_EQ(data.simulate.value().output_step, 0.01);
}

TEST(Reader, RemembersWhereEachFieldStands) {
  const CaseFile file = read_case_text(elbow, "elbow.yaml");
  const Location where = file.locate("arm.links[0].beam.length");
  EXPECT_EQ(where.file, "elbow.yaml");
  EXPECT_EQ(where.line, 7);
  EXPECT_EQ(where.column, 17);
  // A field that was not written stands where its parent does.
  EXPECT_EQ(file.locate("arm.links[1].payload.com").line, file.locate("arm.links[1].payload").line);
}

TEST(Reader, WriterIsItsInverseOnTheExample) {
  const Case data = read_case_text(elbow).data;
  EXPECT_EQ(read_case_text(write_case(data)).data, data);
}

RC_GTEST_PROP(Reader, WriterIsItsInverse, ()) {
  const auto seed = any_seed();
  const auto base = *rc::gen::element(BaseType::fixed, BaseType::planar, BaseType::free, BaseType::moving);
  Case data = random_case(any_link_count(7), seed, {.drive_line = true, .base = base});
  // What random arms lack: beams of every section and flexibility, shapes, Denavit–Hartenberg parameters.
  LinkSpec link;
  link.name = "extra";
  link.joint.name = "extra_joint";
  link.joint.type = "prismatic";
  link.joint.dh = DenavitHartenberg{0.1, 0.2, 0.3, 0.4, DhConvention::modified};
  if (seed % 2 == 0) {
    Beam beam{1.25, {"steel", 207e9, 0.3, 7850, {}, 250e6}, {}, {}};
    if (seed % 4 == 0) beam.material = {"", 1.1e9 / 3, 0.31, 1234.5, 1e9, 2e7};
    const Section sections[] = {{Circle{0.1}, {}},
                                {Tube{0.1, 0.09}, 0.5},
                                {Rectangle{0.1, 0.2}, {}},
                                {Box{0.1, 0.2, 0.01}, {}},
                                {GeneralSection{1e-4, 2e-8, 3e-8, {}, 0.02, 0.03}, {}}};
    const Flexibility flexibilities[] = {
        NoFlexibility{},
        Modes{1, 2, 3, 4, ModeShape::clamped_mass},
        Elements{4, ElementKind::linear, Integration::full},
        Elements{2, {}, {}, BendingPlane::z, {0.25, 0.75}, 4, Reduction::eigenmodes},
        Segments{8, SegmentSprings::paper},
    };
    const std::optional<StructuralDamping> dampings[] = {
        {}, DampingRatio{0.02}, RayleighDamping{0, 1e-5}, LossFactor{0.1}};
    beam.section = sections[seed % 5];
    beam.flexibility = flexibilities[seed / 8 % 5];
    if (seed / 8 % 5 > 0) beam.damping = dampings[seed / 40 % 4];
    if (seed / 160 % 3 == 1) beam.tip_section = beam.section;
    if (seed / 160 % 3 == 2) beam.steps = {{0.3125, {Circle{0.3}, 0.9}}};  // where the unequal mesh has a node
    link.beam = beam;
  } else {
    const BodyShape shapes[] = {Rod{1}, Block{1, 2, 3}, Cylinder{1, 2}, Sphere{1}};
    RigidBody body;
    body.shape = shapes[seed / 2 % 4];
    body.mass = 1.0 / 3;
    link.rigid = body;
  }
  data.arm.links.push_back(link);
  const Profile moves[] = {{Cycloidal{1, 2}},
                           {Quintic{1, 2}},
                           {TrapezoidalVelocity{1, 2, 0.5, 0.25}},
                           {TrapezoidalAcceleration{1, 2, {}}},
                           {Sinusoid{1, 2, 3, 4.0}},
                           {Dwell{1}},
                           {Sequence{{{Cycloidal{1, 2}}, {Dwell{0.1}}, {Sequence{{{Quintic{0, 1}}}}}}}}};
  const Profile move = moves[seed / 3 % 7];
  const Torque laws[] = {{ConstantTorque{0.1}},
                         {move},
                         {Pd{1, 2, true, {{"upper.1", 4, 5}}, {0.5, {}}, {3.0, 1e-3}}},
                         {ComputedTorque{4, 5, {{}, move}, {}}},
                         {Servo{{}, {}, 3.8, {{}, move}, {}}},
                         {Servo{6.0, 7.0, {}, {0.1, {}}, {}}}};
  data.torque["extra_joint"] = laws[seed % 6];
  data.loads.push_back({"extra", Vector3d(1, 2, 3), {4, 5, 6}, {7, 8, 9}, Axes::link, move});
  data.initial.joints["extra_joint"] = {0.25, -1};
  data.simulate = Simulate{.duration = 2, .method = Method::merson, .rtol = 1e-7, .atol = 1e-9, .output_step = 0.01};
  if (seed % 2 == 0)
    data.simulate = Simulate{.duration = 2,
                             .formulation = RunFormulation::finite_element,
                             .model = ElementModel::linear,
                             .method = Method::generalised_alpha,
                             .step = 1e-3,
                             .rho_infinity = 0.5};
  RC_ASSERT(read_case_text(write_case(data)).data == data);
}

TEST(Reader, SpringsOfSegmentsAreARuleOrNumbers) {
  auto segments = [](const std::string& flexibility) {
    const Case data = read_case_text(R"(
arm:
  links:
    - name: bar
      joint: {type: fixed}
      beam: {length: 1, material: steel, section: {circle: {diameter: 20 mm}}, flexibility: )" +
                                     flexibility + "}\n")
                          .data;
    EXPECT_EQ(read_case_text(write_case(data)).data, data) << flexibility;
    return std::get<Segments>(data.arm.links[0].beam->flexibility);
  };
  EXPECT_EQ(segments("{segments: 3}"), Segments{3});
  EXPECT_EQ(segments("{segments: 3, springs: paper}"), (Segments{3, SegmentSprings::paper}));
  Segments expected{3, SegmentSprings::paper, {{1, 2, 3}, {1000}, {}}, {.torsion = true}};
  EXPECT_EQ(
      segments(
          "{segments: 3, springs: {rule: paper, bending_y: [1, 2, 3], bending_z: [1 kN.m/rad]}, locked: [torsion]}"),
      expected);
  expected = {3, SegmentSprings::calibrated, {{5}, {6}, {7}}, {}};
  EXPECT_EQ(segments("{segments: 3, springs: {bending: [5], bending_z: [6], torsion: [7]}}"), expected);
}

TEST(Reader, IncludeGivesDefaultsForTheKeysBesideIt) {
  const TemporaryFolder scratch;
  scratch.write("common.yaml", "gravity: [0, 0, 0]\nrotary_inertia: false\nbase: planar\n");
  scratch.write("tube.yaml",
                "length: 2 m\nmaterial: steel\nsection: {tube: {outer_diameter: 0.1, inner_diameter: "
                "0.09}}\nflexibility: rigid\n");
  const std::string file = scratch.write("case.yaml", R"(
arm:
  include: common.yaml
  gravity: [0, 0, -1.62]
  links:
    - name: boom
      joint: {name: root, type: revolute, axis: [0, 0, 1]}
      beam: {include: tube.yaml, length: 3 m, section: {tube: {inner_diameter: 0.08}}}
)");
  const CaseFile read = read_case(file);
  EXPECT_EQ(read.data.arm.gravity, Vector3d(0, 0, -1.62));
  EXPECT_EQ(read.data.arm.base.type, BaseType::planar);
  EXPECT_FALSE(read.data.arm.rotary_inertia);
  EXPECT_EQ(read.data.arm.links[0].beam->length, 3);
  const Tube tube = std::get<Tube>(read.data.arm.links[0].beam->section.shape);
  EXPECT_EQ(tube.outer_diameter, 0.1);  // mappings merge key by key
  EXPECT_EQ(tube.inner_diameter, 0.08);
  EXPECT_EQ(read.locate("arm.rotary_inertia").file, scratch.path() + "/common.yaml");
}

TEST(Reader, MistakesInAnIncludedFileNameThatFile) {
  const TemporaryFolder scratch;
  scratch.write("common.yaml", "gravity: [0, 0, 0]\nrotary_inertia: maybe\n");
  const std::string file = scratch.write(
      "case.yaml", "arm:\n  include: common.yaml\n  links: [{name: a, joint: {type: fixed}, rigid: {mass: 1}}]\n");
  try {
    read_case(file);
    FAIL();
  } catch (const CaseError& error) {
    EXPECT_EQ(std::string(error.what()),
              scratch.path() + "/common.yaml:2:17: rotary_inertia: expected true or false, got \"maybe\"");
  }
}

TEST(Reader, OverridesReachAnyField) {
  const Case data = read_case_text(elbow, "case",
                                   {{"arm.links[0].beam.length", "1.2"},
                                    {"links[fore].payload.mass", "3 kg"},
                                    {"arm.links[1].joint", "{type: revolute, axis: [0, 0, 1], name: elbow}"},
                                    {"torque.elbow", "1 N.m"},
                                    {"initial", "{shoulder: 1}"},
                                    {"simulate.rtol", "1e-3"}})
                        .data;
  EXPECT_EQ(data.arm.links[0].beam->length, 1.2);
  EXPECT_EQ(data.arm.links[1].payloads.at(0).mass, 3);
  EXPECT_EQ(data.arm.links[1].joint.type, "revolute");
  EXPECT_EQ(data.simulate->rtol, 1e-3);
  EXPECT_EQ(data.initial.joints.size(), 1u);
}

TEST(Reader, UnfoldingAliasesIsBounded) {
  // A few lines that would unfold into 10^9 nodes.
  std::string text = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n";
  for (int k = 1; k < 9; ++k) {
    text += "a" + std::to_string(k) + ": &a" + std::to_string(k) + " [";
    for (int i = 0; i < 10; ++i) text += (i > 0 ? ", *a" : "*a") + std::to_string(k - 1);
    text += "]\n";
  }
  try {
    read_case_text(text);
    FAIL();
  } catch (const CaseError& error) {
    EXPECT_NE(std::string(error.what()).find("more than 1000000 values"), std::string::npos) << error.what();
  }
}

std::string complaint(const std::string& text, const std::vector<Override>& overrides = {}) {
  try {
    read_case_text(text, "case", overrides);
    return "";
  } catch (const CaseError& error) {
    return error.what();
  }
}

TEST(Reader, AliasThatContainsItselfIsRefused) {
  EXPECT_EQ(complaint("a: &a [*a]\n"), "case:1:4: nested too deeply (an alias that contains itself?)");
}

TEST(Reader, SeveralDocumentsAreRefused) {
  EXPECT_EQ(complaint("arm: 1\n---\narm: 2\n"), "case: expected one YAML document, got several");
}

TEST(Reader, UnnamedJointsAreKnownByTheirLinks) {
  const Case data = read_case_text(
                        "arm: {links: [{name: a, joint: {type: revolute, axis: [0, 0, 1]}, rigid: {mass: 1, com: "
                        "[1, 0, 0]}}]}\ntorque: {a_joint: 2}\n")
                        .data;
  EXPECT_EQ(data.arm.links[0].joint.name, "a_joint");
  EXPECT_EQ(data.torque.count("a_joint"), 1u);
}

TEST(Reader, PhysicalMistakesAreToldBesideUnreadableFields) {
  EXPECT_EQ(complaint(R"(
arm:
  links:
    - {name: a, joint: {name: p, type: revolute, axis: [0, 0, 0], damping: 3 kg}, rigid: {mass: 1, inertia: {xx: -1}}}
    - {name: a, joint: {name: q, type: revolute, axis: [0, 0, 1]}, rigid: {mass: 1}}
)"),
            "case:4:56: links[0].joint.axis: expected a vector other than zero\n"
            "case:4:76: links[0].joint.damping: expected an angular damping, got \"3 kg\"\n"
            "case:4:109: links[0].rigid.inertia: expected no negative principal moment, got -1, 0, 0 kg.m^2\n"
            "case:5:14: links[1].name: the name 'a' is taken");
}

TEST(Reader, IncludedListIsRefused) {
  const TemporaryFolder scratch;
  scratch.write("list.yaml", "- 1\n");
  const std::string file = scratch.write("case.yaml", "arm: {include: list.yaml}\n");
  try {
    read_case(file);
    FAIL();
  } catch (const CaseError& error) {
    EXPECT_NE(std::string(error.what()).find("include: \"list.yaml\" is not a case file: expected a mapping of fields"),
              std::string::npos)
        << error.what();
  }
}

TEST(Reader, OverridesMayLeaveOutArmAlsoForNewKeys) {
  EXPECT_EQ(read_case_text(elbow, "case", {{"gravity", "[0, 0, 1]"}}).data.arm.gravity, Vector3d(0, 0, 1));
}

// Coordinates have dots in their names: in `initial` they are taken whole, and anywhere else quotes keep a key together.
TEST(Reader, OverridesNameKeysWithDots) {
  auto initial = [](std::vector<Override> overrides) {
    overrides.insert(overrides.begin(), {"initial", "{upper.1: 1 mm}"});
    return read_case_text(elbow, "case", overrides).data.initial;
  };
  EXPECT_EQ(initial({{"initial.upper.1", "5 mm"}}).joints.at("upper.1").position, 5e-3);
  EXPECT_EQ(initial({{"initial.upper.2", "5 mm"}}).joints.at("upper.2").position, 5e-3) << "one that is not there yet";
  const auto moves =
      initial({{"initial.upper.1", "{position: 2 mm}"}, {"initial.upper.1.rate", "2"}}).joints.at("upper.1");
  EXPECT_EQ(moves.position, 2e-3);
  EXPECT_EQ(moves.rate, 2);
  EXPECT_EQ(initial({{"initial.\"upper.1\"", "5 mm"}}).joints.at("upper.1").position, 5e-3);
  EXPECT_EQ(initial({{"initial.\"upper.1\".position", "5 mm"}}).joints.at("upper.1").position, 5e-3);
  EXPECT_TRUE(initial({{"initial.upper.1", ""}}).joints.empty());
  EXPECT_EQ(initial({{"initial.shoulder.position", "1"}}).joints.at("shoulder").position, 1);
  EXPECT_EQ(initial({{"initial.deformation", "zero"}}).joints.size(), 1u);
  for (const char* path : {"initial.\"upper.1", "initial.\"\"", "initial.\"upper.1\"rate"})
    EXPECT_NE(complaint(elbow, {{path, "1"}}).find("expected a path like"), std::string::npos) << path;
}

// One number stands for a list of one wherever lists of quantities are read.
TEST(Reader, OneNumberStandsForAListOfOne) {
  auto flexibility = [](const std::string& text) {
    const Case data = read_case_text(R"(
arm:
  links:
    - name: bar
      joint: {type: fixed}
      beam: {length: 1, material: steel, section: {circle: {diameter: 20 mm}}, flexibility: )" +
                                     text + "}\n")
                          .data;
    EXPECT_EQ(read_case_text(write_case(data)).data, data) << text;
    return data.arm.links[0].beam->flexibility;
  };
  EXPECT_EQ(flexibility("{segments: 3, springs: {bending: 76}}"),
            flexibility("{segments: 3, springs: {bending: [76]}}"));
  EXPECT_EQ(flexibility("{segments: 3, springs: {torsion: 2 kN.m/rad}}"),
            flexibility("{segments: 3, springs: {torsion: [2000]}}"));
  EXPECT_EQ(flexibility("{elements: 1, mesh: 1}"), flexibility("{elements: 1, mesh: [1]}"));
}

TEST(Spelling, GuessesOnlyWhatIsNear) {
  const std::vector<std::string> known{"density", "E", "nu"};
  EXPECT_EQ(nearest_word("desnity", known), "density");
  EXPECT_EQ(nearest_word("densty", known), "density");
  EXPECT_EQ(nearest_word("mass", known), "");
}

}  // namespace
}  // namespace lithe::testing
