#include "lithe/show/wake_sheet.h"

#include <algorithm>

#include "lithe/drive/case_wind.h"

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

}  // namespace lithe
