#include "lithe/profile/cubic_spline.h"

#include <fmt/format.h>

#include <Eigen/Sparse>
#include <algorithm>
#include <cmath>
#include <optional>
#include <string_view>
#include <system_error>

#include "lithe/describe/limits.h"
#include "lithe/describe/problem.h"
#include "lithe/describe/quote.h"
#include "lithe/describe/units.h"
#include "lithe/describe/whole_file.h"
#include "lithe/profile/profile_curve.h"

namespace lithe {

CubicSpline::CubicSpline(std::vector<double> times, std::vector<double> values)
    : times_(std::move(times)), values_(std::move(values)), curvatures_(times_.size(), 0) {
  const int n = int(times_.size()) - 2;  // unknown curvatures at the inner points
  if (n < 1) return;
  // h₋ m₋ + 2(h₋ + h₊) m + h₊ m₊ = 6 (slope₊ − slope₋), tridiagonal and dominant.
  std::vector<Eigen::Triplet<double>> entries;
  Eigen::VectorXd right(n);
  for (int i = 0; i < n; ++i) {
    const double before = times_[i + 1] - times_[i], after = times_[i + 2] - times_[i + 1];
    entries.emplace_back(i, i, 2 * (before + after));
    if (i + 1 < n) {
      entries.emplace_back(i, i + 1, after);
      entries.emplace_back(i + 1, i, after);
    }
    right[i] = 6 * ((values_[i + 2] - values_[i + 1]) / after - (values_[i + 1] - values_[i]) / before);
  }
  Eigen::SparseMatrix<double> A(n, n);
  A.setFromTriplets(entries.begin(), entries.end());
  const Eigen::VectorXd m = Eigen::SimplicialLDLT<Eigen::SparseMatrix<double>>(A).solve(right);
  std::copy(m.begin(), m.end(), curvatures_.begin() + 1);
}

ProfileSample CubicSpline::at(double t) const {
  const auto next = std::upper_bound(times_.begin() + 1, times_.end() - 1, t);
  const size_t i = size_t(next - times_.begin()) - 1;
  const double h = times_[i + 1] - times_[i], a = (times_[i + 1] - t) / h, b = (t - times_[i]) / h;
  const double m0 = curvatures_[i], m1 = curvatures_[i + 1];
  return {a * values_[i] + b * values_[i + 1] + ((a * a * a - a) * m0 + (b * b * b - b) * m1) * h * h / 6,
          (values_[i + 1] - values_[i]) / h + ((1 - 3 * a * a) * m0 + (3 * b * b - 1) * m1) * h / 6, a * m0 + b * m1};
}

std::vector<double> CubicSpline::turning_points() const {
  std::vector<double> turns;
  for (size_t i = 0; i + 1 < times_.size(); ++i) {
    // The rate is c + b u + a u², u from the beginning of the interval. A root at a knot may be found twice, but is not missed.
    const double h = times_[i + 1] - times_[i], hair = 1e-9 * h;
    const double a = (curvatures_[i + 1] - curvatures_[i]) / (2 * h), b = curvatures_[i], c = at(times_[i]).rate;
    const double discriminant = b * b - 4 * a * c;
    if (discriminant < 0) continue;
    const double q = -(b + std::copysign(std::sqrt(discriminant), b)) / 2;
    for (const double u : {q / a, c / q})
      if (u >= -hair && u <= h + hair) turns.push_back(std::clamp(times_[i] + u, times_.front(), times_.back()));
  }
  std::sort(turns.begin(), turns.end());
  return turns;
}

CubicSpline CubicSpline::from_csv(const std::string& file, int column, const std::string& path) {
  std::string text;
  try {
    text = whole_file(file, limits::data_file_bytes);
  } catch (const std::system_error& error) {
    throw FieldError(path + ".file", fmt::format("cannot read {}: {}", in_quotes(file, 300),
                                                 why_unread(error.code(), limits::data_file_bytes)));
  }
  std::vector<double> times, values;
  std::string_view left = text;
  for (int row = 1; !left.empty(); ++row) {
    const std::string_view line = left.substr(0, left.find('\n'));
    left.remove_prefix(std::min(line.size() + 1, left.size()));
    if (line.find_first_not_of(" \t\r") == std::string_view::npos) continue;
    if (int(times.size()) == limits::table_rows)
      throw FieldError(path + ".file", fmt::format("{}:{}: more than {} rows: give fewer; the spline connects them",
                                                   file, row, limits::table_rows));
    auto number = [&](int k) -> std::optional<double> {
      std::string_view cell = line;
      for (int i = 1; i < k; ++i) {
        const size_t comma = cell.find(',');
        if (comma == std::string_view::npos) return std::nullopt;
        cell.remove_prefix(comma + 1);
      }
      cell = cell.substr(0, cell.find_first_of(",\r"));
      const Quantity quantity = read_quantity(cell, dimension::number);
      return quantity.complaint.empty() ? std::optional(quantity.value) : std::nullopt;
    };
    const auto time = number(1), value = number(column);
    if (!time && row == 1) continue;  // a heading
    if (!time || !value)
      throw FieldError(path + ".file", fmt::format("{}:{}: expected numbers in columns 1 and {}, got {}", file, row,
                                                   column, in_quotes(line)));
    if (!times.empty() && *time <= times.back())
      throw FieldError(path + ".file",
                       fmt::format("{}:{}: expected a time after {:g} s, got {:g} s", file, row, times.back(), *time));
    times.push_back(*time);
    values.push_back(*value);
  }
  if (times.size() < 2) throw FieldError(path + ".file", fmt::format("{}: expected at least two rows", file));
  return CubicSpline(std::move(times), std::move(values));
}

}  // namespace lithe
