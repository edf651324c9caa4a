// What a report and a film draw, against kinematics and against sections worked out by hand.
#include "lithe/show/scene.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "app/run_program.h"
#include "lithe/describe/case_reader.h"
#include "lithe/describe/sections.h"
#include "lithe/show/sketch.h"

namespace lithe::testing {
namespace {

constexpr double pi = std::numbers::pi;

struct Drawn {
  Case data;
  Arm arm;
  Scene scene;
  State state;
};
Drawn drawn(const std::string& text) {
  const Case data = read_case_text(text).data;
  const Arm arm = Arm::assemble(data);
  return {data, arm, scene_of(data, arm), State::zero(arm)};
}

/// Every coordinate at something else, so that no two can be mistaken for each other.
void bend(Drawn& it, double size) {
  for (int i = 0; i < it.state.q.size(); ++i) it.state.q[i] = size * std::sin(1 + 2.3 * i);
}

TEST(Scene, OutlinesOfSectionsByNumbersHaveTheirAreaAndSecondMoments) {
  // A tube's numbers give the tube back.
  const double outer = 0.03, inner = 0.025;
  const double area = pi * (outer * outer - inner * inner), I = pi / 4 * (std::pow(outer, 4) - std::pow(inner, 4));
  const Outline tube = outline_of({GeneralSection{area, I, I, {}}, {}});
  EXPECT_TRUE(tube.round);
  EXPECT_NEAR(tube.y, outer, 1e-12);
  EXPECT_NEAR(tube.z, outer, 1e-12);
  EXPECT_NEAR(tube.hole_y, inner, 1e-12);

  // A flat one: area and both moments of the elliptic ring, integrated as outer minus hole.
  const GeneralSection flat{2e-4, 4e-9, 9e-9, {}};
  const Outline ring = outline_of({flat, {}});
  auto moment = [&](double a, double b) { return pi / 4 * a * b * b * b; };
  EXPECT_NEAR(pi * (ring.y * ring.z - ring.hole_y * ring.hole_z), flat.area, 1e-12 * flat.area + 1e-16);
  EXPECT_NEAR(moment(ring.y, ring.z) - moment(ring.hole_y, ring.hole_z), flat.Iy, 1e-12 * flat.Iy);
  EXPECT_NEAR(moment(ring.z, ring.y) - moment(ring.hole_z, ring.hole_y), flat.Iz, 1e-12 * flat.Iz);
  EXPECT_GT(ring.hole_y, 0);
}

TEST(Scene, OutlinesOfSectionsByShapeAreTheirDimensions) {
  const Outline box = outline_of({Box{0.06, 0.1, 0.004}, {}});
  EXPECT_FALSE(box.round);
  EXPECT_DOUBLE_EQ(box.y, 0.03);
  EXPECT_DOUBLE_EQ(box.z, 0.05);
  EXPECT_DOUBLE_EQ(box.hole_y, 0.026);
  EXPECT_DOUBLE_EQ(box.hole_z, 0.046);
  const Outline bar = outline_of({Rectangle{0.02, 0.08}, {}});
  EXPECT_EQ(bar.hole_y, 0);
  EXPECT_DOUBLE_EQ(bar.z, 0.04);
  EXPECT_DOUBLE_EQ(outline_of({Circle{0.05}, {}}).y, 0.025);
}

constexpr const char* bending = R"(
arm:
  links:
    - name: upper
      joint: {name: shoulder, type: revolute, axis: [0, 1, 0]}
      beam:
        length: 1.5
        material: aluminium
        section: {tube: {outer_diameter: 80 mm, inner_diameter: 70 mm}}
        tip_section: {tube: {outer_diameter: 40 mm, inner_diameter: 30 mm}}
        flexibility: {modes: {bending_y: 2, bending_z: 2, torsion: 1, axial: 1}}
    - name: fore
      joint: {name: elbow, type: revolute, axis: [0, 0, 1]}
      beam: {length: 1, material: steel, section: {circle: {diameter: 20 mm}}, flexibility: {elements: 3}}
    - name: hand
      joint: {name: wrist, type: revolute, axis: [0, 0, 1]}
      beam: {length: 0.6, material: steel, section: {circle: {diameter: 20 mm}}, flexibility: {segments: 4}}
)";

TEST(Scene, StationsOfBentLinksEndAtTheirTips) {
  Drawn it = drawn(bending);
  bend(it, 0.05);
  const Kinematics kin = kinematics_of(it.arm, it.state);
  for (const char* name : {"upper", "fore"}) {
    const int i = it.arm.find_link(name);
    const std::vector<Pose> poses = station_poses(it.scene, it.arm, i, it.state, kin);
    ASSERT_GT(poses.size(), 20u);
    EXPECT_LT((poses.front().p - kin.X_WB[i].p).norm(), 1e-12) << name;
    EXPECT_LT((poses.back().p - kin.X_WT[i].p).norm(), 1e-12) << name;
    EXPECT_LT((poses.back().R - kin.X_WT[i].R).norm(), 1e-12) << name;
    EXPECT_GT((poses.back().p - kin.X_WB[i] * it.arm.link(i).X_BT.p).norm(), 0.01) << "the link must bend";
  }
}

TEST(Scene, PiecesOfASegmentedBeamJoin) {
  Drawn it = drawn(bending);
  bend(it, 0.05);
  const Kinematics kin = kinematics_of(it.arm, it.state);
  Vector3d end = kin.X_WB[it.arm.find_link("hand.root")].p;
  int pieces = 0;
  for (int i = it.arm.find_link("hand.root"); i < it.arm.n_links(); ++i) {
    const std::vector<Pose> poses = station_poses(it.scene, it.arm, i, it.state, kin);
    EXPECT_EQ(it.scene.links[i].name, "hand");
    if (poses.empty()) continue;
    ++pieces;
    EXPECT_LT((poses.front().p - end).norm(), 1e-12) << "piece " << pieces;
    end = poses.back().p;
  }
  EXPECT_EQ(pieces, 5);  // hinges in the middles of four segments
  EXPECT_LT((end - kin.X_WT[it.arm.last_link()].p).norm(), 1e-12);
}

TEST(Scene, TaperedOutlinesGoFromRootToTip) {
  const Drawn it = drawn(bending);
  const auto& stations = it.scene.links[0].stations;
  for (const SceneStation& station : stations) {
    EXPECT_NEAR(station.outline.y, 0.04 - 0.02 * station.place.x() / 1.5, 1e-12);
    EXPECT_NEAR(station.outline.hole_y, 0.035 - 0.02 * station.place.x() / 1.5, 1e-12);
  }
}

TEST(Scene, ExaggerationLeavesJointsAloneAndMultipliesEveryDeformation) {
  Drawn it = drawn(bending);
  bend(it, 0.01);
  const State more = exaggerated(it.arm, it.state, 7);
  for (int i = 0; i < it.arm.nq(); ++i) {
    const std::string& name = it.arm.positions()[i];
    const bool joint = name == "shoulder" || name == "elbow" || name == "wrist";
    EXPECT_DOUBLE_EQ(more.q[i], (joint ? 1 : 7) * it.state.q[i]) << name;
  }
}

TEST(Scene, ExaggerationMultipliesTheDeflectionOfElasticJoints) {
  Drawn it = drawn(R"(
arm:
  links:
    - {name: arm, joint: {name: a, type: revolute, axis: [0, 0, 1], motor: {inertia: 1, stiffness: 100}}, rigid: {length: 1, mass: 1}}
)");
  const int joint = it.arm.link(it.arm.find_link("arm")).q0, rotor = it.arm.link(it.arm.find_link("a.motor")).q0;
  it.state.q[joint] = 0.53;
  it.state.q[rotor] = 0.5;
  const State more = exaggerated(it.arm, it.state, 10);
  EXPECT_NEAR(more.q[joint], 0.8, 1e-12);
  EXPECT_EQ(more.q[rotor], 0.5);
}

TEST(Scene, ABeamInAGuideBendsBeyondItsExitOnly) {
  const Case data = read_case(example("26_turn_and_slide/case.yaml")).data;
  const Arm arm = Arm::assemble(data);
  const Scene scene = scene_of(data, arm);
  const int boom = arm.find_link("boom");
  State state = State::zero(arm);
  state.q[arm.link(boom).q0] = -0.7;  // of 1.2 m, half a metre is out
  for (int k = 0; k < arm.link(boom).n_flex(); ++k) state.q[arm.link(boom).flex_q0() + k] = 0.002 * (k + 1);
  const Kinematics kin = kinematics_of(arm, state);
  const std::vector<Pose> poses = station_poses(scene, arm, boom, state, kin);
  EXPECT_NEAR(poses[0].p.x(), -0.7, 1e-12);
  EXPECT_NEAR(poses[1].p.x(), 0, 1e-12) << "the exit is at the joint's origin";
  EXPECT_NEAR(poses[1].p.y(), 0, 1e-12);
  EXPECT_LT((poses.back().p - kin.X_WT[boom].p).norm(), 1e-12);
  EXPECT_GT(std::abs(poses.back().p.y()), 0.01);
}

// A constant curvature winds an exact link into a circle, with what it carries.
TEST(Scene, ExactLinksAreDrawnAlongTheirBentAxis) {
  const std::string text = R"(
arm:
  links:
    - name: boom
      joint: {name: hub, type: fixed}
      beam: {length: 2, material: steel, section: {circle: {diameter: 20 mm}}, flexibility: {strains: {bending_y: 5}}}
      payload: {mass: 0.5, at: 1.3}
)";
  Drawn it = drawn(text);
  const double turn = 4, radius = 2 / turn;
  it.state.q[0] = turn;
  const auto on_circle = [&](double x) {
    const double angle = turn * x / 2;
    return Vector3d(radius * std::sin(angle), radius * (1 - std::cos(angle)), 0);
  };
  const Kinematics kin = kinematics_of(it.arm, it.state);
  const std::vector<Pose> poses = station_poses(it.scene, it.arm, 0, it.state, kin);
  ASSERT_GT(poses.size(), 20u);
  // Polynomials through seven points leave 3e-5 of places on that circle.
  for (size_t k = 0; k < poses.size(); ++k) {
    const double x = it.scene.links[0].stations[k].place.x();
    EXPECT_LT((poses[k].p - on_circle(x)).norm(), 1e-4) << x;
    EXPECT_NEAR(poses[k].R(1, 0), std::sin(turn * x / 2), 1e-12) << x;
  }
  const SceneSolid& payload = it.scene.links[0].solids.back();
  EXPECT_EQ(payload.role, SceneSolid::Role::payload);
  EXPECT_LT((solid_frame(it.scene, it.arm, 0, payload, it.state, kin).p - on_circle(1.3)).norm(), 1e-4);

