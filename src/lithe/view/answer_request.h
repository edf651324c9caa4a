#pragma once

#include <cstddef>
#include <string>

namespace lithe {

/// The worker's side of Worker: reads one request from standard input, bounds its own memory (0: no bound), and writes `+` and
/// the answer or `-` and the reason, with an end of line, to standard output. Returns the exit code.
///
/// A request is {kind, original, …}: `original` the text of the case before any edit, which says what files may be named.
///   case      text                    EditedCase::described
///   modes     text, q, joints         EditedCase::modes
///   sag       text, q                 EditedCase::sag
///   runnable  text                    {}, or why it cannot be run
///   changes   before, after           what changed, in words
///   keep      results, label, shown, stem   keep_run()
int answer_request(const std::string& case_file, size_t bytes);

}  // namespace lithe
