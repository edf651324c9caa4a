// Pictures against geometry: a pinhole camera written down here, poses and deflections by hand.
#include "lithe/show/film/film.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "lithe/show/film/arm_drawing.h"
#include "lithe/show/film/renderer.h"

namespace lithe::testing {
namespace {

using Eigen::Vector2d;
using film::Colour;
using film::Picture;

constexpr double pi = std::numbers::pi;

/// docs/movie.md: the picture is 0.574 times as high as what it shows is far away.
struct Pinhole {
  Vector3d eye, target;
  int width, height;

  Vector2d pixel(const Vector3d& point) const {
    const Vector3d forward = (target - eye).normalized(), right = forward.cross(Vector3d::UnitZ()).normalized();
    const Vector3d down = forward.cross(right), from = point - eye;
    const double scale = height / (0.574 * from.dot(forward));
    return {width / 2.0 + scale * from.dot(right), height / 2.0 + scale * from.dot(down)};
  }
};

struct Rgb {
  int r, g, b;
};
Rgb at(const Picture& picture, const Vector2d& pixel) {
  const std::uint8_t* p = picture.at(int(std::floor(pixel.x())), int(std::floor(pixel.y())));
  return {p[2], p[1], p[0]};
}
Rgb at(const Picture& picture, int x, int y) { return at(picture, Vector2d(x + 0.5, y + 0.5)); }

/// Of the blue that the first link of an arm is painted in, in whatever light; neither paper nor steel.
bool blue(const Rgb& c) { return c.b > 1.7 * c.r && c.b > c.g + 15; }
/// Grid lines, shadows and paper are nearly grey; everything drawn here is not.
bool grey(const Rgb& c) { return std::max({c.r, c.g, c.b}) - std::min({c.r, c.g, c.b}) < 26; }
bool red(const Rgb& c) { return c.r > 1.7 * c.b && c.r > c.g + 15; }

/// First and second moments of the pixels that a colour test accepts, and their box.
struct Blob {
  int n = 0, left = 1 << 30, right = -1, top = 1 << 30, bottom = -1;
  Vector2d centre = Vector2d::Zero();
  double angle = 0;  // of its long axis, counter-clockwise from the right
};
template <class Test>
Blob blob(const Picture& picture, Test test) {
  Blob it;
  Eigen::Matrix2d second = Eigen::Matrix2d::Zero();
  for (int y = 0; y < picture.height; ++y)
    for (int x = 0; x < picture.width; ++x) {
      if (!test(at(picture, x, y))) continue;
      ++it.n;
      it.left = std::min(it.left, x);
      it.right = std::max(it.right, x);
      it.top = std::min(it.top, y);
      it.bottom = std::max(it.bottom, y);
      const Vector2d p(x + 0.5, y + 0.5);
      it.centre += p;
      second += p * p.transpose();
    }
  if (it.n == 0) return it;
  it.centre /= it.n;
  const Eigen::Matrix2d spread = second / it.n - it.centre * it.centre.transpose();
  it.angle = -0.5 * std::atan2(2 * spread(0, 1), spread(0, 0) - spread(1, 1));
  return it;
}

// --- surfaces -------------------------------------------------------------------------------------------------------------

constexpr int width = 640, height = 400;

film::Surroundings plain_ground() {
  film::Surroundings s;
  s.centre = {0, 0, 1};
  s.radius = 2;
  s.grid_pitch = 100;  // no line in sight but those through the origin
  s.grid_radius = 300;
  return s;
}

Picture drawn(const film::Frame& frame, const Pinhole& view, const film::Surroundings& surroundings = plain_ground()) {
  static film::Renderer renderer(width, height);
  renderer.begin(frame, surroundings, film::looking(view.eye, view.target, Vector3d::UnitZ()), film::theme(false), {});
  return renderer.collect();
}

film::Frame bar_along(const Vector3d& from, const Vector3d& direction, double length, double radius) {
  film::Frame frame;
  Matrix3d R;
  R.col(0) = direction.normalized();
  R.col(1) = R.col(0).unitOrthogonal();
  R.col(2) = R.col(0).cross(R.col(1));
  film::add_cone(frame.solids, {R, from}, length, 2 * radius, 2 * radius, film::colour(0xd02020));
  return frame;
}

TEST(Renderer, ABarFillsItsProjection) {
  const Vector3d from(-0.6, 0.1, 0.8), along = Vector3d(1.1, -0.4, 0.5);
  const double length = along.norm(), radius = 0.07;
  const Pinhole view{{0.5, -3.5, 2}, {0, 0, 1}, width, height};
  const Blob seen = blob(drawn(bar_along(from, along, length, radius), view), red);
  // The hull of a cylinder's picture is that of its two end circles.
  double left = 1e9, right = -1e9, top = 1e9, bottom = -1e9;
  const Vector3d u = along.unitOrthogonal(), v = along.normalized().cross(u);
  for (const double end : {0.0, 1.0})
    for (int k = 0; k < 720; ++k) {
      const Vector2d p =
          view.pixel(from + end * along + radius * (std::cos(k * pi / 360) * u + std::sin(k * pi / 360) * v));
      left = std::min(left, p.x());
      right = std::max(right, p.x());
      top = std::min(top, p.y());
      bottom = std::max(bottom, p.y());
    }
  EXPECT_NEAR(seen.left, left, 1.2);
  EXPECT_NEAR(seen.right + 1, right, 1.2);
  EXPECT_NEAR(seen.top, top, 1.2);
  EXPECT_NEAR(seen.bottom + 1, bottom, 1.2);
  EXPECT_GT(right - left, 150) << "too small to tell";
}

TEST(Renderer, ABarTurnsByItsAngle) {
  const Pinhole view{{0, -4, 1}, {0, 0, 1}, width, height};
  for (const double angle_deg : {0.0, 17.0, 52.0, 80.0, -35.0}) {
    const double a = angle_deg * pi / 180;
    const Vector3d along(std::cos(a), 0, std::sin(a));
    const Blob seen = blob(drawn(bar_along(Vector3d(0, 0, 1) - 0.5 * along, along, 1, 0.03), view), red);
    EXPECT_NEAR(seen.angle * 180 / pi, angle_deg, 0.4);
    EXPECT_LT((seen.centre - Vector2d(width / 2.0, height / 2.0)).norm(), 1);
  }
}

TEST(Renderer, EdgesAreSmooth) {
  // A flat triangle before a grey sky: each pixel tells how much of it is covered, and all together the area.
  film::Frame frame;
  const Vector3d corners[] = {{-0.5, 0, 0.7}, {0.6, 0, 0.9}, {-0.1, 0, 1.4}};
  for (const Vector3d& corner : corners) frame.lines.add(corner, -Vector3d::UnitY(), film::colour(0xff0000));
  frame.lines.triangle(0, 1, 2);
  const Pinhole view{{0, -4, 1}, {0, 0, 1}, width, height};
  const Picture picture = drawn(frame, view), empty = drawn({}, view);
  double area = 0;
  int partly = 0;
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x) {
      const double before = at(empty, x, y).g, covered = (before - at(picture, x, y).g) / before;
      area += covered;
      partly += covered > 0.15 && covered < 0.85;
    }
  Vector2d p[3];
  for (int k = 0; k < 3; ++k) p[k] = view.pixel(corners[k]);
  const double expected = 0.5 * std::abs((p[1] - p[0]).x() * (p[2] - p[0]).y() - (p[1] - p[0]).y() * (p[2] - p[0]).x());
  EXPECT_NEAR(area, expected, 0.004 * expected);
  EXPECT_GT(partly, 150);  // some 380 pixels lie along its edges; without smoothing none would be partly covered
}

TEST(Renderer, ShadowsFallAwayFromTheLamp) {
  // docs/movie.md: light comes from (-0.35, -0.55, 1.2). A box of 0.4 m, one metre above the ground at its middle.
  film::Frame frame;
  const Vector3d middle(0.3, 0.4, 1), to_lamp(-0.35, -0.55, 1.2);
  film::add_box(frame.solids, {Matrix3d::Identity(), middle}, {0.4, 0.4, 0.4}, film::colour(0xd02020));
  const Pinhole view{{1, -3, 3.5}, {0.4, 0.4, 0.3}, width, height};
  const Picture picture = drawn(frame, view), empty = drawn({}, view);
  auto darker = [&](const Vector3d& place) {
    const Vector2d p = view.pixel(place);
    return at(empty, p).g - at(picture, p).g;
  };
  const Vector3d shadow = middle - to_lamp / to_lamp.z() * middle.z();
  ASSERT_NEAR(shadow.z(), 0, 1e-12);
  EXPECT_GT(darker(shadow), 20);
  // The box's upper and lower face bound it: the shadow of a point at height h lies h·(0.35, 0.55)/1.2 aside.
  for (const double side : {-1.0, 1.0}) {
    EXPECT_GT(darker(shadow + Vector3d(side * 0.17, 0, 0)), 20) << side;
    EXPECT_NEAR(darker(shadow + Vector3d(side * 0.33, 0, 0)), 0, 1) << side;
  }
  EXPECT_NEAR(darker(Vector3d(middle.x() - 0.35, middle.y() - 0.55, 0)), 0, 1) << "the lamp's side is in the light";
}

TEST(Renderer, WhatIsNearerHidesWhatIsBehind) {
  film::Frame frame = bar_along({-0.5, 0.5, 1}, {1, 0, 0}, 1, 0.1);
  film::add_box(frame.solids, {Matrix3d::Identity(), Vector3d(0, -0.5, 1)}, {0.2, 0.1, 0.2}, film::colour(0x0060c0));
  const Pinhole view{{0, -4, 1}, {0, 0, 1}, width, height};
  const Picture picture = drawn(frame, view);
  EXPECT_TRUE(blue(at(picture, view.pixel({0, -0.5, 1}))));
  EXPECT_TRUE(red(at(picture, view.pixel({0.3, 0.5, 1}))));
}

// --- arms -----------------------------------------------------------------------------------------------------------------

/// A run as results hold it, row by row given here.
ShownRun run_of(const std::string& case_text, std::vector<double> times, const std::vector<std::string>& names,
                std::vector<std::vector<double>> series) {
  ShownRun run;
  run.results.header.case_text = case_text;
  run.results.header.case_file = "test.yaml";
  for (const std::string& name : names) run.results.header.columns.push_back({name, ""});
  run.results.time = std::move(times);
  run.results.series = std::move(series);
  add_arm(run);
  if (!run.arm) throw std::runtime_error(run.no_scene);
  return run;
}

film::Look look_from(const Pinhole& view) {
  film::Look look{.width = view.width, .height = view.height};
  look.ghost = look.trail = look.captions = false;
  look.eye = view.eye;
  look.target = view.target;
  return look;
}

Picture picture_of(const ShownRun& run, const film::Look& look, double t) {
  const std::vector<ShownRun> runs{run};
  film::Film film(runs, look, film::shown_span(runs));
  return film.draw(t);
}

constexpr const char* two_bars = R"(
arm:
  gravity: [0, 0, 0]
  links:
    - name: upper
      joint: {name: shoulder, type: revolute, axis: [0, -1, 0]}
      beam: {length: 1, material: steel, section: {circle: {diameter: 60 mm}}, flexibility: rigid}
    - name: fore
      joint: {name: elbow, type: revolute, axis: [0, -1, 0]}
      beam: {length: 0.8, material: steel, section: {circle: {diameter: 60 mm}}, flexibility: rigid}
)";

