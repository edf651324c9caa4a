#include "lithe/app/results_file.h"

#include <fmt/format.h>

#include <filesystem>
#include <sstream>

#include "lithe/app/command.h"

namespace lithe::app {
namespace {

std::string short_name(const std::string& results) {
  const std::filesystem::path file = results_file(results);
  const std::string stem = file.stem().string();
  return stem == "results" && file.has_parent_path() ? file.parent_path().filename().string() : stem;
}

}  // namespace

std::string results_file(const std::string& path) { return results_file_at(path); }

std::string advice_about_case(const std::string& path) {
  const std::filesystem::path file = path;
  if (file.extension() != ".yaml" && file.extension() != ".yml") return "";
  return fmt::format("{} is a case file, not results: run it first (`lithe run {} -o out`), then give `out`", path,
                     path);
}

Results load_results(const std::string& path) {
  if (const std::string advice = advice_about_case(path); !advice.empty()) throw UsageError(advice);
  try {
    return Results::read(results_file(path));
  } catch (const ResultsError& error) {
    throw UsageError(error.what());
  }
}

std::vector<std::string> run_labels(const std::vector<std::string>& results, const std::string& labels) {
  std::vector<std::string> list;
  if (labels.empty()) {
    for (const std::string& one : results) list.push_back(short_name(one));
    return list;
  }
  if (results.size() == 1) throw UsageError("--labels: only if several results are compared");
  std::istringstream words(labels);
  for (std::string word; std::getline(words, word, ',');) list.push_back(word);
  if (list.size() != results.size())
    throw UsageError(fmt::format("--labels: expected one for each of {} results, got \"{}\"", results.size(), labels));
  return list;
}

std::string case_name(const std::string& case_file) {
  const std::filesystem::path path = case_file;
  if (path.stem() != "case") return path.stem().string();
  std::error_code ignored;
  const bool here = !path.has_parent_path() && std::filesystem::exists(path, ignored);
  const std::filesystem::path folder = here ? std::filesystem::current_path(ignored) : path.parent_path();
  return folder.has_filename() ? folder.filename().string() : path.stem().string();
}

std::vector<NamedSeries> chosen_series(const Results& results, const std::string& option, const std::string& names) {
  return with_option_name(option, [&] { return lithe::chosen_series(results, names); });
}

}  // namespace lithe::app
