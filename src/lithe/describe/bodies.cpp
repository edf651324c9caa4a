#include "lithe/describe/bodies.h"

#include <cmath>
#include <numbers>

#include "lithe/describe/sections.h"

namespace lithe {
namespace {

/// What a shape implies: extent along x, volume, centre, and principal moments per mass.
struct ShapeConstants {
  double extent, volume;
  Vector3d centre, moments_per_mass;
};

struct Shapes {
  ShapeConstants operator()(const Rod& s) const {
    const double across = s.length * s.length / 12;
    return {s.length,
            0,
            {s.length / 2, 0, 0},
            {0, across, across}};  // a thin rod has no volume, so a density cannot give its mass
  }
  ShapeConstants operator()(const Block& s) const {
    const double x2 = s.x * s.x, y2 = s.y * s.y, z2 = s.z * s.z;
    return {s.x, s.x * s.y * s.z, {s.x / 2, 0, 0}, Vector3d(y2 + z2, x2 + z2, x2 + y2) / 12};
  }
  ShapeConstants operator()(const Cylinder& s) const {
    const double r2 = s.diameter * s.diameter / 4, across = (3 * r2 + s.length * s.length) / 12;
    return {s.length, std::numbers::pi * r2 * s.length, {s.length / 2, 0, 0}, {r2 / 2, across, across}};
  }
  ShapeConstants operator()(const Sphere& s) const {
    const double r = s.diameter / 2;
    return {0, 4 * std::numbers::pi / 3 * r * r * r, Vector3d::Zero(), Vector3d::Constant(0.4 * r * r)};
  }
  ShapeConstants operator()(const Mesh&) const { return {}; }
};

}  // namespace

BodyProperties body_properties(const RigidBody& body) {
  BodyProperties properties;
  if (body.shape) {
    const ShapeConstants shape = std::visit(Shapes{}, *body.shape);
    properties.mass = body.density.value_or(0) * shape.volume;
    if (body.mass) properties.mass = *body.mass;
    properties.com = shape.centre;
    properties.inertia_com = (properties.mass * shape.moments_per_mass).asDiagonal();
    properties.length = shape.extent;
  }
  if (body.mass) properties.mass = *body.mass;
  if (body.com) properties.com = *body.com;
  if (body.inertia) properties.inertia_com = body.inertia->matrix();
  if (body.length) properties.length = *body.length;
  return properties;
}

BodyProperties beam_properties(const Beam& beam, bool rotary_inertia) {
  const double rho = beam.material.density, L = beam.length;
  double mass = 0, first = 0, second = 0;
  Vector3d rotary = Vector3d::Zero();
  auto add = [&](double x, double dx) {
    const SectionConstants section = section_constants(section_at(beam, x), beam.material.nu);
    const double dm = rho * section.area * dx;
    mass += dm;
    first += dm * x;
    second += dm * x * x;
    rotary += rho * dx * Vector3d(section.polar(), section.Iy, section.Iz);
  };
  // Between two breaks: Gauss's three points are exact for an area that tapers quadratically, times x², and for second
  // moments that taper with the fourth power.
  const std::vector<double> breaks = section_breaks(beam);
  for (size_t i = 0; i + 1 < breaks.size(); ++i) {
    const double half = (breaks[i + 1] - breaks[i]) / 2, middle = breaks[i] + half, out = std::sqrt(0.6) * half;
    add(middle - out, 5.0 / 9 * half);
    add(middle, 8.0 / 9 * half);
    add(middle + out, 5.0 / 9 * half);
  }
  const double com = first / mass, across = second - mass * com * com;
  Vector3d moments(0, across, across);
  if (rotary_inertia) moments += rotary;
  return {mass, {com, 0, 0}, moments.asDiagonal(), L};
}

}  // namespace lithe
