#pragma once

#include <map>
#include <string>
#include <vector>

#include "lithe/describe/case.h"
#include "lithe/describe/document.h"
#include "lithe/describe/problem.h"

namespace lithe {

/// Where each field of a case was written: path (`arm.links[1].beam.length`) to place.
using SourceMap = std::map<std::string, Location>;

/// A case together with where it came from and what is doubtful about it.
struct CaseFile {
  Case data;
  SourceMap source;
  std::vector<Problem> warnings;

  /// The place of a field, or of the nearest enclosing one that was written.
  Location locate(std::string path) const;
};

/// The keys at the top of a case file.
const std::vector<std::string>& case_keys();

/// Reads and checks a case file. Throws CaseError with every mistake in it.
CaseFile read_case(const std::string& file, const std::vector<Override>& overrides = {});

/// The same for a text; `name` stands for the file in messages.
CaseFile read_case_text(const std::string& text, const std::string& name = "case",
                        const std::vector<Override>& overrides = {});

}  // namespace lithe
