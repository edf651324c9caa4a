#include "lithe/app/sweep_option.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>

#include "lithe/app/command.h"

namespace lithe::app {

std::string SpanText::at(double value) const {
  return unit.empty() ? fmt::format("{}", value) : fmt::format("{} {}", value, unit);
}

SpanText span_text(const std::string& option, const std::string& text) {
  const auto refuse = [&]() -> UsageError {
    return UsageError(
        fmt::format("{}: expected LOW..HIGH and a unit, as in \"10..130 m/s\", got \"{}\"", option, text));
  };
  SpanText span;
  const size_t dots = text.find("..");
  if (dots == std::string::npos) throw refuse();
  const char *first = text.data(), *second = first + dots + 2, *end = first + text.size();
  const auto low = std::from_chars(first, first + dots, span.low);
  const auto high = std::from_chars(second, end, span.high);
  if (low.ec != std::errc() || low.ptr != first + dots || high.ec != std::errc() || !std::isfinite(span.low) ||
      !std::isfinite(span.high) || span.low == span.high)
    throw refuse();
  span.unit = std::string(high.ptr, end);
  span.unit.erase(0, span.unit.find_first_not_of(' '));
  return span;
}

std::pair<double, double> span_option(const std::string& option, const std::string& text, const Dimension& dimension) {
  const SpanText span = span_text(option, text);
  std::pair<double, double> ends;
  for (const auto& [value, into] : {std::pair{span.low, &ends.first}, {span.high, &ends.second}}) {
    const Quantity read = read_quantity(span.at(value), dimension);
    if (!read.complaint.empty()) throw UsageError(fmt::format("{}: {}", option, read.complaint));
    *into = read.value;
  }
  return ends;
}

SweepText sweep_text(const std::string& option, const std::string& text) {
  const size_t equals = text.find('=');
  if (equals == std::string::npos || equals == 0)
    throw UsageError(
        fmt::format("{}: expected NAME=LOW..HIGH, with a joint or a field of the case, as in "
                    "elbow=-120..0deg or torque.elbow.pd.kp=10..200, got \"{}\"",
                    option, text));
  return {text.substr(0, equals), span_text(option, text.substr(equals + 1))};
}

}  // namespace lithe::app
