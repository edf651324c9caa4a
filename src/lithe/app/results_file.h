// What the commands about results share: opening the file and choosing series by name.
#pragma once

#include <string>
#include <vector>

#include "lithe/results/series.h"

namespace lithe::app {

/// Reads RESULTS: the file, or a folder with results.h5 in it. A UsageError (exit 2) says what is wrong with it.
Results load_results(const std::string& path);
/// The file that load_results reads.
std::string results_file(const std::string& path);

/// Where `path` is a case file: that it has to be run first, and how. "" for anything else.
std::string advice_about_case(const std::string& path);

/// Names of compared runs: `--labels a,b`; default: each one's folder, or its file without the extension.
std::vector<std::string> run_labels(const std::vector<std::string>& results, const std::string& labels);

/// What a case is called: its file without the ending, or the folder of one that is just called case.yaml.
std::string case_name(const std::string& case_file);

/// Those of a list `a,b`, in its order. `option` stands in the message about an unknown one.
std::vector<NamedSeries> chosen_series(const Results& results, const std::string& option, const std::string& names);

}  // namespace lithe::app
