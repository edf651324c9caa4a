// Films and pictures as the program writes them: decoded by ffmpeg, counted, measured. The arm turns at a constant rate, so that
// where it is in every picture is known.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <numbers>

#include "app/run_program.h"
#include "support/leftovers.h"

namespace lithe::testing {
namespace {

constexpr double pi = std::numbers::pi;

// One link of a metre, turning about −y (upwards from x) by half a turn in two seconds; nothing acts on it.
constexpr const char* turning = R"(
arm:
  gravity: [0, 0, 0]
  links:
    - name: bar
      joint: {name: hinge, type: revolute, axis: [0, -1, 0]}
      beam: {length: 1, material: aluminium, section: {circle: {diameter: 80 mm}}, flexibility: rigid}
initial: {hinge: {rate: 90 deg/s}}
simulate: {for: 2 s, output_step: 0.02 s}
)";

constexpr int width = 320, height = 180;
// Straight along y from 4 m: docs/movie.md says how large things are then.
const std::vector<std::string> from_the_front{"--size", "320x180", "--eye", "0,-4,0.4", "--target", "0,0,0.4"};

/// The run that every test here shows, made once.
const std::string& results() {
  static const TemporaryFolder folder;
  static const std::string path = [] {
    const std::string file = folder.write("turning.yaml", turning), out = folder.path() + "/out";
    const Finished finished = run_program({"run", file, "-o", out});
    if (finished.code != 0) throw std::runtime_error(finished.err);
    return out;
  }();
  return path;
}

struct Decoded {
  int n_frames = 0;
  std::string bytes;  // rgb24
  const unsigned char* frame(int k) const {
    return reinterpret_cast<const unsigned char*>(bytes.data()) + size_t(3) * width * height * k;
  }
};

std::string shell(const std::string& command, const TemporaryFolder& folder) {
  const std::string out = folder.path() + "/shell.out";
  EXPECT_EQ(std::system((command + " >" + out + " 2>/dev/null </dev/null").c_str()), 0) << command;
  return read_text(out);
}

Decoded decoded(const std::string& file, const TemporaryFolder& folder) {
  const std::string raw = folder.path() + "/raw";
  shell("ffmpeg -v error -y -i " + file + " -vsync passthrough -f rawvideo -pix_fmt rgb24 " + raw, folder);
  Decoded film;
  film.bytes = read_text(raw);
  EXPECT_EQ(film.bytes.size() % (size_t(3) * width * height), 0u);
  film.n_frames = int(film.bytes.size() / (size_t(3) * width * height));
  return film;
}

struct Measured {
  int n = 0;
  double x = 0, y = 0;  // centre of the blue pixels
};
Measured blue_part(const unsigned char* pixels) {
  Measured it;
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x) {
      const unsigned char* p = pixels + 3 * (y * width + x);
      if (p[2] > 1.6 * p[0] && p[2] > p[1] + 12) ++it.n, it.x += x + 0.5, it.y += y + 0.5;
    }
  if (it.n > 0) it.x /= it.n, it.y /= it.n;
  return it;
}

/// Where the middle of the bar is at time t; the joint's glyph hides its first tenth, so a little further out.
void expect_bar(const Measured& seen, double t, double slack) {
  const double scale = height / (0.574 * 4), angle = t * pi / 2, middle = 0.53;
  EXPECT_GT(seen.n, 150) << t;
  EXPECT_NEAR(seen.x, width / 2.0 + scale * middle * std::cos(angle), slack) << t;
  EXPECT_NEAR(seen.y, height / 2.0 - scale * (middle * std::sin(angle) - 0.4), slack) << t;
}

class FilmOf : public ::testing::TestWithParam<const char*> {};

