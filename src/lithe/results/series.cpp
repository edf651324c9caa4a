#include "lithe/results/series.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <stdexcept>

#include "lithe/describe/spelling.h"
#include "lithe/describe/trimmed.h"

namespace lithe {
namespace {

/// A field of CSV (RFC 4180): quoted if it would be misread otherwise.
std::string field(const std::string& text) {
  if (text.find_first_of(",\"\n") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + "\"";
}

}  // namespace

std::vector<NamedSeries> all_series(const Results& results) {
  std::vector<NamedSeries> list{{"t", "s", &results.time}};
  for (size_t i = 0; i < results.series.size(); ++i)
    list.push_back({results.header.columns[i].name, results.header.columns[i].unit, &results.series[i]});
  return list;
}

std::vector<NamedSeries> chosen_series(const Results& results, const std::string& names) {
  const std::vector<NamedSeries> all = all_series(results);
  std::vector<NamedSeries> chosen;
  size_t start = 0;
  while (start <= names.size()) {
    const size_t comma = std::min(names.find(',', start), names.size());
    const std::string name(trimmed(names.substr(start, comma - start)));
    start = comma + 1;
    if (name.empty()) throw std::invalid_argument(fmt::format("expected names separated by commas, got \"{}\"", names));
    const auto found =
        std::find_if(all.begin(), all.end(), [&](const NamedSeries& series) { return series.name == name; });
    if (found == all.end()) {
      std::vector<std::string> known;
      for (const NamedSeries& series : all) known.push_back(series.name);
      constexpr size_t shown = 5;
      if (known.size() > shown)
        throw std::invalid_argument(fmt::format("no series '{}'. The nearest of {}: {}", name, known.size(),
                                                comma_list(nearest_words(name, known, shown))));
      throw std::invalid_argument(
          fmt::format("no series '{}'{} Series: {}", name, guess_in_sentence(name, known), comma_list(known)));
    }
    chosen.push_back(*found);
  }
  return chosen;
}

std::string csv_of(std::span<const NamedSeries> series) {
  std::string text;
  for (const NamedSeries& one : series)
    text += (text.empty() ? "" : ",") + field(fmt::format("{} [{}]", one.name, one.unit.empty() ? "1" : one.unit));
  text += "\n";
  for (size_t row = 0; row < series[0].values->size(); ++row)
    for (size_t i = 0; i < series.size(); ++i)
      fmt::format_to(std::back_inserter(text), "{}{}", (*series[i].values)[row], i + 1 < series.size() ? ',' : '\n');
  return text;
}

Extremes extremes_of(std::span<const double> time, std::span<const double> values) {
  Extremes found;
  for (size_t i = 0; i < values.size(); ++i) {
    if (std::isnan(values[i])) continue;
    if (!(values[i] >= found.min)) found.min = values[i], found.t_min = time[i];
    if (!(values[i] <= found.max)) found.max = values[i], found.t_max = time[i];
  }
  return found;
}

std::string results_file_at(const std::string& path) {
  std::error_code ignored;
  return std::filesystem::is_directory(path, ignored) ? (std::filesystem::path(path) / "results.h5").string() : path;
}

}  // namespace lithe
