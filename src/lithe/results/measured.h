#pragma once

#include <string>
#include <utility>
#include <vector>

#include "lithe/results/series.h"

namespace lithe {

/// Data from elsewhere, to be compared with a run: the columns of a CSV file by their names, times first. A plain value.
struct MeasuredFile {
  /// One column, times excepted.
  struct Column {
    std::string name, unit;      // as in the heading
    int place = 1;               // where the heading of the column begins in its line
    std::vector<double> values;  // in that unit; NaN where the file has none
  };
  std::string file;
  std::vector<double> time;  // in seconds, ascending
  std::vector<Column> columns;
};

/// Reads a CSV file (RFC 4180) as `lithe export` writes it: a heading `name [unit]` for every column, [1] for pure numbers, the time
/// in the first. An empty field, or `nan`, is a gap. Throws CaseError with file, line and column of a mistake, and
/// std::invalid_argument for a name that cannot be read.
MeasuredFile read_measured(const std::string& file);

/// What to show of measured data: `FILE.csv`, or `FILE.csv:COLUMN,…` with COLUMN the name of a column, or `column=series` where the
/// series has another name. "…" around COLUMN where its name has a comma or =.
struct MeasuredWords {
  std::string file;
  std::vector<std::pair<std::string, std::string>> columns;  // and the series that each belongs to
};
MeasuredWords measured_words(const std::string& words);

/// A column of measured data in the unit of the series that it belongs to.
struct MeasuredSeries {
  std::string series, unit;
  std::vector<double> values;
};
/// The columns that the words choose, or without a choice those that are called like a series. `known`: names and units of series.
/// Throws std::invalid_argument for an unknown column or series and if no column fits, CaseError (with the place in the file) for a unit
/// that does not convert and for a column without numbers.
std::vector<MeasuredSeries> measured_series(const MeasuredFile& measured, const MeasuredWords& words,
                                            const std::vector<std::pair<std::string, std::string>>& known);

}  // namespace lithe