TEST(Film, LinksAreWhereTheirAnglesPutThem) {
  const double q1 = 50 * pi / 180, q2 = -75 * pi / 180;
  const ShownRun run = run_of(two_bars, {0, 1}, {"shoulder", "elbow"}, {{0, q1}, {0, q2}});
  const Pinhole view{{0.8, -4.2, 0.9}, {0.7, 0, 0.4}, width, height};
  for (const double t : {0.0, 0.35, 1.0}) {  // between rows: linear
    const Picture picture = picture_of(run, look_from(view), t);
    const double a = t * q1, b = t * (q1 + q2);
    const Vector3d upper(std::cos(a), 0, std::sin(a)), fore(std::cos(b), 0, std::sin(b));
    for (const double share : {0.2, 0.5, 0.8}) {
      EXPECT_TRUE(blue(at(picture, view.pixel(share * upper)))) << t << " " << share;
      EXPECT_TRUE(blue(at(picture, view.pixel(upper + 0.8 * share * fore)))) << t << " " << share;
      // Above and below by twice its radius there is nothing of it.
      for (const double side : {-0.06, 0.06}) {
        const Vector3d across(-std::sin(a), 0, std::cos(a));
        EXPECT_TRUE(grey(at(picture, view.pixel(share * upper + side * across)))) << t << " " << share;
      }
    }
  }
}

