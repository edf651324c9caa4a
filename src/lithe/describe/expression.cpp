#include "lithe/describe/expression.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <numbers>

#include "lithe/describe/limits.h"
#include "lithe/describe/quote.h"
#include "lithe/spatial/demand.h"

namespace lithe {

/// Recursive descent:
///   sum     = product {(+|-) product}          product = signed {(*|/) signed}
///   signed  = (+|-) signed | power              power   = operand [^ signed]
///   operand = number | name | name ( sum {, sum} ) | ( sum )
class ExpressionParser {
 public:
  ExpressionParser(std::string_view text, std::span<const std::string_view> variables,
                   std::vector<Expression::Step>& steps)
      : text_(text), variables_(variables), steps_(steps) {}

  void parse() {
    if (text_.size() > limits::formula_length)
      throw ExpressionError(fmt::format("expected a formula of at most {} characters, got one of {}",
                                        limits::formula_length, text_.size()));
    sum();
    peek();
    if (at_ < text_.size()) fail("expected an operator or the end of the formula");
  }

 private:
  using Operation = Expression::Operation;

  /// Counts how deep the recursion is while it exists.
  struct Deeper {
    explicit Deeper(ExpressionParser& parser) : parser_(parser) {
      if (++parser_.depth_ > limits::formula_depth)
        parser_.fail(
            fmt::format("expected at most {} parentheses, signs and powers inside each other", limits::formula_depth));
    }
    ~Deeper() { --parser_.depth_; }
    Deeper(const Deeper&) = delete;
    Deeper& operator=(const Deeper&) = delete;
    ExpressionParser& parser_;
  };

  void sum() {
    product();
    while (true) {
      if (take('+')) {
        product();
        apply(Operation::add, 2);
      } else if (take('-')) {
        product();
        apply(Operation::subtract, 2);
      } else {
        return;
      }
    }
  }
  void product() {
    sign();
    while (true) {
      if (take('*')) {
        sign();
        apply(Operation::multiply, 2);
      } else if (take('/')) {
        sign();
        apply(Operation::divide, 2);
      } else {
        return;
      }
    }
  }
  void sign() {
    const Deeper deeper(*this);
    if (take('-')) {
      sign();
      apply(Operation::negate, 1);
    } else if (take('+')) {
      sign();
    } else {
      operand();
      if (!take('^')) return;
      sign();
      apply(Operation::power, 2);
    }
  }

  void operand() {
    const char next = peek();
    if (take('(')) {
      sum();
      if (!take(')')) fail("expected `)`");
    } else if (is_digit(next) || next == '.') {
      number();
    } else if (is_letter(next)) {
      name();
    } else {
      fail("expected a number, a name or `(`");
    }
  }

  void number() {
    Expression::Step step{Operation::number};
    const auto [rest, error] = std::from_chars(text_.data() + at_, text_.data() + text_.size(), step.number);
    if (error != std::errc()) fail("expected a number");
    at_ = size_t(rest - text_.data());
    push(step);
  }

  void name() {
    const size_t begin = at_;
    while (at_ < text_.size() && (is_letter(text_[at_]) || is_digit(text_[at_]))) ++at_;
    const std::string_view word = text_.substr(begin, at_ - begin);
    if (take('(')) return function(word, begin);
    if (word == "pi") return push({Operation::number, std::numbers::pi});
    const auto known = std::find(variables_.begin(), variables_.end(), word);
    if (known != variables_.end()) return push({Operation::variable, 0, int(known - variables_.begin())});
    at_ = begin;
    std::string names;
    for (const std::string_view one : variables_) names += std::string(one) + ", ";
    fail(fmt::format("expected one of {}pi, or a function, not '{}',", names, shortened(word)));
  }

