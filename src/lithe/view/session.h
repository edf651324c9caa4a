#pragma once

#include <memory>
#include <mutex>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "lithe/view/child_run.h"
#include "lithe/view/run_store.h"
#include "lithe/view/worker.h"

namespace lithe {

/// What the viewer was started with.
struct Viewed {
  std::string file;     // of the case, absolute; its would-be location if results are shown
  std::string text;     // of the case
  std::string title;    // shown at the top
  std::string results;  // a results file to show from the start, or none
  bool on_disk = true;  // the case is a file, which can be saved
};

/// A case being edited, its last runs, and the run in progress. All members may be called from several threads.
class Session {
 public:
  /// `program` runs cases, `PROGRAM run CASE --text FILE -o FOLDER --progress`, and examines them (Worker).
  Session(Viewed viewed, std::string program, WorkerLimits limits);
  ~Session();

  nlohmann::ordered_json overview() const;
  /// The reply of answer_request() to a request about an edited text, as JSON text; `request` omits what is the same in all.
  std::string answer(nlohmann::ordered_json request) const;
  const RunStore& runs() const { return runs_; }

  /// Starts a run of this text. Throws ViewError if one is in progress or the case has mistakes.
  void start(const std::string& text);
  void stop();
  /// {running, t, duration, seconds, outcome: {run, message} of the last one}.
  nlohmann::ordered_json progress() const;
  void forget(int id) { runs_.forget(id); }

  /// Writes the case file. Throws ViewError if it changed on disk since it was read or saved here.
  void save(const std::string& text);

 private:
  void follow();
  /// What changed from one text to the other, in words.
  std::string changed(const std::string& before, const std::string& after) const;

  Viewed viewed_;
  std::string program_;
  Worker worker_;
  RunStore runs_;
  mutable std::mutex mutex_;
  std::string saved_;     // as on disk when last seen
  std::string previous_;  // text of the last run that was shown
  std::string running_;   // text of the one going on
  int started_ = 0;
  std::unique_ptr<ChildRun> child_;
  std::thread follower_;
  bool busy_ = false;
  struct Outcome {
    int run = 0;  // 0: nothing to show
    std::string message;
  };
  std::optional<Outcome> outcome_;
};

}  // namespace lithe
