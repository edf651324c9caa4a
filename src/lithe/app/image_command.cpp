#include <fmt/format.h>

#include <cmath>
#include <iostream>
#include <sstream>

#include "lithe/app/film_options.h"
#include "lithe/app/json.h"

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
    throw UsageError("--strip: expected it without --at, which already says which pictures");
  std::vector<double> times;
  std::istringstream words(options.at);
  for (std::string word; std::getline(words, word, ',');) times.push_back(time_within("--at", word, whole));
  const int n = options.strip > 0 ? options.strip : options.overlay ? 6 : 1;
  if (times.empty())
    for (int k = 0; k < n; ++k) times.push_back(n == 1 ? part.to : part.from + (part.to - part.from) * k / (n - 1));
  return times;
}

/// Between pictures of this height.
int gap_between(int height) { return std::max(1, height / 180); }

/// Pictures side by side, a thin line between them.
film::Picture grid_of(const std::vector<film::Picture>& pictures, int columns, film::Colour between) {
  const int rows = (int(pictures.size()) + columns - 1) / columns;
  const int wide = pictures.front().width, high = pictures.front().height, gap = gap_between(high);
  film::Picture whole(columns * wide + (columns - 1) * gap, rows * high + (rows - 1) * gap);
  for (size_t k = 0; k < whole.pixels.size(); k += 4) {
    whole.pixels[k] = between.b;
    whole.pixels[k + 1] = between.g;
    whole.pixels[k + 2] = between.r;
  }
  for (size_t k = 0; k < pictures.size(); ++k)
    whole.paste(pictures[k], int(k) % columns * (wide + gap), int(k) / columns * (high + gap));
  return whole;
}

int run(const ImageCommand& options) {
  if (!options.output.ends_with(".png"))
    throw UsageError(fmt::format("-o: expected a file that ends in .png, got \"{}\"", options.output));
  const std::vector<ShownRun> runs = options.load_runs();
  const film::Span whole = film::shown_span(runs), part = options.span(runs);
  const std::vector<double> times = instants(options, whole, part);
  const bool single = times.size() == 1 || options.overlay;
  if (options.columns > 0 && single) throw UsageError("--columns: expected several pictures, by --strip or --at");
  film::Look look = options.look(runs, single ? 1280 : 640, single ? 720 : 360);
  const int columns = options.columns > 0 ? std::min(options.columns, int(times.size())) : int(times.size());
  const int rows = (int(times.size()) + columns - 1) / columns;
  constexpr int greatest = 32767;  // what the PNG maker takes
  const double gap = gap_between(look.height);
  if (!single && (columns * (look.width + gap) > greatest || rows * (look.height + gap) > greatest))
    throw UsageError(
        fmt::format("--strip: {} pictures of {}x{} are too large side by side; expected at most {} pixels: try "
                    "--columns or a smaller --size",
                    times.size(), look.width, look.height, greatest));
  if (options.overlay) look.ghost = false;  // instants would hide it

  std::vector<film::Picture> pictures;
  // A film's four samples a pixel leave steps that only a still picture shows: drawn twice as large, it has sixteen.
  constexpr int largest_doubled = 1920 * 1080;  // beyond, steps are small and memory is not
  constexpr int longest_doubled = 4096;         // twice that every renderer takes
  const bool doubled =
      look.width * look.height <= largest_doubled && std::max(look.width, look.height) <= longest_doubled;
  if (doubled) {
    look.width *= 2;
    look.height *= 2;
  }
  film::Film film(runs, look, part);
  const auto add = [&](film::Picture&& drawn) { pictures.push_back(doubled ? drawn.halved() : std::move(drawn)); };
  if (options.overlay) {
    add(film.draw_overlaid(times));
    film.caption_without_time(pictures.back());
  } else {
    for (const double t : times) {
      add(film.draw(t));
      film.caption(t, pictures.back());
    }
  }
  const film::Picture picture =
      single ? std::move(pictures.front()) : grid_of(pictures, columns, film::theme(look.dark).grid);
  const std::string png = png_of(picture);
  write_file(options.output, png);
  if (options.json)
    std::cout << text_of(Json{{"file", options.output},
                              {"width", picture.width},
                              {"height", picture.height},
                              {"times", times},
                              {"bytes", png.size()},
                              {"device", film.device()}})
              << "\n";
  else
    std::cerr << options.output << "\n";
  return done;
}

}  // namespace

void add_image(CLI::App& app, Action& chosen) {
  auto* command = app.add_subcommand("image", "a picture of a run, or a strip of key frames; needs no display");
  auto options = std::make_shared<ImageCommand>();
  options->add_to(*command);
  command->add_option("-o,--output", options->output, "the picture, .png")->required();
  command->add_option("--at", options->at,
                      "when: \"3.5 s\", or several times separated by commas; the end unless given");
  command->add_option("--strip", options->strip, "so many pictures side by side, evenly over the run")
      ->check(CLI::Range(2, 100));
  command->add_option("--columns", options->columns, "of a strip: so many beside each other, then a new row")
      ->check(CLI::Range(1, 100));
  command->add_flag("--overlay", options->overlay, "the instants in one picture, earlier ones fainter");
  command->footer("1280x720 unless told otherwise, each picture of a strip 640x360. docs/movie.md shows more.");
  command->callback([=, &chosen] { chosen = [=] { return run(*options); }; });
}

}  // namespace lithe::app
