#pragma once

#include <optional>
#include <string>
#include <vector>

#include "lithe/dynamics/internal_forces.h"

namespace lithe {

/// A link of the case whose stress can be computed: it bends, and its section's outline is known.
struct StressedLink {
  std::string name;
  int i_link = 0;  // of a segmented one, its root piece
  double length = 0;
  std::optional<double> yield_strength;
};
std::vector<StressedLink> stressed_links(const Arm& arm);
/// Whether a link is one of these.
bool is_stressed(const Link& link);

/// The largest von Mises stress along such a link and its place: over all stations of shapes or elements (21 or more), over
/// root and hinges of segments. Allocates nothing.
struct StressPlace {
  double stress = 0, x = 0;
};
StressPlace largest_stress(const Arm& arm, const InternalForces& internal, int i_link);

}  // namespace lithe
