#include <fmt/format.h>

#include <cmath>
#include <iostream>

#include "lithe/app/command.h"
#include "lithe/app/json.h"
#include "lithe/app/results_file.h"
#include "lithe/results/stored_case.h"

namespace lithe::app {
namespace {

struct InfoOptions {
  std::string results, output;
  bool json = false, case_text = false;
};

void print_json(const std::string& file, const Results& results) {
  Json columns = Json::array();
  for (size_t i = 0; i < results.series.size(); ++i) {
    const Column& column = results.header.columns[i];
    const Extremes of = extremes_of(results.time, results.series[i]);
    columns.push_back({{"name", column.name},
                       {"unit", column.unit},
                       {"min", of.min},
                       {"min_time", of.t_min},
                       {"max", of.max},
                       {"max_time", of.t_max}});
  }
  const bool any = !results.time.empty();
  Json files = Json::object();
  for (const CarriedFile& one : results.header.files) files[one.name] = one.text;
  Json statistics = Json::object();
  for (const auto& [name, number] : results.statistics) statistics[name] = number;
  const Json answer{{"file", file},
                    {"case_file", results.header.case_file},
                    {"version", results.header.version},
                    {"complete", results.complete},
                    {"stopped_because", results.stopped_because},
                    {"rows", results.time.size()},
                    {"time", {{"first", any ? results.time.front() : NAN}, {"last", any ? results.time.back() : NAN}}},
                    {"columns", columns},
                    {"statistics", statistics},
                    {"case", results.header.case_text},
                    {"files", files}};
  std::cout << text_of(answer) << "\n";
}

std::string state_of(const Results& results) {
  if (results.complete) return "complete";
  if (results.stopped_because.empty()) return "incomplete: the run is still in progress, or was killed";
  return "incomplete: " + results.stopped_because;
}

void print_text(const std::string& file, const Results& results) {
  std::cout << fmt::format("{}: {}\n", file, state_of(results));
  std::cout << fmt::format("  case     {}\n  version  {}\n", results.header.case_file, results.header.version);
  std::cout << fmt::format("  rows     {}", results.time.size());
  if (!results.time.empty())
    std::cout << fmt::format(", from t = {:.6g} s to {:.6g} s", results.time.front(), results.time.back());
  std::cout << "\n";

  size_t widest = 6;
  for (const Column& column : results.header.columns) widest = std::max(widest, column.name.size());
  std::cout << fmt::format("\n  {:<{}}  {:<10}{:>13}{:>13}{:>13}{:>13}\n", "series", widest, "unit", "min", "at t [s]",
                           "max", "at t [s]");
  for (size_t i = 0; i < results.series.size(); ++i) {
    const Column& column = results.header.columns[i];
    std::cout << fmt::format("  {:<{}}  {:<10}", column.name, widest, column.unit);
    const Extremes of = extremes_of(results.time, results.series[i]);
    for (const double value : {of.min, of.t_min, of.max, of.t_max})
      std::cout << (std::isnan(value) ? fmt::format("{:>13}", "-") : fmt::format("{:13.6g}", value));
    std::cout << "\n";
  }

  if (results.statistics.empty()) return;
  size_t longest = 0;
  for (const auto& [name, number] : results.statistics) longest = std::max(longest, name.size());
  std::cout << "\n";
  for (const auto& [name, number] : results.statistics)
    std::cout << fmt::format("  {:<{}}  {:>13.6g}\n", name, longest, number);
}

int run(const InfoOptions& options) {
  if (!options.output.empty() && (!options.case_text || options.json))
    throw UsageError("-o: needs --case, without --json: it writes the case and the files that it names");
  const Results results = load_results(options.results);
  const std::string file = results_file(options.results);
  if (options.json)
    print_json(file, results);
  else if (!options.case_text)
    print_text(file, results);
  else if (!options.output.empty())
    std::cerr << write_case_of(results.header, options.output) << "\n";
  else
    std::cout << results.header.case_text;
  if (options.case_text && options.output.empty() && !options.json && !results.header.files.empty())
    std::cerr << fmt::format("lithe: this case names files, which {} also contains: -o FOLDER writes them all\n", file);
  return done;
}

}  // namespace

void add_info(CLI::App& app, Action& chosen) {
  auto* command = app.add_subcommand("info", "show what a results file contains");
  auto options = std::make_shared<InfoOptions>();
  command->add_option("RESULTS", options->results, "results file, or a folder with results.h5")->required();
  command->add_flag("--json", options->json, "print JSON");
  command->add_flag("--case", options->case_text, "print only the case that was run, as YAML that can be run again");
  command->add_option("-o,--output", options->output, "with --case: folder for case.yaml and the files that it names");
  command->callback([=, &chosen] { chosen = [=] { return run(*options); }; });
}

}  // namespace lithe::app
