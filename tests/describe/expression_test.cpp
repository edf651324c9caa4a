// Formulas: values against C++'s own arithmetic, mistakes word for word.
#include "lithe/describe/expression.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <string>

#include "support/allocation_count.h"

namespace lithe::testing {
namespace {

constexpr std::array<std::string_view, 3> names{"x", "y", "z"};

double value(const std::string& text, double x = 0, double y = 0, double z = 0) {
  const double values[] = {x, y, z};
  return Expression(text, names)(values);
}

TEST(Expression, IsArithmetic) {
  const double x = 0.7, y = -1.3, z = 2.5;
  EXPECT_EQ(value("1"), 1);
  EXPECT_EQ(value(" 2700*(1 + x/0.5) ", x), 2700 * (1 + x / 0.5));
  EXPECT_EQ(value("x - y - z", x, y, z), x - y - z);
  EXPECT_EQ(value("x/y/z", x, y, z), x / y / z);
  EXPECT_EQ(value("x - y*z + 1e-3", x, y, z), x - y * z + 1e-3);
  EXPECT_EQ(value("-x^2", x), -std::pow(x, 2));
  EXPECT_EQ(value("2^3^2"), 512);
  EXPECT_EQ(value("2^-2"), 0.25);
  EXPECT_EQ(value("-2^2 + +3 - -1"), 0);
  EXPECT_EQ(value("2*-3"), -6);
  EXPECT_EQ(value("sin(x)*cos(pi*y) + exp(-z)", x, y, z), std::sin(x) * std::cos(M_PI * y) + std::exp(-z));
  EXPECT_EQ(value("sqrt(abs(y))*min(x, y, z)/max(1, .5)", x, y, z), std::sqrt(1.3) * -1.3);
  EXPECT_EQ(value("((((x))))", x), x);
  EXPECT_EQ(value("1/0"), INFINITY);
  EXPECT_TRUE(std::isnan(value("max(0, sqrt(-1))")));
  EXPECT_TRUE(std::isnan(value("min(sqrt(-1), 0)")));
}

std::string mistake(const std::string& text) {
  try {
    (void)Expression(text, names);
  } catch (const ExpressionError& error) {
    return error.what();
  }
  return "none";
}

TEST(Expression, NamesTheCharacterOfAMistake) {
  EXPECT_EQ(mistake("2700*(1 + x"), "expected `)` at character 12, got the end");
  EXPECT_EQ(mistake("1 + * 2"), "expected a number, a name or `(` at character 5, got \"* 2\"");
  EXPECT_EQ(mistake(""), "expected a number, a name or `(` at character 1, got the end");
  EXPECT_EQ(mistake("2 x"), "expected an operator or the end of the formula at character 3, got \"x\"");
  EXPECT_EQ(mistake("1 + t"), "expected one of x, y, z, pi, or a function, not 't', at character 5, got \"t\"");
  EXPECT_EQ(
      mistake("tan(x)"),
      "expected one of the functions sin, cos, exp, sqrt, abs, min, max, not 'tan', at character 1, got \"tan(x)\"");
  EXPECT_EQ(mistake("min(x)"), "expected `,`: min is of two numbers or more at character 6, got \")\"");
  EXPECT_EQ(mistake("sin(x, y)"), "expected `)` at character 6, got \", y)\"");
  EXPECT_EQ(mistake("1e999"), "expected a number at character 1, got \"1e999\"");
  EXPECT_EQ(mistake("."), "expected a number at character 1, got \".\"");
  EXPECT_EQ(mistake("1 \x01"), "expected an operator or the end of the formula at character 3, got \"\\x01\"");
  EXPECT_EQ(mistake(std::string(1001, '1')), "expected a formula of at most 1000 characters, got one of 1001");
  const std::string deep = std::string(60, '(') + "x" + std::string(60, ')');
  EXPECT_EQ(mistake(deep).substr(0, 75), "expected at most 50 parentheses, signs and powers inside each other at char");
  EXPECT_EQ(mistake(std::string(60, '-') + "1").substr(0, 18), "expected at most 5");
  EXPECT_EQ(mistake(std::string(40, '(') + "1" + std::string(40, ')')), "none");
}

TEST(Expression, EvaluatesWithoutAllocation) {
  // Each level keeps a sum, a product and a power waiting.
  std::string text = "x";
  for (int k = 0; k < 24; ++k) text = "(1+2*1^" + text + ")";
  const Expression expression(text, names);
  const double values[] = {1.5, 0, 0};
  const long before = allocations();
  double sum = 0;
  for (int k = 0; k < 100; ++k) sum += expression(values);
  EXPECT_EQ(allocations(), before);
  EXPECT_EQ(sum, 300);
}

}  // namespace
}  // namespace lithe::testing
