#include "lithe/show/film/film_writer.h"

#include <fmt/format.h>

#include <chrono>
#include <stdexcept>

#include "lithe/error.h"

namespace lithe::film {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

Encoding into(Encoding encoding, const std::string& file) {
  encoding.file = file;
  return encoding;
}

std::unique_ptr<ReplacedFile> made_for(const std::string& file) {
  try {
    return std::make_unique<ReplacedFile>(file);
  } catch (const std::runtime_error& reason) {
    throw Error(fmt::format("cannot write {}: {}", file, reason.what()));
  }
}

}  // namespace

void demand_ffmpeg() {
  if (!run_tool({"ffmpeg", "-version"}, "").found)
    throw Error("films are encoded by ffmpeg, which is not installed (Debian: ffmpeg)", "",
                "install ffmpeg (Debian: ffmpeg)");
}

std::string last_words(const ToolAnswer& answer) {
  std::string text = answer.err;
  while (!text.empty() && text.back() == '\n') text.pop_back();
  const size_t line = text.rfind('\n');
  if (line != std::string::npos) text.erase(0, line + 1);
  return text.empty() ? fmt::format("exit code {}", answer.code) : text;
}

FilmWriter::FilmWriter(const Encoding& encoding, const std::string& file, Finish finish)
    : file_(file),
      made_(made_for(file)),
      ffmpeg_(encoder_words(into(encoding, made_->path())), PipedTool::Interrupts::only_us),
      finish_(std::move(finish)),
      worker_([this] { work(); }) {}

FilmWriter::~FilmWriter() {
  stop_worker();
  ffmpeg_.finish();
}

Picture FilmWriter::empty_picture() {
  const std::lock_guard lock(mutex_);
  if (spare_.empty()) return {};
  Picture picture = std::move(spare_.back());
  spare_.pop_back();
  return picture;
}

bool FilmWriter::add(Picture&& picture, double t) {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return waiting_.size() < most_waiting || broken_; });
  if (broken_) return false;
  waiting_.push({std::move(picture), t});
  changed_.notify_all();
  return true;
}

void FilmWriter::work() {
  while (true) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return !waiting_.empty() || ended_; });
    if (waiting_.empty()) return;
    Waiting next = std::move(waiting_.front());
    waiting_.pop();
    lock.unlock();
    changed_.notify_all();
    const bool taken = hand_over(next);
    lock.lock();
    if (taken) {
      spare_.push_back(std::move(next.picture));
    } else {
      broken_ = true;
      changed_.notify_all();
      return;
    }
  }
}

bool FilmWriter::hand_over(Waiting& next) {
  try {
    auto start = Clock::now();
    finish_(next.picture, next.t);
    times_.finishing += seconds_since(start);
    start = Clock::now();
    const bool taken = ffmpeg_.feed(next.picture.pixels.data(), next.picture.pixels.size());
    times_.handing_over += seconds_since(start);
    return taken;
  } catch (...) {
    trouble_ = std::current_exception();
    return false;
  }
}

void FilmWriter::stop_worker() {
  if (!worker_.joinable()) return;
  {
    const std::lock_guard lock(mutex_);
    ended_ = true;
  }
  changed_.notify_all();
  worker_.join();
}

size_t FilmWriter::finish() {
  stop_worker();
  const auto start = Clock::now();
  const ToolAnswer answer = ffmpeg_.finish();
  times_.handing_over += seconds_since(start);
  if (trouble_) std::rethrow_exception(trouble_);
  if (answer.code != 0 || !answer.err.empty() || broken_)  // it speaks of errors only
    throw Error(fmt::format("cannot write {}: ffmpeg says: {}", file_, last_words(answer)));
  try {
    return made_->place();
  } catch (const std::runtime_error& reason) {
    throw Error(fmt::format("cannot write {}: {}", file_, reason.what()));
  }
}

}  // namespace lithe::film
