#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <iostream>

#include "lithe/analyse/case_modes.h"
#include "lithe/app/configuration.h"
#include "lithe/app/json.h"
#include "lithe/app/progress.h"
#include "lithe/app/results_file.h"
#include "lithe/app/stress_report.h"
#include "lithe/describe/deformation_names.h"
#include "lithe/describe/spelling.h"
#include "lithe/results/folder_lock.h"
#include "lithe/results/replace_file.h"
#include "lithe/simulate/last_state.h"
#include "lithe/simulate/run.h"
#include "lithe/simulate/shape_estimate.h"

namespace lithe::app {
namespace {

struct RunCommand : CaseOptions {
  std::string folder, formulation, from;
  bool resume = false, overwrite = false, estimate = false, progress = false;
};

nlohmann::ordered_json list_of_modes(const std::vector<Mode>& modes) {
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const Mode& mode : modes)
    list.push_back({{"frequency_hz", mode.frequency_hz}, {"damping_ratio", mode.damping_ratio}});
  return list;
}

nlohmann::ordered_json as_json(const RunSummary& summary, const std::vector<Mode>& modes, const std::string& file) {
  if (summary.already_complete)
    return {{"results", file}, {"already_complete", true}, {"end_time", summary.end_time}, {"rows", summary.rows}};
  nlohmann::ordered_json gains = nlohmann::ordered_json::object();
  for (const ChosenGains& g : summary.chosen_gains)
    gains[g.joint] = {{"kp", g.kp}, {"kv", g.kv}, {"inertia", g.inertia}};
  nlohmann::ordered_json peaks = nlohmann::ordered_json::object();
  for (const Peak& peak : summary.peaks)
    peaks[peak.name] = {{"value", peak.value}, {"time", peak.time}, {"unit", peak.unit}};
  nlohmann::ordered_json errors = nlohmann::ordered_json::object();
  for (const auto& [joint, error] : summary.final_errors) errors[joint] = error;
  nlohmann::ordered_json events = nlohmann::ordered_json::array();
  for (const auto& [name, t] : summary.events) events.push_back({{"name", name}, {"time", t}});
  nlohmann::ordered_json stresses = nlohmann::ordered_json::array();
  for (const StressPeak& peak : summary.stresses) {
    stresses.push_back(stress_json(peak.link, {peak.stress, peak.x}));
    stresses.back()["time"] = peak.time;
  }
  return {{"results", file},
          {"end_time", summary.end_time},
          {"rows", summary.rows},
          {"steps", summary.steps},
          {"failed_steps", summary.failed_steps},
          {"evaluations", summary.evaluations},
          {"method_chosen", summary.method_chosen},
          {"wall_seconds", summary.wall_seconds},
          {"energy",
           {{"start", summary.energy_start},
            {"end", summary.energy_end},
            {"by_events", summary.energy_by_events},
            {"input", summary.put_in},
            {"dissipated", summary.lost},
            {"residual", summary.residual},
            {"scale", summary.energy_scale},
            {"not_conserved", summary.energy_reason}}},
          {"peaks", peaks},
          {"peak_stress", stresses},
          {"final_errors", errors},
          {"servo_gains", gains},
          {"events", events},
          {"modes", list_of_modes(modes)},
          {"warnings", summary.warnings}};
}

void print(const RunSummary& s, const std::vector<Mode>& modes, const std::string& file) {
  if (s.already_complete) {
    std::cout << fmt::format("{}: complete, {} rows up to t = {:.6g} s; nothing left to do\n", file, s.rows,
                             s.end_time);
    return;
  }
  std::cout << fmt::format(
      "{:.6g} s simulated in {:.3g} s ({:.3g} times real time): {} steps, {} evaluations, {} rows\n", s.end_time,
      s.wall_seconds, s.end_time / std::max(s.wall_seconds, 1e-9), s.steps, s.evaluations, s.rows);
  if (!s.method_chosen.empty()) std::cout << "method " << s.method_chosen << "\n";
  std::cout << fmt::format(
      "energy: {:.6g} J at the start, {:.6g} J at the end; input {:.6g} J, dissipated {:.6g} J; residual {:.2g} J",
      s.energy_start, s.energy_end, s.put_in, s.lost, s.residual);
  if (s.energy_scale > 0) std::cout << fmt::format(" ({:.1g} of the largest energy)", s.residual / s.energy_scale);
  if (s.energy_by_events != 0)
    std::cout << fmt::format("\n        brought by payloads that events change: {:.6g} J", s.energy_by_events);
  if (!s.energy_reason.empty()) std::cout << "\n        not conserved: " << s.energy_reason;
  std::cout << "\n";
  constexpr size_t most_events = 20;
  for (size_t k = 0; k < std::min(s.events.size(), most_events); ++k)
    std::cout << fmt::format("event '{}' at t = {:.6g} s\n", s.events[k].first, s.events[k].second);
  if (s.events.size() > most_events) std::cout << fmt::format("and {} more events\n", s.events.size() - most_events);
  for (const ChosenGains& g : s.chosen_gains)
    std::cout << fmt::format("servo '{}': kp = {:.6g}, kv = {:.6g}, for the largest inertia {:.6g}\n", g.joint, g.kp,
                             g.kv, g.inertia);
  if (!modes.empty()) {
    std::cout << "damping of the lowest natural modes at the start, joints locked:";
    for (size_t k = 0; k < modes.size(); ++k)
      std::cout << fmt::format("{} {:.4g} Hz {:.3g} %", k > 0 ? "," : "", modes[k].frequency_hz,
                               100 * modes[k].damping_ratio);
    std::cout << "\n";
  }
  std::cout << "\n" << fmt::format("{:<24} {:>14} {:>10}\n", "largest", "", "at");
  for (const Peak& peak : s.peaks) {
    if (peak.headline)
      std::cout << fmt::format("{:<24} {:>14.6g} {:>8.4g} s  {}\n", peak.name, peak.value, peak.time, peak.unit);
  }
  if (!s.stresses.empty()) std::cout << "\n";
  for (const StressPeak& peak : s.stresses)
    std::cout << "peak stress: "
              << stress_text(peak.link, {peak.stress, peak.x}, fmt::format(", t = {:.4g} s", peak.time)) << "\n";
  if (!s.final_errors.empty()) std::cout << "\nposition error at the end\n";
  for (const auto& [joint, error] : s.final_errors) std::cout << fmt::format("{:<24} {:>14.6g}\n", joint, error);
  std::cout << "\n" << file << "\n";
}

void print(const ShapeEstimate& e) {
  std::cout << fmt::format("\none more shape per link moves the tip by {:.3g} m at most", e.tip_change);
  if (e.tip_error > 0)
    std::cout << fmt::format(", {:.2g} % of its largest error of {:.3g} m", 100 * e.tip_change / e.tip_error,
                             e.tip_error);
  std::cout << "\n";
}

/// The case starts where another run of its arm ended. Returns a doubt where the arms differ; empty where they do not.
std::string start_from(LoadedCase& loaded, const std::string& path) {
  const std::string file = results_file(path);
  try {
    const std::string differs = start_where_ended(loaded.file.data, *loaded.arm, load_results(path));
    if (differs.empty()) return "";
    return fmt::format("--from: {} is of a different arm: {}; its positions and rates are used as they are", file,
                       differs);
  } catch (const ResultsError& error) {
    throw UsageError(fmt::format("--from: {}: {}", file, error.what()));
  }
}

/// The case read as one of the formulation asked for, so that fields which only this one knows are in their place.
LoadedCase load_as_asked(const RunCommand& options) {
  CaseOptions asked = options;
  const std::vector<std::string> known = run_formulations();
  if (std::find(known.begin(), known.end(), options.formulation) != known.end())
    asked.sets.push_back("simulate.formulation=" + options.formulation);
  try {
    return load(asked);
  } catch (const CaseError&) {
    // A case without `simulate` lacks all of it, not only what comes with a formulation.
    Findings written = examine(options);
    if (!written.errors.empty() || !written.loaded.arm || written.loaded.file.data.simulate) throw;
    return std::move(written.loaded);
  }
}

int simulate(const RunCommand& options) {
  if (options.resume && options.overwrite)
    throw UsageError("--overwrite: leave out --resume, which continues what is there");
  LoadedCase loaded = load_as_asked(options);
  const std::string differs = options.from.empty() ? "" : start_from(loaded, options.from);
  if (options.estimate)
    for (const auto& [name, start] : loaded.file.data.initial.joints)
      if (deformation_unit(loaded.file.data.arm, name))
        throw UsageError(
            fmt::format("--estimate: with one more shape, '{}' in `initial` is another coordinate: give only joints "
                        "there, or `deformation: static`",
                        name));
  if (!loaded.file.data.simulate)
    throw CaseError({{Problem::Severity::error, loaded.file.locate(""), "simulate",
                      "missing; expected a duration: simulate: {for: 5 s}"}});
  const std::string folder =
      options.folder.empty() ? std::filesystem::path(options.file).stem().string() + ".results" : options.folder;
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error) throw std::runtime_error(fmt::format("cannot write {}: {}", folder, error.message()));
  const std::string file = (std::filesystem::path(folder) / "results.h5").string();
  const FolderLock lock(folder);
  if (std::filesystem::exists(file, error) && !std::filesystem::is_regular_file(file, error))
    throw std::runtime_error(fmt::format("cannot write {}: not a regular file", file));
  for (const char* name : {"results.h5", "estimate.h5"}) remove_leftovers(folder + "/" + name);

