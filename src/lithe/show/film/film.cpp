#include "lithe/show/film/film.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "lithe/show/film/arm_drawing.h"
#include "lithe/show/film/camera.h"
#include "lithe/show/film/panels.h"
#include "lithe/show/film/renderer.h"
#include "lithe/show/film/ribbon.h"
#include "lithe/show/film/stress.h"
#include "lithe/show/playback.h"
#include "lithe/show/wake_sheet.h"
#include "lithe/spatial/whole_number.h"

namespace lithe::film {
namespace {

/// 1, 2 or 5 times a power of ten, at most `length`.
double nice_length(double length) {
  const double power = std::pow(10.0, std::floor(std::log10(length)));
  for (const double step : {5.0, 2.0})
    if (step * power <= length * (1 + 1e-12)) return step * power;
  return power;
}

}  // namespace

Span shown_span(const std::vector<ShownRun>& runs) {
  Span span{runs.front().results.time.front(), runs.front().results.time.back()};
  for (const ShownRun& run : runs) {
    span.from = std::min(span.from, run.results.time.front());
    span.to = std::max(span.to, run.results.time.back());
  }
  return span;
}

struct Film::Impl {
  const std::vector<ShownRun>& runs;
  Look look;
  Span span;
  const Theme& theme;
  double reach = 0;
  Surroundings surroundings;
  std::vector<std::vector<Vector3d>> trails;  // of the tips, at trail_times
  std::vector<double> trail_times;
  std::optional<CameraPath> path;
  std::optional<KeyedCamera> keyed;
  std::vector<StressOfRun> stresses;
  double largest_stress = 0;
  std::vector<bool> errs;  // whether the tip error of a run is ever nonzero, and therefore shown
  Renderer renderer;
  Frame frame;

  Impl(const std::vector<ShownRun>& r, const Look& l, Span s)
      : runs(r), look(l), span(s), theme(film::theme(l.dark)), renderer(l.width, l.height) {
    for (const ShownRun& run : runs) reach = std::max(reach, run.scene.reach);
    if (look.stress) {
      for (const ShownRun& run : runs) stresses.emplace_back(run);
      for (const StressOfRun& one : stresses) largest_stress = std::max(largest_stress, one.largest());
    }
    for (const ShownRun& run : runs)
      errs.push_back(std::any_of(run.results.time.begin(), run.results.time.end(),
                                 [&](double t) { return tip_error_at(run, t) > 1e-9 * reach; }));
    frame_motion();
    follow_tips();
  }

  const Vector3d& up() const { return runs.front().scene.up; }

  State bent_state(const ShownRun& run, double t) const {
    return exaggerated(*run.arm, state_at(run, t), look.exaggeration);
  }

  /// Camera, ground and light for all that happens.
  void frame_motion() {
    constexpr int n_instants = 60;
    std::vector<Vector3d> points;
    std::vector<double> soles;
    for (const ShownRun& run : runs)
      for (int k = 0; k <= n_instants; ++k) {
        const double t = span.from + (span.to - span.from) * k / n_instants;
        const auto here = extent_points(*run.arm, run.scene, bent_state(run, t));
        points.insert(points.end(), here.begin(), here.end());
        if (const auto below = sole(*run.arm, run.scene, t)) {
          soles.push_back(below->dot(up()));
          points.push_back(*below);
        }
      }
    Vector3d low = points.front(), high = points.front();
    double lowest = points.front().dot(up());
    for (const Vector3d& point : points) {
      low = low.cwiseMin(point);
      high = high.cwiseMax(point);
      lowest = std::min(lowest, point.dot(up()));
    }
    Surroundings& s = surroundings;
    s.up = up();
    s.centre = (low + high) / 2;
    s.radius = (high - low).norm() * 0.5 + 0.12 * reach;
    s.floor = lowest - 0.05 * reach;
    for (const double height : soles) s.floor = std::min(s.floor, height);
    const Vector3d size = high - low;
    const double wide = std::max((size - size.dot(up()) * up()).cwiseAbs().maxCoeff(), 0.6 * reach);
    s.grid_pitch = nice_length(wide / 5);
    s.grid_radius = (std::ceil(1.3 * wide / s.grid_pitch) + 2) * s.grid_pitch;
    s.thickness = 0.028 * reach;
    const double aspect = double(look.width) / look.height;
    if (look.eye) return;
    if (!look.keys.empty()) return follow_keys(points, aspect);
    std::vector<Direction> directions;
    for (const std::string& name : look.views) directions.push_back(named_direction(name));
    path.emplace(std::move(directions), look.orbit, std::move(points), up(), 0.07 * reach, aspect);
  }

