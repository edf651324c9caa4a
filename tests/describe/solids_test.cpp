// Solids from meshes and from formulas for their density: closed forms, mistakes word for word, files kept with results.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstring>
#include <ctime>
#include <filesystem>

#include "app/run_program.h"
#include "lithe/arm/arm.h"
#include "lithe/describe/bodies.h"
#include "lithe/describe/case_difference.h"
#include "lithe/describe/case_reader.h"
#include "lithe/describe/case_writer.h"
#include "lithe/describe/checked_problems.h"
#include "lithe/describe/density_formula.h"
#include "lithe/describe/limits.h"
#include "lithe/describe/mesh_solid.h"
#include "lithe/results/results.h"
#include "lithe/results/stored_case.h"
#include "lithe/spatial/spatial.h"

namespace lithe::testing {
namespace {

using Triangles = std::vector<std::array<Vector3d, 3>>;

std::string stl_text(const Triangles& triangles) {
  std::string text = "solid part of a test\n";
  for (const auto& corners : triangles) {
    text += "facet normal 0 0 0\n outer loop\n";
    for (const Vector3d& p : corners) text += fmt::format("  vertex {} {} {}\n", p.x(), p.y(), p.z());
    text += " endloop\nendfacet\n";
  }
  return text + "endsolid part\n";
}

std::string stl_binary(const Triangles& triangles) {
  std::string bytes(80, '\0');
  auto put = [&](const auto& value) {
    char raw[sizeof value];
    std::memcpy(raw, &value, sizeof value);
    bytes.append(raw, sizeof value);
  };
  bytes.replace(0, 5, "solid");  // as some programs write
  put(std::uint32_t(triangles.size()));
  for (const auto& corners : triangles) {
    for (int k = 0; k < 3; ++k) put(0.0f);
    for (const Vector3d& p : corners)
      for (int k = 0; k < 3; ++k) put(float(p[k]));
    put(std::uint16_t(0));
  }
  return bytes;
}

/// Two triangles a, b, c and a, c, d.
void add_square(Triangles& triangles, const Vector3d& a, const Vector3d& b, const Vector3d& c, const Vector3d& d) {
  triangles.push_back({a, b, c});
  triangles.push_back({a, c, d});
}

Triangles block(const Vector3d& low, const Vector3d& high) {
  auto at = [&](int x, int y, int z) {
    return Vector3d(x ? high.x() : low.x(), y ? high.y() : low.y(), z ? high.z() : low.z());
  };
  Triangles t;
  add_square(t, at(0, 0, 0), at(0, 1, 0), at(1, 1, 0), at(1, 0, 0));
  add_square(t, at(0, 0, 1), at(1, 0, 1), at(1, 1, 1), at(0, 1, 1));
  add_square(t, at(0, 0, 0), at(1, 0, 0), at(1, 0, 1), at(0, 0, 1));
  add_square(t, at(0, 1, 0), at(0, 1, 1), at(1, 1, 1), at(1, 1, 0));
  add_square(t, at(0, 0, 0), at(0, 0, 1), at(0, 1, 1), at(0, 1, 0));
  add_square(t, at(1, 0, 0), at(1, 1, 0), at(1, 1, 1), at(1, 0, 1));
  return t;
}

/// Along x from the origin, its ends regular polygons.
Triangles prism(int sides, double radius, double length) {
  auto at = [&](double x, int k) {
    const double angle = 2 * M_PI * (k % sides) / sides;
    return Vector3d(x, radius * std::cos(angle), radius * std::sin(angle));
  };
  Triangles t;
  for (int k = 0; k < sides; ++k) {
    add_square(t, at(0, k), at(length, k), at(length, k + 1), at(0, k + 1));
    t.push_back({Vector3d(0, 0, 0), at(0, k), at(0, k + 1)});
    t.push_back({Vector3d(length, 0, 0), at(length, k + 1), at(length, k)});
  }
  return t;
}

Triangles ball(int n, double radius) {
  auto at = [&](int i, int k) {
    if (i == 0) return Vector3d(0, 0, radius);
    if (i == n) return Vector3d(0, 0, -radius);
    const double polar = M_PI * i / n, angle = 2 * M_PI * (k % (2 * n)) / (2 * n);
    return Vector3d(radius * std::sin(polar) * std::cos(angle), radius * std::sin(polar) * std::sin(angle),
                    radius * std::cos(polar));
  };
  Triangles t;
  for (int i = 0; i < n; ++i)
    for (int k = 0; k < 2 * n; ++k)  // those at the poles have two equal corners and are left out
      add_square(t, at(i, k), at(i + 1, k), at(i + 1, k + 1), at(i, k + 1));
  return t;
}

void reverse(Triangles& triangles) {
  for (auto& corners : triangles) std::swap(corners[0], corners[1]);
}

TEST(MeshSolids, OfABlockATetrahedronAndAPrismAreTheClosedForms) {
  const Vector3d low(0.1, -0.2, 0.3), high(0.6, 0.1, 0.5), side = high - low;
  Triangles inside_out = block(low, high);
  reverse(inside_out);
  for (const std::string& text : {stl_text(block(low, high)), stl_text(inside_out)}) {
    const MeshSolid solid = mesh_solid_of(text, "part.stl", 1);
    const double volume = side.prod();
    EXPECT_NEAR(solid.volume, volume, 1e-15);
    EXPECT_LT((solid.centre - (low + high) / 2).norm(), 1e-15);
    const Vector3d squares = side.cwiseAbs2();
    EXPECT_LT((solid.inertia -
               volume / 12 *
                   Matrix3d(Vector3d(squares.sum() - squares[0], squares.sum() - squares[1], squares.sum() - squares[2])
                                .asDiagonal()))
                  .norm(),
              1e-16);
    EXPECT_EQ(solid.low, low);
    EXPECT_EQ(solid.high, high);
  }
  // In millimetres, as floats: 1e-7 of rounding.
  Triangles large = block(1000 * low, 1000 * high);
  EXPECT_NEAR(mesh_solid_of(stl_binary(large), "part.stl", 1e-3).volume, side.prod(), 1e-7 * side.prod());

  // A right-angled tetrahedron with legs a, b, c: ∫x² = Va²/10, ∫xy = Vab/20; turned and moved.
  const double a = 0.3, b = 0.5, c = 0.7, V = a * b * c / 6;
  const Pose X{rpy_rotation({0.3, -0.7, 1.1}), {2, -1, 0.5}};
  const Vector3d o = Vector3d::Zero(), pa(a, 0, 0), pb(0, b, 0), pc(0, 0, c);
  Triangles tetrahedron{{o, pb, pa}, {o, pa, pc}, {o, pc, pb}, {pa, pb, pc}};
  for (auto& corners : tetrahedron)
    for (Vector3d& corner : corners) corner = X * corner;
  const MeshSolid solid = mesh_solid_of(stl_text(tetrahedron), "part.stl", 1);
  Matrix3d second;
  second << a * a / 10, a * b / 20, a * c / 20, a * b / 20, b * b / 10, b * c / 20, a * c / 20, b * c / 20, c * c / 10;
  const Vector3d centre(a / 4, b / 4, c / 4);
  second = V * (second - centre * centre.transpose());
  const Matrix3d inertia = X.R * (second.trace() * Matrix3d::Identity() - second) * X.R.transpose();
  EXPECT_NEAR(solid.volume, V, 1e-15);
  EXPECT_LT((solid.centre - X * centre).norm(), 1e-14);
  EXPECT_LT((solid.inertia - inertia).norm(), 1e-16);

  // A prism of n sides: area ½ n r² sin(2π/n), polar second moment area · r²(2 + cos(2π/n))/6.
  const int n = 7;
  const double r = 0.2, L = 0.9, angle = 2 * M_PI / n, area = n * r * r * std::sin(angle) / 2,
               polar = area * r * r * (2 + std::cos(angle)) / 6, across = polar / 2 * L + area * L * L * L / 12;
  const MeshSolid bar = mesh_solid_of(stl_text(prism(n, r, L)), "part.stl", 1);
  EXPECT_NEAR(bar.volume, area * L, 1e-15);
  EXPECT_LT((bar.centre - Vector3d(L / 2, 0, 0)).norm(), 1e-15);
  EXPECT_LT((bar.inertia - Matrix3d(Vector3d(polar * L, across, across).asDiagonal())).norm(), 1e-15);
}

TEST(MeshSolids, OfFineCylindersAndBallsComeNearTheSmoothOnes) {
  // Chords leave out (2π/n)²/6 of the area and twice that of the second moments.
  const BodyProperties smooth = body_properties({.shape = Cylinder{0.9, 0.4}, .density = 1});
  const MeshSolid bar = mesh_solid_of(stl_text(prism(400, 0.2, 0.9)), "part.stl", 1);
  EXPECT_NEAR(bar.volume, smooth.mass, 5e-5 * smooth.mass);
  EXPECT_LT((bar.inertia - smooth.inertia_com).norm(), 1e-4 * smooth.inertia_com.norm());
  const BodyProperties round = body_properties({.shape = Sphere{0.6}, .density = 1});
  const MeshSolid sphere = mesh_solid_of(stl_text(ball(120, 0.3)), "part.stl", 1);
  EXPECT_NEAR(sphere.volume, round.mass, 1e-3 * round.mass);
  EXPECT_LT((sphere.inertia - round.inertia_com).norm(), 2e-3 * round.inertia_com.norm());
  // A hollow is a surface inside another that faces the other way.
  Triangles hollow = block({0, 0, 0}, {1, 1, 1}), inner = block({0.25, 0.25, 0.25}, {0.75, 0.75, 0.75});
  reverse(inner);
  hollow.insert(hollow.end(), inner.begin(), inner.end());
  EXPECT_NEAR(mesh_solid_of(stl_text(hollow), "part.stl", 1).volume, 1 - 0.125, 1e-15);
}

std::string refusal(const std::string& text) {
  try {
    mesh_solid_of(text, "part.stl", 1);
  } catch (const FieldError& error) {
    return error.what();
  }
  return "none";
}

TEST(MeshSolids, AreRefusedUnlessClosedAndTurnedTheSameWay) {
  const Triangles whole = block({0, 0, 0}, {1, 2, 3});
  Triangles open = whole, flipped = whole, twice = whole;
  open.pop_back();
  std::swap(flipped[3][0], flipped[3][1]);
  twice.insert(twice.end(), whole.begin(), whole.end());
  EXPECT_EQ(
      refusal(stl_text(open)),
      "\"part.stl\": expected a closed surface: 3 of its edges are open, at one triangle only, the first from (1, 0, "
      "0) to (1, 0, 3)");
  EXPECT_EQ(
      refusal(stl_text(flipped)),
      "\"part.stl\": expected a closed surface: 3 of its edges are between triangles that face opposite sides, the "
      "first from (0, 0, 3) to (0, 2, 3)");
  EXPECT_EQ(
      refusal(stl_text(twice)),
      "\"part.stl\": expected a closed surface: 18 of its edges are at more than two triangles, the first from (0, 0, "
      "0) to (0, 0, 3)");
  EXPECT_EQ(refusal("solid a\nendsolid\n"), "\"part.stl\": expected triangles, got none");
  EXPECT_EQ(refusal("Rhino\n"),
            "\"part.stl\": expected an STL file: text that begins with `solid`, or 84 bytes and 50 for each triangle");
  EXPECT_EQ(refusal(""),
            "\"part.stl\": expected an STL file: text that begins with `solid`, or 84 bytes and 50 for each triangle");
  EXPECT_EQ(refusal("solid a\nfacet normal 0 0 1\nouter loop\nvertex 0 0 zero\n"),
            "part.stl:4: expected a number, got \"zero\"");
  EXPECT_EQ(refusal("solid a\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nendloop"),
            "part.stl:6: expected vertex, got \"endloop\"");
  EXPECT_EQ(refusal("solid a\nfacet normal 0 0 1\n"), "part.stl:3: expected outer, got the end of the file");
  EXPECT_EQ(refusal(stl_text({{Vector3d(0, 0, 0), Vector3d(1, 0, 0), Vector3d(0, 1, 0)},
                              {Vector3d(0, 0, 0), Vector3d(0, 1, 0), Vector3d(1, 0, 0)}})),
            "\"part.stl\": expected a surface with a volume inside");
  Triangles unfinished = whole;
  unfinished[0][0].x() = NAN;
  EXPECT_EQ(refusal(stl_binary(unfinished)), "\"part.stl\": triangle 1 has a corner that is not a number");
}

Triangles together(Triangles a, const Triangles& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}
Triangles inwards(Triangles triangles) {
  reverse(triangles);
  return triangles;
}

TEST(MeshSolids, OfSeveralPiecesAreTheSumOfWhatEachMeans) {
  const Triangles bar = block({0, -0.05, -0.05}, {1, 0.05, 0.05}),
                  beside = block({1.2, -0.05, -0.05}, {1.7, 0.05, 0.05}),
                  inner = block({0.1, -0.04, -0.04}, {0.9, 0.04, 0.04}),
                  core = block({0.2, -0.03, -0.03}, {0.8, 0.03, 0.03}),
                  wider = block({0.2, -0.051, -0.051}, {1.1, 0.051, 0.051}),
                  across = block({0.45, -0.5, -0.04}, {0.6, 0.5, 0.04}),
                  touching = block({1, -0.03, -0.03}, {1.5, 0.03, 0.03});
  const auto volume = [](const Triangles& t) { return mesh_solid_of(stl_text(t), "part.stl", 1).volume; };
  EXPECT_NEAR(volume(together(bar, beside)), 0.01 + 0.005, 1e-15);
  EXPECT_NEAR(volume(together(bar, inwards(inner))), 0.01 - 0.8 * 0.0064, 1e-15);
  EXPECT_NEAR(volume(inwards(together(bar, inwards(inner)))), 0.01 - 0.8 * 0.0064, 1e-15);
  EXPECT_NEAR(volume(together(together(bar, inwards(inner)), core)), 0.01 - 0.8 * 0.0064 + 0.6 * 0.0036, 1e-15);
  EXPECT_NEAR(volume(together(bar, touching)), 0.01 + 0.5 * 0.0036, 1e-15);

  const auto said = [](const Triangles& t) {
    const std::string text = refusal(stl_text(t));
    const size_t at = text.find(": around (");  // a point in the piece
    return at == text.npos ? text : text.substr(0, at) + text.substr(std::min(text.find(')', at) + 1, text.size()));
  };
  const std::string facing_in = "\"part.stl\": a separate surface faces inwards, but is no hollow in another",
                    facing_out =
                        "\"part.stl\": a separate surface faces outwards and lies in another, or overlaps it; a hollow "
                        "must face inwards, and pieces must not overlap";
  EXPECT_EQ(said(together(bar, inwards(beside))), facing_in);
  EXPECT_EQ(said(together(bar, inwards(block({2, -1, -1}, {4, 1, 1})))),
            facing_in);  // the whole is turned, the bar is wrong
  EXPECT_EQ(said(together(bar, inner)), facing_out);
  EXPECT_EQ(said(together(bar, wider)), facing_out);
  EXPECT_EQ(said(together(wider, bar)), facing_out);
  EXPECT_EQ(said(together(bar, across)), facing_out);  // no corner of either lies in the other
  EXPECT_EQ(said(together(together(bar, inwards(inner)), inwards(core))), facing_in);
  Triangles many;
  for (int k = 0; k <= 1000; ++k) many = together(many, block(Vector3d(2 * k, 0, 0), Vector3d(2 * k + 1, 1, 1)));
  EXPECT_EQ(refusal(stl_text(many)), "\"part.stl\": 1001 separate surfaces; at most 1000");
}

TEST(MeshSolids, AreBodiesOfLinksAndTheirFilesAreKept) {
  const TemporaryFolder folder;
  folder.write("part.stl", stl_text(block({0, -20, -30}, {500, 20, 30})));
  const std::string text =
      "arm:\n  links:\n    - name: a\n      joint: {name: j, type: revolute, axis: [0, 0, 1]}\n"
      "      rigid: {shape: {mesh: {file: part.stl, unit: 1 mm}}, density: 2700}\n"
      "    - name: b\n      joint: {name: k, type: revolute, axis: [0, 0, 1]}\n"
      "      rigid: {shape: {mesh: {file: part.stl, unit: 1 mm}}, mass: 3 kg, length: 0.2}\n";
  const CaseFile file = read_case(folder.write("case.yaml", text));
  const Arm arm = Arm::assemble(file.data);
  const BodyProperties same = body_properties({.shape = Block{0.5, 0.04, 0.06}, .density = 2700});
  EXPECT_NEAR(arm.link(0).M_B.mass, same.mass, 1e-14);
  EXPECT_LT((arm.link(0).M_B.com() - same.com).norm(), 1e-15);
  EXPECT_LT((arm.link(0).M_B.inertia_com() - same.inertia_com).norm(), 1e-15);
  EXPECT_NEAR(arm.link(0).X_BT.p.x(), 0.5, 1e-15);
  EXPECT_EQ(arm.link(1).M_B.mass, 3);
  EXPECT_EQ(arm.link(1).X_BT.p.x(), 0.2);
  // Results keep the file, under its name, once.
  const PortableCase portable = portable_case(file.data);
  ASSERT_EQ(portable.files.size(), 1u);
  EXPECT_EQ(portable.files[0].name, "part.stl");
  PortableCase other = portable;
  other.files[0].text += " ";
  EXPECT_EQ(arm_differences(portable, portable).size(), 0u);
  ASSERT_EQ(arm_differences(portable, other).size(), 2u);
  EXPECT_EQ(arm_differences(portable, other)[0].path, "arm.links[0].rigid.shape.mesh.file");
  // A file that changes is read again.
  folder.write("part.stl", stl_text(block({0, -20, -30}, {250, 20, 30})) + "\n\n");
  EXPECT_NEAR(body_properties(*file.data.arm.links[0].rigid).mass, same.mass / 2, 1e-14);
}

TEST(MeshSolids, OfBinaryFilesComeBackFromResults) {
  const TemporaryFolder folder;
  const std::string bytes = stl_binary(block({0, -20, -30}, {500, 20, 30}));
  folder.write("part.stl", bytes);
  folder.write("case.yaml",
               "arm:\n  links:\n    - name: a\n      joint: {name: j, type: revolute, axis: [0, 0, 1]}\n"
               "      rigid: {shape: {mesh: {file: part.stl, unit: 1 mm}}, density: 2700}\n"
               "simulate: {for: 0.1 s}\n");
  ASSERT_EQ(run_program({"run", "case.yaml", "-o", "out"}, folder.path()).code, 0);
  const Finished further = run_program({"run", "case.yaml", "--from", "out", "-o", "next"}, folder.path());
  EXPECT_EQ(further.code, 0) << further.err;
  // The results need the file no longer.
  std::filesystem::remove(folder.path() + "/part.stl");
  const StoredCase stored(Results::read(folder.path() + "/out/results.h5").header);
  const CaseFile kept = stored.read();
  EXPECT_NEAR(Arm::assemble(kept.data).link(0).M_B.mass, 0.5 * 0.04 * 0.06 * 2700, 1e-7);
  EXPECT_EQ(run_program({"info", "out", "--case", "-o", "again"}, folder.path()).code, 0);
  EXPECT_EQ(read_text(folder.path() + "/again/part.stl"), bytes);
}

// ---- formulas

BodyProperties of_formula(const BodyShape& shape, const std::string& formula) {
  return body_properties({.shape = shape, .density_formula = formula});
}

void expect_near(const BodyProperties& body, double mass, const Vector3d& com, const Vector3d& inertia) {
  // Gauss's points leave 1e-14; shifting to the mass centre adds a little.
  EXPECT_NEAR(body.mass, mass, 1e-13 * mass);
  EXPECT_LT((body.com - com).norm(), 1e-13);
  EXPECT_LT((body.inertia_com - Matrix3d(inertia.asDiagonal())).norm(), 1e-12 * inertia.norm());
}

TEST(DensityFormulas, OfSmoothDensitiesGiveTheClosedForms) {
  // The same everywhere.
  const BodyShape shapes[] = {Block{0.5, 0.04, 0.06}, Cylinder{0.9, 0.4}, Sphere{0.6}};
  for (const BodyShape& shape : shapes) {
    const BodyProperties known = body_properties({.shape = shape, .density = 2700});
    expect_near(of_formula(shape, "2700"), known.mass, known.com, known.inertia_com.diagonal());
  }
  // A block that grows linearly along x, ρ (1 + x/L): m = 3/2 ρV, centre 5/9 L, ∫x² = ρV L² (1/3 + 1/4).
  const double L = 0.5, b = 0.2, h = 0.1, rho = 2700, V = L * b * h;
  const double mass = 1.5 * rho * V, along = rho * V * L * L * (1.0 / 3 + 0.25) - mass * std::pow(5 * L / 9, 2),
               y2 = mass * b * b / 12, z2 = mass * h * h / 12;
  expect_near(of_formula(Block{L, b, h}, "2700*(1 + x/0.5)"), mass, {5 * L / 9, 0, 0},
              {y2 + z2, along + z2, along + y2});
  // A cylinder that grows quadratically outwards, ρ (1 + r²/R²): m = 3/2 ρV, ∫r² dm = ρ L π R⁴ (1/2 + 1/3).
  const double R = 0.2, C = M_PI * R * R * L, m = 1.5 * rho * C, polar = rho * L * M_PI * std::pow(R, 4) * 5 / 6;
  expect_near(of_formula(Cylinder{L, 2 * R}, "2700*(1 + (y^2 + z^2)/0.2^2)"), m, {L / 2, 0, 0},
              {polar, polar / 2 + m * L * L / 12, polar / 2 + m * L * L / 12});
  // A ball that falls linearly outwards, ρ (1 − r/2R): m = 4πρR³ (1/3 − 1/8), J = 8π/3 ρR⁵ (1/5 − 1/12).
  const double J = 8 * M_PI / 3 * rho * std::pow(R, 5) * 7 / 60;
  expect_near(of_formula(Sphere{2 * R}, "2700*(1 - sqrt(x^2 + y^2 + z^2)/(2*0.2))"),
              4 * M_PI * rho * R * R * R * 5 / 24, Vector3d::Zero(), Vector3d::Constant(J));
  // A product of functions: ∫exp(x) = e^L − 1, ∫cos(3y) = 2 sin(3b/2)/3.
  EXPECT_NEAR(of_formula(Block{L, b, h}, "exp(x)*cos(3*y)").mass, (std::exp(L) - 1) * 2 * std::sin(1.5 * b) / 3 * h,
              1e-15);
  // Products of inertia: ρ = 1 + 100 xy has ∫xy dm = 100 ∫x²y².
  const BodyProperties skewed = of_formula(Block{L, b, h}, "1 + 10*x*y");
  EXPECT_NEAR(skewed.com.y(), 10 * (L / 2) * (b * b / 12), 1e-15);
  EXPECT_NEAR(skewed.inertia_com(0, 1), -(10 * V * L * L / 3 * b * b / 12 - V * (skewed.com.x() * skewed.com.y())),
              1e-15);
  // A kink: |x − L/3| over the block.
  EXPECT_NEAR(of_formula(Block{L, b, h}, "abs(x - 0.5/3)").mass, 5.0 / 18 * L * V, 1e-4 * 5.0 / 18 * L * V);
}

std::string refused(const BodyShape& shape, const std::string& formula) {
  const auto fault = fault_of({.shape = shape, .density_formula = formula});
  return fault ? fault->field + ": " + fault->message : "none";
}

TEST(DensityFormulas, WithNarrowPartsAreRightOrRefused) {
  // Ribs that Gauss's points, 64 or 128 along the bar, may all miss. Masses by hand.
  const Block bar{1, 0.1, 0.1};
  const struct {
    const char* formula;
    double mass;
  } ribs[] = {{"1000 + 1e6*max(0, 1-abs(x-0.3)/0.005)", 10 + 1e4 * 0.005},
              {"1000 + 7000*min(1, max(0, 1e3*(0.02-abs(x-0.3))))", 10 + 70 * 0.039},
              {"1000 + 1e6*exp(-((x-0.3)/0.005)^2)", 10 + 1e4 * 0.005 * std::sqrt(M_PI)},
              {"1000 + 1e6*exp(-((x-0.61)/0.002)^2)", 10 + 1e4 * 0.002 * std::sqrt(M_PI)}};
  for (const auto& rib : ribs) {
    const std::string said = refused(bar, rib.formula);
    if (said == "none")
      EXPECT_NEAR(of_formula(bar, rib.formula).mass, rib.mass, 1e-3 * rib.mass) << rib.formula;
    else
      EXPECT_EQ(said.substr(0, 45), ".density_formula: expected a smoother formula") << rib.formula;
  }
  // A tenth of the body is no narrow part: 0.1 m of the bar weigh twice as much in the middle, rising and falling linearly.
  EXPECT_NEAR(of_formula(bar, "1000*(1 + max(0, 1-abs(x-0.3)/0.1))").mass, 10 + 10 * 0.1, 1e-3 * 11);
  // A disc in a cylinder and a shell in a ball.
  EXPECT_EQ(refused(Cylinder{1, 0.2}, "1000 + 1e6*exp(-((x-0.3)/0.002)^2)").substr(0, 45),
            ".density_formula: expected a smoother formula");
  EXPECT_EQ(refused(Sphere{1}, "1000 + 1e6*exp(-((sqrt(x^2+y^2+z^2)-0.3)/0.001)^2)").substr(0, 45),
            ".density_formula: expected a smoother formula");
  // Steep oblique edges, which lines across them see badly and the whole body well: in a cube, 7000 kg/m³ more where |y − x/2| < 0.2.
  // It has 2h of y up to x = 1 − 2h, and 0.5 + h − x/2 beyond; its edges are 5 mm further in, in the mean.
  const double h = 0.195, e = 1 - 2 * h, area = 2 * h * e + (0.5 + h) * (1 - e) - (1 - e * e) / 4;
  EXPECT_NEAR(of_formula(Block{1, 1, 1}, "1000 + 7000*min(1, max(0, 1e2*(0.2-abs(y-x/2))))").mass, 1000 + 7000 * area,
              4);
}

TEST(DensityFormulas, AreIntegratedOnce) {
  // A formula that is refused with the most points, asked about by many payloads; and by many links with formulas of their own.
  const auto link = [](int i, const std::string& formula, int payloads) {
    std::string text = fmt::format(
        "    - name: l{}\n      joint: {{name: j{}, type: revolute, axis: [0, 0, 1]}}\n"
        "      rigid: {{shape: {{block: {{x: 1, y: 1, z: 1}}}}, density_formula: \"{}\"}}\n      payload: [",
        i, i, formula);
    for (int k = 0; k < payloads; ++k) text += fmt::format("{}{{mass: 1, at: 0.5}}", k > 0 ? ", " : "");
    return text + "]\n";
  };
  const auto seconds = [](const std::string& text, std::string& said) {
    const std::clock_t begin = std::clock();
    try {
      read_case_text(text);
      said.clear();
    } catch (const CaseError& error) {
      said = error.what();
    }
    return double(std::clock() - begin) / CLOCKS_PER_SEC;
  };
  std::string said;
  const double one = seconds("arm:\n  links:\n" + link(0, "max(0, sin(4000*x))", 1), said);
  const double forty = seconds("arm:\n  links:\n" + link(0, "max(0, sin(4001*x))", 40), said);
  EXPECT_LT(forty, 5 * one + 0.1);
  EXPECT_EQ(std::count(said.begin(), said.end(), '\n'), 0) << said;  // the formula is the only mistake
  std::string many = "arm:\n  links:\n";
  for (int i = 0; i < 105; ++i) many += link(i, fmt::format("2700 + {}*x", i), 1);
  const double first = seconds(many, said), again = seconds(many, said);
  EXPECT_EQ(said, "");
  EXPECT_LT(again, 0.3 * first);
}

TEST(DensityFormulas, OfACaseMayTakeSoManyOperations) {
  const BodyShape cube = Block{1, 1, 1};
  const DensityCost plain = density_cost("2700", cube), wavy = density_cost("2 + sin(x)", cube);
  EXPECT_GE(plain.operations, 64 * 64 * 64);
  EXPECT_EQ(wavy.operations, 13 * plain.operations);  // a number, a variable, a sum, and ten for the sine
  EXPECT_NE(plain.key, wavy.key);
  EXPECT_EQ(density_cost("2700", cube).key, plain.key);
  EXPECT_NE(density_cost("2700", Block{1, 1, 2}).key, plain.key);
  CheckedProblems problems;
  for (int k = 0; k < 3; ++k) problems.count_formula("a", limits::formula_operations, "arm.links[0].rigid");
  EXPECT_FALSE(problems.too_much());
  problems.count_formula("b", 1, "arm.links[1].rigid.density_formula");
  EXPECT_TRUE(problems.too_much());
  const std::vector<Problem> said = problems.finished();
  ASSERT_EQ(said.size(), 1u);
  EXPECT_EQ(said[0].path, "arm.links[1].rigid.density_formula");
  EXPECT_EQ(said[0].message,
            "more than 3e+09 operations to integrate the density formulas so far: use fewer, shorter or smoother ones");
}

TEST(DensityFormulas, AreRefusedWhereTheyMakeNoBody) {
  EXPECT_EQ(refused(Rod{1}, "1"), ".density_formula: a formula needs the shape block, cylinder or sphere");
  EXPECT_EQ(refused(Sphere{1}, "0*x"), ".density_formula: expected a density above zero somewhere in the body");
  EXPECT_EQ(refused(Block{1, 1, 1}, "1 - 2*x").substr(0, 66),
            ".density_formula: expected a density of zero or more, got -0.33998");
  EXPECT_EQ(refused(Block{1, 1, 1}, "sqrt(x - 2)").substr(0, 57),
            ".density_formula: expected a density of zero or more, got");
  EXPECT_EQ(refused(Block{1, 1, 1}, "max(0, sin(4000*x))").substr(0, 45),
            ".density_formula: expected a smoother formula");
  EXPECT_EQ(refused(Block{1, 1, 1}, "1 +"),
            ".density_formula: expected a number, a name or `(` at character 4, got the end");
}

}  // namespace
}  // namespace lithe::testing