constexpr const char* cantilever = R"(
arm:
  gravity: [0, 0, 0]
  links:
    - name: boom
      joint: {name: root, type: revolute, axis: [0, -1, 0]}
      beam:
        length: 2
        material: aluminium
        section: {circle: {diameter: 40 mm}}
        flexibility: {modes: {bending_z: 1, shape: polynomial}}
)";

/// The first polynomial of a clamped beam is x², one at the tip.
Vector3d bent(double x, double delta) { return {x, 0, delta * (x / 2) * (x / 2)}; }

TEST(Film, ABentLinkFollowsItsShape) {
  const double delta = 0.3;
  const ShownRun run = run_of(cantilever, {0, 1}, {"root", "boom.1"}, {{0, 0}, {delta, delta}});
  const Pinhole view{{1, -5, 0.4}, {1, 0, 0.2}, width, height};
  const Picture picture = picture_of(run, look_from(view), 0.5);
  for (const double x : {0.4, 0.8, 1.2, 1.6, 1.9}) {
    EXPECT_TRUE(blue(at(picture, view.pixel(bent(x, delta))))) << x;
    if (x == 1.2 || x == 1.6) {
      EXPECT_TRUE(grey(at(picture, view.pixel({x, 0, 0})))) << x << ": it is not straight";
      EXPECT_TRUE(grey(at(picture, view.pixel({x, 0, delta * x / 2})))) << x << ": nor turned";
    }
  }
}

