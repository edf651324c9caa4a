#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iostream>
#include <nlohmann/json.hpp>

#include "lithe/app/command.h"
#include "lithe/app/figure.h"
#include "lithe/app/results_file.h"

namespace lithe::app {
namespace {

struct PlotCommand {
  std::string results, x = "t", y, output, title, size;
  bool json = false;
};

/// `WIDTHxHEIGHT`
void read_size(const std::string& text, PlotOptions& plot) {
  int width = 0, height = 0, read = 0;
  const int n = std::sscanf(text.c_str(), "%dx%d%n", &width, &height, &read);
  if (n != 2 || size_t(read) != text.size() || std::min(width, height) < 100 || std::max(width, height) > 20000)
    throw UsageError(fmt::format("--size: expected WIDTHxHEIGHT in pixels, each from 100 to 20000, got \"{}\"", text));
  plot.width = width;
  plot.height = height;
}

PlotSeries plotted(const NamedSeries& series) { return {series.name, series.unit, *series.values}; }

int run(const PlotCommand& options) {
  PlotOptions plot{.title = options.title, .format = figure_format(options.output)};
  if (!options.size.empty()) read_size(options.size, plot);
  const Results results = load_results(options.results);
  const auto x = chosen_series(results, "--x", options.x), y = chosen_series(results, "--y", options.y);
  if (x.size() != 1) throw UsageError(fmt::format("--x: expected one name, got \"{}\"", options.x));
  if (results.time.empty()) throw UsageError(fmt::format("{} holds no rows yet", results_file(options.results)));
  std::vector<PlotSeries> curves;
  for (const NamedSeries& series : y) {
    curves.push_back(plotted(series));
    if (std::none_of(series.values->begin(), series.values->end(), [](double v) { return std::isfinite(v); }))
      throw UsageError(fmt::format("--y: {} has no finite value to draw", series.name));
  }

  draw_figure(plot_script(plotted(x[0]), curves, plot), options.output);
  if (options.json)
    std::cout << nlohmann::ordered_json{{"file", options.output}, {"rows", results.time.size()}}.dump() << "\n";
  else
    std::cerr << options.output << "\n";
  return done;
}

}  // namespace

void add_plot(CLI::App& app, Action& chosen) {
  auto* command = app.add_subcommand("plot", "a figure of series in a results file");
  auto options = std::make_shared<PlotCommand>();
  command->add_option("RESULTS", options->results, "results file, or the folder with results.h5")->required();
  command->add_option("--y", options->y, "what to draw: names separated by commas; one panel per unit")->required();
  command->add_option("--x", options->x, "what to draw it over; time unless given");
  command->add_option("-o,--output", options->output, "the figure: .svg, .png or .pdf")->required();
  command->add_option("--title", options->title, "above the figure; none unless given");
  command->add_option("--size", options->size, "WIDTHxHEIGHT in pixels; letters and lines grow with the width");
  command->add_flag("--json", options->json, "print JSON");
  command->footer("`lithe info RESULTS` lists the names.");
  command->callback([=, &chosen] { chosen = [=] { return run(*options); }; });
}

}  // namespace lithe::app
