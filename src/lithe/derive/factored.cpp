#include "lithe/derive/factored.h"

#include <algorithm>
#include <array>
#include <optional>

#include "lithe/derive/print.h"
#include "lithe/derive/traverse.h"

namespace lithe::derive {
namespace {

using GiNaC::symbol;
constexpr size_t most_terms = 150;  // of a polynomial whose contents are looked for: their cost grows quickly

/// exp(iα_a), and the imaginary unit.
const symbol& turn(int angle) {
  static const auto all = [] {
    std::array<symbol, Wave::most_angles> list;
    for (int a = 0; a < Wave::most_angles; ++a) list[size_t(a)] = symbol("turn_" + std::to_string(a));
    return list;
  }();
  return all[size_t(angle)];
}
const symbol& imaginary() {
  static const symbol unit("imaginary_unit");
  return unit;
}

using Exponents = std::array<int, Wave::most_angles>;

/// f x^m with the least m that leaves no negative exponents.
ex polynomial(const AngleSum& f) {
  Exponents most{};
  for (const auto& [wave, coefficient] : f.terms())
    for (int a = 0; a < Wave::most_angles; ++a)
      most[size_t(a)] = std::max(most[size_t(a)], std::abs(int(wave.n[size_t(a)])));
  ex result = 0;
  for (const auto& [wave, coefficient] : f.terms()) {
    ex plus = 1, minus = 1;
    for (int a = 0; a < Wave::most_angles; ++a) {
      const int n = wave.n[size_t(a)], m = most[size_t(a)];
      plus *= GiNaC::pow(turn(a), m + n);
      minus *= GiNaC::pow(turn(a), m - n);
    }
    if (wave.is_one())
      result += coefficient * plus;
    else if (wave.sine)
      result += coefficient * imaginary() * (minus - plus) / 2;
    else
      result += coefficient * (plus + minus) / 2;
  }
  return result.expand();
}

/// A factor of such a polynomial as a real sum again: centred, and times a power of i that makes it real. None where that is impossible.
struct RealFactor {
  AngleSum sum;
  int quarter_turns = 0;  // the factor is i^quarter_turns times the sum, up to powers of x
};
std::optional<RealFactor> real_factor(const ex& factor) {
  std::array<int, Wave::most_angles> centre{};
  for (int a = 0; a < Wave::most_angles; ++a) {
    const int twice = factor.degree(turn(a)) + factor.ldegree(turn(a));
    if (twice % 2 != 0) return std::nullopt;
    centre[size_t(a)] = twice / 2;
  }
  // By exponents: real and imaginary part of the coefficient.
  std::map<Exponents, std::array<ex, 2>> terms;
  for (const ex& term : terms_of(factor.expand())) {
    Exponents n{};
    ex rest = term;
    for (int a = 0; a < Wave::most_angles; ++a) {
      const int degree = term.degree(turn(a));
      n[size_t(a)] = degree - centre[size_t(a)];
      if (degree != 0) rest /= GiNaC::pow(turn(a), degree);
    }
    const int power = rest.degree(imaginary());
    if (power != 0) rest /= GiNaC::pow(imaginary(), power);
    terms[n][size_t(power % 2)] += power % 4 < 2 ? rest : ex(-rest);
  }
  for (int quarter_turns = 0; quarter_turns < 2; ++quarter_turns) {
    AngleSum sum;
    bool real = true;
    for (const auto& [n, parts] : terms) {
      Exponents opposite = n;
      for (int& value : opposite) value = -value;
      const auto other = terms.find(opposite);
      // Real: the coefficient of −n is conjugate to that of n; i times real: minus that.
      const ex re = parts[0].expand(), im = parts[1].expand();
      const ex re_other = other == terms.end() ? ex(0) : other->second[0].expand(),
               im_other = other == terms.end() ? ex(0) : other->second[1].expand();
      const int sign = quarter_turns == 0 ? 1 : -1;
      if (!(re - sign * re_other).expand().is_zero() || !(im + sign * im_other).expand().is_zero()) {
        real = false;
        break;
      }
      const auto first = std::find_if(n.begin(), n.end(), [](int value) { return value != 0; });
      if (first != n.end() && *first < 0) continue;  // counted with its opposite
      // Of the factor divided by i: a + ib becomes b − ia.
      const ex a = quarter_turns == 0 ? re : im, b = quarter_turns == 0 ? im : ex(-re);
      Wave wave;
      for (int k = 0; k < Wave::most_angles; ++k) wave.n[size_t(k)] = std::int8_t(n[size_t(k)]);
      if (wave.is_one()) {
        sum += AngleSum(a);
        continue;
      }
      sum += AngleSum::term(wave, (2 * a).expand());
      wave.sine = true;
      sum += AngleSum::term(wave, (-2 * b).expand());
    }
    if (real) return RealFactor{sum, quarter_turns};
  }
  return std::nullopt;
}

bool is_exact(const AngleSum& f) {
  for (const auto& [wave, coefficient] : f.terms())
    for (const ex& term : terms_of(coefficient))
      if (!number_of(term).is_rational()) return false;
  return true;
}

/// Splits off contents by every variable, and repeated factors.
void split(const ex& p, int power, std::vector<std::pair<ex, int>>& factors) {
  if (GiNaC::is_a<GiNaC::numeric>(p) || GiNaC::is_a<symbol>(p)) {
    factors.emplace_back(p, power);
    return;
  }
  for (const symbol& x : symbols_in(p)) {  // by name: the same factors in every run

    ex unit, content, primitive;
    p.unitcontprim(x, unit, content, primitive);
    content = (unit * content).expand();
    if (GiNaC::is_a<GiNaC::numeric>(content)) continue;
    split(content, power, factors);
    split(primitive.expand(), power, factors);
    return;
  }
  GiNaC::lst by_name;  // GiNaC's own order is that of addresses
  for (const symbol& x : symbols_in(p)) by_name.append(x);
  const ex free_of_squares = GiNaC::sqrfree(p, by_name);
  if (GiNaC::is_a<GiNaC::power>(free_of_squares) || GiNaC::is_a<GiNaC::mul>(free_of_squares)) {
    for (const ex& part : factors_of(free_of_squares)) {
      const bool is_power = GiNaC::is_a<GiNaC::power>(part);
      const ex base = is_power ? part.op(0) : part;
      factors.emplace_back(base.expand(), power * (is_power ? GiNaC::ex_to<GiNaC::numeric>(part.op(1)).to_int() : 1));
    }
    return;
  }
  factors.emplace_back(p, power);
}

struct Factor {
  AngleSum sum;
  int power;
};

/// Factors whose product is f; one, f itself, where none are found.
std::vector<Factor> real_factors(const AngleSum& f) {
  const std::vector<Factor> whole{{f, 1}};
  if (!is_exact(f)) return whole;
  const ex p = polynomial(f);
  if (terms_of(p).size() < 2 || terms_of(p).size() > most_terms) return whole;
  std::vector<std::pair<ex, int>> parts;
  split(p, 1, parts);
  ex number = 1, unpaired = 1;
  std::vector<Factor> result;
  for (const auto& [part, power] : parts) {
    const auto symbols = symbols_in(part);
    bool is_turn = false;
    for (int a = 0; GiNaC::is_a<symbol>(part) && a < Wave::most_angles; ++a)
      is_turn = is_turn || part.is_equal(turn(a));
    if (symbols.empty()) {
      number *= GiNaC::pow(part, power);
    } else if (is_turn) {
      continue;  // a power of x: f was multiplied by one
    } else if (const auto real = real_factor(part)) {
      result.push_back({real->sum, power});
      number *= GiNaC::pow(GiNaC::I, real->quarter_turns * power);
    } else {
      unpaired *= GiNaC::pow(part, power);
    }
  }
  if (!unpaired.is_equal(1)) {
    const auto real = real_factor(unpaired.expand());
    if (!real) return whole;
    result.push_back({real->sum, 1});
    number *= GiNaC::pow(GiNaC::I, real->quarter_turns);
  }
  if (!number.info(GiNaC::info_flags::real)) return whole;
  AngleSum product(number);
  for (const Factor& factor : result)
    for (int k = 0; k < factor.power; ++k) product *= factor.sum;
  if (!(product == f)) return whole;
  result.push_back({AngleSum(number), 1});
  return result;
}

/// The largest number of which both are whole multiples; 0 for `a` stands for none yet.
GiNaC::numeric joint_divisor(const GiNaC::numeric& a, const GiNaC::numeric& b) {
  if (a.is_zero()) return GiNaC::abs(b);
  return GiNaC::gcd(a.numer() * b.denom(), GiNaC::abs(b.numer()) * a.denom()) / (a.denom() * b.denom());
}

class Writer {
 public:
  explicit Writer(Names& names) : names_(names), print_(names, Style::code) {}