  // A sketch draws the link as a line of many pieces, a straight one as one of two points.
  const auto longest = [](const std::string& svg) {
    size_t most = 0;
    for (size_t at = svg.find("d=\"M"); at != std::string::npos; at = svg.find("d=\"M", at + 1)) {
      if (svg.substr(at, svg.find("/>", at) - at).find("fill=\"none\"") == std::string::npos) continue;
      const std::string d = svg.substr(at, svg.find('"', at + 3) - at);
      most = std::max(most, size_t(std::count(d.begin(), d.end(), 'L')));
    }
    return most;
  };
  EXPECT_EQ(longest(sketch(it.arm, {it.state})), 32u);
}

TEST(Scene, SectionsOfOnesAreDrawnAsThickAsBodiesWithoutSize) {
  const Drawn it = drawn(R"(
arm:
  links:
    - name: boom
      joint: {name: hub, type: fixed}
      beam: {length: 2, material: {E: 3, nu: 0.3, density: 1}, section: {area: 1, Iy: 1, Iz: 1}, flexibility: {modes: {bending_y: 1}}}
)");
  EXPECT_DOUBLE_EQ(it.scene.links[0].stations[0].outline.y, 0.028);
}

TEST(Scene, ImportedLinksAreDrawnThroughTheirNodes) {
  // A bracket whose tip is off its axis; nodes listed out of order along x.
  const TemporaryFolder scratch;
  const std::string file = scratch.write("bracket.json", R"({
    "nodes": [[0, 0, 0], [1, 0.2, 0.1], [0.5, 0.1, 0]],
    "mass": [1, 1, 1],
    "shapes": [[[0, 0, 0, 0, 0, 0], [0, 0, 1, 0, -1.5, 0], [0, 0, 0.3, 0, -1, 0]]],
    "stiffness": [[100]],
    "tip": 1})");
  Drawn it = drawn(
      "arm:\n  links:\n    - name: bracket\n      joint: {name: a, type: revolute, axis: [0, 0, 1]}\n      imported: "
      "{file: " +
      file + "}\n");
  it.state.q << 0.4, 0.05;
  const Kinematics kin = kinematics_of(it.arm, it.state);
  const std::vector<Pose> poses = station_poses(it.scene, it.arm, 0, it.state, kin);
  ASSERT_EQ(poses.size(), 3u);
  EXPECT_LT((poses[1].p - kin.X_WB[0] * Vector3d(0.5, 0.1, 0.3 * 0.05)).norm(), 1e-12);
  EXPECT_LT((poses[2].p - kin.X_WT[0].p).norm(), 1e-12);
  EXPECT_LT((poses[2].R - kin.X_WT[0].R).norm(), 1e-12);
}

