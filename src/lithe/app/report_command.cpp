#include <fmt/format.h>

#include <algorithm>
#include <iostream>

#include "lithe/app/command.h"
#include "lithe/app/json.h"
#include "lithe/app/results_file.h"
#include "lithe/describe/printable.h"
#include "lithe/show/report.h"

namespace lithe::app {
namespace {

struct ReportCommand {
  std::vector<std::string> results, measured;
  std::string output, labels;
  bool json = false, wake = false;
};

/// All wakes of a page are at most this many numbers, 4 MB of it.
constexpr size_t wake_numbers = 750'000;

void add_wakes(std::vector<ShownRun>& runs) {
  with_option_name("--wake", [&] { demand_wakes(runs); });
  const auto with_wind = size_t(std::count_if(runs.begin(), runs.end(), [](const auto& one) { return one.wind; }));
  for (ShownRun& one : runs)
    if (one.wind && !one.scene.surfaces.empty()) one.wake = wake_frames(one, wake_numbers / with_wind);
}

int run(const ReportCommand& options) {
  if (!options.output.ends_with(".html") && !options.output.ends_with(".htm"))
    throw UsageError(fmt::format("-o: expected a file name ending in .html, got \"{}\"", options.output));
  const std::vector<std::string> labels = run_labels(options.results, options.labels);
  if (report_page().empty())
    throw std::runtime_error(
        "report: this lithe was built without its web page: rebuild it with Node installed (Debian: nodejs, npm)");
  std::vector<ShownRun> runs;
  size_t n_rows = 0;
  for (size_t r = 0; r < options.results.size(); ++r) {
    ShownRun run{
        .label = labels[r], .file = results_file(options.results[r]), .results = load_results(options.results[r])};
    if (run.results.time.empty()) throw UsageError(fmt::format("{} holds no rows yet", run.file));
    n_rows += run.results.time.size();
    add_arm(run);
    add_modes(run);
    if (!run.arm) std::cerr << printable(fmt::format("lithe: {}: no 3-D view: {}\n", run.file, run.no_scene));
    runs.push_back(std::move(run));
  }
  if (options.wake) add_wakes(runs);
  const size_t n_runs = runs.size();
  for (const std::string& words : options.measured)
    with_option_name("--measured", [&] { runs.push_back(measured_run(words, {runs.data(), n_runs})); });
  const std::string html = report_html(runs);
  write_file(options.output, html);
  if (options.json)
    std::cout << text_of(Json{{"file", options.output}, {"rows", n_rows}, {"bytes", html.size()}}) << "\n";
  else
    std::cerr << options.output << "\n";
  return done;
}

}  // namespace

void add_report(CLI::App& app, Action& chosen) {
  auto* command = app.add_subcommand("report", "make one self-contained page: 3-D playback, plots, modes, summary");
  auto options = std::make_shared<ReportCommand>();
  command->add_option("RESULTS", options->results, "results files, or folders with results.h5; several are overlaid")
      ->required();
  command
      ->add_option("-o,--output", options->output, "the page, .html; opens from disk in any browser, without network")
      ->required();
  command
      ->add_option("--measured", options->measured,
                   "measured data to draw over the curves: FILE.csv with headings `name [unit]`, time first, whose "
                   "columns are called like series; or FILE.csv:COLUMN,… or FILE.csv:column=series (may be repeated)")
      ->expected(1)
      ->allow_extra_args(false)
      ->take_all();
  command->add_flag("--wake", options->wake,
                    "the page can show the wakes of lifting surfaces, as the wind carries them");
  command->add_option("--labels", options->labels, "names of the compared runs, separated by commas");
  command->add_flag("--json", options->json, "print JSON");
  command->footer("docs/report.md describes the page; the key `?` lists its keys.");
  command->callback([=, &chosen] { chosen = [=] { return run(*options); }; });
}

}  // namespace lithe::app
