#include "lithe/derive/print.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "lithe/derive/functions.h"
#include "lithe/derive/traverse.h"

namespace lithe::derive {
namespace {

using GiNaC::ex_to;
using GiNaC::is_a;

/// Groups of factors in the order they are written.
int group(const Name& name) {
  switch (name.kind) {
    case Kind::parameter:
      return name.heavy ? 1 : 2;
    case Kind::constant:
      return 1;
    case Kind::coordinate:
    case Kind::derived:
      return 4;
    case Kind::wave:
      return 5;
    case Kind::rate:
      return 6;
  }
  return 9;
}

/// Term by term: brackets within terms stay.
ex negated(const ex& sum) {
  GiNaC::exvector terms;
  for (const ex& term : terms_of(sum)) terms.push_back(-term);
  return GiNaC::add(terms);
}

}  // namespace

std::string Printer::key(const ex& factor) const {
  if (is_a<GiNaC::numeric>(factor)) return "0";
  if (is_a<GiNaC::symbol>(factor)) {
    const Name& name = names_.of(factor);
    const auto place = &name - names_.all().data();
    return fmt::format("{}{:06}", group(name), place);
  }
  const auto symbols = symbols_in(factor);
  std::string least = "9";
  for (const auto& symbol : symbols) least = std::min(least, key(symbol));
  // A sum in brackets or a function is ordered by its most variable part.
  if (is_a<GiNaC::add>(factor) || is_a<GiNaC::function>(factor)) {
    least = "3";
    for (const auto& symbol : symbols) least = std::max(least, key(symbol));
  }
  return least + (is_a<GiNaC::power>(factor) ? "p" : is_a<GiNaC::symbol>(factor) ? "" : "z");
}

std::string Printer::term_key(const ex& term) const {
  std::vector<std::string> keys;
  for (const ex& factor : factors_of(term)) keys.push_back(key(factor));
  std::sort(keys.rbegin(), keys.rend());  // the most variable part decides first
  std::string joined;
  for (const std::string& k : keys) joined += k + " ";
  return joined;
}

std::vector<ex> Printer::sorted_terms(const ex& expression) const {
  std::vector<std::pair<std::string, ex>> keyed;
  std::vector<std::pair<size_t, std::string>> tie;
  for (const ex& term : terms_of(expression)) keyed.emplace_back(term_key(term), term);
  // GiNaC's order of terms is that of addresses: terms of equal keys are ordered as they read.
  for (size_t k = 0; k < keyed.size(); ++k)
    if (std::count_if(keyed.begin(), keyed.end(), [&](const auto& other) { return other.first == keyed[k].first; }) >
        1) {
      bool negative = false;
      tie.push_back({k, product(keyed[k].second, negative)});
    }
  for (const auto& [k, text] : tie) keyed[k].first += text;
  std::stable_sort(keyed.begin(), keyed.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<ex> list;
  for (auto& [key, term] : keyed) list.push_back(term);
  return list;
}

std::vector<std::string> Printer::pieces(const ex& expression) const {
  std::vector<std::string> list;
  for (const ex& term : sorted_terms(expression)) {
    bool negative = false;
    const std::string text = product(term, negative);
    if (list.empty()) {
      list.push_back((negative ? "-" : "") + text);
    } else {
      list.push_back((negative ? " - " : " + ") + text);
    }
  }
  if (list.empty()) list.emplace_back("0");
  return list;
}

std::string Printer::sum(const ex& expression) const {
  std::string text;
  for (const std::string& piece : pieces(expression)) text += piece;
  return text;
}

/// As printed: brackets within the first term have their own signs.
bool Printer::begins_negative(const ex& sum) const {
  bool negative = false;
  product(sorted_terms(sum)[0], negative);
  return negative;
}

std::string Printer::product(const ex& expression, bool& negative) const {
  std::vector<std::pair<std::string, std::string>> keyed;  // factors as they are printed
  GiNaC::numeric number = 1;
  std::vector<ex> below;  // with negative powers
  for (const ex& part : factors_of(expression)) {
    if (is_a<GiNaC::numeric>(part)) {
      number *= ex_to<GiNaC::numeric>(part);
    } else if (is_a<GiNaC::power>(part) && part.op(1).info(GiNaC::info_flags::negative)) {
      below.push_back(GiNaC::pow(part.op(0), -part.op(1)));
    } else if (is_a<GiNaC::add>(part) && begins_negative(part)) {
      // Which of a − b and b − a is in the bracket GiNaC decides by addresses; here the first term is positive.
      keyed.emplace_back(key(part), factor(negated(part)));
      number = -number;
    } else if (is_a<GiNaC::power>(part) && is_a<GiNaC::add>(part.op(0)) && begins_negative(part.op(0))) {
      // As text, because GiNaC turns the power of a negated sum back again.
      const GiNaC::numeric exponent = ex_to<GiNaC::numeric>(part.op(1));
      keyed.emplace_back(key(part), power(negated(part.op(0)), exponent.to_int()));
      if (exponent.is_odd()) number = -number;
    } else {
      keyed.emplace_back(key(part), factor(part));
    }
  }
  negative = number.is_negative();
  if (negative) number = -number;
  std::sort(keyed.begin(), keyed.end());
  const bool latex = style_ == Style::latex;
  std::string text;
  auto append = [&](const std::string& factor_text) {
    if (!text.empty()) text += latex ? " " : "*";
    text += factor_text;
  };
  if (!number.is_equal(1) || keyed.empty()) append(rational(number));
  for (const auto& [k, printed] : keyed) append(printed);
  for (const ex& part : below) text = latex ? "\\frac{" + text + "}{" + sum(part) + "}" : text + "/" + factor(part);
  return text;
}

std::string Printer::factor(const ex& expression) const {
  if (is_a<GiNaC::symbol>(expression)) return name(ex_to<GiNaC::symbol>(expression));
  if (is_a<GiNaC::numeric>(expression)) return rational(ex_to<GiNaC::numeric>(expression));
  if (is_a<GiNaC::power>(expression)) return power(expression.op(0), ex_to<GiNaC::numeric>(expression.op(1)).to_int());
  if (is_a<GiNaC::function>(expression)) return call(expression);
  return style_ == Style::latex ? "\\left(" + sum(expression) + "\\right)" : "(" + sum(expression) + ")";
}

std::string Printer::power(const ex& base, int exponent) const {
  const std::string text = factor(base);
  switch (style_) {
    case Style::latex:
      return fmt::format("{{{}}}^{}", text, exponent);
    case Style::python:
    case Style::sympy:
      return fmt::format("{}**{}", text, exponent);
    case Style::cpp: {
      std::string product = text;
      for (int k = 1; k < exponent; ++k) product += "*" + text;
      return product;
    }
    default:
      return fmt::format("{}^{}", text, exponent);
  }
}

std::string Printer::number(double value) const {
  if (style_ != Style::latex) {
    const std::string text = fmt::format("{}", value);
    return value < 0 ? "(" + text + ")" : text;
  }
  // Formulas are for reading: six figures. Programs have them all.
  std::string text = fmt::format("{:.6g}", value);
  const size_t e = text.find('e');
  if (e == std::string::npos) return text;
  return fmt::format("{}\\cdot 10^{{{}}}", text.substr(0, e), std::stoi(text.substr(e + 1)));
}

std::string Printer::rational(const GiNaC::numeric& value) const {
  if (!value.is_rational()) return number(value.to_double());
  if (value.is_integer()) return fmt::format("{}", value.to_long());
  const GiNaC::numeric above = value.numer(), below = value.denom();
  if (style_ == Style::latex) return fmt::format("\\tfrac{{{}}}{{{}}}", above.to_long(), below.to_long());
  if (style_ == Style::sympy) return fmt::format("sp.Rational({}, {})", above.to_long(), below.to_long());
  const double quotient = value.to_double();
  if (GiNaC::numeric(quotient).is_equal(value) || (below.to_long() & (below.to_long() - 1)) == 0)
    return fmt::format("{}", quotient);
  return fmt::format("({}.0/{}.0)", above.to_long(), below.to_long());
}

std::string Printer::call(const ex& function) const {
  const std::string name = ex_to<GiNaC::function>(function).get_name(), argument = sum(function.op(0));
  switch (style_) {
    case Style::latex: {
      const std::string inside = "\\left(" + argument + "\\right)";
      if (name == "positive_part") return "\\max\\left(" + argument + ", 0\\right)";
      if (name == "negative_part") return "\\min\\left(" + argument + ", 0\\right)";
      if (name.starts_with("rot_")) {
        const std::string letter = name.substr(name.size() - 1);
        return (name.size() == 6 ? letter + "'" : letter) + inside;
      }
      return "\\" + name + inside;
    }
    case Style::cpp:
      if (name == "sin" || name == "cos" || name == "tanh") return "std::" + name + "(" + argument + ")";
      return name + "(" + argument + ")";
    case Style::python:
      if (name == "sin" || name == "cos" || name == "tanh") return "np." + name + "(" + argument + ")";
      return name + "(" + argument + ")";
    case Style::sympy:
      if (name == "sin" || name == "cos" || name == "tanh") return "sp." + name + "(" + argument + ")";
      return name + "(" + argument + ")";
    default:
      return name + "(" + argument + ")";
  }
}

std::string Printer::name(const GiNaC::symbol& symbol) const {
  const Name& name = names_.of(symbol);
  const bool fixed = name.kind == Kind::parameter || name.kind == Kind::constant;
  switch (style_) {
    case Style::latex:
      return name.latex;
    case Style::python:
      return fixed ? "self." + name.code : name.code;
    case Style::matlab:
      return fixed ? "p." + name.code : name.code;
    default:
      return name.code;
  }
}

}  // namespace lithe::derive
