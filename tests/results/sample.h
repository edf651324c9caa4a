#pragma once

#include <cmath>
#include <string>
#include <vector>

#include "lithe/results/results.h"

namespace lithe::testing {

/// A made-up run whose rows follow from their number alone.
inline ResultsHeader sample_header() {
  return {"arm:\n  links: []  # 60°\nsimulate:\n  for: 5\n",
          "swing.yaml",
          "0.1.0",
          {{"shoulder", "rad"}, {"shoulder.torque", "N.m"}, {"tip.x", "m"}, {"ratio", ""}}};
}
inline double sample_time(int row) { return 0.01 * row; }
inline std::vector<double> sample_row(int row) {
  const double t = sample_time(row);
  return {std::sin(3 * t), 1e-300 * row, 1.5 + std::cos(t) / 3, row % 7 == 3 ? NAN : 1.0 / (1 + row)};
}
inline void append_rows(ResultsWriter& writer, int begin, int end) {
  for (int row = begin; row < end; ++row) writer.append(sample_time(row), sample_row(row));
}

/// Where the file differs from the first rows of the made-up run, or "".
inline std::string difference_from_sample(const Results& results) {
  for (size_t row = 0; row < results.time.size(); ++row) {
    if (results.time[row] != sample_time(int(row))) return "time in row " + std::to_string(row);
    const std::vector<double> expected = sample_row(int(row));
    for (size_t i = 0; i < expected.size(); ++i) {
      const double value = results.series[i][row];
      if (value != expected[i] && !(std::isnan(value) && std::isnan(expected[i])))
        return "column " + std::to_string(i) + " in row " + std::to_string(row);
    }
  }
  return "";
}

}  // namespace lithe::testing
