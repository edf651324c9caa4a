#include "lithe/derive/algebra.h"

#include <cmath>

#include "lithe/derive/factored.h"
#include "lithe/derive/print.h"
#include "lithe/derive/traverse.h"

namespace lithe::derive {
namespace {

constexpr size_t long_coefficient = 3;  // terms from which a coefficient is worth a name

}  // namespace

AngleSum Folding::cleaned(const AngleSum& value, double least) const {
  AngleSum result;
  for (const auto& [wave, coefficient] : value.terms()) {
    ex kept = 0;
    for (const ex& term : terms_of(coefficient)) {
      const GiNaC::numeric number = number_of(term);
      if (number.is_rational() || std::abs(number.to_double()) > least) kept += term;
    }
    result += AngleSum::term(wave, kept);
  }
  return result;
}

ex Folding::constant(const ex& polynomial) {
  const Printer print(names_, Style::code);
  const auto terms = print.sorted_terms(polynomial);
  if (!name_constants_ || terms.size() < long_coefficient) return GiNaC::collect_common_factors(polynomial);
  // Up to a factor it may be known already.
  const GiNaC::numeric factor = number_of(terms[0]);
  const ex unit = (polynomial / factor).expand();
  const std::string key = print(unit);
  const auto found = constants_.find(key);
  if (found != constants_.end()) return factor * found->second;
  const std::string number = std::to_string(constants_.size() + 1);
  return factor * (constants_[key] = names_.define("k" + number, "k_{" + number + "}",
                                                   GiNaC::collect_common_factors(unit), Kind::constant));
}

ex Folding::written(const AngleSum& value) {
  if (take_out_factors_) return factored(value, names_);
  const Printer print(names_, Style::code);
  GiNaC::exvector sum;
  for (const auto& [wave, coefficient] : value.terms()) {
    // Gathered by what varies with the state.
    std::map<std::string, std::pair<ex, GiNaC::exvector>> gathered;
    for (const ex& term : terms_of(coefficient)) {
      ex varying = 1, fixed = 1;
      for (const ex& factor : factors_of(term)) {
        const auto symbols = symbols_in(factor);
        const bool is_fixed = symbols.empty() || names_.of(symbols[0]).kind == Kind::parameter;
        (is_fixed ? fixed : varying) *= factor;
      }
      auto& group = gathered[print(varying)];
      group.first = varying;
      group.second.push_back(fixed);
    }
    for (const auto& [key, group] : gathered)
      sum.push_back(constant(GiNaC::add(group.second)) * group.first * names_.wave(wave));
  }
  return GiNaC::add(sum);
}

std::string Naming::latex(const std::string& code) {
  std::string text;
  for (const char c : code) text += c == '_' ? std::string("\\_") : std::string(1, c);
  return text;
}

}  // namespace lithe::derive
