// Case files that compose an arm of others: what comes of them, and where their mistakes are.
#include "lithe/describe/composition.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "app/run_program.h"
#include "lithe/arm/kinematics.h"
#include "lithe/describe/case_reader.h"
#include "lithe/describe/case_writer.h"

namespace lithe::testing {
namespace {

const char* const big = R"(
arm:
  gravity: [0, -1.62, 0]
  base: planar
  links:
    - name: boom
      joint: {name: shoulder, type: revolute, axis: [0, 0, 1]}
      rigid: {length: 2 m, mass: 3 kg, com: [1, 0, 0], inertia: {xx: 1, yy: 1, zz: 1}}
motion: {shoulder: {cycloidal: {to: 1, in: 2 s}}}
initial: {shoulder: 0.5, base: {xyz: [1, 2, 0]}, deformation: static}
loads: [{link: boom, force: [1, 0, 0]}]
simulate: {for: 7 s}
)";
const char* const small = R"(
arm:
  base: {type: fixed, origin: {xyz: [0.1, 0.2, 0.3], rpy: [0, 0, 90 deg]}}
  links:
    - name: hand
      joint: {name: wrist, type: revolute, axis: [0, 0, 1], origin: {xyz: [0.5, 0, 0]}}
      rigid: {length: 1 m, mass: 1 kg, inertia: {xx: 1, yy: 1, zz: 1}}
    - name: thumb
      parent: base
      joint: {name: grip, type: prismatic, axis: [1, 0, 0]}
      rigid: {mass: 1 kg, inertia: {xx: 1, yy: 1, zz: 1}}
torque: {wrist: 3, grip: 4}
initial: {wrist: 0.25, deformation: zero}
loads: [{link: hand, force: [2, 0, 0]}]
simulate: {for: 9 s}
)";

const char* const third = R"(
arm: {links: [{name: tool, joint: {name: spin, type: revolute, axis: [1, 0, 0]}, rigid: {mass: 1}}]}
)";

class Composition : public ::testing::Test {
 protected:
  Composition() {
    scratch.write("big.yaml", big);
    scratch.write("small.yaml", small);
  }
  CaseFile read(const std::string& text, const std::vector<Override>& overrides = {}) {
    return read_case(scratch.write("case.yaml", text), overrides);
  }
  void expect_refused(const std::string& text, const std::string& message) {
    try {
      read(text);
      FAIL() << "accepted; expected: " << message;
    } catch (const CaseError& error) {
      std::string said = error.what();
      for (size_t at; (at = said.find(scratch.path() + "/")) != std::string::npos;)
        said.erase(at, scratch.path().size() + 1);
      EXPECT_EQ(said, message);
    }
  }
  TemporaryFolder scratch;
};

TEST_F(Composition, JoinsTheArms) {
  const CaseFile file = read("arm: {carrier: big.yaml, carries: small.yaml}\n");
  const ArmSpec& arm = file.data.arm;
  EXPECT_EQ(arm.gravity, Vector3d(0, -1.62, 0));
  EXPECT_EQ(arm.base.type, BaseType::planar);
  ASSERT_EQ(arm.links.size(), 3u);
  EXPECT_EQ(arm.links[1].name, "hand");
  ASSERT_EQ(arm.mounts.size(), 1u);
  EXPECT_EQ(arm.mounts[0].link, "hand");
  EXPECT_EQ(arm.mounts[0].origin.xyz, Vector3d(0.1, 0.2, 0.3));
  EXPECT_EQ(file.locate("arm.links[2].rigid.mass").file, scratch.path() + "/small.yaml");
  EXPECT_EQ(file.locate("arm.links[0].rigid.mass").file, scratch.path() + "/big.yaml");
  EXPECT_EQ(file.locate("").file, scratch.path() + "/case.yaml") << "what results, reports and films call the case";

  const Arm assembled = Arm::assemble(file.data);
  EXPECT_EQ(assembled.coordinates(),
            (std::vector<std::string>{"base.x", "base.y", "base.yaw", "shoulder", "wrist", "grip"}));
  // boom's tip at 2 m; the mount turned by a quarter and shifted; the wrist half a metre along its x, the thumb on the mount itself.
  const Kinematics kin = kinematics_of(assembled, State::zero(assembled));
  EXPECT_LE((kin.X_WB[assembled.find_link("hand")].p - Vector3d(2.1, 0.7, 0.3)).norm(), 1e-15);
  EXPECT_LE((kin.X_WB[assembled.find_link("thumb")].p - Vector3d(2.1, 0.2, 0.3)).norm(), 1e-15);
  EXPECT_LE((kin.X_WT[assembled.find_link("hand")].p - Vector3d(2.1, 1.7, 0.3)).norm(), 1e-15);
}