  RunOptions run_options{file, options.formulation, options.resume, &interrupted(), {}};
  run_options.before_writing = [] { catch_interrupts(); };
  run_options.overwrite = options.overwrite;
  run_options.goes_on = !options.from.empty();
  try {
    RunSummary summary = [&] {
      ProgressBar bar(loaded.file.data.simulate->duration, options.progress);  // wiped before anything is printed
      run_options.progress = std::ref(bar);
      return run(loaded.file, *loaded.arm, run_options);
    }();
    release_interrupts();
    if (!differs.empty()) summary.warnings.insert(summary.warnings.begin(), differs);
    std::optional<ShapeEstimate> estimate;
    if (options.estimate) estimate = estimate_shapes(loaded.file, run_options);
    for (const std::string& warning : summary.warnings)
      std::cerr << fmt::format("{}: warning: {}\n", options.file, warning);
    if (options.json) {
      auto answer = as_json(summary, damped_modes(loaded.file.data, *loaded.arm), file);
      for (const Problem& doubt : loaded.file.warnings) answer["warnings"].push_back(doubt.text());
      if (estimate) answer["estimate"] = {{"tip_change", estimate->tip_change}, {"tip_error", estimate->tip_error}};
      std::cout << text_of(answer) << "\n";
    } else {
      print(summary, damped_modes(loaded.file.data, *loaded.arm), file);
      if (estimate) print(*estimate);
    }
    return done;
  } catch (const FieldError& problem) {
    throw CaseError({{Problem::Severity::error, loaded.file.locate(problem.path()), problem.path(), problem.what()}});
  } catch (const OtherResults& problem) {
    throw UsageError(fmt::format("{}: choose another folder with -o, or give --overwrite{}", problem.what(),
                                 options.resume ? " instead of --resume" : ""));
  } catch (const std::invalid_argument& problem) {
    throw UsageError(fmt::format("--formulation: {}", problem.what()));
  } catch (const RunError& problem) {
    throw std::runtime_error(fmt::format("{}: {}\nlithe: the rows up to that point are in {}, marked incomplete",
                                         options.file, problem.what(), file));
  }
}

}  // namespace

