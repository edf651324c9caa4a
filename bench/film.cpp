// How long does a film take? Ten seconds of the space arm at 1280 × 720, beside what ffmpeg alone takes to encode as many pictures
// of that size: a bound for whoever draws them.
#include "lithe/show/film/film.h"

#include <fmt/format.h>
#include <sys/resource.h>

#include <chrono>

#include "bench/registry.h"
#include "lithe/describe/case_reader.h"
#include "lithe/results/own_folder.h"
#include "lithe/show/film/film_writer.h"
#include "lithe/simulate/run.h"

namespace lithe::bench {
namespace {

constexpr double film_seconds = 10, fps = 30;
constexpr int n_frames = int(film_seconds * fps);

struct Spent {
  double wall = 0, processor = 0;  // of this process and those it waited for, ffmpeg among them
};

double seconds(const timeval& time) { return double(time.tv_sec) + 1e-6 * double(time.tv_usec); }

Spent now() {
  Spent spent{std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(), 0};
  for (const int who : {RUSAGE_SELF, RUSAGE_CHILDREN}) {
    rusage usage{};
    getrusage(who, &usage);
    spent.processor += seconds(usage.ru_utime) + seconds(usage.ru_stime);
  }
  return spent;
}
template <class Work>
Spent measured(Work work) {
  const Spent before = now();
  work();
  const Spent after = now();
  return {after.wall - before.wall, after.processor - before.processor};
}

ShownRun space_arm(const std::string& folder) {
  const CaseFile file = read_case(LITHE_SOURCE_DIR "/examples/32_space_arm_payload/case.yaml");
  const std::string results = folder + "/results.h5";
  lithe::run(file, Arm::assemble(file.data), {.file = results});
  ShownRun shown{.label = "space arm", .file = results, .results = Results::read(results)};
  add_arm(shown);
  if (!shown.arm) throw std::runtime_error(shown.no_scene);
  return shown;
}

nlohmann::json run() {
  film::demand_ffmpeg();
  const OwnFolder own("film");
  const std::string& folder = own.path();
  const std::vector<ShownRun> runs{space_arm(folder)};
  film::Look look{.width = 1280, .height = 720};
  const film::Span span = film::shown_span(runs);
  look.speed = (span.to - span.from) / film_seconds;
  look.exaggeration = 25;
  look.title = "space arm";
  const film::Encoding encoding{.ending = ".mp4", .width = look.width, .height = look.height, .fps = fps};

  nlohmann::json figures;
  fmt::print("{} pictures of {} × {}\n{:<34}{:>9}{:>14}{:>26}\n", n_frames, look.width, look.height, "", "wall [s]",
             "processor [s]", "film per wall second");
  auto tell = [&](const char* what, const char* key, const Spent& spent) {
    fmt::print("{:<34}{:>9.2f}{:>14.2f}{:>26.2f}\n", what, spent.wall, spent.processor, film_seconds / spent.wall);
    figures[key] = {{"wall_seconds", spent.wall},
                    {"processor_seconds", spent.processor},
                    {"film_seconds_per_wall_second", film_seconds / spent.wall}};
  };

  std::string device;
  for (const double orbit : {0.0, 6.283}) {
    look.orbit = orbit;
    double drawing = 0, captions = 0;
    const Spent whole = measured([&] {
      film::Film film(runs, look, span);
      device = film.device();
      film::FilmWriter writer(encoding, folder + "/film.mp4", [&](film::Picture& p, double t) { film.caption(t, p); });
      auto time = [&](int k) { return span.from + k * look.speed / fps; };
      film.begin(time(0), {});
      for (int k = 0; k < n_frames; ++k) {
        film::Picture picture;
        drawing += measured([&] {
                     if (k + 1 < n_frames) film.begin(time(k + 1), writer.empty_picture());
                     picture = film.collect();
                   }).wall;
        writer.add(std::move(picture), time(k));
      }
      writer.finish();
      captions = writer.times().finishing;
    });
    tell(orbit == 0 ? "film, camera at rest" : "film, camera turns round", orbit == 0 ? "film" : "orbit", whole);
    fmt::print("  of it drawing and reading {:.0f} %, captions {:.1f} % (beside it), the rest waiting for ffmpeg\n",
               100 * drawing / whole.wall, 100 * captions / whole.wall);
    figures[orbit == 0 ? "film" : "orbit"]["drawing_share"] = drawing / whole.wall;
  }
  film::Picture still(look.width, look.height);
  const Spent bound = measured([&] {
    film::FilmWriter writer(encoding, folder + "/still.mp4", [](film::Picture&, double) {});
    for (int k = 0; k < n_frames; ++k) writer.add(film::Picture(still), 0);
    writer.finish();
  });
  tell("ffmpeg alone, a still", "encoding_alone", bound);
  fmt::print("drawn by {}\n", device);
  figures["device"] = device;
  return figures;
}

const Registration registration({"film", "How long does a film take?", run});

}  // namespace
}  // namespace lithe::bench