/// How high above the straight link the middle of its picture is at x.
double measured_deflection(const Picture& picture, const Pinhole& view, double x) {
  const Vector2d base = view.pixel({x, 0, 0});
  const double per_metre = base.y() - view.pixel({x, 0, 1}).y();
  double sum = 0;
  int n = 0;
  for (int y = 0; y < picture.height; ++y)
    if (blue(at(picture, int(base.x()), y))) sum += y + 0.5, ++n;
  EXPECT_GT(n, 2);
  return (base.y() - sum / n) / per_metre;
}

TEST(Film, ExaggerationMultipliesWhatIsMeasured) {
  const double delta = 0.06, x = 1.7;
  const ShownRun run = run_of(cantilever, {0, 1}, {"root", "boom.1"}, {{0, 0}, {delta, delta}});
  const Pinhole view{{1, -5, 0.2}, {1, 0, 0.2}, width, height};
  film::Look look = look_from(view);
  const double pixel = 0.574 * 5 / height;
  for (const double factor : {1.0, 4.0, 8.0}) {
    look.exaggeration = factor;
    EXPECT_NEAR(measured_deflection(picture_of(run, look, 0), view, x), factor * bent(x, delta).z(), 0.7 * pixel)
        << factor;
  }
}

TEST(Film, TheGhostIsTheRigidArmAndPale) {
  const ShownRun run = run_of(cantilever, {0, 1}, {"root", "boom.1"}, {{0, 0}, {0.5, 0.5}});
  const Pinhole view{{1, -5, 0.4}, {1, 0, 0.2}, width, height};
  film::Look look = look_from(view);
  const Rgb without = at(picture_of(run, look, 0), view.pixel({1.8, 0, 0}));
  look.ghost = true;
  const Rgb with = at(picture_of(run, look, 0), view.pixel({1.8, 0, 0}));
  EXPECT_TRUE(grey(with));
  EXPECT_LT(with.g, without.g - 15);
  EXPECT_GT(with.g, without.g - 90) << "one sees through it";
}

TEST(Film, PicturesBegunTogetherAreThoseDrawnOneByOne) {
  const ShownRun run = run_of(two_bars, {0, 1}, {"shoulder", "elbow"}, {{0, 2}, {0, -1}});
  const std::vector<ShownRun> runs{run};
  film::Look look{.width = width, .height = height};
  look.orbit = 1;  // the backdrop changes too
  film::Film film(runs, look, {0, 1});
  film.begin(0.2, {});
  film.begin(0.9, Picture(width, height));
  const Picture first = film.collect(), second = film.collect();
  EXPECT_EQ(first.pixels, film.draw(0.2).pixels);
  EXPECT_EQ(second.pixels, film.draw(0.9).pixels);
  EXPECT_NE(first.pixels, second.pixels);
}

TEST(Film, SeveralLiveBesideEachOther) {
  const std::vector<ShownRun> straight{run_of(two_bars, {0, 1}, {"shoulder", "elbow"}, {{0, 0}, {0, 0}})};
  const std::vector<ShownRun> raised{run_of(two_bars, {0, 1}, {"shoulder", "elbow"}, {{1, 1}, {0, 0}})};
  const film::Look look{.width = 320, .height = 200};
  film::Film first(straight, look, {0, 1});
  const Picture before = first.draw(0);
  {
    film::Film second(raised, look, {0, 1});
    EXPECT_NE(second.draw(0).pixels, before.pixels);
    EXPECT_EQ(first.draw(0).pixels, before.pixels);
  }
  EXPECT_EQ(first.draw(0).pixels, before.pixels);
}

