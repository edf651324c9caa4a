#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <iostream>

#include "lithe/app/command.h"
#include "lithe/app/figure.h"
#include "lithe/app/json.h"
#include "lithe/app/results_file.h"
#include "lithe/results/measured.h"

namespace lithe::app {
namespace {

struct PlotCommand {
  std::vector<std::string> results;
  std::vector<std::string> measured;
  std::string x = "t", y, labels, output, title, size;
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

/// Adds measured data to the panels of the series that they belong to.
void add_measured(const PlotCommand& options, std::vector<PlotSeries>& curves) {
  if (options.measured.empty()) return;
  if (options.x != "t") throw UsageError("--measured: measured values are over time: leave out --x");
  const bool compares = options.results.size() > 1;
  std::vector<std::pair<std::string, std::string>> shown;
  for (const PlotSeries& curve : curves) shown.emplace_back(compares ? curve.panel : curve.name, curve.unit);
  for (const std::string& text : options.measured)
    with_option_name("--measured", [&] {
      const MeasuredWords words = measured_words(text);
      const MeasuredFile file = read_measured(words.file);
      const std::string label = std::filesystem::path(words.file).stem().string();
      for (MeasuredSeries& one : measured_series(file, words, shown)) {
        PlotSeries curve{label, one.unit, std::move(one.values)};
        if (compares)
          curve.panel = one.series;
        else
          curve.name = fmt::format("{} ({})", one.series, label);
        curve.x = file.time;
        curve.mark = PlotSeries::Mark::measured;
        curves.push_back(std::move(curve));
      }
    });
}

int run(const PlotCommand& options) {
  PlotOptions plot{.title = options.title, .format = figure_format(options.output)};
  if (!options.size.empty()) read_size(options.size, plot);
  const bool compares = options.results.size() > 1;
  const std::vector<std::string> labels = run_labels(options.results, options.labels);
  PlotSeries common;
  std::vector<PlotSeries> curves;
  size_t n_rows = 0;
  for (size_t r = 0; r < options.results.size(); ++r) {
    const Results results = load_results(options.results[r]);
    const auto x = chosen_series(results, "--x", options.x), y = chosen_series(results, "--y", options.y);
    if (x.size() != 1) throw UsageError(fmt::format("--x: expected one name, got \"{}\"", options.x));
    if (results.time.empty()) throw UsageError(fmt::format("{} holds no rows yet", results_file(options.results[r])));
    n_rows += results.time.size();
    if (r == 0) common = plotted(x[0]);
    for (const NamedSeries& series : y) {
      if (std::none_of(series.values->begin(), series.values->end(), [](double v) { return std::isfinite(v); }))
        throw UsageError(fmt::format("--y: {} has no finite value to draw", series.name));
      curves.push_back(plotted(series));
      if (!compares) continue;
      curves.back().name = labels[r];
      curves.back().panel = series.name;
      curves.back().x = *x[0].values;
      curves.back().colour = int(r);
    }
  }

  add_measured(options, curves);
  draw_figure(plot_script(common, curves, plot), options.output);
  if (options.json)
    std::cout << text_of(Json{{"file", options.output}, {"rows", n_rows}}) << "\n";
  else
    std::cerr << options.output << "\n";
  return done;
}

}  // namespace

void add_plot(CLI::App& app, Action& chosen) {
  auto* command = app.add_subcommand("plot", "draw series from results files");
  auto options = std::make_shared<PlotCommand>();
  command
      ->add_option("RESULTS", options->results,
                   "results files, or folders with results.h5; several are compared, one curve each")
      ->required();
  command
      ->add_option("--y", options->y,
                   "series to draw, separated by commas; one panel per unit, or one per series if runs are compared")
      ->required();
  command
      ->add_option(
          "--measured", options->measured,
          "measured data to draw over the curves: FILE.csv with headings `name [unit]`, time first, whose "
          "columns are called like the series; or FILE.csv:COLUMN,… or FILE.csv:column=series (may be repeated)")
      ->expected(1)
      ->allow_extra_args(false)
      ->take_all();
  command->add_option("--labels", options->labels, "names of the compared runs, separated by commas");
  command->add_option("--x", options->x, "series for the x axis; default: time");
  command->add_option("-o,--output", options->output, "the figure: .svg, .png or .pdf")->required();
  command->add_option("--title", options->title, "title above the figure; default: none");
  command->add_option("--size", options->size, "WIDTHxHEIGHT in pixels; text and lines scale with the width");
  command->add_flag("--json", options->json, "print JSON");
  command->footer("`lithe info RESULTS` lists the names.");
  command->callback([=, &chosen] { chosen = [=] { return run(*options); }; });
}

}  // namespace lithe::app
