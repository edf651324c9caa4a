#include <cmath>

#include "lithe/beam/beam_elements.h"
#include "lithe/spatial/demand.h"

namespace lithe {
namespace {

/// How many of n elements each part gets: one, and of the rest the one whose elements are longest takes the next.
std::vector<int> shared_out(int n, const std::vector<double>& breaks) {
  const int parts = int(breaks.size()) - 1;
  LITHE_DEMAND(n >= parts);
  std::vector<int> counts(parts, 1);
  for (int given = parts; given < n; ++given) {
    int longest = 0;
    auto element_length = [&](int i) { return (breaks[i + 1] - breaks[i]) / counts[i]; };
    for (int i = 1; i < parts; ++i)
      if (element_length(i) > element_length(longest) * (1 + 1e-9)) longest = i;
    ++counts[longest];
  }
  return counts;
}

}  // namespace

std::vector<double> element_nodes(const Beam& beam, const Elements& elements) {
  const std::vector<double> breaks = section_breaks(beam);
  std::vector<double> x{0};
  if (elements.mesh.empty()) {
    const std::vector<int> counts = shared_out(elements.count, breaks);
    for (size_t part = 0; part < counts.size(); ++part)
      for (int i = 1; i <= counts[part]; ++i)
        x.push_back(i == counts[part] ? breaks[part + 1]
                                      : breaks[part] + (breaks[part + 1] - breaks[part]) * i / counts[part]);
    return x;
  }
  LITHE_DEMAND_EQUAL(int(elements.mesh.size()), elements.count);
  double sum = 0;
  for (double part : elements.mesh) {
    double node = (sum += part) * beam.length;
    // Fractions meet a step, or the tip, to rounding only: put the node there.
    for (double place : breaks)
      if (std::abs(node - place) <= 1e-8 * beam.length) node = place;
    x.push_back(node);
  }
  return x;
}

}  // namespace lithe
