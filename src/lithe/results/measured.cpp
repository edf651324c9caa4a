#include "lithe/results/measured.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <stdexcept>
#include <system_error>

#include "lithe/describe/limits.h"
#include "lithe/describe/problem.h"
#include "lithe/describe/quote.h"
#include "lithe/describe/spelling.h"
#include "lithe/describe/trimmed.h"
#include "lithe/describe/units.h"
#include "lithe/describe/whole_file.h"

namespace lithe {
namespace {

[[noreturn]] void fail_at(const Location& where, const std::string& message) {
  throw CaseError({{.where = where, .message = message}});
}

/// The fields of a CSV text, line by line (RFC 4180), with their places.
class Fields {
 public:
  struct Field {
    std::string text;
    int column = 1;  // counted from one, in bytes
  };
  Fields(const std::string& file, std::string_view text) : file_(file), left_(text) {
    if (left_.starts_with("\xef\xbb\xbf")) left_.remove_prefix(3);  // some programs mark UTF-8
  }
  bool at_end() const { return left_.empty(); }
  int line() const { return line_; }

  /// The fields of the next line.
  const std::vector<Field>& next() {
    fields_.clear();
    line_ = next_line_++;
    int column = 1;
    for (bool more = true; more; ++column) {
      fields_.push_back({"", column});
      const size_t before = left_.size();
      read_field();
      column += int(before - left_.size());
      more = take(',');
    }
    // Lines end with LF, CR LF or CR.
    const bool ended = take('\r');
    if (!take('\n') && !ended && !at_end())
      fail(column - 1, "expected a comma or the end of the line after a quoted field");
    return fields_;
  }
  [[noreturn]] void fail(int column, const std::string& message) const { fail_at({file_, line_, column}, message); }

 private:
  bool take(char c) {
    const bool is_next = left_.starts_with(c);
    if (is_next) left_.remove_prefix(1);
    return is_next;
  }
  void read_field() {
    if (!left_.starts_with('"')) {
      const size_t end = std::min(left_.find_first_of(",\r\n"), left_.size());
      fields_.back().text = left_.substr(0, end);
      left_.remove_prefix(end);
      return;
    }
    left_.remove_prefix(1);
    for (;;) {
      const size_t quote = left_.find('"');
      const std::string_view part = left_.substr(0, quote);
      if (quote == left_.npos || part.find('\n') != part.npos)
        fail(fields_.back().column, "a quoted field does not end on its line");
      fields_.back().text += part;
      left_.remove_prefix(quote + 1);
      if (!left_.starts_with('"')) return;
      fields_.back().text += '"';
      left_.remove_prefix(1);
    }
  }

