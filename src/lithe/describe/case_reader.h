#pragma once

#include <string>
#include <vector>

#include "lithe/describe/case.h"
#include "lithe/describe/document.h"
#include "lithe/describe/problem.h"

namespace lithe {

/// A case, where its fields were written, and warnings about it. A plain value: threads may share it while none modifies it.
struct CaseFile {
  Case data;
  SourceMap source;
  std::vector<Problem> warnings;

  /// The place of a field, or of the nearest enclosing one that was written.
  Location locate(std::string path) const;
};

/// The keys at the top of a case file.
const std::vector<std::string>& case_keys();

/// Reads and checks a case file, with what it names. Throws CaseError with every mistake in it. Threads may read at the same time.
CaseFile read_case(const std::string& file, const std::vector<Override>& overrides = {});

/// The same for a text; messages use `name` as the file name.
CaseFile read_case_text(const std::string& text, const std::string& name = "case",
                        const std::vector<Override>& overrides = {});

}  // namespace lithe
