#include <fmt/format.h>

#include <cmath>
#include <iostream>
#include <optional>

#include "lithe/app/film_options.h"
#include "lithe/app/film_writer.h"
#include "lithe/app/json.h"
#include "lithe/app/progress.h"
#include "lithe/describe/spelling.h"
#include "lithe/results/own_folder.h"
#include "lithe/spatial/whole_number.h"

namespace lithe::app {
namespace {

using Clock = std::chrono::steady_clock;

struct MovieCommand : FilmOptions {
  std::string fps = "30", speed, length;
};

/// When each picture of the film is taken.
struct Schedule {
  film::Span span;
  double speed = 1, fps = 30;
  int frames = 1;
  double time(int frame) const { return std::min(span.from + frame * speed / fps, span.to); }
  double seconds(int count) const { return count / fps; }
};

double positive(const std::string& option, const std::string& text, const Dimension& dimension) {
  const double value = quantity_option(option, text, dimension);
  if (!(value > 0) || !std::isfinite(value))
    throw UsageError(fmt::format("{}: expected more than zero, got \"{}\"", option, text));
  return value;
}

constexpr int most_frames = 1'000'000;

Schedule schedule_of(const MovieCommand& options, film::Span span) {
  Schedule schedule{.span = span};
  const double duration = span.to - span.from;
  schedule.fps = positive("--fps", options.fps, dimension::number);
  if (schedule.fps > 240) throw UsageError(fmt::format("--fps: expected at most 240, got \"{}\"", options.fps));
  if (!options.speed.empty() && !options.length.empty())
    throw UsageError("--length: expected it without --speed: one follows from the other");
  if (!options.speed.empty()) schedule.speed = positive("--speed", options.speed, dimension::number);
  if (!options.length.empty() && duration > 0)
    schedule.speed = duration / positive("--length", options.length, dimension::time);
  const double frames = std::round(duration / schedule.speed * schedule.fps);
  if (frames > most_frames)
    throw UsageError(
        fmt::format("--speed: the film would have {:.3g} pictures; expected at most {}: try a higher --speed "
                    "or a shorter part (--from, --to)",
                    frames, most_frames));
  schedule.frames = clamped_whole(frames, 1, most_frames);
  return schedule;
}

/// The colours of a GIF, found from some of its pictures: of all it would have to be drawn twice or kept in memory.
void find_palette(film::Film& film, const Schedule& schedule, const film::Encoding& encoding, const std::string& file) {
  FedTool ffmpeg(film::palette_words(encoding), FedTool::Interrupts::only_us);
  constexpr int n_looked_at = 8;
  for (int k = 0; k < n_looked_at; ++k) {
    if (interrupted()) throw std::runtime_error("interrupted before the first picture; nothing was written");
    const double t = schedule.time((schedule.frames - 1) * k / (n_looked_at - 1));
    film::Picture picture = film.draw(t);
    film.caption(t, picture);
    if (!ffmpeg.feed(picture.pixels.data(), picture.pixels.size())) break;
  }
  const ToolAnswer answer = ffmpeg.finish();
  if (answer.code != 0)
    throw std::runtime_error(fmt::format("cannot write {}: ffmpeg says: {}", file, last_words(answer)));
}

int run(const MovieCommand& options) {
  const std::string ending = film::film_ending(options.output);
  if (ending.empty())
    throw UsageError(fmt::format("-o: expected a file that ends in {}, got \"{}\"", comma_list(film::film_endings()),
                                 options.output));
  const std::vector<ShownRun> runs = options.load_runs();
  const bool gif = ending == ".gif";
  film::Look look = options.look(runs, gif ? 640 : 1280, gif ? 360 : 720);
  if (!gif && (look.width % 2 != 0 || look.height % 2 != 0))
    throw UsageError(fmt::format("--size: expected even numbers for {}, got {}x{}", ending, look.width, look.height));
  const Schedule schedule = schedule_of(options, options.span(runs));
  look.speed = schedule.speed;
  demand_ffmpeg();

  const auto start = Clock::now();
  film::Film film(runs, look, schedule.span);
  const std::atomic<bool>& interrupted = catch_interrupts();  // from here on there are files to clear away
  film::Encoding encoding{.ending = ending, .width = look.width, .height = look.height, .fps = schedule.fps};
  std::optional<OwnFolder> scratch;
  if (gif) {
    encoding.palette = scratch.emplace("film").path() + "/palette.png";
    find_palette(film, schedule, encoding, options.output);
  }
  int done_frames = 0;
  double drawing = 0;
  size_t bytes = 0;
  FilmWriter writer(encoding, options.output, [&](film::Picture& picture, double t) { film.caption(t, picture); });
  {
    ProgressBar bar(schedule.seconds(schedule.frames));
    // One picture is drawn while the next is made ready.
    bool listening = true;
    int begun = 0;
    while (listening && (done_frames < begun || (begun < schedule.frames && !interrupted))) {
      const auto start_of_picture = Clock::now();
      while (begun < schedule.frames && begun < done_frames + 2 && !interrupted)
        film.begin(schedule.time(begun++), writer.empty_picture());
      film::Picture picture = film.collect();
      drawing += std::chrono::duration<double>(Clock::now() - start_of_picture).count();
      listening = writer.add(std::move(picture), schedule.time(done_frames));
      if (listening) bar(schedule.seconds(++done_frames));
    }
    if (done_frames == 0 && listening)
      throw std::runtime_error("interrupted before the first picture; nothing was written");
    bytes = writer.finish();
  }
  const double wall = std::chrono::duration<double>(Clock::now() - start).count();
  const bool whole = done_frames == schedule.frames;
  if (options.json) {
    std::cout << text_of(Json{{"file", options.output},
                              {"complete", whole},
                              {"frames", done_frames},
                              {"fps", schedule.fps},
                              {"seconds", schedule.seconds(done_frames)},
                              {"speed", schedule.speed},
                              {"width", look.width},
                              {"height", look.height},
                              {"bytes", bytes},
                              {"device", film.device()},
                              {"wall_seconds", wall},
                              {"drawing_seconds", drawing},
                              {"captions_seconds", writer.times().finishing},
                              {"encoder_seconds", writer.times().handing_over}})
              << "\n";
  }
  if (!whole)
    throw std::runtime_error(fmt::format("interrupted; {} holds the film until then, {:.3g} of {:.3g} s",
                                         options.output, schedule.seconds(done_frames),
                                         schedule.seconds(schedule.frames)));
  if (!options.json)
    std::cerr << fmt::format("{}: {:.4g} s, {} pictures of {} × {}, made in {:.2g} s\n", options.output,
                             schedule.seconds(done_frames), done_frames, look.width, look.height, wall);
  return done;
}

}  // namespace

void add_movie(CLI::App& app, Action& chosen) {
  auto* command = app.add_subcommand("movie", "a film of a run, .mp4, .avi or .gif; needs no display");
  auto options = std::make_shared<MovieCommand>();
  options->add_to(*command);
  command->add_option("-o,--output", options->output, "the film: .mp4 (H.264), .avi (Motion JPEG) or .gif")->required();
  command->add_option("--fps", options->fps, "pictures a second; 30 unless given");
  command->add_option("--speed", options->speed, "simulated seconds per second of film; 1 unless given");
  command->add_option("--length", options->length, "how long the film is, instead of --speed: \"10 s\"");
  command->add_option("--orbit", options->orbit, "turn round the arm by this angle meanwhile: 360deg");
  command->footer(
      "1280x720 unless told otherwise, a GIF 640x360. Ctrl-C stops and keeps the film until then. docs/movie.md shows "
      "more.");
  command->callback([=, &chosen] { chosen = [=] { return run(*options); }; });
}

}  // namespace lithe::app
