#pragma once

#include <optional>
#include <string>

#include "lithe/show/plot.h"

namespace lithe {

/// The format that a figure's file name asks for: .svg, .png or .pdf; nothing for any other.
std::optional<PlotFormat> figure_format_of(const std::string& file);

/// Has the gnuplot program draw a script (plot_script, mode_figure_script) and gives the bytes of the figure. Throws Error where there
/// is no gnuplot, or it refuses.
std::string drawn_figure(const std::string& script);
/// The same into a file, whole or not at all.
void draw_figure(const std::string& script, const std::string& file);

}  // namespace lithe
