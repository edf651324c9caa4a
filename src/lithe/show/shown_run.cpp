#include "lithe/show/shown_run.h"

#include <cmath>
#include <filesystem>
#include <utility>

#include "lithe/analyse/modes.h"
#include "lithe/drive/drives.h"
#include "lithe/results/measured.h"
#include "lithe/results/stored_case.h"

namespace lithe {
namespace {

/// The arm of a run must be the one its series are of: the first columns are its positions.
bool fits(const Arm& arm, const Results& results) {
  if (size_t(arm.nq()) > results.header.columns.size()) return false;
  for (int i = 0; i < arm.nq(); ++i)
    if (results.header.columns[i].name != arm.positions()[i]) return false;
  return true;
}

/// The rigid arm as commanded, row by row: positions that differ from the recorded ones.
void add_commanded(Drives& drives, ShownRun& run) {
  const Arm& arm = *run.arm;
  const Results& results = run.results;
  std::vector<bool> deforms(arm.nq(), false);
  for (const Link& link : arm.links()) {
    for (int k = 0; k < link.n_flex(); ++k) deforms[link.flex_q0() + k] = true;
    if (link.role == LinkRole::segment) deforms[link.q0] = true;
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

}  // namespace

ShownRun measured_run(const std::string& text, std::span<const ShownRun> runs) {
  const MeasuredWords words = measured_words(text);
  const MeasuredFile file = read_measured(words.file);
  std::vector<std::pair<std::string, std::string>> known;
  for (const ShownRun& run : runs)
    for (const Column& column : run.results.header.columns) known.emplace_back(column.name, column.unit);
  ShownRun shown{.label = std::filesystem::path(words.file).stem().string(), .file = words.file};
  shown.measured = true;
  shown.no_scene = "These are measured data.";
  shown.no_modes = shown.no_scene;
  shown.results.complete = true;
  shown.results.time = file.time;
  for (MeasuredSeries& one : measured_series(file, words, known)) {
    shown.results.header.columns.push_back({one.series, one.unit});
    shown.results.series.push_back(std::move(one.values));
  }
  return shown;
}

void add_arm(ShownRun& run) {
  std::optional<StoredCase> stored;
  Case data;
  try {
    stored.emplace(run.results.header);
    data = stored->read().data;
    Arm arm = Arm::assemble(data);
    if (!fits(arm, run.results)) {
      run.no_scene = "the series are not those of the case in the file";
      return;
    }
    run.scene = scene_of(data, arm);
    run.wind = data.wind;
    run.arm = std::move(arm);
  } catch (const std::exception& error) {
    run.no_scene = error.what();
    return;
  }
  try {
    Drives drives(data, *run.arm);
    add_commanded(drives, run);
  } catch (const std::exception&) {
    // The drives are not available (for example a damaged table): the rigid ghost then follows the recorded joints.
    run.commanded.clear();
  }
}

void add_modes(ShownRun& run) {
  if (!run.arm) {
    run.no_modes = run.no_scene;
    return;
  }
  if (!run.arm->bends() && run.arm->transmissions().empty()) {
    run.no_modes = "Every link and every joint of this arm is rigid, so it has no vibration of its own.";
    return;
  }
  if (run.arm->has_guides()) {
    run.no_modes = "A beam slides through a guide: its natural modes change with its free length.";
    return;
  }
  try {
    const StoredCase stored(run.results.header);
    const Drives drives(stored.read().data, *run.arm);
    State state = drives.initial_state();
    state.v.setZero();
    const ModesResult found = natural_modes_of(
        *run.arm, state, {.joints = JointCondition::locked, .count = 12, .outer = drives.forces_at_rest()});
    for (const Mode& mode : found.modes)
      if (mode.frequency_hz > 0) run.modes.push_back({mode.frequency_hz, mode.description, mode.shape});
    run.modes_q = state.q;
    if (run.modes.empty()) run.no_modes = "Nothing vibrates with the joints locked at the initial pose.";
  } catch (const std::exception& error) {
    run.no_modes = error.what();
  }
}

}  // namespace lithe
