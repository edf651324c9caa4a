#include "lithe/describe/units.h"

#include <gtest/gtest.h>

#include <cmath>

namespace lithe {
namespace {

struct Readable {
  const char* text;
  Dimension dimension;
  double value;
};

TEST(Units, ReadsWhatRoboticsWrites) {
  const Readable list[] = {
      {"60 deg", dimension::angle, M_PI / 3},
      {"60deg", dimension::angle, M_PI / 3},
      {"-1.5e1 degree", dimension::angle, -M_PI / 12},
      {"0.5 rad", dimension::angle, 0.5},
      {"350 mm^2", dimension::area, 350e-6},
      {"350 mm2", dimension::area, 350e-6},
      {"10000 mm^4", dimension::second_moment, 1e-8},
      {"70 GPa", dimension::pressure, 70e9},
      {"2700 kg/m^3", dimension::density, 2700},
      {"2.7 g/cm3", dimension::density, 2700},
      {"0.1 N.m.s/rad", dimension::angular_damping, 0.1},
      {"0.1 N*m*s/rad", dimension::angular_damping, 0.1},
      {"5 Nm", dimension::torque, 5},
      {"5 mNm", dimension::torque, 5e-3},
      {"5 N m", dimension::torque, 5},
      {"5 N·m", dimension::torque, 5},
      {"100 Nm/rad", dimension::angular_stiffness, 100},
      {"1 Nm/deg", dimension::angular_stiffness, 180 / M_PI},
      {"30 rpm", dimension::angular_velocity, M_PI},
      {"180 deg/s", dimension::angular_velocity, M_PI},
      {"1 turn/s", dimension::angular_velocity, 2 * M_PI},
      {"3 in", dimension::length, 0.0762},
      {"2 lb", dimension::mass, 0.90718474},
      {"1e-3 kg m2", dimension::inertia, 1e-3},
      {"200 g.cm^2", dimension::inertia, 2e-5},
      {"9.81 m/s^2", dimension::acceleration, 9.81},
      {"1 kN/m", dimension::stiffness, 1000},
      {"4 ms", dimension::time, 0.004},
      {"100 1/s^2", dimension::gain_square, 100},
      {"+3", dimension::length, 3},
      {" .5 ", dimension::number, 0.5},
  };
  for (const Readable& entry : list) {
    const Quantity quantity = read_quantity(entry.text, entry.dimension);
    EXPECT_EQ(quantity.complaint, "") << entry.text;
    // udunits2 multiplies prefixes one by one: a few roundings.
    EXPECT_NEAR(quantity.value, entry.value, 1e-15 * std::abs(entry.value)) << entry.text;
  }
}

struct Refused {
  const char* text;
  Dimension dimension;
  const char* complaint;
};

TEST(Units, RefusesEachWithItsReason) {
  const Refused list[] = {
      {"3 kg", dimension::length, "expected a length, got \"3 kg\""},
      {"3 1/m", dimension::length, "expected a length, got \"3 1/m\": 1/m is the reciprocal unit"},
      {"3 m^-1", dimension::length, "expected a length, got \"3 m^-1\": m^-1 is the reciprocal unit"},
      {"3 s", dimension::angular_velocity, "expected an angular velocity, got \"3 s\""},
      {"3 s/rad", dimension::angular_velocity,
       "expected an angular velocity, got \"3 s/rad\": s/rad is the reciprocal unit"},
      {"3 Hz", dimension::angular_velocity,
       "expected an angular velocity, got \"3 Hz\": Hz counts cycles, 1 cycle = 2 pi rad"},
      {"3 kHz", dimension::angular_velocity,
       "expected an angular velocity, got \"3 kHz\": kHz counts cycles, 1 cycle = 2 pi rad"},
      {"3 N.m", dimension::angular_stiffness, "expected an angular stiffness, got \"3 N.m\": write it in N.m/rad"},
      {"3 N.m/rad", dimension::torque, "expected a torque, got \"3 N.m/rad\": write it in N.m"},
      {"3 J", dimension::force, "expected a force, got \"3 J\""},
      {"20 celsius", dimension::length, "expected a length, got \"20 celsius\": \"celsius\" is not proportional to m"},
      {"3 m @ 5", dimension::length,
       "expected a length, got \"3 m @ 5\": \"m @ 5\" is not a unit (it contains a number)"},
      {"3 lg(re 1 m)", dimension::length,
       "expected a length, got \"3 lg(re 1 m)\": \"lg(re 1 m)\" is not a unit (it contains a number)"},
      {"3 dBZ", dimension::length, "expected a length, got \"3 dBZ\": \"dBZ\" is not proportional to m"},
      {"3 wibble", dimension::length, "expected a length, got \"3 wibble\": unknown unit \"wibble\""},
      {"1 000 mm", dimension::length,
       "expected a length, got \"1 000 mm\": \"000 mm\" is not a unit (write the number without spaces)"},
      {"1 (2 kg)", dimension::mass,
       "expected a mass, got \"1 (2 kg)\": \"(2 kg)\" is not a unit (it contains a number)"},
      {"1 kg.10", dimension::mass, "expected a mass, got \"1 kg.10\": \"kg.10\" is not a unit (it contains a number)"},
      {"3,5 m", dimension::length, "expected a length, got \"3,5 m\": unknown unit \",5 m\""},
      {"three", dimension::length, "expected a length, got \"three\""},
      {"", dimension::length, "expected a length, got \"\""},
      {"nan", dimension::length, "expected a length, got \"nan\""},
      {"inf m", dimension::length, "expected a length, got \"inf m\""},
      {"1e400", dimension::length, "expected a length, got \"1e400\": outside the range of double precision"},
      {"0.3 m", dimension::number, "expected a number, got \"0.3 m\": a pure number has no unit"},
      {"3 rad", dimension::length, "expected a length, got \"3 rad\""},
  };
  for (const Refused& entry : list) EXPECT_EQ(read_quantity(entry.text, entry.dimension).complaint, entry.complaint);
}

}  // namespace
}  // namespace lithe
