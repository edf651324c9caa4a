// Panels of lifting surfaces in scenes, their wake, and a camera that goes from key to key.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <numbers>

#include "lithe/aero/vortex_lattice.h"
#include "lithe/describe/case_reader.h"
#include "lithe/drive/lifting_surfaces.h"
#include "lithe/show/film/arm_drawing.h"
#include "lithe/show/film/camera_keys.h"
#include "lithe/show/run_json.h"
#include "lithe/show/scene.h"
#include "lithe/show/shown_run.h"
#include "lithe/show/sketch.h"
#include "lithe/show/wake_sheet.h"
#include "support/random_arm.h"
#include "support/winged_arms.h"

namespace lithe::testing {
namespace {

constexpr double pi = std::numbers::pi;

struct Winged {
  Case data;
  Arm arm;
  Scene scene;
  explicit Winged(const std::string& text)
      : data(read_case_text(text).data), arm(Arm::assemble(data)), scene(scene_of(data, arm)) {}
};

// A point of the plate at x, c behind its axis, goes with its section: by the stations of the beam, which are drawn otherwise.
TEST(Panels, GoWithTheSectionsOfTheirBeam) {
  const Winged it(plate_wing("{modes: {bending_z: 2, torsion: 1}}", 0, 2, 8, "speed: 10"));
  ASSERT_EQ(it.scene.surfaces.size(), 1u);
  const SceneSurface& surface = it.scene.surfaces[0];
  ASSERT_EQ(surface.corners.size(), 3u * 9);
  State state = State::zero(it.arm);
  state.q << 4e-3, -2e-3, 0.05;
  const Kinematics kin = kinematics_of(it.arm, state);
  const std::vector<Vector3d> places = corner_places(surface, it.arm, state, kin);
  const Link& link = it.arm.link(0);
  // The tip is drawn in by a quarter of a panel; the root, at the mirror, is not.
  const double width = 0.3429 / 8.25;
  const auto delta = state.q.segment(link.flex_q0(), 3);
  for (const int j : {0, 3, 8}) {
    const double x = j * width;
    // Between two stations by a straight line.
    const auto& stations = link.flex->stations.x;
    size_t k = 1;
    while (k + 1 < stations.size() && stations[k] < x) ++k;
    const double share = (x - stations[k - 1]) / (stations[k] - stations[k - 1]);
    auto of = [&](const auto& shapes) -> Vector3d {
      return (1 - share) * Vector3d(shapes.middleRows(3 * int(k - 1), 3) * delta) +
             share * Vector3d(shapes.middleRows(3 * int(k), 3) * delta);
    };
    for (int i = 0; i <= 2; ++i) {
      const Vector3d c(0, (0.5 - i / 2.0) * 0.127, 0);  // trailing along −y, the axis at mid-chord
      const Vector3d expected = kin.X_WB[0] * Vector3d(Vector3d(x, 0, 0) + of(link.flex->stations.phi) + c +
                                                       of(link.flex->stations.psi).cross(c));
      EXPECT_LT((places[size_t(surface.corner(i, j))] - expected).norm(), 1e-12) << i << j;
    }
  }
}

TEST(Panels, ThatMeetShareTheirEdgeAndAreDrawn) {
  const Winged it(plate_of_bodies(4, 0, 3, 8, "speed: 10"));
  ASSERT_EQ(it.scene.surfaces.size(), 4u);
  State state = random_state(it.arm, 3);
  state.q *= 0.1;
  const Kinematics kin = kinematics_of(it.arm, state);
  for (int s = 0; s + 1 < 4; ++s) {
    const auto here = corner_places(it.scene.surfaces[size_t(s)], it.arm, state, kin),
               next = corner_places(it.scene.surfaces[size_t(s + 1)], it.arm, state, kin);
    for (int i = 0; i <= 3; ++i)
      EXPECT_LT((here[size_t(it.scene.surfaces[size_t(s)].corner(i, 2))] -
                 next[size_t(it.scene.surfaces[size_t(s + 1)].corner(i, 0))])
                    .norm(),
                1e-15);
  }
  // On a page and in a sketch: every panel.
  const auto json = scene_json(it.arm, it.scene);
  ASSERT_EQ(json["surfaces"].size(), 4u);
  EXPECT_EQ(json["surfaces"][1]["corners"].size(), 4u * 3);
  EXPECT_EQ(json["surfaces"][1]["corners"][0].size(), 2u);  // half of it on each plate
  auto panels = [&](const std::string& svg) {
    int n = 0;
    for (size_t at = 0; (at = svg.find("fill-opacity", at)) != std::string::npos; ++at) ++n;
    return n;
  };
  EXPECT_EQ(panels(sketch(it.arm, {state}, {}, it.scene.surfaces)), 4 * 3 * 2);
  EXPECT_EQ(panels(sketch(it.arm, {state})), 0);
  // In a film: two faces of cells and of the lines below them, two triangles each.
  film::Triangles with, without;
  Scene bare = it.scene;
  bare.surfaces.clear();
  add_arm(with, it.arm, it.scene, state, {.theme = film::theme(false)});
  add_arm(without, it.arm, bare, state, {.theme = film::theme(false)});
  EXPECT_EQ(with.indices.size() - without.indices.size(), 24u * 2 * 2 * 6);
  // Where they are in the picture: points of the trailing edge count for its extent.
  EXPECT_EQ(film::extent_points(it.arm, it.scene, state).size(), film::extent_points(it.arm, bare, state).size() + 16);
}

// The sheet that is drawn is the wake that the vortex lattice marches, node by node.
TEST(Wake, IsThatOfTheLattice) {
  const SceneSurface surface{"wing", 2, 3, 0, {}};
  WindSpec spec;
  spec.speed = 5;
  spec.incidence = 0.1;
  spec.wake_length = 4;
  auto corners_at = [&](double t) {
    std::vector<Vector3d> places;
    for (int i = 0; i <= 2; ++i)
      for (int j = 0; j <= 3; ++j) places.emplace_back(0.5 * i, j, 0.2 * std::sin(3 * t) * (1 + 0.3 * j));
    return places;
  };
  const double now = 0.7;
  const WakeSheet sheet = prescribed_wake(surface, spec, now, 0, corners_at);
  ASSERT_EQ(sheet.rows, 16);  // four to a chord
  const double step = 4 * 1.0 / 5 / 16;
  auto points = [&](double t) {
    aero::Points corners(3, 12);
    const auto places = corners_at(std::max(t, 0.0));
    for (int k = 0; k < 12; ++k) corners.col(k) = places[size_t(k)];
    return corners;
  };
  aero::VortexLattice air(aero::Lattice({{2, 3}}), points(now - 16 * step), {.velocity = wind_velocity(spec)},
                          {.wake_rows = 16});
  const aero::Points still = aero::Points::Zero(3, 12);
  for (int k = 15; k >= 0; --k) {
    air.begin_step(step);
    air.solve(points(now - k * step), still);
    air.accept();
  }
  // Its rings end a quarter panel behind the edge.
  const aero::RingSheet& wake = air.wake()[0];
  for (int k = 1; k <= 15; ++k)
    for (int j = 0; j <= 3; ++j) {
      const Vector3d behind(0.125, 0, 0);
      EXPECT_LT((wake.nodes[wake.node(k, j)] - behind - sheet.places[size_t(4 * k + j)]).norm(), 1e-12) << k << j;
    }
}

/// A run of a wing that pitches.
ShownRun pitching_run(int rows, const std::string& wind) {
  const Winged it(wing_on_a_spring(0.25, 2, 3, wind));
  ShownRun run{.label = "wing", .file = "wing.h5"};
  run.arm = it.arm;
  run.scene = it.scene;
  run.wind = it.data.wind;
  run.results.header.columns = {{"pitch", "rad"}};
  run.results.series.emplace_back();
  for (int row = 0; row < rows; ++row) {
    run.results.time.push_back(0.01 * row);
    run.results.series[0].push_back(0.3 * std::sin(0.07 * row));
  }
  return run;
}

// What a page gets are rows of the very sheet that films draw: where the edge was, turned by hand, and on with the wind.
TEST(Wake, OnAPageIsThatOfAFilm) {
  for (const double length : {3.0, 20.0}) {  // chords: 12 rows, all of them kept; 80
    ShownRun run = pitching_run(101, fmt::format("speed: 5, incidence: 0.1, wake_length: {}", length));
    const SceneSurface& surface = run.scene.surfaces[0];
    run.wake = wake_frames(run, 1'000'000);
    const WakeFrames& frames = *run.wake;
    ASSERT_EQ(frames.sheets.size(), 1u);
    const auto [rows, columns] = frames.sheets[0];
    EXPECT_EQ(rows, length > 10 ? 24 : 12);
    EXPECT_EQ(columns, 3);
    ASSERT_EQ(frames.at.size(), 101u);
    ASSERT_EQ(frames.places.size(), 101u * 3 * size_t(rows + 1) * 4);
    const double chord = 0.5, ahead = 0.75 * chord, step = length * chord / 5 / (4 * length);
    for (const int at : {0, 17, 100}) {
      const double t = run.results.time[size_t(at)];
      const WakeSheet film = wake_of(run, surface, t);
      for (int k = 0; k <= rows; ++k) {
        const int of_film = int(std::lround(4 * length * k / rows));
        const double left = std::max(t - of_film * step, 0.0) / 0.01;
        const auto before = std::min(size_t(left), size_t(99));
        const auto& angle = run.results.series[0];
        const double turned = angle[before] + (left - double(before)) * (angle[before + 1] - angle[before]);
        const double carried = 5 * of_film * step;
        for (int j = 0; j <= columns; ++j) {
          const double* place = &frames.places[3 * ((size_t(at) * size_t(rows + 1) + size_t(k)) * 4 + size_t(j))];
          for (int c = 0; c < 3; ++c) EXPECT_EQ(place[c], film.places[size_t(of_film * 4 + j)][c]);
          EXPECT_NEAR(place[0], ahead * std::cos(turned) + carried * std::cos(0.1), 1e-12) << at << " " << k;
          EXPECT_NEAR(place[2], -ahead * std::sin(turned) + carried * std::sin(0.1), 1e-12) << at << " " << k;
        }
      }
    }
    const auto json = run_json(run);
    EXPECT_EQ(json["wake"]["at"].size(), 101u);
    EXPECT_EQ(json["wake"]["sheets"][0]["rows"], rows);
    EXPECT_EQ(json["wake"]["sheets"][0]["columns"], 3);
  }
}

// However long the run, a page stays small; first and last row are there.
TEST(Wake, OnAPageIsBounded) {
  const ShownRun run = pitching_run(5001, "speed: 5, wake_length: 20");
  const WakeFrames few = wake_frames(run, 10'000), most = wake_frames(run, 100'000'000), none = wake_frames(run, 1);
  EXPECT_LE(few.places.size(), 10'000u);
  EXPECT_GT(few.places.size(), 9'000u);
  EXPECT_EQ(most.at.size(), 600u);
  EXPECT_EQ(none.at, (std::vector<int>{0, 5000}));
  for (const WakeFrames& frames : {few, most}) {
    EXPECT_EQ(frames.at.front(), 0);
    EXPECT_EQ(frames.at.back(), 5000);
  }
  EXPECT_EQ(wake_frames(pitching_run(1, "speed: 5"), 1000).at, std::vector<int>{0});
  ShownRun calm = run;
  calm.wind.reset();
  EXPECT_TRUE(wake_frames(calm, 1000).places.empty());
}

TEST(Wake, IsRefusedWhereNoneCanBeDrawn) {
  auto said = [](const ShownRun& run) -> std::string {
    try {
      demand_wakes({&run, 1});
    } catch (const std::invalid_argument& error) {
      return error.what();
    }
    return "accepted";
  };
  ShownRun run = pitching_run(2, "speed: 5");
  EXPECT_EQ(said(run), "accepted");
  run.wind->wake = WakeModel::free;
  EXPECT_EQ(said(run),
            "in wing.h5 the wake moved itself (`wake: free`), which results do not record; a prescribed wake can be "
            "drawn");
  run.wind.reset();
  EXPECT_EQ(said(run), "these results contain no wind");
}

TEST(CameraKeys, AreReadAndRefused) {
  const auto keys = film::camera_keys_in("# three\n0 s=iso : from afar\n\n500 ms=1,2,3>0,0,1\n1 s = 1 m,2,3:close\n");
  ASSERT_EQ(keys.size(), 3u);
  EXPECT_EQ(keys[0].view, "iso");
  EXPECT_EQ(keys[0].name, "from afar");
  EXPECT_EQ(keys[1].time, 0.5);
  EXPECT_EQ(keys[1].target, Vector3d(0, 0, 1));
  EXPECT_EQ(keys[2].eye, Vector3d(1, 2, 3));
  EXPECT_FALSE(keys[2].target);
  auto said = [](const std::string& words) -> std::string {
    try {
      film::camera_keys_in(words);
    } catch (const std::invalid_argument& error) {
      return error.what();
    }
    return "accepted";
  };
  EXPECT_EQ(said("1 s=fromt"),
            "line 1: no view 'fromt', did you mean 'front'? Known: iso, front, side, top, or x,y,z of the eye");
  EXPECT_EQ(said("\n1 m=front").find("line 2: expected a time"), 0u);
  EXPECT_EQ(said("front").find("line 1: expected TIME=VIEW"), 0u);
  EXPECT_EQ(said("1=1,2,3>1,2,3"), "line 1: \"1=1,2,3>1,2,3\": eye and target are the same point");
}

TEST(CameraKeys, ArePassedInTime) {
  const Vector3d up = Vector3d::UnitZ();
  const std::vector<film::Camera> cameras{film::looking({4, 0, 1}, {0, 0, 1}, up),
                                          film::looking({0, 1, 1}, {0, 0, 1}, up),
                                          film::looking({0, 5, 3}, {0, 1, 3}, up)};
  const film::KeyedCamera path({1, 2, 4}, cameras, up);
  for (const auto& [t, k] : {std::pair{0.0, 0}, {1.0, 0}, {2.0, 1}, {4.0, 2}, {9.0, 2}}) {
    EXPECT_LT((path.at(t).eye - cameras[size_t(k)].eye).norm(), 1e-12) << t;
    EXPECT_LT((path.at(t).towards - cameras[size_t(k)].towards).norm(), 1e-12) << t;
  }
  // Half way: half of the quarter turn round the same target, at the geometric mean of the distances.
  const film::Camera half = path.at(1.5);
  EXPECT_LT((half.eye - Vector3d(std::sqrt(2), std::sqrt(2), 1)).norm(), 1e-12);
  // It rests at keys: no speed there.
  EXPECT_LT((path.at(2 + 1e-4).eye - path.at(2 - 1e-4).eye).norm(), 1e-6);
}

}  // namespace
}  // namespace lithe::testing
