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

/// What a film's making took: seconds of its two hands, drawing (here) and finishing and handing over (the writer's).
struct WriterTimes {
  double finishing = 0, handing_over = 0;  // captions; what ffmpeg could not take at once counts as handing over
};

/// Hands pictures to ffmpeg on a thread of its own, so that one is encoded while the next is drawn. The film is
/// in its place when finish() returns, whole, or not at all (replace_file.h).
class FilmWriter {
 public:
  using Finish = std::function<void(Picture&, double t)>;  // what is still to be done to a picture of time t

  /// After demand_ffmpeg().
  FilmWriter(const Encoding& encoding, const std::string& file, Finish finish);
  ~FilmWriter();
  FilmWriter(const FilmWriter&) = delete;
  FilmWriter& operator=(const FilmWriter&) = delete;

  /// A picture to draw into.
  Picture empty_picture();
  /// Takes it. False when ffmpeg has given up: finish() throws why.
  bool add(Picture&& picture, double t);
  /// Ends the film, puts it in its place and gives its bytes. Throws Error with what ffmpeg said.
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

/// Throws Error, saying what to install, where there is no ffmpeg.
void demand_ffmpeg();

/// What ffmpeg said last, for a message.
std::string last_words(const ToolAnswer& answer);

}  // namespace lithe::film