TEST(Scene, EveryLinkOfEveryKindIsDrawn) {
  const Drawn it = drawn(R"(
arm:
  base: {type: free, rigid: {mass: 12, inertia: {xx: 0.5, yy: 0.4, zz: 0.3}}}
  links:
    - {name: block, joint: {name: a, type: revolute, axis: [0, 0, 1], motor: {inertia: 1, stiffness: 100}}, rigid: {mass: 1, shape: {block: {x: 0.4, y: 0.1, z: 0.2}}}}
    - {name: rod, joint: {name: b, type: revolute, axis: [0, 0, 1]}, rigid: {mass: 1, shape: {rod: {length: 0.5}}}}
    - {name: drum, joint: {name: c, type: prismatic, axis: [1, 0, 0]}, rigid: {mass: 1, shape: {cylinder: {length: 0.3, diameter: 0.1}}}}
    - {name: ball, joint: {name: d, type: revolute, axis: [0, 0, 1]}, rigid: {mass: 1, shape: {sphere: {diameter: 0.2}}}}
    - {name: plain, joint: {name: e, type: revolute, axis: [0, 0, 1], origin: {xyz: [0, 0, 0.3]}}, rigid: {length: 0.7, mass: 1}, payload: {mass: 2}}
    - {name: point, joint: {name: f, type: revolute, axis: [0, 0, 1]}, rigid: {mass: 1}}
)");
  using Form = SceneSolid::Form;
  auto only = [&](const char* name) {
    const auto& solids = it.scene.links[it.arm.find_link(name)].solids;
    EXPECT_EQ(solids.size(), 1u) << name;
    return solids.at(0);
  };
  EXPECT_EQ(only("block").form, Form::box);
  EXPECT_NEAR(only("block").place.p.x(), 0.2, 1e-12);
  EXPECT_EQ(only("rod").form, Form::bar);
  EXPECT_NEAR(only("rod").size.x(), 0.5, 1e-12);
  EXPECT_EQ(only("drum").form, Form::cylinder);
  EXPECT_NEAR(only("drum").place.p.x(), 0.15, 1e-12);
  EXPECT_EQ(only("ball").form, Form::sphere);
  EXPECT_EQ(only("point").form, Form::sphere);
  // A box with the base's mass and moments: I = m(b² + c²)/12.
  const SceneSolid base = only("base");
  const Vector3d squares = base.size.cwiseAbs2();
  Vector3d moments(squares.y() + squares.z(), squares.z() + squares.x(), squares.x() + squares.y());
  moments = base.place.R.cwiseAbs2() * moments;
  EXPECT_LT((moments - Vector3d(0.5, 0.4, 0.3)).norm(), 1e-12);
  // Body, the offset it stands on, the payload at its tip.
  const auto& plain = it.scene.links[it.arm.find_link("plain")].solids;
  ASSERT_EQ(plain.size(), 3u);
  EXPECT_NEAR(plain[0].size.x(), 0.7, 1e-12);
  EXPECT_EQ(plain[1].frame, SceneSolid::Frame::parent_tip);
  EXPECT_LT((plain[1].place * Vector3d(plain[1].size.x(), 0, 0) - Vector3d(0, 0, 0.3)).norm(), 1e-12);
  EXPECT_EQ(plain[2].role, SceneSolid::Role::payload);
  EXPECT_TRUE(it.scene.links[it.arm.find_link("a.motor")].solids.empty()) << "rotors are not drawn";
  EXPECT_FALSE(it.scene.footing);
}

}  // namespace
}  // namespace lithe::testing