  const std::string& file_;
  std::string_view left_;
  int line_ = 0, next_line_ = 1;
  std::vector<Field> fields_;
};

/// By what numbers in that unit are multiplied to be in the wanted one. Of pure numbers, micrometres per metre are another unit.
double factor_of(const MeasuredFile& measured, const MeasuredFile::Column& column, const std::string& wanted,
                 const std::string& whose) {
  if (column.unit == "1" && wanted.empty()) return 1;
  const std::string noun =
      wanted.empty() ? "1, % or a ratio of equal units" : fmt::format("{} or a unit that converts to it", wanted);
  const Dimension dimension{noun.c_str(), wanted.empty() ? (column.unit == "%" ? "" : "m/m") : wanted.c_str()};
  // A sign or a point would begin another number: 1 -2 m.
  const Quantity factor = column.unit.find_first_of("+-.") == 0
                              ? Quantity{0, fmt::format("expected {}, got {}", noun, in_quotes(column.unit))}
                              : read_quantity("1 " + column.unit, dimension);
  if (factor.complaint.empty()) return factor.value;
  fail_at({measured.file, 1, column.place},
          fmt::format("column '{}' is for {}: {}", shortened(column.name), whose, factor.complaint));
}

MeasuredFile::Column heading(const Fields& fields, const Fields::Field& field) {
  const size_t open = field.text.rfind('['), close = field.text.rfind(']');
  MeasuredFile::Column column;
  column.place = field.column;
  if (open != std::string::npos && close != std::string::npos && close > open) {
    column.name = trimmed(std::string_view(field.text).substr(0, open));
    column.unit = trimmed(std::string_view(field.text).substr(open + 1, close - open - 1));
  }
  if (column.name.empty() || column.unit.empty() || !trimmed(std::string_view(field.text).substr(close + 1)).empty())
    fields.fail(field.column, fmt::format("expected a heading `name [unit]`, as in `t [s]` or `strain [1]`, got {}",
                                          in_quotes(field.text)));
  return column;
}

double number(const Fields& fields, const Fields::Field& field) {
  const std::string text(trimmed(field.text));
  if (text.empty() || text == "nan" || text == "NaN") return NAN;
  const char* first = text.data() + (text[0] == '+' ? 1 : 0);
  double value = 0;
  const auto [rest, error] = std::from_chars(first, text.data() + text.size(), value);
  if (error != std::errc() || rest != text.data() + text.size() || !std::isfinite(value))
    fields.fail(field.column, fmt::format("expected a number, got {}", in_quotes(field.text)));
  return value;
}

}  // namespace

MeasuredFile read_measured(const std::string& file) {
  MeasuredFile measured;
  measured.file = file;
  std::string text;
  try {
    text = whole_file(file, limits::data_file_bytes);
  } catch (const std::system_error& error) {
    const bool has_columns = error.code() == std::errc::no_such_file_or_directory && file.find(':') != file.npos;
    throw std::invalid_argument(fmt::format(
        "cannot read {}: {}{}", in_quotes(file, 300), why_unread(error.code(), limits::data_file_bytes),
        has_columns ? "; columns can be chosen from files whose name ends in .csv, as in FILE.csv:COLUMN" : ""));
  }
  Fields fields(measured.file, text);
  if (fields.at_end()) fail_at({file}, "the file is empty");
  std::vector<MeasuredFile::Column> columns;
  for (const Fields::Field& field : fields.next()) columns.push_back(heading(fields, field));
  if (columns.size() < 2)
    fail_at({file, 1, 1}, "expected a column of times and at least one of values, separated by commas");
  if (columns.size() > size_t(limits::measured_columns))
    fail_at({file, 1, 1}, fmt::format("{} columns; at most {}", columns.size(), limits::measured_columns));
  const double to_seconds = factor_of(measured, columns[0], "s", "times, because it is the first");
  while (!fields.at_end()) {
    const std::vector<Fields::Field>& row = fields.next();
    if (row.size() == 1 && trimmed(row[0].text).empty()) continue;
    if (row.size() != columns.size())
      fields.fail(row.back().column,
                  fmt::format("expected {} fields as in the heading, got {}", columns.size(), row.size()));
    if (measured.time.size() == size_t(limits::table_rows))
      fields.fail(1, fmt::format("more than {} rows: give fewer", limits::table_rows));
    const double t = number(fields, row[0]) * to_seconds;
    if (!std::isfinite(t)) fields.fail(row[0].column, "expected a time");
    if (!measured.time.empty() && t < measured.time.back())
      fields.fail(row[0].column, fmt::format("expected a time not before that of the row above, {:g} s, got {:g} s",
                                             measured.time.back(), t));
    measured.time.push_back(t);
    for (size_t k = 1; k < row.size(); ++k) columns[k].values.push_back(number(fields, row[k]));
  }
  if (measured.time.empty()) fail_at({file}, "no rows below the heading");
  measured.columns.assign(std::make_move_iterator(columns.begin() + 1), std::make_move_iterator(columns.end()));
  return measured;
}

MeasuredWords measured_words(const std::string& words) {
  // The name of the file may have a colon as well: it ends with .csv.
  std::string small = words;
  std::transform(small.begin(), small.end(), small.begin(), [](unsigned char c) { return char(std::tolower(c)); });
  const size_t end = small.find(".csv:");
  MeasuredWords result{words.substr(0, end == std::string::npos ? end : end + 4), {}};
  if (end == std::string::npos) return result;
  std::string_view left = std::string_view(words).substr(end + 5);
  for (bool more = true; more;) {
    left = trimmed(left);
    const bool quoted = left.starts_with('"');
    // A comma or = between quotes belongs to the name.
    const size_t closing = quoted ? left.find('"', 1) : 0,
                 name_end = left.find_first_of(",=", std::min(closing, left.size()));
    const size_t comma = std::min(left.find(',', std::min(closing, left.size())), left.size());
    std::string column(trimmed(left.substr(0, name_end)));
    std::string series = column;
    if (name_end < comma) series = trimmed(left.substr(name_end + 1, comma - name_end - 1));
    const bool well_quoted = !quoted || (column.size() > 2 && column.find('"', 1) == column.size() - 1);
    if (quoted && well_quoted) {
      column = column.substr(1, column.size() - 2);
      if (name_end >= comma) series = column;
    }
    more = comma < left.size();
    left.remove_prefix(more ? comma + 1 : comma);
    if (column.empty() || series.empty() || !well_quoted)
      throw std::invalid_argument(fmt::format(
          "expected FILE.csv:COLUMN,… with COLUMN a name or `column=series`, got {}", in_quotes(words, 300)));
    result.columns.emplace_back(column, series);
  }
  return result;
}

std::vector<MeasuredSeries> measured_series(const MeasuredFile& measured, const MeasuredWords& words,
                                            const std::vector<std::pair<std::string, std::string>>& known) {
  std::vector<std::string> series_names, column_names;
  for (const auto& [name, unit] : known) series_names.push_back(name);
  for (const MeasuredFile::Column& column : measured.columns) column_names.push_back(column.name);
  std::vector<MeasuredSeries> list;
  auto add = [&](const MeasuredFile::Column& column, const std::string& series, const std::string& unit) {
    const double factor = factor_of(measured, column, unit, fmt::format("the series '{}'", series));
    MeasuredSeries one{series, unit, column.values};
    for (double& value : one.values) value *= factor;
    if (std::none_of(one.values.begin(), one.values.end(), [](double value) { return std::isfinite(value); }))
      fail_at({measured.file, 1, column.place}, fmt::format("column '{}' has no number", shortened(column.name)));
    list.push_back(std::move(one));
  };
  for (const auto& [name, series] : words.columns) {
    const auto column = std::find(column_names.begin(), column_names.end(), name);
    if (column == column_names.end())
      throw std::invalid_argument(fmt::format("{} has no column '{}'{} Columns: {}", measured.file, shortened(name),
                                              guess_in_sentence(name, column_names), comma_list(column_names, 20)));
    const auto place = std::find(series_names.begin(), series_names.end(), series);
    if (place == series_names.end())
      throw std::invalid_argument(fmt::format("no series '{}' is shown{} Nearest: {}", shortened(series),
                                              guess_in_sentence(series, series_names),
                                              comma_list(nearest_words(series, series_names, 5))));
    add(measured.columns[size_t(column - column_names.begin())], series,
        known[size_t(place - series_names.begin())].second);
  }
  if (!words.columns.empty()) return list;
  for (const MeasuredFile::Column& column : measured.columns) {
    const auto place = std::find(series_names.begin(), series_names.end(), column.name);
    if (place != series_names.end()) add(column, column.name, known[size_t(place - series_names.begin())].second);
  }
  if (list.empty())
    throw std::invalid_argument(
        fmt::format("no column of {} is called like a series that is shown: choose with {}:COLUMN=SERIES. Columns: {}",
                    measured.file, measured.file, comma_list(column_names, 20)));
  return list;
}

}  // namespace lithe
