#pragma once

#include <cmath>
#include <span>
#include <string>
#include <vector>

#include "lithe/results/results.h"

namespace lithe {

/// A series of a results file, or its times. Its values belong to the Results.
struct NamedSeries {
  std::string name, unit;
  const std::vector<double>* values;
};

/// Time (`t`), then every column.
std::vector<NamedSeries> all_series(const Results& results);
/// Those of a list `a,b`, in its order. Throws std::invalid_argument for an unknown name, with the nearest ones.
std::vector<NamedSeries> chosen_series(const Results& results, const std::string& names);

/// As CSV (RFC 4180): one header row of `name [unit]`, [1] for pure numbers, then the shortest digits that read back to the same
/// numbers. There must be at least one series, and all must be equally long.
std::string csv_of(std::span<const NamedSeries> series);

/// Smallest and largest value of a series and when each first occurs; NaN if all values are NaN.
struct Extremes {
  double min = NAN, t_min = NAN, max = NAN, t_max = NAN;
};
/// Of values at these times.
Extremes extremes_of(std::span<const double> time, std::span<const double> values);

/// The results file that a path refers to: the path itself or, if it is a folder, results.h5 in it.
std::string results_file_at(const std::string& path);

}  // namespace lithe
