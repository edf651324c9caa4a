#pragma once

#include <string>

namespace lithe {

/// An error in the calling code, not in the user's data: names the violated demand and where it is, in every build type.
[[noreturn]] void demand_failed(const char* expression, const char* file, int line, const std::string& details);

}  // namespace lithe

/// LITHE_DEMAND(tau.size() == arm.nv()): throws std::logic_error with the expression when it does not hold.
#define LITHE_DEMAND(condition) ((condition) ? void(0) : ::lithe::demand_failed(#condition, __FILE__, __LINE__, ""))

/// The same for two numbers that must be equal; the message shows both.
#define LITHE_DEMAND_EQUAL(a, b)                                         \
  ((a) == (b) ? void(0)                                                  \
              : ::lithe::demand_failed(#a " == " #b, __FILE__, __LINE__, \
                                       std::to_string(a) + " against " + std::to_string(b)))
