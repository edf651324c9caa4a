#pragma once

#include <optional>
#include <string>

#include "lithe/show/plot.h"

namespace lithe {

/// The format that a figure's file name asks for: .svg, .png or .pdf; nothing for any other.
std::optional<PlotFormat> figure_format_of(const std::string& file);

/// Runs the gnuplot program on a script (plot_script, mode_figure_script) and returns the bytes of the figure. Throws Error if gnuplot
/// is not installed or fails.
std::string drawn_figure(const std::string& script);
/// Writes the figure to a file, completely or not at all.
void draw_figure(const std::string& script, const std::string& file);

}  // namespace lithe
