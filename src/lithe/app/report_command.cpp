#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iostream>
#include <nlohmann/json.hpp>

#include "lithe/analyse/modes.h"
#include "lithe/app/command.h"
#include "lithe/app/results_file.h"
#include "lithe/drive/drives.h"
#include "lithe/show/report.h"

namespace lithe::app {
namespace {

struct ReportCommand {
  std::vector<std::string> results;
  std::string output, labels;
  bool json = false;
};

/// The arm of a run must be the one its series are of: the first columns are its positions.
bool fits(const Arm& arm, const Results& results) {
  if (size_t(arm.nq()) > results.header.columns.size()) return false;
  for (int i = 0; i < arm.nq(); ++i)
    if (results.header.columns[i].name != arm.positions()[i]) return false;
  return true;
}

/// Where the rigid arm should be, row by row: positions that differ from the recorded ones.
void add_commanded(Drives& drives, ReportRun& run) {
  const Arm& arm = *run.arm;
  const Results& results = run.results;
  std::vector<bool> deforms(arm.nq(), false);
  for (const Link& link : arm.links()) {
    for (int k = 0; k < link.n_flex(); ++k) deforms[link.flex_q0() + k] = true;
    if (link.is_segment) deforms[link.q0] = true;
  }
  std::vector<std::vector<double>> wanted(arm.nq(), std::vector<double>(results.time.size()));
  std::vector<bool> differs(arm.nq(), false);
  State state = State::zero(arm);
  for (size_t row = 0; row < results.time.size(); ++row) {
    state.t = results.time[row];
    for (int i = 0; i < arm.nq(); ++i) state.q[i] = results.series[i][row];
    drives.enter(state.t, state.t);
    drives.command_state(state);
    for (int i = 0; i < arm.nq(); ++i) {
      wanted[i][row] = state.q[i];
      if (!deforms[i] && std::abs(state.q[i] - results.series[i][row]) > 1e-12) differs[i] = true;
    }
  }
  for (int i = 0; i < arm.nq(); ++i)
    if (differs[i]) run.commanded[i] = std::move(wanted[i]);
}

void add_modes_of(const Drives& drives, ReportRun& run) {
  if (!run.arm->bends() && run.arm->transmissions().empty()) {
    run.no_modes = "Every link and every joint of this arm is rigid, so it has no vibration of its own.";
    return;
  }
  if (run.arm->has_guides()) {
    run.no_modes = "A beam slides through a guide: its natural modes change with its free length.";
    return;
  }
  try {
    State state = drives.initial_state();
    state.v.setZero();
    const ModesResult found = natural_modes_of(*run.arm, state, {.joints = JointsAre::locked, .count = 12});
    for (const Mode& mode : found.modes)
      if (mode.frequency_hz > 0) run.modes.push_back({mode.frequency_hz, mode.description, mode.shape});
    run.modes_q = state.q;
    if (run.modes.empty()) run.no_modes = "Nothing vibrates with the joints locked at the initial pose.";
  } catch (const std::exception& error) {
    run.no_modes = error.what();
  }
}

/// The arm of a run by its own case; a report without one still has every plot.
void add_arm(ReportRun& run) {
  try {
    const Case data = read_case_text(run.results.header.case_text, run.results.header.case_file).data;
    run.arm = Arm::assemble(data);
    if (!fits(*run.arm, run.results)) {
      run.arm.reset();
      run.no_scene = "the series are not those of the case in the file";
      run.no_modes = run.no_scene;
      return;
    }
    run.scene = scene_of(data, *run.arm);
    Drives drives(data, *run.arm);
    add_commanded(drives, run);
    add_modes_of(drives, run);
  } catch (const std::exception& error) {
    (run.arm ? run.no_modes : run.no_scene) = error.what();
    if (!run.arm) run.no_modes = run.no_scene;
  }
}

int run(const ReportCommand& options) {
  if (!options.output.ends_with(".html") && !options.output.ends_with(".htm"))
    throw UsageError(fmt::format("-o: expected a file that ends in .html, got \"{}\"", options.output));
  const std::vector<std::string> labels = run_labels(options.results, options.labels);
  if (report_page().empty())
    throw std::runtime_error(
        "report: this lithe was built without its page: build it where Node is installed (Debian: nodejs, npm)");
  std::vector<ReportRun> runs;
  size_t n_rows = 0;
  for (size_t r = 0; r < options.results.size(); ++r) {
    ReportRun run{
        .label = labels[r], .file = results_file(options.results[r]), .results = load_results(options.results[r])};
    if (run.results.time.empty()) throw UsageError(fmt::format("{} holds no rows yet", run.file));
    n_rows += run.results.time.size();
    add_arm(run);
    if (!run.arm) std::cerr << fmt::format("lithe: {}: no 3-D view: {}\n", run.file, run.no_scene);
    runs.push_back(std::move(run));
  }
  const std::string html = report_html(runs);
  write_file(options.output, html);
  if (options.json)
    std::cout << nlohmann::ordered_json{{"file", options.output}, {"rows", n_rows}, {"bytes", html.size()}}.dump()
              << "\n";
  else
    std::cerr << options.output << "\n";
  return done;
}

}  // namespace

void add_report(CLI::App& app, Action& chosen) {
  auto* command = app.add_subcommand("report", "one self-contained page: 3-D playback, plots, modes, summary");
  auto options = std::make_shared<ReportCommand>();
  command
      ->add_option("RESULTS", options->results, "results files, or the folders with results.h5; several are overlaid")
      ->required();
  command
      ->add_option("-o,--output", options->output, "the page, .html; opens from disk in any browser, without network")
      ->required();
  command->add_option("--labels", options->labels, "what compared runs are called, separated by commas");
  command->add_flag("--json", options->json, "print JSON");
  command->footer("docs/report.md says what is on the page; `?` there lists its keys.");
  command->callback([=, &chosen] { chosen = [=] { return run(*options); }; });
}

}  // namespace lithe::app
