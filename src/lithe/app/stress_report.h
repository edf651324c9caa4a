#pragma once

#include "lithe/analyse/static_report.h"
#include "lithe/app/json.h"

namespace lithe::app {

inline Json stress_json(const StressedLink& link, const StressPlace& place) {
  Json json{{"link", link.name}, {"stress", place.stress}, {"x", place.x}};
  if (link.yield_strength) {
    json["yield_strength"] = *link.yield_strength;
    json["share_of_yield"] = place.stress / *link.yield_strength;
  }
  return json;
}

}  // namespace lithe::app
