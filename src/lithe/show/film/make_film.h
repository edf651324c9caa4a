#pragma once

#include <atomic>
#include <functional>
#include <string>
#include <vector>

#include "lithe/show/film/film.h"

namespace lithe::film {

/// The time of each picture of a film.
struct Schedule {
  Span span;
  double speed = 1, fps = 30;  // simulated seconds per second of film; pictures a second
  int frames = 1;
  double time(int frame) const;
  double seconds(int count) const { return count / fps; }
};

/// The largest number of pictures in a film.
inline constexpr int most_frames = 1'000'000;
/// The number of pictures that a span needs, before rounding and limits.
double wanted_frames(Span span, double speed, double fps);
/// The schedule for a span, with at least one and at most most_frames pictures.
Schedule schedule_of(Span span, double speed, double fps);

/// Further options of a film.
struct FilmOptions {
  Schedule schedule;
  std::string file;                           // .mp4, .avi or .gif (film_endings)
  const std::atomic<bool>* stop = nullptr;    // set to end early: the film until then is kept
  std::function<void()> before_writing = {};  // called when all is ready: then there is a partial file to remove
  std::function<void(double seconds)> progress = {};  // of film, after every picture
};

/// The result of make_film.
struct FilmMade {
  int frames = 0;
  bool complete = false;  // false: it was stopped, and contains only the beginning
  size_t bytes = 0;
  std::string device;  // the device that drew it
  double wall_seconds = 0, drawing_seconds = 0, captions_seconds = 0, encoder_seconds = 0;
};

/// Draws the runs and encodes them by ffmpeg. One picture is drawn while the previous one is encoded, on a separate thread. When this
/// returns, the file is complete, or was not written at all. Throws RenderError; Error if ffmpeg is missing or fails, or if nothing was
/// drawn before `stop`. `look.speed` is taken from the schedule.
FilmMade make_film(const std::vector<ShownRun>& runs, Look look, const FilmOptions& options);

/// Pictures of runs at some instants, each with its captions.
struct PictureOptions {
  std::vector<double> times;
  bool overlay = false;  // all instants in one picture, earlier ones fainter
  int columns = 0;       // of several pictures: the number in each row; 0: all in one row
};
/// The result of make_picture, and the device that drew it.
struct PictureMade {
  Picture picture;
  std::string device;
};
/// Draws one picture, or several side by side with a thin line between them. Throws RenderError; std::invalid_argument if all of them
/// together are larger than a PNG file may be.
PictureMade make_picture(const std::vector<ShownRun>& runs, Look look, Span span, const PictureOptions& options);

}  // namespace lithe::film