TEST_P(FilmOf, HasItsPicturesAndTheArmInThem) {
  const TemporaryFolder folder;
  const std::string file = folder.path() + "/film" + GetParam();
  std::vector<std::string> words{"movie", results(), "-o", file, "--fps", "20", "--no-trail", "--json"};
  words.insert(words.end(), from_the_front.begin(), from_the_front.end());
  const auto told = json_of(words);
  EXPECT_EQ(told["frames"], 40);
  EXPECT_EQ(told["seconds"], 2.0);
  EXPECT_EQ(told["complete"], true);
  EXPECT_EQ(n_leftovers(folder.path()), 0);

  // What ffprobe, which shares nothing with us, says about it.
  const std::string probe = shell(
      "ffprobe -v error -count_frames -select_streams v -show_entries "
      "stream=width,height,nb_read_frames:format=duration -of csv=p=0 " +
          file,
      folder);
  int w = 0, h = 0, frames = 0;
  double duration = 0;
  ASSERT_EQ(std::sscanf(probe.c_str(), "%d,%d,%d %lf", &w, &h, &frames, &duration), 4) << probe;
  EXPECT_EQ(w, width);
  EXPECT_EQ(h, height);
  EXPECT_EQ(frames, 40);
  EXPECT_NEAR(duration, 2, 0.051);

  const Decoded film = decoded(file, folder);
  ASSERT_EQ(film.n_frames, 40);
  // Captions are grey; compression moves a centre by a fraction of a pixel, the tip's blue arrow by one or two.
  for (const int k : {0, 7, 20, 33, 39}) expect_bar(blue_part(film.frame(k)), k / 20.0, 4);
  const Measured first = blue_part(film.frame(0)), last = blue_part(film.frame(39));
  EXPECT_GT(first.x - last.x, 60) << "it moves";
}

INSTANTIATE_TEST_SUITE_P(Endings, FilmOf, ::testing::Values(".mp4", ".avi", ".gif"),
                         [](const auto& it) { return std::string(it.param + 1); });

TEST(Movie, SpeedLengthAndPartSayHowManyPictures) {
  const TemporaryFolder folder;
  const std::string file = folder.path() + "/film.avi";
  const std::vector<std::string> small{"movie", results(), "-o", file, "--size", "96x64", "--json"};
  auto frames = [&](const std::vector<std::string>& more) {
    std::vector<std::string> words = small;
    words.insert(words.end(), more.begin(), more.end());
    return json_of(words)["frames"].get<int>();
  };
  EXPECT_EQ(frames({"--fps", "5"}), 10);
  EXPECT_EQ(frames({"--fps", "5", "--speed", "0.5"}), 20);
  EXPECT_EQ(frames({"--fps", "5", "--length", "1 s"}), 5);
  EXPECT_EQ(frames({"--fps", "5", "--from", "0.5", "--to", "1500 ms"}), 5);
}

TEST(Movie, StoppedKeepsWhatWasMade) {
  const TemporaryFolder folder;
  const std::string file = folder.path() + "/film.avi", err = folder.path() + "/err";
  // Long enough to be still at it; stopped as soon as something is written.
  const std::string command =
      std::string(LITHE_PROGRAM) + " movie " + results() + " -o " + file + " --size 96x64 --length 4000s 2>" + err +
      " & p=$!; i=0; until [ -s \"$(ls -d " + folder.path() +
      "/.film.avi.*.part 2>/dev/null)\" ] || [ $i -ge 600 ]; do sleep 0.1; i=$((i+1)); done; sleep 0.3; kill -INT $p; "
      "wait $p";
  const int status = std::system(("sh -c '" + command + "'").c_str());
  EXPECT_EQ(WEXITSTATUS(status), 1);
  const std::string told = read_text(err);
  EXPECT_EQ(told.find("lithe: interrupted; " + file + " contains the film up to that point, "), 0u) << told;
  EXPECT_NE(told.find(" of 4e+03 s\n"), std::string::npos) << told;
  EXPECT_EQ(n_leftovers(folder.path()), 0);
  const std::string probe = shell(
      "ffprobe -v error -count_frames -select_streams v -show_entries stream=nb_read_frames "
      "-of csv=p=0 " +
          file,
      folder);
  EXPECT_GT(std::atoi(probe.c_str()), 0) << probe;
}