TEST_F(Composition, WrittenOutReadsBackTheSame) {
  const Case data = read("arm: {carrier: big.yaml, carries: small.yaml}\n").data;
  EXPECT_EQ(read_case_text(write_case(data)).data, data);
}

TEST_F(Composition, TakesOverWhatThePartsSay) {
  const Case data = read("arm: {carrier: big.yaml, carries: small.yaml}\n").data;
  EXPECT_TRUE(data.motion.contains("shoulder"));
  EXPECT_EQ(data.torque.size(), 2u);
  EXPECT_EQ(data.initial.joints.at("shoulder").position, 0.5);
  EXPECT_EQ(data.initial.joints.at("wrist").position, 0.25);
  EXPECT_EQ(data.initial.base->xyz, Vector3d(1, 2, 0));
  EXPECT_EQ(data.initial.deformation, Deformation::at_rest);  // the carrier's
  ASSERT_EQ(data.loads.size(), 2u);
  EXPECT_EQ(data.loads[1].link, "hand");
  EXPECT_EQ(data.simulate->duration, 7);  // the carrier's
}

TEST_F(Composition, SaysTheLastWordItself) {
  const Case data = read(R"(
arm: {carrier: big.yaml, carries: small.yaml}
motion: {wrist: {quintic: {to: 1, in: 1 s}}}
torque: {shoulder: 5}
initial: {shoulder: 1.5, deformation: zero}
loads: [{link: thumb, force: [3, 0, 0]}]
simulate: {for: 1 s}
)")
                        .data;
  EXPECT_EQ(data.motion.size(), 1u);  // a word about a joint replaces what its part says of it
  EXPECT_TRUE(data.motion.contains("wrist"));
  EXPECT_EQ(data.torque.size(), 2u);
  EXPECT_TRUE(data.torque.contains("shoulder"));
  EXPECT_TRUE(data.torque.contains("grip"));
  EXPECT_EQ(data.initial.joints.at("shoulder").position, 1.5);
  EXPECT_EQ(data.initial.joints.at("wrist").position, 0.25);
  EXPECT_EQ(data.initial.deformation, Deformation::zero);
  EXPECT_EQ(data.loads.size(), 3u);
  EXPECT_EQ(data.simulate->duration, 1);
}

TEST_F(Composition, ChainsByListOrByFile) {
  scratch.write("third.yaml", third);
  scratch.write("outer.yaml", "arm: {carrier: small.yaml, carries: third.yaml}\n");
  scratch.write("inner.yaml", "arm: {carrier: big.yaml, carries: small.yaml}\n");
  const Case listed = read("arm: {carrier: big.yaml, carries: [small.yaml, third.yaml]}\n").data;
  ASSERT_EQ(listed.arm.mounts.size(), 2u);
  EXPECT_EQ(listed.arm.mounts[1].link, "tool");
  EXPECT_EQ(read("arm: {carrier: big.yaml, carries: outer.yaml}\n").data, listed);
  EXPECT_EQ(read("arm: {carrier: inner.yaml, carries: third.yaml}\n").data, listed);
  const Arm arm = Arm::assemble(listed);
  ASSERT_EQ(arm.n_parts(), 3);
  EXPECT_EQ(arm.link(arm.mounts()[1].carrier_link).name, "thumb");
  EXPECT_EQ(arm.part(1).coordinates().back(), "grip");
}

TEST_F(Composition, FilesAreNamedFromWhereTheNameStands) {
  std::filesystem::create_directory(scratch.path() + "/parts");
  scratch.write("parts/outer.yaml", "arm: {carrier: ../big.yaml, carries: hand.yaml}\n");
  scratch.write("parts/hand.yaml", small);
  scratch.write("third.yaml", third);
  EXPECT_EQ(read("arm: {carrier: parts/outer.yaml, carries: third.yaml}\n").data.arm.links.size(), 4u);
}

TEST_F(Composition, CanBeChangedByOverrides) {
  const Case data = read("arm: {carrier: big.yaml, carries: small.yaml}\n", {{"links[hand].rigid.mass", "5 kg"}}).data;
  EXPECT_EQ(data.arm.links[1].rigid->mass, 5);
}

