#include "lithe/describe/bodies.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "lithe/describe/density_formula.h"
#include "lithe/describe/mesh_solid.h"
#include "lithe/describe/problem.h"
#include "lithe/describe/sections.h"

namespace lithe {
namespace {

/// What a shape implies: extent along x, volume, centre, and inertia per mass.
struct ShapeConstants {
  double extent, volume;
  Vector3d centre;
  Matrix3d inertia_per_mass;

  ShapeConstants(double along, double inside, const Vector3d& middle, const Vector3d& principal)
      : ShapeConstants(along, inside, middle, Matrix3d(principal.asDiagonal())) {}
  ShapeConstants(double along, double inside, const Vector3d& middle, const Matrix3d& inertia)
      : extent(along), volume(inside), centre(middle), inertia_per_mass(inertia) {}
};

struct Shapes {
  ShapeConstants operator()(const Rod& s) const {
    const double across = s.length * s.length / 12;
    // A thin rod has no volume, so a density cannot give its mass.
    return {s.length, 0, {s.length / 2, 0, 0}, Vector3d(0, across, across)};
  }
  ShapeConstants operator()(const Block& s) const {
    const double x2 = s.x * s.x, y2 = s.y * s.y, z2 = s.z * s.z;
    return {s.x, s.x * s.y * s.z, {s.x / 2, 0, 0}, Vector3d(Vector3d(y2 + z2, x2 + z2, x2 + y2) / 12)};
  }
  ShapeConstants operator()(const Cylinder& s) const {
    const double r2 = s.diameter * s.diameter / 4, across = (3 * r2 + s.length * s.length) / 12;
    return {s.length, std::numbers::pi * r2 * s.length, {s.length / 2, 0, 0}, Vector3d(r2 / 2, across, across)};
  }
  ShapeConstants operator()(const Sphere& s) const {
    const double r = s.diameter / 2;
    return {0, 4 * std::numbers::pi / 3 * r * r * r, Vector3d::Zero(), Vector3d(Vector3d::Constant(0.4 * r * r))};
  }
  ShapeConstants operator()(const Mesh& s) const {
    const MeshSolid solid = mesh_solid(s);
    return {std::max(0.0, solid.high.x()), solid.volume, solid.centre, Matrix3d(solid.inertia / solid.volume)};
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
    properties.inertia_com = properties.mass * shape.inertia_per_mass;
    properties.length = shape.extent;
  }
  if (!body.density_formula.empty()) {
    if (!body.shape) throw FieldError(".density_formula", "a formula needs the shape block, cylinder or sphere");
    const DensityMoments moments = density_moments(body.density_formula, *body.shape);
    properties.mass = moments.mass;
    properties.com = moments.first / moments.mass;
    const Matrix3d about_com = moments.second - moments.mass * properties.com * properties.com.transpose();
    properties.inertia_com = about_com.trace() * Matrix3d::Identity() - about_com;
  }
  if (body.mass) properties.mass = *body.mass;
  if (body.com) properties.com = *body.com;
  if (body.inertia) properties.inertia_com = body.inertia->matrix();
  if (body.length) properties.length = *body.length;
  return properties;
}

std::optional<BodyFault> fault_of(const RigidBody& body) {
  try {
    body_properties(body);
    return {};
  } catch (const FieldError& error) {
    return BodyFault{error.path(), error.what()};
  }
}

double length_of(const LinkSpec& link) {
  if (link.beam) return link.beam->length;
  if (!link.rigid) return 0;
  if (link.rigid->length) return *link.rigid->length;
  if (!link.rigid->shape) return 0;
  try {
    return std::visit(Shapes{}, *link.rigid->shape).extent;  // a density has no part in it
  } catch (const FieldError&) {
    return 0;
  }
}

bool stands_on_axis(const LinkSpec& link) {
  const auto& dh = link.joint.dh;
  return dh && link.beam && dh->convention == DhConvention::standard && dh->a == 0 && dh->d != 0;
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
