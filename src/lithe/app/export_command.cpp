#include <fmt/format.h>

#include <iostream>

#include "lithe/app/command.h"
#include "lithe/app/json.h"
#include "lithe/app/results_file.h"

namespace lithe::app {
namespace {

struct ExportOptions {
  std::string results, output = "-", columns;
  bool json = false;
};

std::string json(const std::vector<NamedSeries>& series) {
  nlohmann::ordered_json answer;
  for (const NamedSeries& one : series) answer[one.name] = {{"unit", one.unit}, {"values", *one.values}};
  return text_of(answer) + "\n";
}

int run(const ExportOptions& options) {
  const Results results = load_results(options.results);
  std::vector<NamedSeries> series = all_series(results);
  if (!options.columns.empty()) {
    // Time comes first, whether it is asked for or not.
    series.resize(1);
    for (const NamedSeries& one : chosen_series(results, "--columns", options.columns))
      if (one.values != &results.time) series.push_back(one);
  }
  const std::string text = options.json ? json(series) : csv_of(series);
  if (options.output != "-") {
    write_file(options.output, text);
    std::cerr << options.output << "\n";
  } else if (!(std::cout << text << std::flush)) {
    throw std::runtime_error("cannot write to standard output");
  }
  if (!results.complete)
    std::cerr << fmt::format("lithe: {} is from a run that did not finish\n", results_file(options.results));
  return done;
}

}  // namespace

void add_export(CLI::App& app, Action& chosen) {
  auto* command = app.add_subcommand("export", "write the series of a results file as CSV");
  auto options = std::make_shared<ExportOptions>();
  command->add_option("RESULTS", options->results, "results file, or a folder with results.h5")->required();
  command->add_option("-o,--output", options->output, "CSV file; default, or -: standard output");
  command->add_option("--columns", options->columns,
                      "only these columns, separated by commas; time always comes first");
  command->add_flag("--json", options->json, "JSON instead of CSV: {name: {unit, values}}");
  command->footer("Columns are headed `name [unit]`, with [1] for pure numbers; numbers have all their digits.");
  command->callback([=, &chosen] { chosen = [=] { return run(*options); }; });
}

}  // namespace lithe::app
