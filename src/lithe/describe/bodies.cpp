#include "lithe/describe/bodies.h"

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
    return {s.length, 0, {s.length / 2, 0, 0}, {0, across, across}};  // a thin rod has no volume: density cannot serve
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
  const SectionConstants section = section_constants(beam.section, beam.material.nu);
  const double L = beam.length, rho = beam.material.density, mass = rho * section.area * L;
  Vector3d moments(0, mass * L * L / 12, mass * L * L / 12);
  if (rotary_inertia) moments += rho * L * Vector3d(section.polar(), section.Iy, section.Iz);
  return {mass, {L / 2, 0, 0}, moments.asDiagonal(), L};
}

}  // namespace lithe
