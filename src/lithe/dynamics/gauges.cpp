#include "lithe/dynamics/gauges.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "lithe/describe/gauges.h"
#include "lithe/describe/problem.h"
#include "lithe/describe/sections.h"
#include "lithe/spatial/demand.h"

namespace lithe {
namespace {

int station_at(const FlexBasis& flex, double x) {
  const std::vector<double>& places = flex.stations.x;
  const auto nearest = std::min_element(places.begin(), places.end(),
                                        [&](double a, double b) { return std::abs(a - x) < std::abs(b - x); });
  LITHE_DEMAND(std::abs(*nearest - x) <= 1e-8 * places.back());  // Arm::assemble made one there
  return int(nearest - places.begin());
}

/// The root or the hinge at x of a segmented link.
SegmentSection section_there(const Arm& arm, double length, const Gauge& gauge, const std::string& path) {
  std::optional<SegmentSection> found;
  std::string known;
  int n = 0;
  for_each_segment_section(arm, [&](const SegmentSection& section) {
    if (section.kind == SegmentSection::tip || arm.case_name(arm.link(section.i_root)) != gauge.link) return;
    if (std::abs(section.x - gauge.at) <= 1e-5 * length) found = section;  // the message below has six digits
    if (++n <= 8) known += fmt::format("{}{:.6g}", known.empty() ? "" : ", ", section.x);
  });
  if (found) return *found;
  throw FieldError(path + ".at",
                   fmt::format("link '{}' consists of rigid segments, which have no strain: expected the place of its "
                               "root or of a hinge, {}{} m, got {:g} m",
                               gauge.link, known, n > 8 ? ", …" : "", gauge.at));
}

}  // namespace

Gauges::Gauges(const Case& data, const Arm& arm) {
  for (size_t i = 0; i < data.gauges.size(); ++i) {
    const Gauge& gauge = data.gauges[i];
    const std::string path = fmt::format("gauges[{}]", i);
    if (arm.has_guides())
      throw FieldError(path, "the forces inside an arm that has a beam in a guide are not known: leave out the gauge");
    const auto link = std::find_if(data.arm.links.begin(), data.arm.links.end(),
                                   [&](const LinkSpec& one) { return one.name == gauge.link; });
    LITHE_DEMAND(link != data.arm.links.end() && link->beam);  // checked when the case is read
    const Beam& beam = *link->beam;
    const SectionPoint point = gauge_point(beam, gauge, path);
    const SectionConstants section = section_constants(section_at(beam, gauge.at), beam.material.nu);
    const double E = beam.material.E;
    Placed placed{gauge.name};
    placed.per_N = 1 / (E * section.area);
    placed.per_My = point.z / (E * section.Iy);
    placed.per_Mz = -point.y / (E * section.Iz);
    if (std::holds_alternative<Segments>(beam.flexibility)) {
      placed.section = section_there(arm, beam.length, gauge, path);
      placed.i_link = placed.section.i_root;
    } else {
      placed.i_link = arm.find_link(gauge.link);
      LITHE_DEMAND(placed.i_link >= 0 && arm.link(placed.i_link).flex);
      placed.i_station = station_at(*arm.link(placed.i_link).flex, gauge.at);
    }
    gauges_.push_back(std::move(placed));
  }
}

void Gauges::strains(const Arm& arm, const InternalForces& internal, double* values) const {
  for (const Placed& gauge : gauges_) {
    Vector3d force, moment;
    if (gauge.i_station >= 0) {
      const InternalForces::Along& along = internal.along(gauge.i_link);
      force = along.force.col(gauge.i_station);
      moment = along.moment.col(gauge.i_station);
    } else {
      const SegmentForces forces = through(arm, internal, gauge.section);
      force = forces.force;
      moment = forces.moment;
    }
    *values++ = gauge.per_N * force.x() + gauge.per_My * moment.y() + gauge.per_Mz * moment.z();
  }
}

}  // namespace lithe
