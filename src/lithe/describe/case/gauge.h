// Strain gauges on links.
#pragma once

#include <optional>
#include <string>

namespace lithe {

/// A gauge along x, glued to a link. Its strain is positive where it is stretched.
struct Gauge {
  std::string name;
  std::string link;
  double at = 0;                         // distance from the root along x of the undeformed link
  std::optional<double> y = {}, z = {};  // place on the section, from its centroid
  bool operator==(const Gauge&) const = default;
};

}  // namespace lithe