TEST_F(Composition, MistakesOfPartsAreInTheirFiles) {
  scratch.write("bad.yaml",
                "arm:\n  links:\n    - name: hand\n      joint: {type: fixed}\n      rigid: {mass: -1 kg}\n");
  expect_refused("arm: {carrier: big.yaml, carries: bad.yaml}\n",
                 "bad.yaml:5:21: links[1].rigid.mass: expected a mass of at least zero, got \"-1 kg\"");
}

TEST_F(Composition, RefusesWhatDoesNotFit) {
  expect_refused("arm: {carrier: big.yaml, carries: big.yaml}\n",
                 "big.yaml:4:9: base: expected fixed: this arm is carried by big.yaml\n"
                 "big.yaml:6:13: links[0].name: the name 'boom' is taken, because the file is used twice: give one of "
                 "them a prefix, carries: [{file: big.yaml, prefix: left_}, …]\n"
                 "big.yaml:7:21: links[0].joint.name: the name 'shoulder' is taken, because the file is used twice: "
                 "give one of them a prefix, carries: [{file: big.yaml, prefix: left_}, …]");
  scratch.write("rough.yaml",
                "arm:\n  inertia: first-order\n  links: [{name: a, joint: {type: fixed}, rigid: {mass: 1}}]\n");
  expect_refused("arm: {carrier: big.yaml, carries: rough.yaml}\n",
                 "rough.yaml:2:12: inertia: expected complete as in big.yaml, got first-order");
  expect_refused("arm: {carrier: rough.yaml, carries: small.yaml}\n",
                 "small.yaml:3:3: inertia: expected first-order as in rough.yaml, got complete");
  scratch.write("rolling.yaml",
                "arm:\n  base: {origin: {}, rigid: {mass: 1}}\n  links: [{name: a, joint: {type: fixed}, rigid: {mass: "
                "1}}]\n");
  expect_refused("arm: {carrier: big.yaml, carries: rolling.yaml}\n",
                 "rolling.yaml:2:22: base: the base of a carried arm has an origin, but no 'rigid'");
}

TEST_F(Composition, RefusesHalfASentence) {
  expect_refused("arm: {carrier: big.yaml}\n", "case.yaml:1:6: carries: missing; expected the name of a case file");
  expect_refused("arm: {carries: small.yaml}\n", "case.yaml:1:6: carrier: missing; expected the name of a case file");
  expect_refused(
      "arm: {carrier: big.yaml, carries: small.yaml, gravity: [0, 0, 0]}\n",
      "case.yaml:1:47: arm: 'gravity' is not allowed beside carrier and carries: their files describe the arm");
  expect_refused("arm: {carrier: [big.yaml], carries: small.yaml}\n",
                 "case.yaml:1:16: carrier: expected the name of a case file, got a list of 1");
  expect_refused("arm: {carrier: none.yaml, carries: small.yaml}\n",
                 "case.yaml:1:16: carrier: cannot read \"none.yaml\": No such file or directory");
  expect_refused("arm: {carrier: case.yaml, carries: small.yaml}\n",
                 "case.yaml:1:16: carrier: \"case.yaml\" contains itself");
  scratch.write("run.yaml", "simulate: {for: 1 s}\n");
  expect_refused("arm: {carrier: big.yaml, carries: run.yaml}\n",
                 "case.yaml:1:35: carries: no arm with links in \"run.yaml\"");
}

TEST_F(Composition, MountsInOneFile) {
  const std::string one = R"(
arm:
  links:
    - {name: a, joint: {name: ja, type: revolute, axis: [0, 0, 1]}, rigid: {mass: 1, length: 1}}
    - {name: b, joint: {name: jb, type: revolute, axis: [0, 0, 1]}, rigid: {mass: 1, length: 1}}
    - {name: c, parent: PARENT, joint: {name: jc, type: revolute, axis: [0, 0, 1]}, rigid: {mass: 1, length: 1}}
  mounts: [{link: MOUNT}]
)";
  auto with = [&](const std::string& parent, const std::string& mount) {
    std::string text = one;
    text.replace(text.find("PARENT"), 6, parent);
    return text.replace(text.find("MOUNT"), 5, mount);
  };
  const Arm arm = Arm::assemble(read(with("base", "b")).data);
  EXPECT_EQ(arm.link(2).parent, 0);  // the base of an arm that begins at b is a's tip
  expect_refused(with("a", "b"), "case.yaml:6:25: links[2].parent: no link 'a' before this one. Links so far: base, b");
  expect_refused(with("b", "a"), "case.yaml:7:19: mounts[0].link: no link 'a' after the first");
  expect_refused(with("b", "d"), "case.yaml:7:19: mounts[0].link: no link 'd' after the first");
}

