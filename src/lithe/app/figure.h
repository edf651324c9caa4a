#pragma once

#include <fmt/format.h>

#include "lithe/app/command.h"
#include "lithe/show/figure.h"

namespace lithe::app {

/// The format that a figure's file name asks for: .svg, .png or .pdf. Throws UsageError.
inline PlotFormat figure_format(const std::string& file) {
  if (const auto format = figure_format_of(file)) return *format;
  throw UsageError(fmt::format("-o: expected a file name ending in .svg, .png or .pdf, got \"{}\"", file));
}

}  // namespace lithe::app
