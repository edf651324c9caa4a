#pragma once

#include <optional>
#include <string>

#include "lithe/describe/case_reader.h"
#include "lithe/results/own_folder.h"
#include "lithe/results/results.h"

namespace lithe {

/// The case in a results file, as it stands there: the files that it names are those in the results. Results come from others
/// too, and must not make us open files of this machine, whose contents would then stand in reports that are passed on.
class StoredCase {
 public:
  /// The header may be gone before this is. Throws Error where there is no room for the files.
  explicit StoredCase(const ResultsHeader& header);

  /// What the text is to be read as: names in it are relative to this. In a folder of its own where there are any.
  const std::string& file() const { return file_; }
  /// That folder, or "".
  std::string folder() const { return folder_ ? folder_->path() : ""; }
  /// Throws CaseError, also for a name that leads out of the results. What is read of the files is read while this lives.
  CaseFile read() const;

 private:
  std::string text_, file_;
  std::optional<OwnFolder> folder_;
};

/// Writes the case of a results file, and the files that it names, into a folder, to run again. Gives the case's file. Throws Error.
std::string write_case_of(const ResultsHeader& header, const std::string& folder);

}  // namespace lithe
