#include <fmt/format.h>

#include <cmath>
#include <iostream>
#include <sstream>

#include "lithe/app/film_options.h"
#include "lithe/app/json.h"
#include "lithe/show/film/make_film.h"

namespace lithe::app {
namespace {

struct ImageCommand : FilmOptions {
  std::string at;
  int strip = 0, columns = 0;
  bool overlay = false;
};

/// The instants to show: `--at`, or `--strip` evenly from the beginning to the end, or the end.
std::vector<double> instants(const ImageCommand& options, film::Span whole, film::Span part) {
  if (!options.at.empty() && options.strip > 0)
    throw UsageError("--strip: leave out --at, which already says which pictures to draw");
  std::vector<double> times;
  std::istringstream words(options.at);
  for (std::string word; std::getline(words, word, ',');) times.push_back(time_within("--at", word, whole));
  const int n = options.strip > 0 ? options.strip : options.overlay ? 6 : 1;
  if (times.empty())
    for (int k = 0; k < n; ++k) times.push_back(n == 1 ? part.to : part.from + (part.to - part.from) * k / (n - 1));
  return times;
}

int run(const ImageCommand& options) {
  if (!options.output.ends_with(".png"))
    throw UsageError(fmt::format("-o: expected a file name ending in .png, got \"{}\"", options.output));
  const std::vector<ShownRun> runs = options.load_runs();
  const film::Span whole = film::shown_span(runs), part = options.span(runs);
  const std::vector<double> times = instants(options, whole, part);
  const bool single = times.size() == 1 || options.overlay;
  if (options.columns > 0 && single) throw UsageError("--columns: needs several pictures, from --strip or --at");
  const film::Look look = options.look(runs, single ? 1280 : 640, single ? 720 : 360);
  const auto [picture, device] = with_option_name("--strip", [&] {
    return film::make_picture(runs, look, part,
                              {.times = times, .overlay = options.overlay, .columns = options.columns});
  });
  const std::string png = png_of(picture);
  write_file(options.output, png);
  if (options.json)
    std::cout << text_of(Json{{"file", options.output},
                              {"width", picture.width},
                              {"height", picture.height},
                              {"times", times},
                              {"bytes", png.size()},
                              {"device", device}})
              << "\n";
  else
    std::cerr << options.output << "\n";
  return done;
}

}  // namespace

void add_image(CLI::App& app, Action& chosen) {
  auto* command = app.add_subcommand("image", "make a picture of a run, or a strip of key frames; needs no display");
  auto options = std::make_shared<ImageCommand>();
  options->add_to(*command);
  command->add_option("-o,--output", options->output, "the picture, .png")->required();
  command->add_option("--at", options->at,
                      "time to show, as in \"3.5 s\", or several separated by commas; default: the end");
  command->add_option("--strip", options->strip, "number of pictures side by side, evenly spaced over the run")
      ->check(CLI::Range(2, 100));
  command->add_option("--columns", options->columns, "number of pictures in each row of a strip")
      ->check(CLI::Range(1, 100));
  command->add_flag("--overlay", options->overlay, "show the instants in one picture, earlier ones fainter");
  command->footer("Default size: 1280x720, and 640x360 for each picture of a strip. docs/movie.md shows more.");
  command->callback([=, &chosen] { chosen = [=] { return run(*options); }; });
}

}  // namespace lithe::app
