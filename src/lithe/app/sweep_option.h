#pragma once

#include <string>

#include "lithe/describe/units.h"

namespace lithe::app {

/// `LOW..HIGH UNIT`, as in `10..130 m/s` or `-120..0deg`, taken apart: numbers as written, and what follows them.
struct SpanText {
  double low = 0, high = 0;
  std::string unit;

  /// A number between them with its unit, as a case file would have it.
  std::string at(double value) const;
};

/// Throws UsageError that names the option, for anything but two different numbers.
SpanText span_text(const std::string& option, const std::string& text);

/// The same in SI, low and high of this dimension. Throws UsageError.
std::pair<double, double> span_option(const std::string& option, const std::string& text, const Dimension& dimension);

/// `NAME=LOW..HIGH UNIT`.
struct SweepText {
  std::string name;
  SpanText span;
};
SweepText sweep_text(const std::string& option, const std::string& text);

}  // namespace lithe::app
