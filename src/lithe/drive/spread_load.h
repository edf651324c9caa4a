#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "lithe/arm/link_section.h"

namespace lithe {

/// A share of a load that is spread along a link: it acts on one section, and multiplies the force and the moment per length.
struct SpreadShare {
  LinkPlace place;
  double length = 0;  // Gauss's weight times the factor there [m]
};

/// The spread load as shares at Gauss's points of every part in which the link's shapes and the load's factor are smooth: where deflections
/// are polynomials of x, their sum does the work of the spread load exactly. `at_stations`: parts also end at the link's stations, so that
/// the forces inside the link are exact at each of them. Throws FieldError at `path` where the link has no such sections.
std::vector<SpreadShare> spread_on_link(const Arm& arm, int i_link, const Spread& spread, bool at_stations,
                                        const std::string& path);

/// How many points both lists have together, times the shapes that move one of them, without making the lists.
std::int64_t spread_numbers(const Arm& arm, int i_link, const Spread& spread, const std::string& path);

}  // namespace lithe
