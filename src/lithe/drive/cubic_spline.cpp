#include "lithe/drive/cubic_spline.h"

#include <fmt/format.h>

#include <Eigen/Sparse>
#include <algorithm>
#include <fstream>
#include <optional>
#include <sstream>

#include "lithe/describe/problem.h"
#include "lithe/describe/quote.h"
#include "lithe/describe/units.h"
#include "lithe/drive/profile_curve.h"

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

CubicSpline CubicSpline::from_csv(const std::string& file, int column, const std::string& path) {
  std::ifstream stream(file);
  if (!stream) throw FieldError(path + ".file", fmt::format("cannot read {}", in_quotes(file, 300)));
  std::vector<double> times, values;
  std::string line;
  for (int row = 1; std::getline(stream, line); ++row) {
    if (line.find_first_not_of(" \t\r") == std::string::npos) continue;
    std::vector<std::string> cells;
    std::istringstream pieces(line);
    for (std::string cell; std::getline(pieces, cell, ',');) {
      cell.erase(std::remove(cell.begin(), cell.end(), '\r'), cell.end());
      cells.push_back(cell);
    }
    auto number = [&](int k) -> std::optional<double> {
      if (k > int(cells.size())) return std::nullopt;
      const Quantity quantity = read_quantity(cells[k - 1], dimension::number);
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
