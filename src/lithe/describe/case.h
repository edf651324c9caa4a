// describe/ — text to plain data. Takes case files (YAML) and gives a `Case`: numbers in SI, every choice explicit,
// every mistake reported with file, line, column and field. Contains no mechanics: arm/ decides what the numbers mean for motion.
//
// The data itself is here and in case/, one header per subject. fields/ declares once how each field is read, written
// and documented.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "lithe/describe/case/air.h"
#include "lithe/describe/case/arm.h"
#include "lithe/describe/case/event.h"
#include "lithe/describe/case/force.h"
#include "lithe/describe/case/gauge.h"
#include "lithe/describe/case/profile.h"
#include "lithe/describe/case/run.h"
#include "lithe/describe/case/torque.h"

namespace lithe {

struct Case {
  ArmSpec arm;
  std::optional<WindSpec> wind;
  std::map<std::string, Profile> motion;
  std::map<std::string, Torque> torque;
  std::vector<Load> loads;
  Initial initial;
  std::optional<Simulate> simulate;
  std::vector<ForceSpec> forces = {};
  std::vector<Event> events = {};
  std::vector<Gauge> gauges = {};
  bool operator==(const Case&) const = default;
};

}  // namespace lithe