const char* const pair = R"(
arm:
  carrier: big.yaml
  carries:
    - {file: small.yaml, prefix: left_, origin: {xyz: [0, 0.3, 0]}}
    - {file: small.yaml, prefix: right_, onto: boom, origin: {xyz: [0, -0.3, 0]}}
)";

TEST_F(Composition, CarriesTheSameArmTwice) {
  const CaseFile file = read(pair);
  const Case& data = file.data;
  ASSERT_EQ(data.arm.mounts.size(), 2u);
  EXPECT_EQ(data.arm.mounts[1].link, "right_hand");
  EXPECT_EQ(data.arm.mounts[1].onto, "boom");
  EXPECT_TRUE(data.torque.contains("left_wrist"));
  EXPECT_TRUE(data.torque.contains("right_grip"));
  EXPECT_EQ(data.initial.joints.at("right_wrist").position, 0.25);
  EXPECT_EQ(data.loads.back().link, "right_hand");
  const Arm arm = Arm::assemble(data);
  EXPECT_EQ(arm.coordinates(), (std::vector<std::string>{"base.x", "base.y", "base.yaw", "shoulder", "left_wrist",
                                                         "left_grip", "right_wrist", "right_grip"}));
  EXPECT_EQ(arm.link(arm.mounts()[1].carrier_link).name, "boom");
  // Both on the boom's tip, 2 m out, where the composing file says; wrists half a metre along x.
  const Kinematics kin = kinematics_of(arm, State::zero(arm));
  EXPECT_LE((kin.X_WB[arm.find_link("left_hand")].p - Vector3d(2.5, 0.3, 0)).norm(), 1e-15);
  EXPECT_LE((kin.X_WB[arm.find_link("right_hand")].p - Vector3d(2.5, -0.3, 0)).norm(), 1e-15);
  EXPECT_EQ(read_case_text(write_case(data)).data, data);
}

TEST_F(Composition, PrefixesEveryNameAndEveryMentionOfOne) {
  scratch.write("busy.yaml", R"(
arm:
  links:
    - name: boom
      joint: {name: a, type: revolute, axis: [0, 0, 1]}
      beam: {length: 1, material: {E: 1e9, nu: 0.3, density: 1000}, section: {circle: {diameter: 0.1}}, flexibility: {modes: {bending_z: 1}}}
    - {name: hand, parent: boom, joint: {name: b, type: prismatic, axis: [1, 0, 0]}, rigid: {mass: 1, inertia: {xx: 1, yy: 1, zz: 1}}}
torque:
  a: {pd: {kp: 1, kd: 1, target: 0, feedback: [{of: boom.1, rate: 2}]}}
initial: {boom.1: 0.01, b: 0.2}
loads: [{link: hand, name: push, force: [1, 0, 0]}]
gauges: [{name: root, link: boom, at: 0}]
forces:
  - spring_damper: {from: {link: boom}, to: {link: hand}, damping: 1}
  - contact: {link: hand, plane: {}, stiffness: 10}
events:
  - {name: late, at: 1 s, load: {name: push, factor: 0}, payload: {link: hand, mass: 2}, torque: {b: 3}}
  - {when: {of: boom.1, rises_above: 0.1}, torque: {a: {pd: {kp: 2, kd: 1, target: 0, feedback: [{of: boom.1.rate, rate: 2}]}}}}
)");
  const std::string text = R"(
arm: {carrier: big.yaml, carries: [{file: busy.yaml, prefix: l_}, {file: busy.yaml, prefix: r_, onto: boom}]}
simulate: {for: 2 s}
)";
  const CaseFile file = [&] {
    std::string plain = read_text(scratch.path() + "/busy.yaml");
    plain.replace(plain.find("boom.1.rate"), 11, "boom.1");
    scratch.write("busy.yaml", plain);
    return read(text);
  }();
  // A name that was left out would be unknown, or taken.
  const Case& data = file.data;
  EXPECT_EQ(data.arm.links[4].parent, "r_boom");
  EXPECT_EQ(std::get<Pd>(data.torque.at("r_a").law).feedback[0].of, "r_boom.1");
  EXPECT_TRUE(data.initial.joints.contains("l_boom.1"));
  ASSERT_EQ(data.gauges.size(), 2u);
  EXPECT_EQ(data.gauges[0], (Gauge{"l_root", "l_boom"}));
  EXPECT_EQ(data.gauges[1], (Gauge{"r_root", "r_boom"}));
  ASSERT_EQ(data.forces.size(), 4u);
  EXPECT_EQ(std::get<Contact>(data.forces[3].force).link, "r_hand");
  ASSERT_EQ(data.events.size(), 4u);
  EXPECT_EQ(data.events[2].name, "r_late");
  EXPECT_EQ(data.events[2].payload->link, "r_hand");
  EXPECT_EQ(data.events[2].load->name, "r_push");
  EXPECT_EQ(data.events[3].when->of, "r_boom.1");
  EXPECT_EQ(std::get<Pd>(data.events[3].torque.at("r_a").law).feedback[0].of, "r_boom.1");
}

