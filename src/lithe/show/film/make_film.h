#pragma once

#include <atomic>
#include <functional>
#include <string>
#include <vector>

#include "lithe/show/film/film.h"

namespace lithe::film {

/// When each picture of a film is taken.
struct Schedule {
  Span span;
  double speed = 1, fps = 30;  // simulated seconds per second of film; pictures a second
  int frames = 1;
  double time(int frame) const;
  double seconds(int count) const { return count / fps; }
};

/// Films have at most so many pictures.
inline constexpr int most_frames = 1'000'000;
/// How many pictures a part of a run takes, before rounding to what a film may have.
double wanted_frames(Span span, double speed, double fps);
/// With as many pictures as the span takes, at least one and most_frames at most.
Schedule schedule_of(Span span, double speed, double fps);

/// What a film is made with besides runs and look.
struct FilmOptions {
  Schedule schedule;
  std::string file;                           // .mp4, .avi or .gif (film_endings)
  const std::atomic<bool>* stop = nullptr;    // set to end early: the film until then is kept
  std::function<void()> before_writing = {};  // called once all is ready: from then on there is something to clear away
  std::function<void(double seconds)> progress = {};  // of film, after every picture
};

/// What came of it.
struct FilmMade {
  int frames = 0;
  bool complete = false;  // false: it was stopped, and holds the beginning
  size_t bytes = 0;
  std::string device;  // what drew it
  double wall_seconds = 0, drawing_seconds = 0, captions_seconds = 0, encoder_seconds = 0;
};

/// Draws the runs and has ffmpeg encode them. One picture is drawn while the last is encoded, on a thread of its own. The film is in
/// its place when this returns, whole, or not at all. Throws RenderError; Error where there is no ffmpeg, it refuses, or nothing was
/// drawn before `stop`. `look.speed` is taken from the schedule.
FilmMade make_film(const std::vector<ShownRun>& runs, Look look, const FilmOptions& options);

/// Pictures of runs at some instants, each with its captions.
struct PictureOptions {
  std::vector<double> times;
  bool overlay = false;  // all instants in one picture, earlier ones fainter
  int columns = 0;       // of several pictures: so many beside each other, then a new row; 0: all in one row
};
/// What came of it, and what drew it.
struct PictureMade {
  Picture picture;
  std::string device;
};
/// Of several pictures side by side a thin line is left between them. Throws RenderError; std::invalid_argument where all of them
/// together are larger than a PNG file may be.
PictureMade make_picture(const std::vector<ShownRun>& runs, Look look, Span span, const PictureOptions& options);

}  // namespace lithe::film
