#include "lithe/show/film/mesh.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "lithe/spatial/whole_number.h"

namespace lithe::film {
namespace {

/// Cosine and sine of n equal parts of a turn.
std::vector<std::array<double, 2>> turn_parts(int n) {
  std::vector<std::array<double, 2>> list(n);
  for (int k = 0; k < n; ++k) {
    const double angle = 2 * std::numbers::pi * k / n;
    list[k] = {std::cos(angle), std::sin(angle)};
  }
  return list;
}

/// How many parts a circle needs so that its corners stand out by no more than a sixth of a pixel: r (1 − cos π/n) ≈ r π²/2n².
int parts_of(double diameter, double detail) {
  return 2 * clamped_whole(std::ceil(2.7 * std::sqrt(diameter / 2 * detail)), 5, 36);
}

struct RingPoint {
  double y = 0, z = 0, normal_y = 0, normal_z = 0;
};
using Ring = std::vector<RingPoint>;

/// Points around an outline. Corners of an angular one have two, one for each side.
Ring ring(const Outline& outline, bool angular, bool hole, int parts) {
  const double y = hole ? outline.hole_y : outline.y, z = hole ? outline.hole_z : outline.z;
  Ring points;
  if (angular) {
    const double corners[4][2] = {{y, -z}, {y, z}, {-y, z}, {-y, -z}};
    constexpr double normals[4][2] = {{1, 0}, {0, 1}, {-1, 0}, {0, -1}};
    for (int side = 0; side < 4; ++side)
      for (const int end : {side, (side + 1) % 4})
        points.push_back({corners[end][0], corners[end][1], normals[side][0], normals[side][1]});
    return points;
  }
  for (const auto& [c, s] : turn_parts(parts)) {
    if (outline.round) {
      const double n = std::max(std::hypot(c * z, s * y), 1e-30);
      points.push_back({y * c, z * s, c * z / n, s * y / n});
    } else {
      const double out = 1 / std::max(std::abs(c), std::abs(s));  // a beam that changes from round to angular
      points.push_back({y * c * out, z * s * out, c, s});
    }
  }
  return points;
}

/// How a part of a swept surface faces: away from the axis, towards it, back or ahead along it.
enum class Facing { out, in, back, ahead };

/// One ring's vertices at a pose; gives the first.
std::uint32_t add_ring(Triangles& out, const Ring& points, const Pose& X, Facing facing, Colour colour) {
  const auto first = std::uint32_t(out.vertices.size());
  for (const RingPoint& point : points) {
    Vector3d normal = X.R.col(1) * point.normal_y + X.R.col(2) * point.normal_z;
    if (facing == Facing::in) normal = -normal;
    if (facing == Facing::back) normal = -X.R.col(0);
    if (facing == Facing::ahead) normal = X.R.col(0);
    out.add(X.p + X.R.col(1) * point.y + X.R.col(2) * point.z, normal, colour);
  }
  return first;
}

void join(Triangles& out, std::uint32_t first, std::uint32_t second, int n, bool angular) {
  for (int j = 0; j < n; j += angular ? 2 : 1) {
    const auto next = std::uint32_t((j + 1) % n);
    out.quad(first + std::uint32_t(j), first + next, second + next, second + std::uint32_t(j));
  }
}

}  // namespace

void Triangles::clear() {
  vertices.clear();
  indices.clear();
}

std::uint32_t Triangles::add(const Vector3d& place, const Vector3d& normal, Colour c, double opacity) {
  vertices.push_back({{float(place.x()), float(place.y()), float(place.z())},
                      {float(normal.x()), float(normal.y()), float(normal.z())},
                      {c.r, c.g, c.b, std::uint8_t(clamped_whole(255 * opacity + 0.5, 0, 255))}});
  return std::uint32_t(vertices.size() - 1);
}

void Triangles::triangle(std::uint32_t a, std::uint32_t b, std::uint32_t c) {
  auto vector = [](const float* v) { return Eigen::Vector3f(v[0], v[1], v[2]); };
  const Eigen::Vector3f p = vector(vertices[a].place);
  const Eigen::Vector3f area = (vector(vertices[b].place) - p).cross(vector(vertices[c].place) - p);
  const float facing = area.dot(vector(vertices[a].normal) + vector(vertices[b].normal) + vector(vertices[c].normal));
  if (facing == 0) return;  // without area
  if (facing < 0) std::swap(b, c);
  for (const std::uint32_t corner : {a, b, c}) indices.push_back(corner);
}

void Triangles::quad(std::uint32_t a, std::uint32_t b, std::uint32_t c, std::uint32_t d) {
  triangle(a, b, c);
  triangle(a, c, d);
}

void add_sweep(Triangles& out, std::span<const SceneStation> stations, std::span<const Pose> poses,
               std::span<const Colour> colours) {
  if (stations.size() < 2) return;
  const bool angular = std::all_of(stations.begin(), stations.end(), [](const auto& s) { return !s.outline.round; });
  const bool hollow = std::all_of(stations.begin(), stations.end(),
                                  [](const auto& s) { return s.outline.hole_y > 0 && s.outline.hole_z > 0; });
  const size_t last = stations.size() - 1;
  double widest = 0;
  for (const SceneStation& station : stations)
    widest = std::max({widest, 2 * station.outline.y, 2 * station.outline.z});
  const int parts = parts_of(widest, out.detail);
  auto shell = [&](bool hole) {
    std::uint32_t before = 0;
    for (size_t k = 0; k <= last; ++k) {
      const Ring points = ring(stations[k].outline, angular, hole, parts);
      const std::uint32_t at = add_ring(out, points, poses[k], hole ? Facing::in : Facing::out, colours[k]);
      if (k > 0) join(out, before, at, int(points.size()), angular);
      before = at;
    }
  };
  shell(false);
  if (hollow) shell(true);
  for (const size_t end : {size_t(0), last}) {
    const Facing facing = end == 0 ? Facing::back : Facing::ahead;
    const Ring outer = ring(stations[end].outline, angular, false, parts);
    const Ring inner = hollow ? ring(stations[end].outline, angular, true, parts) : Ring(outer.size());
    const std::uint32_t first = add_ring(out, inner, poses[end], facing, colours[end]);
    const std::uint32_t second = add_ring(out, outer, poses[end], facing, colours[end]);
    join(out, first, second, int(outer.size()), angular);
  }
}

void add_box(Triangles& out, const Pose& X, const Vector3d& size, Colour colour) {
  for (int axis = 0; axis < 3; ++axis)
    for (const double side : {-1.0, 1.0}) {
      const int u = (axis + 1) % 3, v = (axis + 2) % 3;
      std::uint32_t corners[4];
      for (int k = 0; k < 4; ++k) {
        Vector3d at;
        at[axis] = side * size[axis] / 2;
        at[u] = (k == 0 || k == 3 ? -1 : 1) * size[u] / 2;
        at[v] = (k < 2 ? -1 : 1) * size[v] / 2;
        corners[k] = out.add(X * at, side * X.R.col(axis), colour);
      }
      out.quad(corners[0], corners[1], corners[2], corners[3]);
    }
}

void add_ball(Triangles& out, const Vector3d& centre, double diameter, Colour colour) {
  const int parts = parts_of(diameter, out.detail), rows = parts / 2;
  std::uint32_t before = 0;
  for (int i = 0; i <= rows; ++i) {
    const double latitude = std::numbers::pi * i / rows;
    const auto first = std::uint32_t(out.vertices.size());
    for (const auto& [c, s] : turn_parts(parts)) {
      const Vector3d normal(std::sin(latitude) * c, std::sin(latitude) * s, std::cos(latitude));
      out.add(centre + diameter / 2 * normal, normal, colour);
    }
    if (i > 0) join(out, before, first, parts, false);
    before = first;
  }
}

void add_cone(Triangles& out, const Pose& X, double length, double first, double last, Colour colour) {
  const double lean = length > 0 ? (first - last) / 2 / length : 0;  // of the normals towards the thinner end
  const int parts = parts_of(std::max(first, last), out.detail);
  const double radii[] = {first / 2, last / 2};
  std::uint32_t sides[2], caps[2], centres[2];
  for (int end = 0; end < 2; ++end) {
    sides[end] = std::uint32_t(out.vertices.size());
    for (const auto& [c, s] : turn_parts(parts))
      out.add(X * Vector3d(end * length, radii[end] * c, radii[end] * s), X.R * Vector3d(lean, c, s).normalized(),
              colour);
  }
  join(out, sides[0], sides[1], parts, false);
  for (int end = 0; end < 2; ++end) {
    const Vector3d normal = (end == 0 ? -1 : 1) * X.R.col(0);
    centres[end] = out.add(X * Vector3d(end * length, 0, 0), normal, colour);
    caps[end] = std::uint32_t(out.vertices.size());
    for (const auto& [c, s] : turn_parts(parts))
      out.add(X * Vector3d(end * length, radii[end] * c, radii[end] * s), normal, colour);
    for (int k = 0; k < parts; ++k)
      out.triangle(centres[end], caps[end] + std::uint32_t(k), caps[end] + std::uint32_t((k + 1) % parts));
  }
}

}  // namespace lithe::film
