#pragma once

#include "lithe/describe/case.h"

namespace lithe {

/// A place on a section, from its centroid.
struct SectionPoint {
  double y = 0, z = 0;
};

/// Where a gauge is on the section of its beam. Without `y` and `z`: the outermost fibre in the direction in which the beam bends, the
/// axis of a beam that does not bend; with one of them the other is zero. Throws FieldError (`path` of the gauge) where that does not
/// determine it, and for a place outside the section's outline, where the outline is known.
SectionPoint gauge_point(const Beam& beam, const Gauge& gauge, const std::string& path);

}  // namespace lithe
