#include "lithe/app/film_options.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>
#include <numbers>
#include <sstream>

#include "lithe/app/results_file.h"
#include "lithe/describe/limits.h"
#include "lithe/describe/spelling.h"
#include "lithe/describe/whole_file.h"
#include "lithe/show/film/camera.h"
#include "lithe/show/film/stress.h"

namespace lithe::app {
namespace {

constexpr int least_side = 64, greatest_side = 16384;

/// `1280x720` or a name.
std::pair<int, int> size_of(const std::string& text) {
  static const std::map<std::string, std::pair<int, int>> names{
      {"360p", {640, 360}},    {"480p", {854, 480}},    {"720p", {1280, 720}}, {"1080p", {1920, 1080}},
      {"1440p", {2560, 1440}}, {"2160p", {3840, 2160}}, {"4k", {3840, 2160}},  {"4K", {3840, 2160}}};
  if (const auto found = names.find(text); found != names.end()) return found->second;
  std::pair<int, int> size{0, 0};
  const char* end = text.data() + text.size();
  const auto first = std::from_chars(text.data(), end, size.first);
  if (first.ec == std::errc() && first.ptr != end && *first.ptr == 'x') {
    const auto second = std::from_chars(first.ptr + 1, end, size.second);
    auto fits = [](int side) { return side >= least_side && side <= greatest_side; };
    if (second.ec == std::errc() && second.ptr == end && fits(size.first) && fits(size.second)) return size;
  }
  throw UsageError(fmt::format(
      "--size: expected WIDTHxHEIGHT in pixels, each from {} to {}, or 360p, 480p, 720p, 1080p, 1440p, 4k; got "
      "\"{}\"",
      least_side, greatest_side, text));
}

std::vector<std::string> views_of(const std::string& text) {
  std::vector<std::string> views;
  std::istringstream words(text);
  for (std::string word; std::getline(words, word, ',');) views.push_back(word);
  const auto& known = film::direction_names();
  if (views.empty()) views.emplace_back();
  for (const std::string& view : views)
    if (std::find(known.begin(), known.end(), view) == known.end())
      throw UsageError(
          fmt::format("--view: no view '{}'{} Known: {}", view, guess_in_sentence(view, known), comma_list(known)));
  return views;
}

/// What a case is called, in words.
std::string title_of(const std::string& case_file) {
  std::string name = case_name(case_file);
  // Numbers before a name are for sorting.
  const size_t letters = name.find_first_not_of("0123456789");
  if (letters != std::string::npos && letters > 0 && (name[letters] == '_' || name[letters] == '-'))
    name.erase(0, letters + 1);
  std::replace(name.begin(), name.end(), '_', ' ');
  return name;
}

}  // namespace

double quantity_option(const std::string& option, const std::string& text, const Dimension& dimension) {
  const Quantity read = read_quantity(text, dimension);
  if (!read.complaint.empty()) throw UsageError(fmt::format("{}: {}", option, read.complaint));
  return read.value;
}

double time_within(const std::string& option, const std::string& text, film::Span whole) {
  const double t = quantity_option(option, text, dimension::time);
  const double hair = 1e-9 * (whole.to - whole.from);
  if (!(t >= whole.from - hair && t <= whole.to + hair))
    throw UsageError(fmt::format("{}: expected a time within the run, {:g} s to {:g} s, got {:g} s", option, whole.from,
                                 whole.to, t));
  return t;
}

void FilmOptions::add_to(CLI::App& command) {
  command.add_option("RESULTS", results, "results files, or folders with results.h5; several are overlaid")->required();
  command.add_option("--size", size, "size of the picture: 1280x720, or 360p, 480p, 720p, 1080p, 1440p, 4k");
  command.add_option("--from", from, "time at which to begin; default: the beginning of the run");
  command.add_option("--to", to, "time at which to end; default: the end of the run");
  command.add_option("--exaggerate", exaggerate,
                     "factor by which deformations are exaggerated; written on the picture");
  command.add_option("--view", views, "iso (default), front, side, top; a film moves through several: iso,top");
  command.add_option("--eye", eye, "look from this point x,y,z [m] instead of --view");
  command.add_option("--target", target, "with --eye: look at this point x,y,z [m]; default: the middle of the motion");
  command
      .add_option("--key", keys,
                  "key frame of the camera, TIME=VIEW or TIME=x,y,z>x,y,z (eye and target), with :NAME to write on the "
                  "film from then on: \"0.5 s=side:the tip turns\" (may be repeated)")
      ->take_all()
      ->expected(1)
      ->allow_extra_args(false);
  command.add_option("--keys", key_file, "the same from a file, one on each line");
  command.add_flag("--ghost,!--no-ghost", ghost, "draw the rigid arm where it should be; --no-ghost: leave it out");
  command.add_flag("--trail,!--no-trail", trail, "draw the path of the tip; --no-trail: leave it out");
  command.add_flag("--stress", stress, "colour bending links by the largest stress in each section");
  command.add_flag("--wake", wake, "draw the wakes of lifting surfaces, as the wind carries them");
  command.add_flag("--dark", dark, "use a dark background instead of a light one");
  command.add_option("--title", title, "title above the picture; default: the name of the case");
  command.add_flag("--caption,!--no-caption", caption, "write captions on the picture; --no-caption: leave them out");
  command.add_option("--labels", labels, "names of the compared runs, separated by commas");
  command.add_flag("--json", json, "print JSON");
}

std::vector<ShownRun> FilmOptions::load_runs() const {
  const std::vector<std::string> names = run_labels(results, labels);
  std::vector<ShownRun> runs;
  for (size_t r = 0; r < results.size(); ++r) {
    ShownRun run{.label = names[r], .file = results_file(results[r]), .results = load_results(results[r])};
    if (run.results.time.empty()) throw UsageError(fmt::format("{} holds no rows yet", run.file));
    add_arm(run);
    if (!run.arm) throw UsageError(fmt::format("{}: there is no arm to draw: {}", run.file, run.no_scene));
    runs.push_back(std::move(run));
  }
  return runs;
}

std::vector<film::CameraKey> FilmOptions::camera_keys() const {
  std::vector<film::CameraKey> list;
  if (!key_file.empty()) {
    std::string text;
    try {
      text = whole_file(key_file, limits::data_file_bytes);
    } catch (const std::system_error& error) {
      throw UsageError(
          fmt::format("--keys: cannot read \"{}\": {}", key_file, why_unread(error.code(), limits::data_file_bytes)));
    }
    list = with_option_name("--keys " + key_file, [&] { return film::camera_keys_in(text); });
    if (list.empty()) throw UsageError(fmt::format("--keys: {} holds no key", key_file));
  }
  for (const std::string& words : keys)
    list.push_back(with_option_name("--key", [&] { return film::camera_key(words); }));
  std::stable_sort(list.begin(), list.end(),
                   [](const film::CameraKey& a, const film::CameraKey& b) { return a.time < b.time; });
  for (size_t k = 1; k < list.size(); ++k)
    if (!(list[k].time > list[k - 1].time))
      throw UsageError(fmt::format("--key: two keys at {:g} s: expected one camera at a time", list[k].time));
  return list;
}

film::Look FilmOptions::look(const std::vector<ShownRun>& runs, int width, int height) const {
  film::Look look{.width = width, .height = height};
  if (!size.empty()) std::tie(look.width, look.height) = size_of(size);
  look.dark = dark;
  if (!exaggerate.empty()) look.exaggeration = quantity_option("--exaggerate", exaggerate, dimension::number);
  if (!(look.exaggeration >= 0))
    throw UsageError(fmt::format("--exaggerate: expected zero or more, got \"{}\"", exaggerate));
  look.ghost = ghost;
  look.trail = trail;
  look.stress = stress;
  look.captions = caption;
  look.views = views_of(views);
  if (!orbit.empty()) look.orbit = quantity_option("--orbit", orbit, dimension::angle);
  if (std::abs(look.orbit) > 20 * std::numbers::pi)
    throw UsageError(fmt::format("--orbit: expected at most ten turns, such as 360deg, got \"{}\"", orbit));
  if (!eye.empty()) look.eye = three("--eye", eye, dimension::length);
  if (!target.empty()) look.target = three("--target", target, dimension::length);
  if (look.target && !look.eye) throw UsageError("--target: needs --eye");
  if (look.eye && look.target && (*look.eye - *look.target).norm() < 1e-9)
    throw UsageError("--target: expected a point other than --eye");
  if (look.eye && look.orbit != 0) throw UsageError("--orbit: starts from a --view: leave out --eye");
  look.keys = camera_keys();
  if (!look.keys.empty() && (look.eye || look.orbit != 0 || views != "iso"))
    throw UsageError("--key: says where the camera is: leave out --view, --eye and --orbit");
  look.title = title;
  if (title.empty() && runs.size() == 1) look.title = title_of(runs.front().results.header.case_file);
  look.wake = wake;
  if (wake) with_option_name("--wake", [&] { demand_wakes(runs); });
  if (look.stress) {
    const bool recorded =
        std::any_of(runs.begin(), runs.end(), [](const ShownRun& run) { return film::StressOfRun(run).recorded(); });
    if (!recorded) throw UsageError("--stress: these results contain no stress: no link of the arm bends");
  }
  return look;
}

film::Span FilmOptions::span(const std::vector<ShownRun>& runs) const {
  const film::Span whole = film::shown_span(runs);
  film::Span part = whole;
  if (!from.empty()) part.from = time_within("--from", from, whole);
  if (!to.empty()) part.to = time_within("--to", to, whole);
  if (!(part.to > part.from) && (!from.empty() || !to.empty()))
    throw UsageError(fmt::format("--to: expected a time after --from ({:g} s), got {:g} s", part.from, part.to));
  return part;
}

}  // namespace lithe::app
