#include "lithe/describe/gauges.h"

#include <fmt/format.h>

#include <cmath>

#include "lithe/describe/problem.h"
#include "lithe/describe/sections.h"

namespace lithe {
namespace {

/// How far a section reaches from its centroid: along y and z, and for a round one in any direction. Nothing where it is not known.
struct Reach {
  std::optional<double> y, z;
  bool round = false;

  static Reach of(const Section& section) {
    if (const auto* s = std::get_if<Circle>(&section.shape)) return {s->diameter / 2, s->diameter / 2, true};
    if (const auto* s = std::get_if<Tube>(&section.shape)) return {s->outer_diameter / 2, s->outer_diameter / 2, true};
    if (const auto* s = std::get_if<Rectangle>(&section.shape)) return {s->width_y / 2, s->height_z / 2};
    if (const auto* s = std::get_if<Box>(&section.shape)) return {s->width_y / 2, s->height_z / 2};
    const auto& numbers = std::get<GeneralSection>(section.shape);
    return {numbers.outer_y, numbers.outer_z};
  }
};

/// Whether the beam's coordinates let it bend along y and along z.
std::pair<bool, bool> bends_along(const Flexibility& flexibility) {
  if (const auto* modes = std::get_if<Modes>(&flexibility)) return {modes->bending_y > 0, modes->bending_z > 0};
  if (const auto* strains = std::get_if<StrainTerms>(&flexibility))
    return {strains->bending_y > 0, strains->bending_z > 0};
  if (const auto* elements = std::get_if<Elements>(&flexibility))
    return {elements->plane != BendingPlane::z, elements->plane != BendingPlane::y};
  if (const auto* segments = std::get_if<Segments>(&flexibility))
    return {!segments->locked.bending_y, !segments->locked.bending_z};
  return {false, false};
}

}  // namespace

SectionPoint gauge_point(const Beam& beam, const Gauge& gauge, const std::string& path) {
  const Reach reach = Reach::of(section_at(beam, gauge.at));
  if (!(reach.y && reach.z) && !(gauge.y && gauge.z))
    throw FieldError(path,
                     "the section is given by numbers without outer_y and outer_z, so its outermost fibre is not "
                     "known: expected y and z of the gauge");
  SectionPoint point{gauge.y.value_or(0), gauge.z.value_or(0)};
  if (!gauge.y && !gauge.z) {
    const auto [along_y, along_z] = bends_along(beam.flexibility);
    if (along_y && along_z)
      throw FieldError(path,
                       fmt::format("link '{}' bends along y and along z: expected y or z of the gauge (outermost: "
                                   "y = {:g} m, z = {:g} m)",
                                   gauge.link, *reach.y, *reach.z));
    if (along_y) point.y = *reach.y;
    if (along_z) point.z = *reach.z;
  }
  constexpr double hair = 1 + 1e-9;
  if (reach.round && std::hypot(point.y, point.z) > hair * *reach.y)
    throw FieldError(path + (gauge.y ? ".y" : ".z"),
                     fmt::format("expected a place within {:g} m of the section's centroid, got {:g} m from it",
                                 *reach.y, std::hypot(point.y, point.z)));
  if (!reach.round && reach.y && std::abs(point.y) > hair * *reach.y)
    throw FieldError(path + ".y", fmt::format("expected a place on the section, from {:g} m to {:g} m, got {:g} m",
                                              -*reach.y, *reach.y, point.y));
  if (!reach.round && reach.z && std::abs(point.z) > hair * *reach.z)
    throw FieldError(path + ".z", fmt::format("expected a place on the section, from {:g} m to {:g} m, got {:g} m",
                                              -*reach.z, *reach.z, point.z));
  return point;
}

}  // namespace lithe