TEST(Film, NamedViewsHoldTheWholeMotion) {
  // A turn by 180°: whatever the view, tip and elbow stay inside, and what is drawn reaches well into the picture.
  const ShownRun run = run_of(two_bars, {0, 1}, {"shoulder", "elbow"}, {{0, pi}, {0, 0.5}});
  const std::vector<ShownRun> runs{run};
  for (const std::string view : {"iso", "front", "side", "top"})
    for (const double orbit : {0.0, 2 * pi}) {
      film::Look look{.width = 320, .height = 200};
      look.views = {view};
      look.orbit = orbit;
      film::Film film(runs, look, {0, 1});
      for (const double t : {0.0, 0.3, 0.7, 1.0}) {
        const double a = t * pi, b = t * (pi + 0.5);
        const Vector3d elbow(std::cos(a), 0, std::sin(a)), tip = elbow + 0.8 * Vector3d(std::cos(b), 0, std::sin(b));
        for (const Vector3d& point : {elbow, tip}) {
          const Vector2d p = film.pixel_of(point, t);
          EXPECT_GT(p.x(), 10) << view << " " << t;
          EXPECT_LT(p.x(), 310) << view << " " << t;
          EXPECT_GT(p.y(), 8) << view << " " << t;
          EXPECT_LT(p.y(), 192) << view << " " << t;
        }
      }
    }
}

TEST(Film, FrontLooksAlongY) {
  const ShownRun run = run_of(two_bars, {0, 1}, {"shoulder", "elbow"}, {{0, 0}, {0, 0}});
  const std::vector<ShownRun> runs{run};
  film::Look look{.width = 320, .height = 200};
  look.views = {"front"};
  film::Film film(runs, look, {0, 1});
  const Vector2d o = film.pixel_of({0, 0, 0}, 0), x = film.pixel_of({1, 0, 0}, 0), z = film.pixel_of({0, 0, 1}, 0);
  EXPECT_GT(x.x(), o.x() + 50);
  EXPECT_NEAR(x.y(), o.y(), 1e-3);
  EXPECT_NEAR(z.x(), o.x(), 1e-3);
  EXPECT_LT(z.y(), o.y() - 50);
  look.views = {"side"};
  film::Film side(runs, look, {0, 1});
  EXPECT_GT(side.pixel_of({0, 1, 0}, 0).x(), side.pixel_of({0, 0, 0}, 0).x() + 20);
}

TEST(Film, StressIsColouredFromRootToTip) {
  std::vector<std::string> names{"root", "boom.1", "boom@0.stress", "boom@1.stress"};
  const ShownRun run = run_of(cantilever, {0, 1}, names, {{0, 0}, {0, 0}, {5e6, 5e6}, {0, 0}});
  const Pinhole view{{1, -5, 0.4}, {1, 0, 0.2}, width, height};
  film::Look look = look_from(view);
  look.stress = true;
  const Picture picture = picture_of(run, look, 0);
  const Rgb root = at(picture, view.pixel({0.25, 0, 0})), tip = at(picture, view.pixel({1.9, 0, 0}));
  EXPECT_GT(root.g, root.b + 20) << "nearly the largest stress: yellow to green";
  EXPECT_GT(tip.b, tip.g + 10) << "hardly any: violet";
}

TEST(Captions, LengthsHaveFewDigits) {
  EXPECT_EQ(film::length_text(0), "0 mm");
  EXPECT_EQ(film::length_text(1.2345), "1.23 m");
  EXPECT_EQ(film::length_text(0.0934), "93 mm");
  EXPECT_EQ(film::length_text(0.00123), "1.23 mm");
  EXPECT_EQ(film::length_text(0.0000042), "4.20 µm");
}

TEST(FilmPicture, HalvesByTheMeanOfFourPixels) {
  film::Picture picture(4, 2);
  for (size_t k = 0; k < picture.pixels.size(); ++k) picture.pixels[k] = std::uint8_t(7 * k % 256);
  const film::Picture half = picture.halved();
  ASSERT_EQ(half.width, 2);
  ASSERT_EQ(half.height, 1);
  for (int x = 0; x < 2; ++x)
    for (int channel = 0; channel < 4; ++channel) {
      const double mean = (picture.at(2 * x, 0)[channel] + picture.at(2 * x + 1, 0)[channel] +
                           picture.at(2 * x, 1)[channel] + picture.at(2 * x + 1, 1)[channel]) /
                          4.0;
      EXPECT_NEAR(half.at(x, 0)[channel], mean, 0.5);
    }
}

}  // namespace
}  // namespace lithe::testing
