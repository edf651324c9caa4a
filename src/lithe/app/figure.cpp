#include "lithe/app/figure.h"

#include <fmt/format.h>

#include "lithe/app/command.h"
#include "lithe/app/pipe.h"

namespace lithe::app {

PlotFormat figure_format(const std::string& file) {
  const std::pair<const char*, PlotFormat> known[] = {
      {".svg", PlotFormat::svg}, {".png", PlotFormat::png}, {".pdf", PlotFormat::pdf}};
  for (const auto& [ending, format] : known)
    if (file.ends_with(ending)) return format;
  throw UsageError(fmt::format("-o: expected a file name ending in .svg, .png or .pdf, got \"{}\"", file));
}

void draw_figure(const std::string& script, const std::string& file) {
  const ToolAnswer drawn = run_tool({"gnuplot", "--default-settings"}, script);
  if (!drawn.found)
    throw std::runtime_error("figures are drawn by gnuplot, which is not on this machine (Debian: gnuplot-nox)");
  if (drawn.code != 0 || drawn.out.empty())
    throw std::runtime_error(fmt::format("gnuplot could not draw the figure: {}", drawn.err));
  write_file(file, drawn.out);
}

}  // namespace lithe::app