  void function(std::string_view word, size_t begin) {
    struct Function {
      std::string_view name;
      Operation operation;
      bool of_several;
    };
    static constexpr Function functions[] = {{"sin", Operation::sine, false},        {"cos", Operation::cosine, false},
                                             {"exp", Operation::exponential, false}, {"sqrt", Operation::root, false},
                                             {"abs", Operation::absolute, false},    {"min", Operation::least, true},
                                             {"max", Operation::largest, true}};
    const auto* const known =
        std::find_if(std::begin(functions), std::end(functions), [&](const Function& one) { return one.name == word; });
    if (known == std::end(functions)) {
      at_ = begin;
      fail(fmt::format("expected one of the functions sin, cos, exp, sqrt, abs, min, max, not '{}',", shortened(word)));
    }
    sum();
    if (!known->of_several) apply(known->operation, 1);
    for (int n = 1; known->of_several && (n == 1 || peek() == ','); ++n) {
      if (!take(',')) fail(fmt::format("expected `,`: {} is of two numbers or more", word));
      sum();
      apply(known->operation, 2);
    }
    if (!take(')')) fail("expected `)`");
  }

  // ---- what a stack will do

  void push(const Expression::Step& step) {
    if (++height_ > Expression::stack_size) fail("expected a shorter formula");
    steps_.push_back(step);
  }
  void apply(Operation operation, int operands) {
    height_ -= operands - 1;
    steps_.push_back({operation});
  }

  // ---- characters

  static bool is_digit(char c) { return c >= '0' && c <= '9'; }
  static bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
  /// The next character that is not a space; 0 at the end.
  char peek() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\t')) ++at_;
    return at_ < text_.size() ? text_[at_] : '\0';
  }
  bool take(char wanted) {
    if (peek() != wanted) return false;
    ++at_;
    return true;
  }
  [[noreturn]] void fail(const std::string& expected) {
    peek();
    const std::string got = at_ == text_.size() ? "the end" : in_quotes(text_.substr(at_), 20);
    throw ExpressionError(fmt::format("{} at character {}, got {}", expected, at_ + 1, got));
  }

  std::string_view text_;
  std::span<const std::string_view> variables_;
  std::vector<Expression::Step>& steps_;
  size_t at_ = 0;
  int depth_ = 0, height_ = 0;
};

Expression::Expression(std::string_view text, std::span<const std::string_view> variables)
    : variables_(int(variables.size())) {
  ExpressionParser(text, variables, steps_).parse();
}

int Expression::cost() const {
  int sum = 0;
  for (const Step& step : steps_) switch (step.operation) {
      case Operation::power:
      case Operation::sine:
      case Operation::cosine:
      case Operation::exponential:
        sum += 10;
        break;
      default:
        sum += 1;
    }
  return sum;
}

double Expression::operator()(std::span<const double> values) const {
  LITHE_DEMAND_EQUAL(int(values.size()), variables_);
  std::array<double, stack_size> stack;
  size_t size = 0;
  const auto one = [&](auto result) { stack[size - 1] = result(stack[size - 1]); };
  const auto two = [&](auto result) {
    --size;
    stack[size - 1] = result(stack[size - 1], stack[size]);
  };
  for (const Step& step : steps_) {
    switch (step.operation) {
      case Operation::number:
        stack[size++] = step.number;
        break;
      case Operation::variable:
        stack[size++] = values[size_t(step.variable)];
        break;
      case Operation::add:
        two([](double a, double b) { return a + b; });
        break;
      case Operation::subtract:
        two([](double a, double b) { return a - b; });
        break;
      case Operation::multiply:
        two([](double a, double b) { return a * b; });
        break;
      case Operation::divide:
        two([](double a, double b) { return a / b; });
        break;
      case Operation::power:
        two([](double a, double b) { return std::pow(a, b); });
        break;
      case Operation::negate:
        one([](double a) { return -a; });
        break;
      case Operation::sine:
        one([](double a) { return std::sin(a); });
        break;
      case Operation::cosine:
        one([](double a) { return std::cos(a); });
        break;
      case Operation::exponential:
        one([](double a) { return std::exp(a); });
        break;
      case Operation::root:
        one([](double a) { return std::sqrt(a); });
        break;
      case Operation::absolute:
        one([](double a) { return std::abs(a); });
        break;
      case Operation::least:
        two([](double a, double b) { return a < b || std::isnan(a) ? a : b; });
        break;
      case Operation::largest:
        two([](double a, double b) { return a > b || std::isnan(a) ? a : b; });
        break;
    }
  }
  return stack[0];
}

}  // namespace lithe
