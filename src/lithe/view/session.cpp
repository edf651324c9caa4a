#include "lithe/view/session.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <span>
#include <sstream>

#include "lithe/describe/whole_file.h"
#include "lithe/results/replace_file.h"
#include "lithe/results/results.h"
#include "lithe/view/edited_case.h"

namespace lithe {
namespace {

using Json = nlohmann::ordered_json;

bool is_still(const std::string& file, const std::string& text) {
  try {
    return whole_file(file) == text;
  } catch (const std::system_error&) {
    return false;
  }
}

/// The message of the program, for a reader who did not call it: without its name and the case's, without files that are ours, and
/// without quotes from files that are not the case.
std::string for_the_page(const std::string& said, const std::string& own_folder, const std::string& case_file) {
  std::string message, line;
  for (std::istringstream lines(said); std::getline(lines, line);) {
    if (line.find(own_folder) != std::string::npos) continue;
    if (line.starts_with("lithe: ")) line.erase(0, 7);
    if (line.starts_with(case_file + ": "))
      line.erase(0, case_file.size() + 2);
    else if (line.starts_with("/") && !line.starts_with(case_file + ":"))
      line = without_quotes(line);
    message += (message.empty() ? "" : "\n") + line;
  }
  return message;
}

}  // namespace

Session::Session(Viewed viewed, std::string program, WorkerLimits limits)
    : viewed_(std::move(viewed)),
      program_(std::move(program)),
      worker_(program_, viewed_.file, limits),
      runs_(worker_),
      saved_(viewed_.text) {
  if (viewed_.results.empty()) return;
  runs_.add(viewed_.results, viewed_.title);
  previous_ = viewed_.text;
}

Session::~Session() {
  stop();
  if (follower_.joinable()) follower_.join();
}

Json Session::overview() const {
  Json runs = Json::array();
  for (const StoredRun& run : runs_.list()) runs.push_back({{"id", run.id}, {"label", run.label}, {"rows", run.rows}});
  const std::lock_guard lock(mutex_);
  return {{"title", viewed_.title},      {"file", viewed_.file}, {"text", saved_},
          {"can_save", viewed_.on_disk}, {"running", busy_},     {"runs", runs}};
}

std::string Session::answer(Json request) const {
  // Files that results name are not files of this machine; only a case on disk may name files to open.
  request["original"] = viewed_.on_disk ? viewed_.text : "";
  return worker_.ask(request);
}

std::string Session::changed(const std::string& before, const std::string& after) const {
  try {
    return Json::parse(answer({{"kind", "changes"}, {"before", before}, {"after", after}})).get<std::string>();
  } catch (const ViewError&) {
    return "edited";
  }
}

void Session::start(const std::string& text) {
  answer({{"kind", "runnable"}, {"text", text}});
  const std::lock_guard lock(mutex_);
  if (busy_) throw ViewError("a run is in progress: stop it first");
  if (follower_.joinable()) follower_.join();
  const std::string stem = fmt::format("{}/going-on-{}", runs_.folder(), ++started_);
  if (const std::string reason = replace_file(stem + ".yaml", std::as_bytes(std::span(text))); !reason.empty())
    throw ViewError(fmt::format("cannot write the text of the run to {}: {}", runs_.folder(), reason));
  child_ = std::make_unique<ChildRun>(
      std::vector<std::string>{program_, "run", viewed_.file, "--text", stem + ".yaml", "-o", stem, "--progress"});
  running_ = text;
  busy_ = true;
  outcome_.reset();
  follower_ = std::thread([this] { follow(); });
}

void Session::follow() {
  child_->wait();
  Outcome outcome;
  const std::string stem = fmt::format("{}/going-on-{}", runs_.folder(), started_);
  try {
    const ChildRun::State end = child_->state();
    const std::string results = stem + "/results.h5";
    if (end.code != 0) {
      outcome.message = end.stopped ? "stopped" : for_the_page(end.said, runs_.folder(), viewed_.file);
      if (outcome.message.empty())
        outcome.message =
            end.code < 0 ? "the run was killed: is there enough memory?" : "the run failed without a message";
    }
    if (std::filesystem::exists(results)) {
      std::string label = previous_.empty() ? viewed_.title : changed(previous_, running_);
      if (label.empty()) label = "again";
      // Labels are unique.
      const std::vector<StoredRun> others = runs_.list();
      const std::string stem_label = label;
      const auto taken = [&](const StoredRun& other) { return other.label == label; };
      for (int k = 2; std::any_of(others.begin(), others.end(), taken); ++k)
        label = fmt::format("{} ({})", stem_label, k);
      const StoredRun run = runs_.add(results, label);
      if (run.rows > 0) {
        outcome.run = run.id;
        previous_ = running_;
      } else {
        runs_.forget(run.id);
      }
    }
  } catch (const std::exception& error) {
    outcome.message = error.what();
  }
  std::error_code ignored;
  std::filesystem::remove_all(stem, ignored);
  std::filesystem::remove(stem + ".yaml", ignored);
  const std::lock_guard lock(mutex_);
  outcome_ = std::move(outcome);
  busy_ = false;
}

void Session::stop() {
  const std::lock_guard lock(mutex_);
  if (busy_) child_->stop();
}

Json Session::progress() const {
  const std::lock_guard lock(mutex_);
  Json answer{{"running", busy_}};
  if (busy_) {
    const ChildRun::State now = child_->state();
    answer["t"] = now.t;
    answer["duration"] = now.duration;
    answer["seconds"] = now.seconds;
    answer["stopping"] = now.stopped;
  } else if (outcome_) {
    answer["outcome"] = {{"run", outcome_->run}, {"message", outcome_->message}};
  }
  return answer;
}

void Session::save(const std::string& text) {
  const std::lock_guard lock(mutex_);
  if (!viewed_.on_disk) throw ViewError("the case came with results: there is no case file to write");
  if (!is_still(viewed_.file, saved_))
    throw ViewError(fmt::format(
        "{} has changed on disk in the meantime: nothing was written. Copy your text and start the viewer again",
        viewed_.file));
  if (const std::string reason = replace_file(viewed_.file, std::as_bytes(std::span(text))); !reason.empty())
    throw ViewError(fmt::format("cannot write {}: {}", viewed_.file, reason));
  saved_ = text;
}

}  // namespace lithe
