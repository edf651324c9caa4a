#include "lithe/app/results_file.h"

#include <fmt/format.h>

#include <filesystem>
#include <sstream>

#include "lithe/app/command.h"
#include "lithe/describe/spelling.h"

namespace lithe::app {
namespace {

std::string trimmed(const std::string& text) {
  const size_t first = text.find_first_not_of(' ');
  return first == std::string::npos ? "" : text.substr(first, text.find_last_not_of(' ') - first + 1);
}

std::string short_name(const std::string& results) {
  const std::filesystem::path file = results_file(results);
  const std::string stem = file.stem().string();
  return stem == "results" && file.has_parent_path() ? file.parent_path().filename().string() : stem;
}

}  // namespace

std::string results_file(const std::string& path) {
  std::error_code ignored;
  return std::filesystem::is_directory(path, ignored) ? (std::filesystem::path(path) / "results.h5").string() : path;
}

std::string advice_about_case(const std::string& path) {
  const std::filesystem::path file = path;
  if (file.extension() != ".yaml" && file.extension() != ".yml") return "";
  return fmt::format("{} is a case, and results are asked for: run it first (`lithe run {} -o out`), then give `out`",
                     path, path);
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
  if (results.size() == 1) throw UsageError("--labels: only where several results are compared");
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

std::vector<NamedSeries> all_series(const Results& results) {
  std::vector<NamedSeries> list{{"t", "s", &results.time}};
  for (size_t i = 0; i < results.series.size(); ++i)
    list.push_back({results.header.columns[i].name, results.header.columns[i].unit, &results.series[i]});
  return list;
}

std::vector<NamedSeries> chosen_series(const Results& results, const std::string& option, const std::string& names) {
  const std::vector<NamedSeries> all = all_series(results);
  std::vector<NamedSeries> chosen;
  size_t start = 0;
  while (start <= names.size()) {
    const size_t comma = std::min(names.find(',', start), names.size());
    const std::string name = trimmed(names.substr(start, comma - start));
    start = comma + 1;
    if (name.empty())
      throw UsageError(fmt::format("{}: expected names separated by commas, got \"{}\"", option, names));
    const auto found =
        std::find_if(all.begin(), all.end(), [&](const NamedSeries& series) { return series.name == name; });
    if (found == all.end()) {
      std::vector<std::string> known;
      for (const NamedSeries& series : all) known.push_back(series.name);
      constexpr size_t shown = 5;
      if (known.size() > shown)
        throw UsageError(fmt::format("{}: no series '{}'. The nearest of {}: {}", option, name, known.size(),
                                     comma_list(nearest_words(name, known, shown))));
      throw UsageError(fmt::format("{}: no series '{}'{} Series: {}", option, name, guess_in_sentence(name, known),
                                   comma_list(known)));
    }
    chosen.push_back(*found);
  }
  return chosen;
}

}  // namespace lithe::app
