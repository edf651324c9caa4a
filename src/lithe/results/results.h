// results/ — results files: one HDF5 file per run, written while the run proceeds and readable at any time, even after the
// run was killed. Takes named series and gives them back. Does not depend on arms or integration. The layout is documented in
// docs/results.md.
#pragma once

#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "lithe/describe/carried_file.h"
#include "lithe/error.h"

namespace lithe {

/// One recorded quantity, by the name it has in exported CSV: `shoulder`, `shoulder.rate`, `tip.x`, `energy.residual`.
struct Column {
  std::string name, unit;  // unit "" for pure numbers
  bool headline = true;    // shown in the summary of a run; not stored in files
};

/// The header of a results file.
struct ResultsHeader {
  std::string case_text;        // the case as understood, as YAML: enough to run it again
  std::string case_file;        // the name it was read from
  std::string version;          // of lithe
  std::vector<Column> columns;  // in addition to time, which is always present

  std::vector<CarriedFile> files = {};  // that the case names
  std::string case_origin = {};         // hash of the case file's location
};

/// A state from which a run can be resumed: a time and the numbers that the integration needs, meaningful only to simulate/.
struct Checkpoint {
  double t = 0;
  std::vector<double> memory;
};

/// A results file cannot be written or read: says which and why.
class ResultsError : public Error {
 public:
  using Error::Error;
};

/// A file that must not be replaced or continued: results of another case, or not a results file.
class OtherResults : public ResultsError {
 public:
  using ResultsError::ResultsError;
};

/// A hash of a case file's location (ResultsHeader::case_origin): tells files apart without revealing where they are.
std::string case_origin(const std::string& case_file);

/// Throws OtherResults unless there is no file, or one of the same case: read from the same location, or with the same text.
void demand_same_case(const std::string& file, const ResultsHeader& header);

/// Writes a results file. Rows are collected in memory and written to the file at checkpoints, each followed by a flush, so that a
/// killed run leaves a readable file up to its last checkpoint, marked incomplete. One thread at a time; writers of different
/// files may work at once, and wait for each other in HDF5.
class ResultsWriter {
 public:
  /// A new file, replacing any old one. Throws ResultsError (unwritable folder, full disk).
  static ResultsWriter create(const std::string& file, const ResultsHeader& header);

  /// What a file contains that a run with this header can continue.
  enum class Begun {
    nothing,     // no file, or one that was killed before its first checkpoint
    checkpoint,  // resume() continues from it
    complete     // the run reached its end
  };
  /// Throws OtherResults for a file of another case or version, ResultsError for one that is damaged or not ours.
  static Begun begun(const std::string& file, const ResultsHeader& header);

  /// Continues an incomplete file from its last checkpoint; rows beyond it are dropped. The header must be the one it was made
  /// with (ResultsError says what differs). `checkpoint` receives the state to continue from.
  static ResultsWriter resume(const std::string& file, const ResultsHeader& header, Checkpoint& checkpoint);

  ~ResultsWriter();
  ResultsWriter(ResultsWriter&&) noexcept;
  ResultsWriter& operator=(ResultsWriter&&) noexcept;

  /// One row: `values` in the order of the header's columns.
  void append(double t, std::span<const double> values);

  /// Writes the rows gathered so far and the state to continue from, and flushes. Throws ResultsError when the disk is full;
  /// what an earlier checkpoint wrote stays readable. The file is replaced as a whole, which takes some milliseconds and
  /// more as it grows: call it at intervals of real time, not at every step. Beyond 16 MB some calls are skipped (docs/results.md).
  void checkpoint(const Checkpoint& checkpoint);

  /// Writes the rest, the statistics (name → number), and marks the file complete, or stopped early with the reason.
  void finish(const std::map<std::string, double>& statistics, const std::string& stopped_because = "");

 private:
  struct Impl;
  explicit ResultsWriter(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

/// A results file, read completely. A plain value: threads may share it while none modifies it.
struct Results {
  ResultsHeader header;
  bool complete = false, has_checkpoint = false;
  std::string stopped_because;  // of an incomplete run, if it could still record that
  std::map<std::string, double> statistics;
  std::vector<double> time;
  std::vector<std::vector<double>> series;  // per column of the header

  /// Throws ResultsError for a file that does not exist, is not HDF5, is not a results file, or has data in other files. Texts are made
  /// printable (printable.h): a file cannot control the terminal.
  static Results read(const std::string& file);
  /// The same without rows.
  static Results read_head(const std::string& file);

  /// Index of the column of that name, or −1.
  int find(const std::string& name) const;
};

}  // namespace lithe