void add_run(CLI::App& app, Action& chosen) {
  auto* command = app.add_subcommand("run", "simulate a case; writes results.h5 and prints a summary");
  auto options = std::make_shared<RunCommand>();
  options->add_to(*command);
  command->add_option("-o,--output", options->folder, "folder for the results; default: CASE.results");
  command->add_option("--formulation", options->formulation,
                      comma_list(run_formulations()) + "; default: the case's, or articulated");
  command->add_option("--from", options->from,
                      "start from the last row of this run of the same arm instead of the case's `initial`");
  command->add_flag("--resume", options->resume,
                    "continue an incomplete run from its last checkpoint, with bit-identical results; start a run if "
                    "there is none; leave a complete one as it is");
  command->add_flag("--overwrite", options->overwrite,
                    "replace the results in the folder even if they are of another case");
  command->add_flag(
      "--estimate", options->estimate,
      "run again with one more shape, element or segment per link and print how much the tip's path changes");
  command->add_flag("--progress", options->progress,
                    "report progress on stderr ten times a second, in lines `progress TIME DURATION`");
  command->add_option("--text", options->text_file,
                      "read the text of the case from this file; files that it names are still relative to CASE");
  command->footer("Ctrl-C stops cleanly and keeps the rows computed so far.");
  command->callback([=, &chosen] { chosen = [=] { return simulate(*options); }; });
}

}  // namespace lithe::app
