#pragma once

#include <deque>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "lithe/results/own_folder.h"

namespace lithe {

/// A run as the page lists it.
struct StoredRun {
  int id = 0;
  std::string label;
  long rows = 0;
};

/// The last few runs, on disk: for each what is text, and its numbers column by column, so that a request reads one column and
/// memory holds none.
class RunStore {
 public:
  /// Keeps at most so many; the oldest goes first.
  explicit RunStore(size_t most = 8) : most_(most) {}

  /// Takes over a results file, which is read but not kept. Throws ResultsError, or std::runtime_error where the disk is full.
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

  OwnFolder folder_{"view"};
  size_t most_;
  mutable std::mutex mutex_;
  std::deque<Kept> kept_;
  int last_id_ = 0;
};

}  // namespace lithe