TEST(Movie, OnAFullDiskIsNoFilm) {
  const TemporaryFolder folder;
  const std::string file = folder.path() + "/film.mp4", err = folder.path() + "/err";
  // A limit on the size of files stands for the disk; it gives ffmpeg an error, not a signal.
  const std::string command = std::string("trap \"\" XFSZ; ulimit -f 8; ") + LITHE_PROGRAM + " movie " + results() +
                              " -o " + file + " --size 320x180 2>" + err;
  EXPECT_EQ(WEXITSTATUS(std::system(("sh -c '" + command + "'").c_str())), 1);
  const std::string told = read_text(err);
  EXPECT_EQ(told.find("lithe: cannot write " + file + ": ffmpeg says: "), 0u) << told;
  EXPECT_NE(told.find("File too large"), std::string::npos) << told;
  EXPECT_FALSE(std::filesystem::exists(file));
  EXPECT_EQ(n_leftovers(folder.path()), 0);
}

TEST(Image, AStripHasItsPicturesInOrder) {
  const TemporaryFolder folder;
  const std::string file = folder.path() + "/strip.png";
  std::vector<std::string> words{"image", results(),    "-o",           file,    "--strip",
                                 "3",     "--no-trail", "--no-caption", "--json"};
  words.insert(words.end(), from_the_front.begin(), from_the_front.end());
  const auto told = json_of(words);
  EXPECT_EQ(told["times"], nlohmann::ordered_json({0.0, 1.0, 2.0}));
  ASSERT_EQ(told["width"], 3 * width + 2);
  ASSERT_EQ(told["height"], height);
  // Cut into its pictures by ffmpeg.
  for (int k = 0; k < 3; ++k) {
    const std::string raw = folder.path() + "/raw";
    shell("ffmpeg -v error -y -i " + file + " -vf crop=320:180:" + std::to_string(k * (width + 1)) +
              ":0 -f rawvideo -pix_fmt rgb24 " + raw,
          folder);
    const std::string bytes = read_text(raw);
    ASSERT_EQ(bytes.size(), size_t(3) * width * height);
    expect_bar(blue_part(reinterpret_cast<const unsigned char*>(bytes.data())), k, 4);
  }
}

TEST(Image, ColumnsAndTimesMakeAGrid) {
  const TemporaryFolder folder;
  const auto told = json_of({"image", results(), "-o", folder.path() + "/grid.png", "--at", "0.1, 0.2 s,300 ms,1,2",
                             "--columns", "2", "--size", "100x80", "--json"});
  EXPECT_EQ(told["times"].size(), 5u);
  EXPECT_EQ(told["width"], 201);
  EXPECT_EQ(told["height"], 3 * 80 + 2);
}

struct BadFilm {
  const char* name;
  std::vector<std::string> words;  // after the results
  std::string message;
};

class BadFilmWords : public ::testing::TestWithParam<BadFilm> {};

TEST_P(BadFilmWords, AreRefusedAndNothingIsWritten) {
  const TemporaryFolder folder;
  std::vector<std::string> words{GetParam().words.front(), results()};
  words.insert(words.end(), GetParam().words.begin() + 1, GetParam().words.end());
  const Finished finished = run_program(words, folder.path());
  EXPECT_EQ(finished.err, "lithe: " + GetParam().message + "\n");
  EXPECT_EQ(finished.code, 2);
  EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
}

