#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "lithe/show/film/camera_keys.h"
#include "lithe/show/film/captions.h"
#include "lithe/show/film/picture.h"
#include "lithe/show/shown_run.h"

namespace lithe::film {

/// How a film or a picture should look.
struct Look {
  int width = 1280, height = 720;
  bool dark = false;
  double exaggeration = 1;
  bool ghost = true, trail = true, stress = false, captions = true;
  bool wake = false;  // of lifting surfaces, as the wind carries it
  std::string title;
  std::vector<std::string> views{"iso"};  // passed through one after the other
  double orbit = 0;                       // [rad] round the vertical during the film
  std::optional<Vector3d> eye, target;    // a camera that stands there instead
  std::vector<CameraKey> keys;            // or one that goes from key to key, by their times, strictly ascending
  double speed = 1;                       // simulated seconds per second of film: written on it unless 1
};

/// The time span of runs: from the earliest beginning to the latest end.
struct Span {
  double from = 0, to = 0;
};
Span shown_span(const std::vector<ShownRun>& runs);

/// Draws runs at any time in a span, with the same camera, ground and light in all frames. The runs must have arms and outlive it.
class Film {
 public:
  /// Throws RenderError when nothing can draw.
  Film(const std::vector<ShownRun>& runs, const Look& look, Span span);
  ~Film();

  /// The arm at time t, without captions. To be called on the thread that made the Film.
  Picture draw(double t);
  /// Several instants in one picture, the last one solid and those before it fainter the older they are.
  Picture draw_overlaid(const std::vector<double>& times);

  /// draw() in two halves: a second picture may begin before the first is collected, which is faster than one after the
  /// other. `picture` is memory to reuse.
  void begin(double t, Picture&& picture);
  Picture collect();

  /// Writes the captions for time t on a picture. On any thread.
  void caption(double t, Picture& picture) const;
  /// The same without the time and values that depend on it.
  void caption_without_time(Picture& picture) const;

  /// The name of the device that draws.
  const std::string& device() const;

  /// Where points of the world are on the picture at time t: pixels from its upper left corner.
  Eigen::Vector2d pixel_of(const Vector3d& point, double t) const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace lithe::film
