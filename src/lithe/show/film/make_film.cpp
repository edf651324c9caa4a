#include "lithe/show/film/make_film.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <optional>
#include <stdexcept>

#include "lithe/error.h"
#include "lithe/results/own_folder.h"
#include "lithe/show/film/encoding.h"
#include "lithe/show/film/film_writer.h"
#include "lithe/show/film/theme.h"
#include "lithe/spatial/whole_number.h"

namespace lithe::film {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

bool is_stopped(const FilmOptions& options) { return options.stop != nullptr && *options.stop; }

[[noreturn]] void nothing_written() { throw Error("interrupted before the first picture; nothing was written"); }

/// The colours of a GIF, found from some of its pictures: for all of them it would have to be drawn twice or kept in memory.
void find_palette(Film& film, const FilmOptions& options, const Encoding& encoding) {
  PipedTool ffmpeg(palette_words(encoding), PipedTool::Interrupts::only_us);
  constexpr int n_looked_at = 8;
  for (int k = 0; k < n_looked_at; ++k) {
    if (is_stopped(options)) nothing_written();
    const double t = options.schedule.time((options.schedule.frames - 1) * k / (n_looked_at - 1));
    Picture picture = film.draw(t);
    film.caption(t, picture);
    if (!ffmpeg.feed(picture.pixels.data(), picture.pixels.size())) break;
  }
  const ToolAnswer answer = ffmpeg.finish();
  if (answer.code != 0)
    throw Error(fmt::format("cannot write {}: ffmpeg says: {}", options.file, last_words(answer)), options.file);
}

/// Between pictures of this height.
int gap_between(int height) { return std::max(1, height / 180); }

/// Pictures side by side, a thin line between them.
Picture grid_of(const std::vector<Picture>& pictures, int columns, Colour between) {
  const int rows = (int(pictures.size()) + columns - 1) / columns;
  const int wide = pictures.front().width, high = pictures.front().height, gap = gap_between(high);
  Picture whole(columns * wide + (columns - 1) * gap, rows * high + (rows - 1) * gap);
  for (size_t k = 0; k < whole.pixels.size(); k += 4) {
    whole.pixels[k] = between.b;
    whole.pixels[k + 1] = between.g;
    whole.pixels[k + 2] = between.r;
  }
  for (size_t k = 0; k < pictures.size(); ++k)
    whole.paste(pictures[k], int(k) % columns * (wide + gap), int(k) / columns * (high + gap));
  return whole;
}

}  // namespace

double Schedule::time(int frame) const { return std::min(span.from + frame * speed / fps, span.to); }

double wanted_frames(Span span, double speed, double fps) { return std::round((span.to - span.from) / speed * fps); }

Schedule schedule_of(Span span, double speed, double fps) {
  return {span, speed, fps, clamped_whole(wanted_frames(span, speed, fps), 1, most_frames)};
}

FilmMade make_film(const std::vector<ShownRun>& runs, Look look, const FilmOptions& options) {
  const Schedule& schedule = options.schedule;
  look.speed = schedule.speed;
  demand_ffmpeg();
  const auto start = Clock::now();
  FilmMade made;
  Film film(runs, look, schedule.span);
  made.device = film.device();
  if (options.before_writing) options.before_writing();
  Encoding encoding{
      .ending = film_ending(options.file), .width = look.width, .height = look.height, .fps = schedule.fps};
  std::optional<OwnFolder> scratch;
  if (encoding.ending == ".gif") {
    encoding.palette = scratch.emplace("film").path() + "/palette.png";
    find_palette(film, options, encoding);
  }
  FilmWriter writer(encoding, options.file, [&](Picture& picture, double t) { film.caption(t, picture); });
  // One picture is drawn while the next is made ready.
  bool listening = true;
  int begun = 0;
  while (listening && (made.frames < begun || (begun < schedule.frames && !is_stopped(options)))) {
    const auto start_of_picture = Clock::now();
    while (begun < schedule.frames && begun < made.frames + 2 && !is_stopped(options))
      film.begin(schedule.time(begun++), writer.empty_picture());
    Picture picture = film.collect();
    made.drawing_seconds += seconds_since(start_of_picture);
    listening = writer.add(std::move(picture), schedule.time(made.frames));
    if (!listening) break;
    ++made.frames;
    if (options.progress) options.progress(schedule.seconds(made.frames));
  }
  if (made.frames == 0 && listening) nothing_written();
  made.bytes = writer.finish();
  made.wall_seconds = seconds_since(start);
  made.complete = made.frames == schedule.frames;
  made.captions_seconds = writer.times().finishing;
  made.encoder_seconds = writer.times().handing_over;
  return made;
}

PictureMade make_picture(const std::vector<ShownRun>& runs, Look look, Span span, const PictureOptions& options) {
  const std::vector<double>& times = options.times;
  const int n = int(times.size());
  const bool single = n == 1 || options.overlay;
  const int columns = options.columns > 0 ? std::min(options.columns, n) : n;
  const int rows = (n + columns - 1) / columns;
  constexpr int greatest = 32767;  // the limit of the PNG writer
  const double gap = gap_between(look.height);
  if (!single && (columns * (look.width + gap) > greatest || rows * (look.height + gap) > greatest))
    throw std::invalid_argument(
        fmt::format("{} pictures of {}x{} are too large side by side; expected at most {} pixels: try "
                    "--columns or a smaller --size",
                    n, look.width, look.height, greatest));
  if (options.overlay) look.ghost = false;  // instants would hide it

  std::vector<Picture> pictures;
  // A film's four samples a pixel leave steps that only a still picture shows: drawn twice as large, it has sixteen.
  constexpr int largest_doubled = 1920 * 1080;  // beyond, steps are small and memory is not
  constexpr int longest_doubled = 4096;         // twice that every renderer takes
  const bool doubled =
      look.width * look.height <= largest_doubled && std::max(look.width, look.height) <= longest_doubled;
  if (doubled) {
    look.width *= 2;
    look.height *= 2;
  }
  Film film(runs, look, span);
  const auto add = [&](Picture&& drawn) { pictures.push_back(doubled ? drawn.halved() : std::move(drawn)); };
  if (options.overlay) {
    add(film.draw_overlaid(times));
    film.caption_without_time(pictures.back());
  } else {
    for (const double t : times) {
      add(film.draw(t));
      film.caption(t, pictures.back());
    }
  }
  return {single ? std::move(pictures.front()) : grid_of(pictures, columns, theme(look.dark).grid), film.device()};
}

}  // namespace lithe::film
