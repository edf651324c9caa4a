#include "lithe/show/wake_sheet.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "lithe/drive/case_wind.h"
#include "lithe/show/playback.h"

namespace lithe {

WakeSheet prescribed_wake(const SceneSurface& surface, const WindSpec& wind, double t, double begin,
                          const std::function<std::vector<Vector3d>(double)>& corners_at) {
  const CaseWind air(wind);
  const std::vector<Vector3d> now = corners_at(t);
  double chord = 0;
  for (int j = 0; j <= surface.n_span; ++j)
    chord =
        std::max(chord, (now[size_t(surface.corner(surface.n_chord, j))] - now[size_t(surface.corner(0, j))]).norm());
  constexpr double rows_per_chord = 4;
  constexpr int most_rows = 200;
  WakeSheet sheet;
  sheet.rows = std::clamp(int(rows_per_chord * wind.wake_length), 2, most_rows);
  sheet.columns = surface.n_span;
  const double step = wind.wake_length * chord / wind.speed / sheet.rows;
  for (int k = 0; k <= sheet.rows; ++k) {
    const double left = t - k * step;
    const std::vector<Vector3d> then = k == 0 ? now : corners_at(std::max(left, begin));
    for (int j = 0; j <= surface.n_span; ++j) {
      Vector3d place = then[size_t(surface.corner(surface.n_chord, j))];
      // On with the wind, a row's time after another; before the run it blew as at its start.
      for (int passed = k; passed > 0; --passed) {
        const double when = std::max(t - (passed - 0.5) * step, begin);
        place += step * (air.uniform(when) + air.gust(place, when));
      }
      sheet.places.push_back(place);
    }
  }
  return sheet;
}

WakeSheet wake_of(const ShownRun& run, const SceneSurface& surface, double t, double exaggeration) {
  return prescribed_wake(surface, *run.wind, t, run.results.time.front(), [&](double when) {
    const State state = exaggerated(*run.arm, state_at(run, when), exaggeration);
    return corner_places(surface, *run.arm, state, kinematics_of(*run.arm, state));
  });
}

void demand_wakes(std::span<const ShownRun> runs) {
  const auto of_wind = [](const ShownRun& run) { return run.wind.has_value(); };
  if (std::none_of(runs.begin(), runs.end(), of_wind)) throw std::invalid_argument("these results contain no wind");
  for (const ShownRun& run : runs)
    if (run.wind && run.wind->wake == WakeModel::free)
      throw std::invalid_argument(
          fmt::format("in {} the wake moved itself (`wake: free`), which results do not record; a prescribed "
                      "wake can be drawn",
                      run.file));
}

WakeFrames wake_frames(const ShownRun& run, std::size_t most_numbers) {
  constexpr int most_rows = 24, most_instants = 600;
  WakeFrames frames;
  if (!run.wind || !run.arm || run.scene.surfaces.empty()) return frames;
  const int last = int(run.results.time.size()) - 1;
  // Every sheet has the same form at any time.
  std::vector<int> whole;
  std::size_t numbers = 0;
  for (const SceneSurface& surface : run.scene.surfaces) {
    const WakeSheet sheet = wake_of(run, surface, run.results.time.front());
    whole.push_back(sheet.rows);
    frames.sheets.push_back({std::min(sheet.rows, most_rows), sheet.columns});
    numbers += 3 * std::size_t(frames.sheets.back().rows + 1) * std::size_t(sheet.columns + 1);
  }
  const int fit = int(std::min<std::size_t>(most_numbers / numbers, most_instants));
  const int steps = std::clamp(fit, 2, std::max(2, last + 1)) - 1;
  for (int k = 0; k <= steps; ++k) {
    const int row = int(std::llround(double(last) * k / steps));
    if (frames.at.empty() || frames.at.back() != row) frames.at.push_back(row);
  }
  for (const int row : frames.at)
    for (std::size_t s = 0; s < whole.size(); ++s) {
      const WakeSheet sheet = wake_of(run, run.scene.surfaces[s], run.results.time[std::size_t(row)]);
      const auto [rows, columns] = frames.sheets[s];
      for (int k = 0; k <= rows; ++k)
        for (int j = 0; j <= columns; ++j) {
          const auto from = std::size_t(std::llround(double(whole[s]) * k / rows)) * std::size_t(columns + 1);
          const Vector3d& place = sheet.places[from + std::size_t(j)];
          frames.places.insert(frames.places.end(), {place.x(), place.y(), place.z()});
        }
    }
  return frames;
}

}  // namespace lithe