const BadFilm bad_films[] = {
    {"ending", {"movie", "-o", "a.mkv"}, "-o: expected a file name ending in .mp4, .avi, .gif, got \"a.mkv\""},
    {"picture_ending", {"image", "-o", "a.jpg"}, "-o: expected a file name ending in .png, got \"a.jpg\""},
    {"size",
     {"movie", "-o", "a.mp4", "--size", "720"},
     "--size: expected WIDTHxHEIGHT in pixels, each from 64 to 16384, or 360p, 480p, 720p, 1080p, 1440p, 4k; got "
     "\"720\""},
    {"odd_size", {"movie", "-o", "a.mp4", "--size", "321x180"}, "--size: expected even numbers for .mp4, got 321x180"},
    {"view",
     {"movie", "-o", "a.mp4", "--view", "tpo"},
     "--view: no view 'tpo', did you mean 'top'? Known: iso, front, side, top"},
    {"late", {"image", "-o", "a.png", "--at", "3 s"}, "--at: expected a time within the run, 0 s to 2 s, got 3 s"},
    {"from", {"movie", "-o", "a.mp4", "--from", "-1"}, "--from: expected a time within the run, 0 s to 2 s, got -1 s"},
    {"order",
     {"movie", "-o", "a.mp4", "--from", "1", "--to", "0.5"},
     "--to: expected a time after --from (1 s), got 0.5 s"},
    {"unit", {"movie", "-o", "a.mp4", "--length", "3 m"}, "--length: expected a time, got \"3 m\""},
    {"fps", {"movie", "-o", "a.mp4", "--fps", "0"}, "--fps: expected more than zero, got \"0\""},
    {"speed_and_length",
     {"movie", "-o", "a.mp4", "--speed", "2", "--length", "3"},
     "--length: leave out --speed: one follows from the other"},
    {"orbit_in_degrees",
     {"movie", "-o", "a.mp4", "--orbit", "360"},
     "--orbit: expected at most ten turns, such as 360deg, got \"360\""},
    {"target_alone", {"image", "-o", "a.png", "--target", "0,0,0"}, "--target: needs --eye"},
    {"no_stress",
     {"image", "-o", "a.png", "--stress"},
     "--stress: these results contain no stress: no link of the arm bends"},
    {"strip_and_times",
     {"image", "-o", "a.png", "--strip", "3", "--at", "1"},
     "--strip: leave out --at, which already says which pictures to draw"},
    {"too_wide_with_its_gaps",
     {"image", "-o", "a.png", "--strip", "51", "--size", "642x360"},
     "--strip: 51 pictures of 642x360 are too large side by side; expected at most 32767 pixels: try --columns or a "
     "smaller --size"},
    {"columns_of_one",
     {"image", "-o", "a.png", "--columns", "3"},
     "--columns: needs several pictures, from --strip or --at"},
};

INSTANTIATE_TEST_SUITE_P(Words, BadFilmWords, ::testing::ValuesIn(bad_films),
                         [](const auto& it) { return it.param.name; });

TEST(Movie, SaysWhatIsMissing) {
  const TemporaryFolder folder;
  const std::string path = std::getenv("PATH");
  setenv("PATH", "/nowhere", 1);
  const Finished finished = run_program({"movie", results(), "-o", "a.mp4"}, folder.path());
  setenv("PATH", path.c_str(), 1);
  EXPECT_EQ(finished.err, "lithe: films are encoded by ffmpeg, which is not installed (Debian: ffmpeg)\n");
  EXPECT_EQ(finished.code, 1);
  EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
}

TEST(Image, SaysWhatToDrawWithIsMissing) {
  const TemporaryFolder folder;
  setenv("__EGL_VENDOR_LIBRARY_DIRS", "/nowhere", 1);  // where the dispatcher looks for drivers
  const Finished finished = run_program({"image", results(), "-o", "a.png"}, folder.path());
  unsetenv("__EGL_VENDOR_LIBRARY_DIRS");
  EXPECT_EQ(finished.err,
            "lithe: cannot draw: EGL offers no OpenGL ES 3 here. Mesa can draw without a graphics processor (Debian: "
            "libegl1, libgles2, libgl1-mesa-dri)\n");
  EXPECT_EQ(finished.code, 1);
  EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
}

TEST(Movie, SaysWhyItCannotBeWritten) {
  const TemporaryFolder folder;
  const Finished finished =
      run_program({"movie", results(), "-o", "nowhere/a.avi", "--size", "96x64", "--length", "1 s"}, folder.path());
  EXPECT_EQ(finished.code, 1);
  EXPECT_EQ(finished.err, "lithe: cannot write nowhere/a.avi: No such file or directory\n");
}

TEST(Image, NeedsResults) {
  const TemporaryFolder folder;
  const Finished finished = run_program({"image", folder.path(), "-o", "a.png"}, folder.path());
  EXPECT_EQ(finished.code, 2);
  EXPECT_NE(finished.err.find("results.h5"), std::string::npos) << finished.err;
}

}  // namespace
}  // namespace lithe::testing