  /// `gather`: sums by masses and inertias first.
  ex product(const AngleSum& f, bool gather) {
    ex result = 1;
    for (const Factor& factor : real_factors(f)) {
      const auto [number, sum] = normalised(factor.sum);
      result *= GiNaC::pow(number, factor.power) * GiNaC::pow(gather ? by_masses(sum) : by_lengths(sum), factor.power);
    }
    return result;
  }

 private:
  /// The number that all terms have in common, and the rest, whose first term is positive.
  std::pair<ex, AngleSum> normalised(const AngleSum& f) const {
    GiNaC::numeric common = 0;
    for (const auto& [wave, coefficient] : f.terms())
      for (const ex& term : terms_of(coefficient)) {
        const GiNaC::numeric number = number_of(term);
        if (!number.is_rational()) return {1, f};
        common = joint_divisor(common, number);
      }
    if (common.is_zero()) return {1, f};
    const ex& first = f.terms().begin()->second;
    if (number_of(print_.sorted_terms(first)[0]).is_negative()) common = -common;
    return {common, f.scaled(1 / common)};
  }

  /// Gathered by the product of masses and inertias in each term; those with equal factors share brackets.
  ex by_masses(const AngleSum& f) {
    std::map<std::string, std::pair<ex, AngleSum>> groups;
    for (const auto& [wave, coefficient] : f.terms())
      for (const ex& term : terms_of(coefficient)) {
        ex heavy = 1, light = 1;
        for (const ex& factor : factors_of(term)) {
          const auto symbols = symbols_in(factor);
          (!symbols.empty() && names_.of(symbols[0]).heavy ? heavy : light) *= factor;
        }
        auto& group = groups[print_(heavy)];
        group.first = heavy;
        group.second += AngleSum::term(wave, light);
      }
    std::map<std::string, std::pair<ex, ex>> shared;
    for (const auto& [key, group] : groups) {
      const ex factors = product(group.second, false);
      auto& sum = shared[print_(factors)];
      sum.first += group.first;
      sum.second = factors;
    }
    std::vector<ex> terms;
    for (const auto& [key, sum] : shared) terms.push_back(sum.first * sum.second);
    return summed(terms);
  }

