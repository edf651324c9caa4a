#pragma once

#include <string>
#include <vector>

namespace lithe {

struct ProfileSample;

/// The natural cubic spline through given points: value, rate and acceleration continuous, acceleration zero at both ends.
class CubicSpline {
 public:
  /// Times strictly ascending, at least two.
  CubicSpline(std::vector<double> times, std::vector<double> values);

  /// From the first and the given column (counted from one) of a CSV file; a first row that is not numbers is a heading.
  /// Throws FieldError with `path` for a file that cannot be read, a row without numbers, times that do not ascend.
  static CubicSpline from_csv(const std::string& file, int column, const std::string& path);

  ProfileSample at(double t) const;
  /// Where its rate is zero: between two of these times, ascending, the value rises or falls throughout.
  std::vector<double> turning_points() const;
  double first_time() const { return times_.front(); }
  double last_time() const { return times_.back(); }

 private:
  std::vector<double> times_, values_, curvatures_;
};

}  // namespace lithe
