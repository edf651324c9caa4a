#include "lithe/show/figure.h"

#include <fmt/format.h>

#include "lithe/error.h"
#include "lithe/results/replace_file.h"
#include "lithe/show/tool.h"

namespace lithe {

std::optional<PlotFormat> figure_format_of(const std::string& file) {
  const std::pair<const char*, PlotFormat> known[] = {
      {".svg", PlotFormat::svg}, {".png", PlotFormat::png}, {".pdf", PlotFormat::pdf}};
  for (const auto& [ending, format] : known)
    if (file.ends_with(ending)) return format;
  return {};
}

std::string drawn_figure(const std::string& script) {
  const ToolAnswer drawn = run_tool({"gnuplot", "--default-settings"}, script);
  if (!drawn.found)
    throw Error("figures are drawn by gnuplot, which is not installed (Debian: gnuplot-nox)", "",
                "install gnuplot (Debian: gnuplot-nox)");
  if (drawn.code != 0 || drawn.out.empty())
    throw Error(fmt::format("gnuplot could not draw the figure: {}", drawn.err));
  return drawn.out;
}

void draw_figure(const std::string& script, const std::string& file) { write_text_file(file, drawn_figure(script)); }

}  // namespace lithe
