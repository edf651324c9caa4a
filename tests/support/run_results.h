// A case run from beginning to end, and what it recorded.
#pragma once

#include <stdexcept>
#include <string>
#include <vector>

#include "app/run_program.h"
#include "lithe/describe/case_reader.h"
#include "lithe/simulate/run.h"

namespace lithe::testing {

/// In a folder that is gone afterwards, unless `options` name a file.
inline Results results_of(const CaseFile& file, RunOptions options = {}) {
  const TemporaryFolder scratch;
  if (options.file.empty()) options.file = scratch.path() + "/results.h5";
  run(file, Arm::assemble(file.data), options);
  return Results::read(options.file);
}
inline Results results_of(const std::string& text, const std::vector<Override>& overrides = {},
                          RunOptions options = {}) {
  return results_of(read_case_text(text, "case", overrides), std::move(options));
}

inline const std::vector<double>& series(const Results& results, const std::string& name) {
  const int k = results.find(name);
  if (k < 0) throw std::runtime_error("no series " + name);
  return results.series[size_t(k)];
}

}  // namespace lithe::testing
