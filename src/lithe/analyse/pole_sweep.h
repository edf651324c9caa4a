#pragma once

#include <complex>
#include <functional>
#include <string>
#include <vector>

#include "lithe/spatial/spatial.h"

namespace lithe {

/// How the poles of a linear model change with one number: a joint's position, a gain. Plain numbers.
struct PoleSweep {
  std::string name, unit;
  std::vector<double> values;
  /// By branch, then by value. Every branch follows one pole, conjugates included.
  std::vector<std::vector<std::complex<double>>> branches;
  std::vector<double> growth;   // per value: the largest real part, 1/s; negative: stable
  std::vector<double> damping;  // per value: the least damping ratio −Re s/|s|, of poles that are not at zero

  /// How many poles at that value are at zero, up to rounding: those of free joints, but also slow ones beside a stiffness whose
  /// rounding hides them. They are counted, not judged.
  int at_zero(size_t i) const;
  /// Whether another pole is right of the axis, by more than its own rounding.
  bool unstable(size_t i) const;
  /// Neither of the two.
  bool stable(size_t i) const { return !unstable(i) && at_zero(i) == 0; }
};

/// Asks for the poles at each value in turn and follows them: each next pole goes to the branch whose continuation is nearest,
/// nearest pairs first. Throws Error where their number changes.
PoleSweep sweep_poles(const std::string& name, const std::string& unit, const std::vector<double>& values,
                      const std::function<Eigen::VectorXcd(double)>& poles_at);

/// Stretches of values over which it is stable, in turn. One ends between two values where the first pole crosses the axis, by a straight
/// line along its branch; where none crosses (poles go to zero, or come from there), at its last stable value.
std::vector<std::pair<double, double>> stable_stretches(const PoleSweep& sweep);

/// As CSV: value, growth, damping, then the real and imaginary part of every branch, with all digits.
std::string csv_of(const PoleSweep& sweep);

}  // namespace lithe