  void follow_keys(const std::vector<Vector3d>& points, double aspect) {
    std::vector<double> times;
    std::vector<Camera> cameras;
    for (const CameraKey& key : look.keys) {
      times.push_back(key.time);
      if (key.view.empty())
        cameras.push_back(looking(key.eye, key.target.value_or(surroundings.centre), up()));
      else
        cameras.push_back(CameraPath({named_direction(key.view)}, 0, points, up(), 0.07 * reach, aspect).at(0));
    }
    keyed.emplace(std::move(times), std::move(cameras), up());
  }

  void follow_tips() {
    const double per_second = 60 / look.speed;
    const int n = clamped_whole((span.to - span.from) * per_second, 200, 6000);
    for (int k = 0; k <= n; ++k) trail_times.push_back(span.from + (span.to - span.from) * k / n);
    for (const ShownRun& run : runs) {
      auto& trail = trails.emplace_back();
      for (const double t : trail_times) trail.push_back(tip_at(run, t));
    }
  }
  Vector3d tip_at(const ShownRun& run, double t) const {
    return kinematics_of(*run.arm, bent_state(run, t)).X_WT[run.arm->last_link()].p;
  }

  double share(double t) const { return span.to > span.from ? (t - span.from) / (span.to - span.from) : 0; }
  Camera camera_at(double t) const {
    if (keyed) return keyed->at(t);
    if (path) return path->at(share(t));
    const Vector3d target = look.target.value_or(surroundings.centre);
    return looking(*look.eye, target, up());
  }

  Colour run_colour(size_t r) const { return theme.series[r % theme.series.size()]; }

  void add_arm_at(Triangles& out, size_t r, double t) const {
    const ShownRun& run = runs[r];
    Paint paint{.theme = theme};
    if (runs.size() > 1) paint.run = run_colour(r);
    std::map<std::string, StressAlong> stress;
    if (look.stress) {
      stress = stresses[r].at(t, largest_stress);
      paint.stress = &stress;
    }
    add_arm(out, *run.arm, run.scene, bent_state(run, t), paint);
  }

  void add_ghost(size_t r, double t, double detail) {
    Veil& veil = frame.veils.emplace_back();
    veil.triangles.detail = detail;
    veil.opacity = 0.2;
    const Paint paint{.theme = theme, .ghost = true};
    add_arm(veil.triangles, *runs[r].arm, runs[r].scene, commanded_at(runs[r], t), paint);
  }

  void add_wakes(size_t r, double t, const Camera& camera) {
    const ShownRun& run = runs[r];
    if (!run.wind) return;
    const Colour colour = runs.size() > 1 ? run_colour(r) : theme.series[0];
    for (const SceneSurface& surface : run.scene.surfaces) {
      const WakeSheet sheet = wake_of(run, surface, t, look.exaggeration);
      Veil& veil = frame.veils.emplace_back();
      veil.opacity = 0.22;
      add_sheet(veil.triangles, sheet.places, sheet.rows, sheet.columns, colour);
      for (int j = 0; j <= sheet.columns; ++j) {
        std::vector<Vector3d> line;
        for (int k = 0; k <= sheet.rows; ++k) line.push_back(sheet.places[size_t(k * (sheet.columns + 1) + j)]);
        add_ribbon(frame.lines, line, camera, 0.8 / 720, colour, 0.5);
      }
    }
  }

  void add_trail(size_t r, double t, const Camera& camera) {
    const Colour colour = runs.size() > 1 ? run_colour(r) : theme.series[1];
    const std::vector<Vector3d>& whole = trails[r];
    add_ribbon(frame.lines, whole, camera, 1.2 / 720, colour, 0.3);
    const auto passed = size_t(std::upper_bound(trail_times.begin(), trail_times.end(), t) - trail_times.begin());
    std::vector<Vector3d> past(whole.begin(), whole.begin() + std::ptrdiff_t(passed));
    past.push_back(tip_at(runs[r], t));
    add_ribbon(frame.lines, past, camera, 2.2 / 720, colour, 1);
  }

