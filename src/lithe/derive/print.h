#pragma once

#include <string>
#include <vector>

#include "lithe/derive/names.h"

namespace lithe::derive {

/// How an expression is spelt. `code` is neutral and for keys.
enum class Style { code, cpp, python, sympy, matlab, latex };

/// Writes expressions in an order that is the same in every run (GiNaC's own is not): numbers, masses, lengths, constants,
/// then what varies, then waves; sums with their constant terms first.
class Printer {
 public:
  Printer(const Names& names, Style style) : names_(names), style_(style) {}

  std::string operator()(const ex& expression) const { return sum(expression); }
  /// Terms as they are joined into a sum, each with its sign; for breaking long lines.
  std::vector<std::string> pieces(const ex& expression) const;
  std::vector<ex> sorted_terms(const ex& expression) const;
  std::string name(const GiNaC::symbol& symbol) const;
  std::string number(double value) const;

 private:
  std::string key(const ex& factor) const;
  std::string term_key(const ex& term) const;
  std::string sum(const ex& expression) const;
  std::string product(const ex& expression, bool& negative) const;
  bool begins_negative(const ex& sum) const;
  std::string factor(const ex& expression) const;
  std::string power(const ex& base, int exponent) const;
  std::string rational(const GiNaC::numeric& value) const;
  std::string call(const ex& function) const;

  const Names& names_;
  Style style_;
};

}  // namespace lithe::derive