  /// Gathered by lengths and whatever else is in the coefficients: what is left are numbers times waves, with factors of their own.
  ex by_lengths(const AngleSum& f) {
    std::map<std::string, std::pair<ex, AngleSum>> groups;
    for (const auto& [wave, coefficient] : f.terms())
      for (const ex& term : terms_of(coefficient)) {
        const GiNaC::numeric number = number_of(term);
        const ex rest = term / number;
        auto& group = groups[print_(rest)];
        group.first = rest;
        group.second += AngleSum::term(wave, number);
      }
    std::vector<ex> terms;
    for (const auto& [key, group] : groups) {
      ex waves = 1;
      for (const Factor& factor : real_factors(group.second)) {
        const auto [number, sum] = normalised(factor.sum);
        GiNaC::exvector plain;
        for (const auto& [wave, coefficient] : sum.terms()) plain.push_back(coefficient * names_.wave(wave));
        waves *= GiNaC::pow(number, factor.power) * GiNaC::pow(GiNaC::add(plain), factor.power);
      }
      terms.push_back(group.first * waves);
    }
    return summed(terms);
  }

  /// The sum with the number that all terms have in common before it.
  static ex summed(const std::vector<ex>& terms) {
    GiNaC::numeric common = 0;
    for (const ex& term : terms) {
      const GiNaC::numeric number = number_of(term);
      if (!number.is_rational()) return GiNaC::add(GiNaC::exvector(terms.begin(), terms.end()));
      common = joint_divisor(common, number);
    }
    GiNaC::exvector rest;
    for (const ex& term : terms) rest.push_back(term / common);
    return common * GiNaC::add(rest);
  }

  Names& names_;
  Printer print_;
};

}  // namespace

ex factored(const AngleSum& sum, Names& names) {
  if (sum.is_zero()) return 0;
  return Writer(names).product(sum, true);
}

}  // namespace lithe::derive
