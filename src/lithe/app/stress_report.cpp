#include "lithe/app/stress_report.h"

#include <fmt/format.h>

namespace lithe::app {

std::string stress_text(const StressedLink& link, const StressPlace& place, const std::string& moment) {
  const char* end = place.x <= 0 ? " (root)" : place.x >= link.length ? " (tip)" : "";
  std::string text =
      fmt::format("{:.4g} MPa in '{}' at x = {:.4g} m{}{}", place.stress / 1e6, link.name, place.x, end, moment);
  if (link.yield_strength) text += fmt::format(", {:.3g} % of yield", 100 * place.stress / *link.yield_strength);
  return text;
}

Json stress_json(const StressedLink& link, const StressPlace& place) {
  Json json{{"link", link.name}, {"stress", place.stress}, {"x", place.x}};
  if (link.yield_strength) {
    json["yield_strength"] = *link.yield_strength;
    json["share_of_yield"] = place.stress / *link.yield_strength;
  }
  return json;
}

}  // namespace lithe::app
