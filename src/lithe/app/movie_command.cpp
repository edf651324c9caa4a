#include <fmt/format.h>

#include <cmath>
#include <iostream>
#include <optional>

#include "lithe/app/film_options.h"
#include "lithe/app/json.h"
#include "lithe/app/progress.h"
#include "lithe/describe/spelling.h"
#include "lithe/show/film/encoding.h"
#include "lithe/show/film/make_film.h"

namespace lithe::app {
namespace {

struct MovieCommand : FilmOptions {
  std::string fps = "30", speed, length;
};

double positive(const std::string& option, const std::string& text, const Dimension& dimension) {
  const double value = quantity_option(option, text, dimension);
  if (!(value > 0) || !std::isfinite(value))
    throw UsageError(fmt::format("{}: expected more than zero, got \"{}\"", option, text));
  return value;
}

film::Schedule schedule_of(const MovieCommand& options, film::Span span) {
  const double duration = span.to - span.from;
  const double fps = positive("--fps", options.fps, dimension::number);
  if (fps > 240) throw UsageError(fmt::format("--fps: expected at most 240, got \"{}\"", options.fps));
  if (!options.speed.empty() && !options.length.empty())
    throw UsageError("--length: leave out --speed: one follows from the other");
  double speed = 1;
  if (!options.speed.empty()) speed = positive("--speed", options.speed, dimension::number);
  if (!options.length.empty() && duration > 0) speed = duration / positive("--length", options.length, dimension::time);
  if (const double frames = film::wanted_frames(span, speed, fps); frames > film::most_frames)
    throw UsageError(
        fmt::format("--speed: the film would have {:.3g} pictures; expected at most {}: try a higher --speed "
                    "or a shorter part (--from, --to)",
                    frames, film::most_frames));
  return film::schedule_of(span, speed, fps);
}

int run(const MovieCommand& options) {
  const std::string ending = film::film_ending(options.output);
  if (ending.empty())
    throw UsageError(fmt::format("-o: expected a file name ending in {}, got \"{}\"", comma_list(film::film_endings()),
                                 options.output));
  const std::vector<ShownRun> runs = options.load_runs();
  const bool gif = ending == ".gif";
  const film::Look look = options.look(runs, gif ? 640 : 1280, gif ? 360 : 720);
  if (!gif && (look.width % 2 != 0 || look.height % 2 != 0))
    throw UsageError(fmt::format("--size: expected even numbers for {}, got {}x{}", ending, look.width, look.height));
  film::FilmOptions making{.schedule = schedule_of(options, options.span(runs)), .file = options.output};
  const film::Schedule& schedule = making.schedule;
  std::optional<ProgressBar> bar;
  making.stop = &interrupted();
  making.before_writing = [&] {
    catch_interrupts();  // from here on there are files to clear away
    bar.emplace(schedule.seconds(schedule.frames));
  };
  making.progress = [&](double seconds) { (*bar)(seconds); };
  const film::FilmMade made = film::make_film(runs, look, making);
  bar.reset();
  if (options.json) {
    std::cout << text_of(Json{{"file", options.output},
                              {"complete", made.complete},
                              {"frames", made.frames},
                              {"fps", schedule.fps},
                              {"seconds", schedule.seconds(made.frames)},
                              {"speed", schedule.speed},
                              {"width", look.width},
                              {"height", look.height},
                              {"bytes", made.bytes},
                              {"device", made.device},
                              {"wall_seconds", made.wall_seconds},
                              {"drawing_seconds", made.drawing_seconds},
                              {"captions_seconds", made.captions_seconds},
                              {"encoder_seconds", made.encoder_seconds}})
              << "\n";
  }
  if (!made.complete)
    throw std::runtime_error(fmt::format("interrupted; {} contains the film up to that point, {:.3g} of {:.3g} s",
                                         options.output, schedule.seconds(made.frames),
                                         schedule.seconds(schedule.frames)));
  if (!options.json)
    std::cerr << fmt::format("{}: {:.4g} s, {} pictures of {} × {}, made in {:.2g} s\n", options.output,
                             schedule.seconds(made.frames), made.frames, look.width, look.height, made.wall_seconds);
  return done;
}

}  // namespace

void add_movie(CLI::App& app, Action& chosen) {
  auto* command = app.add_subcommand("movie", "make a film of a run, .mp4, .avi or .gif; needs no display");
  auto options = std::make_shared<MovieCommand>();
  options->add_to(*command);
  command->add_option("-o,--output", options->output, "the film: .mp4 (H.264), .avi (Motion JPEG) or .gif")->required();
  command->add_option("--fps", options->fps, "pictures per second; default: 30");
  command->add_option("--speed", options->speed, "simulated seconds per second of film; default: 1");
  command->add_option("--length", options->length, "length of the film, instead of --speed: \"10 s\"");
  command->add_option("--orbit", options->orbit, "turn the view around the arm by this angle during the film: 360deg");
  command->footer(
      "Default size: 1280x720, and 640x360 for a GIF. Ctrl-C stops and keeps the film made so far. docs/movie.md shows "
      "more.");
  command->callback([=, &chosen] { chosen = [=] { return run(*options); }; });
}

}  // namespace lithe::app
