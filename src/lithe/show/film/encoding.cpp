#include "lithe/show/film/encoding.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

namespace lithe::film {
namespace {

/// With -xerror, because otherwise ffmpeg 5 reports success for a film on a full disk.
std::vector<std::string> input_words(const Encoding& e) {
  return {"ffmpeg",
          "-nostdin",
          "-hide_banner",
          "-loglevel",
          "error",
          "-xerror",
          "-y",
          "-f",
          "rawvideo",
          "-pixel_format",
          "bgr0",
          "-video_size",
          fmt::format("{}x{}", e.width, e.height),
          "-framerate",
          fmt::format("{:.6g}", e.fps),
          "-i",
          "pipe:0"};
}

void append(std::vector<std::string>& words, std::initializer_list<std::string> more) {
  words.insert(words.end(), more);
}

// Colours as televisions of high definition have them, said in the file so that players agree.
constexpr const char* as_bt709 = "scale=out_color_matrix=bt709:out_range=tv,format=yuv420p";

}  // namespace

const std::vector<std::string>& film_endings() {
  static const std::vector<std::string> endings{".mp4", ".avi", ".gif"};
  return endings;
}

std::string film_ending(const std::string& file) {
  const size_t dot = file.rfind('.');
  if (dot == std::string::npos) return "";
  std::string ending = file.substr(dot);
  std::transform(ending.begin(), ending.end(), ending.begin(), [](unsigned char c) { return char(std::tolower(c)); });
  const auto& known = film_endings();
  return std::find(known.begin(), known.end(), ending) == known.end() ? "" : ending;
}

std::vector<std::string> encoder_words(const Encoding& e) {
  std::vector<std::string> words = input_words(e);
  if (e.ending == ".mp4")
    append(words, {"-vf", as_bt709, "-c:v", "libx264", "-preset", "veryfast", "-crf", "19", "-colorspace", "bt709",
                   "-color_primaries", "bt709", "-color_trc", "iec61966-2-1", "-movflags", "+faststart", "-f", "mp4"});
  else if (e.ending == ".avi")
    append(words, {"-c:v", "mjpeg", "-q:v", "3", "-pix_fmt", "yuvj420p", "-f", "avi"});
  else
    append(words, {"-i", "file:" + e.palette, "-lavfi", "paletteuse=dither=bayer:bayer_scale=4:diff_mode=rectangle",
                   "-f", "gif"});
  words.push_back("file:" + e.file);
  return words;
}

std::vector<std::string> palette_words(const Encoding& e) {
  std::vector<std::string> words = input_words(e);
  append(words,
         {"-vf", "palettegen=stats_mode=full", "-update", "1", "-f", "image2", "-c:v", "png", "file:" + e.palette});
  return words;
}

}  // namespace lithe::film
