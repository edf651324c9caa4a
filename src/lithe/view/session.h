#pragma once

#include <memory>
#include <mutex>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "lithe/view/child_run.h"
#include "lithe/view/edited_case.h"
#include "lithe/view/run_store.h"

namespace lithe {

/// What the viewer was started with.
struct Viewed {
  std::string file;     // of the case, absolute; where it would be if what is shown are results
  std::string text;     // of the case
  std::string title;    // shown at the top
  std::string results;  // a results file to show from the start, or none
  bool on_disk = true;  // the case is a file, which can be saved
};

/// One case being edited, its last runs, and the one going on. All members may be called from several threads.
class Session {
 public:
  /// `program` is what runs cases: `PROGRAM run CASE --text FILE -o FOLDER --progress`.
  Session(Viewed viewed, std::string program);
  ~Session();

  nlohmann::ordered_json overview() const;
  const EditedCase& edited() const { return edited_; }
  const RunStore& runs() const { return runs_; }

  /// Starts a run of this text. Throws ViewError where one is going on or the case has mistakes.
  void start(const std::string& text);
  void stop();
  /// {running, t, duration, seconds, outcome: {run, message} of the last one}.
  nlohmann::ordered_json progress() const;
  void forget(int id) { runs_.forget(id); }

  /// Writes the case file. Throws ViewError where it changed on disk since it was read or saved here.
  void save(const std::string& text);

 private:
  void follow();

  Viewed viewed_;
  std::string program_;
  EditedCase edited_;
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
