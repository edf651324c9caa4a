#pragma once

#include <deque>
#include <mutex>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "lithe/results/own_folder.h"
#include "lithe/view/worker.h"

namespace lithe {

/// A run as the page lists it.
struct StoredRun {
  int id = 0;
  std::string label;
  long rows = 0;
};

/// Writes what the page shows of a run to STEM.json and STEM.numbers: {rows, keys}, the keys of its columns in their order. To be called in
/// a separate process, because an arm is assembled and its modes are computed. Throws ResultsError, Error.
nlohmann::ordered_json keep_run(const std::string& results_file, const std::string& label, const std::string& shown_as,
                                const std::string& stem);

/// The last few runs, on disk: the texts of each, and its numbers column by column, so that a request reads one column and
/// none is held in memory.
class RunStore {
 public:
  /// Keeps at most this number of runs; the oldest is removed first.
  explicit RunStore(const Worker& worker, size_t most = 8) : worker_(worker), most_(most) {}

  /// Takes over a results file, which is read but not kept. Throws ViewError.
  StoredRun add(const std::string& results_file, std::string label);
  void forget(int id);

  std::vector<StoredRun> list() const;
  /// JSON of web/src/data.ts: RunTexts.
  std::optional<std::string> texts(int id) const;
  /// `t`, `c3` (a column) or `q3` (a commanded position) as little-endian doubles.
  std::optional<std::string> numbers(int id, char kind, int index) const;

  const std::string& folder() const { return folder_.path(); }

 private:
  struct Kept {
    StoredRun run;
    std::vector<std::string> keys;  // of the columns in their file
  };
  std::string file(int id, const char* ending) const;
  const Kept* find(int id) const;

  const Worker& worker_;
  OwnFolder folder_{"view"};
  size_t most_;
  mutable std::mutex mutex_;
  std::deque<Kept> kept_;
  int last_id_ = 0;
};

}  // namespace lithe