  void begin(const std::vector<double>& times, Picture&& picture) {
    frame.clear();
    const double now = times.back();
    const Camera camera = camera_at(now);
    const double detail = look.height / (2 * camera.distance * camera.tan_half);
    frame.solids.detail = detail;
    for (size_t r = 0; r < runs.size(); ++r) {
      // Older instants first, so that newer ones lie over them.
      for (size_t k = 0; k + 1 < times.size(); ++k) {
        Veil& veil = frame.veils.emplace_back();
        veil.triangles.detail = detail;
        veil.opacity = 0.16 + 0.4 * double(k) / double(times.size());
        add_arm_at(veil.triangles, r, times[k]);
      }
      add_arm_at(frame.solids, r, now);
      if (look.wake) add_wakes(r, now, camera);
      if (look.trail) add_trail(r, now, camera);
      if (look.ghost && times.size() == 1) add_ghost(r, now, detail);
    }
    renderer.begin(frame, surroundings, camera, theme, std::move(picture));
  }

  Captions lasting_captions() const {
    Captions captions;
    captions.title = look.title;
    if (look.ghost) captions.ghost = LegendLine{theme.ghost, "the rigid arm, as commanded"};
    if (look.exaggeration != 1) captions.notes.push_back(fmt::format("deformation × {:g}", look.exaggeration));
    if (look.speed != 1) captions.notes.push_back(fmt::format("speed × {:.4g}", look.speed));
    captions.scale = fmt::format("grid {}", pitch_text());
    if (look.stress && largest_stress > 0) captions.stress_largest = fmt::format("{:.3g} MPa", largest_stress / 1e6);
    captions.coloured_readings = runs.size() > 1;
    return captions;
  }
  std::string pitch_text() const {
    const double pitch = surroundings.grid_pitch;
    if (pitch >= 1) return fmt::format("{:g} m", pitch);
    return pitch >= 0.01 ? fmt::format("{:g} cm", 100 * pitch) : fmt::format("{:g} mm", 1000 * pitch);
  }
  Captions captions_at(double t) const {
    Captions captions = lasting_captions();
    const double length = span.to - span.from;
    const int digits = length >= 20 ? 1 : length >= 2 ? 2 : 3;
    captions.time = fmt::format("{:.{}f} s", t, digits);
    for (const CameraKey& key : look.keys)
      if (key.time <= t && !key.name.empty()) captions.subtitle = key.name;
    for (size_t r = 0; r < runs.size(); ++r) {
      const double error = errs[r] ? tip_error_at(runs[r], t) : std::numeric_limits<double>::quiet_NaN();
      std::string text = runs.size() > 1 ? runs[r].label : "";
      if (std::isfinite(error)) text += (text.empty() ? "tip error " : ": tip error ") + length_text(error);
      if (!text.empty()) captions.readings.push_back({run_colour(r), text});
    }
    return captions;
  }
};

Film::Film(const std::vector<ShownRun>& runs, const Look& look, Span span)
    : impl_(std::make_unique<Impl>(runs, look, span)) {}
Film::~Film() = default;

Picture Film::draw(double t) { return draw_overlaid({t}); }
Picture Film::draw_overlaid(const std::vector<double>& times) {
  impl_->begin(times, {});
  return collect();
}
void Film::begin(double t, Picture&& picture) { impl_->begin({t}, std::move(picture)); }
Picture Film::collect() { return impl_->renderer.collect(); }

void Film::caption(double t, Picture& picture) const {
  if (impl_->look.captions) draw_captions(picture, impl_->captions_at(t), impl_->theme);
}
void Film::caption_without_time(Picture& picture) const {
  if (impl_->look.captions) draw_captions(picture, impl_->lasting_captions(), impl_->theme);
}

const std::string& Film::device() const { return impl_->renderer.device(); }

Eigen::Vector2d Film::pixel_of(const Vector3d& point, double t) const {
  const Look& look = impl_->look;
  const Eigen::Vector4d clip =
      impl_->camera_at(t).world_to_clip(double(look.width) / look.height).cast<double>() * point.homogeneous();
  return {(clip.x() / clip.w() + 1) / 2 * look.width, (clip.y() / clip.w() + 1) / 2 * look.height};
}

}  // namespace lithe::film