TEST_F(Composition, RefusesAPrefixThatIsNoName) {
  // It would stand before every name before any is checked: 60 MB of it before 20 000 names.
  expect_refused("arm: {carrier: big.yaml, carries: {file: small.yaml, prefix: " + std::string(201, 'p') + "}}\n",
                 "case.yaml:1:62: carries.prefix: expected at most 200 characters, got 201");
}

TEST_F(Composition, RefusesEventsThatWaitForATipThatIsNotThePartsOwn) {
  const std::string events = "events: [{at: 1 s, torque: {}}, {when: {of: tip.x, rises_above: 1}}]\n";
  scratch.write("waits.yaml", small + events);
  const std::string said =
      "waits.yaml:16:45: events[1].when.of: tip.x is the tip of the whole composed arm, not of this "
      "part: leave out the event here, or give it in the composing file";
  const std::string left = "{file: waits.yaml, prefix: l_}", right = "{file: small.yaml, prefix: r_, onto: boom}";
  expect_refused("arm: {carrier: big.yaml, carries: [" + left + ", " + right + "]}\n", said);
  scratch.write("fixed.yaml", "arm: {links: [{name: a, joint: {type: fixed}, rigid: {mass: 1}}]}\n");
  expect_refused("arm: {carrier: waits.yaml, carries: fixed.yaml}\n", said);
  // The last part's tip is that of the whole, and the composing file means the whole.
  const std::string sound = "{name: t, when: {of: tip.x, rises_above: 1}, torque: {wrist: 2}}";
  scratch.write("waits.yaml", small + ("events: [" + sound + "]\n"));
  EXPECT_EQ(read("arm: {carrier: big.yaml, carries: waits.yaml}\nsimulate: {for: 1 s}\n").data.events[0].when->of,
            "tip.x");
  EXPECT_EQ(read("arm: {carrier: big.yaml, carries: small.yaml}\nsimulate: {for: 1 s}\nevents: [" + sound + "]\n")
                .data.events.size(),
            1u);
}

TEST_F(Composition, SaysWhatIsWrongWithAMount) {
  expect_refused("arm: {carrier: big.yaml, carries: [small.yaml, small.yaml]}\n",
                 "small.yaml:5:13: links[0].name: the name 'hand' is taken, because the file is used twice: "
                 "give one of them a "
                 "prefix, carries: [{file: small.yaml, prefix: left_}, …]\n"
                 "small.yaml:6:21: links[0].joint.name: the name 'wrist' is taken, because the file is used "
                 "twice: give one of "
                 "them a prefix, carries: [{file: small.yaml, prefix: left_}, …]\n"
                 "small.yaml:8:13: links[1].name: the name 'thumb' is taken, because the file is used twice: "
                 "give one of them a "
                 "prefix, carries: [{file: small.yaml, prefix: left_}, …]\n"
                 "small.yaml:10:21: links[1].joint.name: the name 'grip' is taken, because the file is used "
                 "twice: give one of "
                 "them a prefix, carries: [{file: small.yaml, prefix: left_}, …]");
  expect_refused("arm: {carrier: big.yaml, carries: {file: small.yaml, onto: bom}}\n",
                 "case.yaml:1:60: carries: no link 'bom' in the arms before, did you mean 'boom'? Links: boom");
  expect_refused(
      "arm: {carrier: big.yaml, carries: [{prefix: 'a b', ontoo: boom}]}\n",
      "case.yaml:1:36: carries[0].file: missing; expected the name of a case file\n"
      "case.yaml:1:45: carries[0].prefix: expected letters, digits and _, got \"a b\"\n"
      "case.yaml:1:52: carries[0]: no field 'ontoo', did you mean 'onto'? Known: file, onto, prefix, origin");
}

}  // namespace
}  // namespace lithe::testing
