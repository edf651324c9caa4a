// Values of a case found in its text: where they stand, and that the text at that place is theirs.
#include "lithe/describe/case_parameters.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <map>
#include <sstream>

#include "app/run_program.h"
#include "lithe/describe/case_reader.h"

namespace lithe::testing {
namespace {

std::map<std::string, Parameter> found_in(const std::string& text, const std::string& name = "case.yaml") {
  std::map<std::string, Parameter> found;
  for (const Parameter& one : parameters_of(text, name, read_case_text(text, name).data)) found[one.path] = one;
  return found;
}

/// The text with the value at a parameter's place replaced, by counting lines and bytes.
std::string with(const std::string& text, const Parameter& at, const std::string& value) {
  std::istringstream lines(text);
  std::string line, changed;
  for (int n = 1; std::getline(lines, line); ++n) {
    if (n == at.where.line) line.replace(size_t(at.where.column - 1), size_t(at.length), value);
    changed += line + "\n";
  }
  return changed;
}

const std::string text = R"(arm:
  gravity: [0, 0, -1.62 m/s^2]   # the Moon's
  links:
    - name: upper
      joint: {name: shoulder, type: revolute, axis: [0, -1, 0], damping: "0.1 N.m.s/rad"}
      beam:
        length: 1000 mm
        material: aluminium
        section: {tube: {outer_diameter: 60000 µm, inner_diameter: '50 mm'}}
        flexibility: {modes: {bending_z: 2}}
    - name: slide
      joint: {type: prismatic, axis: [1, 0, 0]}
      rigid: {length: 0.5, mass: 2}
torque: {shoulder: 0.3 N.m, slide_joint: {pd: {kp: 10 N/m, kd: 1, target: 20 cm}}}
initial: {shoulder: 30 deg, slide_joint: {position: 1 cm}, deformation: static}
simulate: {for: 5 s}
)";

TEST(CaseParameters, AreFoundWithTheirUnitsAndWords) {
  const auto found = found_in(text);
  const auto expect = [&](const std::string& path, const std::string& value, const std::string& unit) {
    ASSERT_TRUE(found.contains(path)) << path;
    EXPECT_EQ(found.at(path).text, value) << path;
    EXPECT_EQ(found.at(path).unit, unit) << path;
  };
  expect("arm.gravity[2]", "-1.62 m/s^2", "m/s^2");
  expect("arm.links[0].joint.damping", "0.1 N.m.s/rad", "N.m.s/rad");
  expect("arm.links[0].beam.length", "1000 mm", "m");
  expect("arm.links[0].beam.section.tube.inner_diameter", "50 mm", "m");
  expect("arm.links[1].rigid.mass", "2", "kg");
  expect("torque.shoulder", "0.3 N.m", "N.m");
  expect("torque.slide_joint.pd.kp", "10 N/m", "N/m");  // of a joint that slides
  expect("torque.slide_joint.pd.target", "20 cm", "m");
  expect("initial.shoulder", "30 deg", "rad");
  expect("initial.slide_joint.position", "1 cm", "m");
  expect("simulate.for", "5 s", "s");
  EXPECT_TRUE(found.at("arm.links[0].beam.flexibility.modes.bending_z").whole);
  EXPECT_EQ(found.at("initial.deformation").options, (std::vector<std::string>{"zero", "static", "settled"}));
  EXPECT_FALSE(found.contains("simulate.rtol")) << "what is not in the text has no place there";
}

TEST(CaseParameters, StandWhereTheySay) {
  const auto found = found_in(text);
  EXPECT_EQ(with(text, found.at("arm.links[0].beam.section.tube.inner_diameter"), "4 cm"),
            std::string(text).replace(text.find("50 mm"), 5, "4 cm"))
      << "behind a letter of two bytes, in quotes";
  EXPECT_EQ(with(text, found.at("arm.gravity[2]"), "-9.81"),
            std::string(text).replace(text.find("-1.62 m/s^2"), 11, "-9.81"));
}

TEST(CaseParameters, OfEveryExampleReadBackWhenWrittenAnew) {
  size_t n_values = 0;
  for (const auto& entry : std::filesystem::directory_iterator(example(""))) {
    const std::filesystem::path file = entry.path() / "case.yaml";
    if (!std::filesystem::exists(file)) continue;
    const std::string whole = read_text(file.string());
    const Case data = read_case_text(whole, file.string()).data;
    for (const Parameter& one : parameters_of(whole, file.string(), data)) {
      ++n_values;
      std::istringstream lines(whole);
      std::string line;
      for (int n = 0; n < one.where.line; ++n) std::getline(lines, line);
      EXPECT_EQ(line.substr(size_t(one.where.column - 1), size_t(one.length)), one.text) << file << ' ' << one.path;
    }
  }
  EXPECT_GT(n_values, 500u);
}

TEST(CaseParameters, OfOtherFilesAreNotThere) {
  const TemporaryFolder scratch;
  scratch.write("part.yaml", "length: 1 m\nmaterial: steel\nsection: {circle: {diameter: 1 cm}}\nflexibility: rigid\n");
  const auto found = found_in(
      "arm:\n  links:\n    - name: a\n      joint: {type: fixed}\n      beam: {include: part.yaml, length: 2 m}\n",
      scratch.path() + "/case.yaml");
  EXPECT_EQ(found.at("arm.links[0].beam.length").text, "2 m");
  EXPECT_FALSE(found.contains("arm.links[0].beam.section.circle.diameter"));
}

}  // namespace
}  // namespace lithe::testing
