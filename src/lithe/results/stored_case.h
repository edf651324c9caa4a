#pragma once

#include <optional>
#include <string>

#include "lithe/describe/case_reader.h"
#include "lithe/results/own_folder.h"
#include "lithe/results/results.h"

namespace lithe {

/// The case in a results file: the files that it names are those stored in the results. Results may come from others and must not make
/// us open files of this machine, whose contents would then appear in reports that are passed on.
class StoredCase {
 public:
  /// It does not refer to the header afterwards. Throws Error if there is no disk space for the files.
  explicit StoredCase(const ResultsHeader& header);

  /// The file name under which the text is to be read: names in it are relative to this. In a separate folder if there are any.
  const std::string& file() const { return file_; }
  /// That folder, or "".
  std::string folder() const { return folder_ ? folder_->path() : ""; }
  /// Throws CaseError, also for a name that leads out of the results. The files exist as long as this object.
  CaseFile read() const;

 private:
  std::string text_, file_;
  std::optional<OwnFolder> folder_;
};

/// Writes the case of a results file, and the files that it names, into a folder, to run again. Gives the case's file. Throws Error.
std::string write_case_of(const ResultsHeader& header, const std::string& folder);

}  // namespace lithe
