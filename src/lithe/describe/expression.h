#pragma once

#include <array>
#include <span>
#include <string_view>
#include <vector>

#include "lithe/error.h"

namespace lithe {

/// A mistake in a formula; the message names its place as a character, counted from one.
class ExpressionError : public Error {
 public:
  using Error::Error;
};

/// Arithmetic on variables that the caller names: numbers, pi, + - * / ^, parentheses, and the functions sin, cos, exp, sqrt, abs,
/// min, max (of two or more). ^ binds tighter than a sign before it and from the right: -2^2 = -4, 2^3^2 = 2^9. Immutable; threads may
/// share it.
class Expression {
 public:
  /// Throws ExpressionError.
  Expression(std::string_view text, std::span<const std::string_view> variables);

  /// With a value for each variable, in their order. IEEE arithmetic: 1/0 is infinite, sqrt(-1) is NaN. Allocates nothing.
  double operator()(std::span<const double> values) const;

  /// Operations of one evaluation, where a power, sin, cos and exp count as ten.
  int cost() const;

 private:
  friend class ExpressionParser;
  enum class Operation {
    number,
    variable,
    add,
    subtract,
    multiply,
    divide,
    power,
    negate,
    sine,
    cosine,
    exponential,
    root,
    absolute,
    least,
    largest
  };
  struct Step {
    Operation operation;
    double number = 0;  // for `number`
    int variable = 0;   // for `variable`
  };
  static constexpr int stack_size = 256;

  std::vector<Step> steps_;  // in the order in which a stack evaluates them
  int variables_ = 0;
};

}  // namespace lithe
