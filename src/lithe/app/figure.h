#pragma once

#include <string>

#include "lithe/show/plot.h"

namespace lithe::app {

/// The format that a figure's file name asks for: .svg, .png or .pdf. Throws UsageError.
PlotFormat figure_format(const std::string& file);

/// Has gnuplot draw a script into a file, whole or not at all.
void draw_figure(const std::string& script, const std::string& file);

}  // namespace lithe::app
