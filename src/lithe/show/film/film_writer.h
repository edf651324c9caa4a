#pragma once

#include <condition_variable>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <queue>
#include <string>
#include <thread>

#include "lithe/results/replace_file.h"
#include "lithe/show/film/encoding.h"
#include "lithe/show/film/picture.h"
#include "lithe/show/tool.h"

namespace lithe::film {

/// The time that a film took, in seconds: drawing (here), finishing and handing over (in the writer's thread).
struct WriterTimes {
  double finishing = 0, handing_over = 0;  // captions; what ffmpeg could not take at once counts as handing over
};

/// Passes pictures to ffmpeg on a separate thread, so that one is encoded while the next is drawn. When finish() returns,
/// the film is complete, or was not written at all (replace_file.h).
class FilmWriter {
 public:
  using Finish = std::function<void(Picture&, double t)>;  // completes a picture of time t

  /// To be called after demand_ffmpeg().
  FilmWriter(const Encoding& encoding, const std::string& file, Finish finish);
  ~FilmWriter();
  FilmWriter(const FilmWriter&) = delete;
  FilmWriter& operator=(const FilmWriter&) = delete;

  /// A picture to draw into.
  Picture empty_picture();
  /// Takes a picture. False if ffmpeg has failed: finish() throws the reason.
  bool add(Picture&& picture, double t);
  /// Ends the film, moves it to its place and returns its number of bytes. Throws Error with the message of ffmpeg.
  size_t finish();

  const WriterTimes& times() const { return times_; }

 private:
  struct Waiting {
    Picture picture;
    double t;
  };
  void work();
  bool hand_over(Waiting& next);
  void stop_worker();

  static constexpr size_t most_waiting = 3;
  std::string file_;
  std::unique_ptr<ReplacedFile> made_;
  PipedTool ffmpeg_;
  Finish finish_;
  WriterTimes times_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::queue<Waiting> waiting_;
  std::vector<Picture> spare_;
  bool ended_ = false, broken_ = false;
  std::exception_ptr trouble_;  // of the worker
  std::thread worker_;
};

/// Throws Error, which says what to install, if ffmpeg is missing.
void demand_ffmpeg();

/// The last message of ffmpeg.
std::string last_words(const ToolAnswer& answer);

}  // namespace lithe::film
