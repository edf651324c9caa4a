#include "lithe/derive/names.h"

#include <fnmatch.h>

#include <algorithm>
#include <cctype>

#include "lithe/derive/literal.h"
#include "lithe/derive/traverse.h"
#include "lithe/describe/problem.h"

namespace lithe::derive {
namespace {

constexpr size_t longest_owner = 40;  // of a name that MATLAB takes, of 63 letters

}  // namespace

std::string Names::identifier(const std::string& text) {
  std::string word;
  for (const char c : text) word += std::isalnum(static_cast<unsigned char>(c)) ? c : '_';
  if (word.empty() || !std::isalpha(static_cast<unsigned char>(word[0]))) word = "x" + word;
  return word;
}

const Name& Names::of(const ex& symbol) const {
  return names_[places_.at(GiNaC::ex_to<GiNaC::symbol>(symbol).get_name())];
}

bool Names::has(const ex& symbol) const { return places_.contains(GiNaC::ex_to<GiNaC::symbol>(symbol).get_name()); }

std::string Names::unused(std::string code) const {
  std::string candidate = code;
  for (int k = 2; places_.contains(candidate); ++k) candidate = code + "_" + std::to_string(k) + "_";
  return candidate;
}

ex Names::add(Name name) {
  name.code = unused(name.code);
  name.symbol = GiNaC::symbol(name.code);
  places_[name.code] = int(names_.size());
  names_.push_back(std::move(name));
  return names_.back().symbol;
}

ex Names::parameter(const std::string& letter, const std::string& owner, const std::string& suffix, double value,
                    const std::string& meaning, bool heavy) {
  Name name;
  name.code = letter + (owner.empty() ? "" : "_" + identifier(owner).substr(0, longest_owner)) +
              (suffix.empty() ? "" : "_" + suffix);
  if (value == 0) return 0;
  bool neglected = false;
  for (size_t k = 0; k < neglected_.size(); ++k)
    if (fnmatch(neglected_[k].c_str(), name.code.c_str(), 0) == 0) neglected = met_[k] = true;
  if (neglected) return 0;
  if (numbers_) return GiNaC::numeric(value);
  std::string below, after = suffix;
  std::replace(after.begin(), after.end(), '_', ',');
  below = in_latex_math(owner);
  if (!below.empty()) below = "\\mathrm{" + below + "}";
  if (!after.empty()) below += (below.empty() ? "" : ",") + after;
  name.latex = letter_latex(letter) + (below.empty() ? "" : "_{" + below + "}");
  name.kind = Kind::parameter;
  name.value = value;
  name.meaning = meaning;
  name.heavy = heavy;
  return add(std::move(name));
}

void Names::add_coordinate(const std::string& code, const std::string& latex, const std::string& meaning, int place) {
  coordinates_.push_back(add_position(code, latex, meaning, place));
  Name rate;
  rate.code = code + "_rate";
  rate.latex = "\\dot " + latex;
  rate.kind = Kind::rate;
  rate.place = int(rates_.size());
  rate.meaning = "rate of " + meaning;
  rates_.push_back(add(std::move(rate)));
}

ex Names::add_position(const std::string& code, const std::string& latex, const std::string& meaning, int place) {
  Name name;
  name.code = code;
  name.latex = latex;
  name.kind = Kind::coordinate;
  name.place = place;
  name.meaning = meaning;
  return add(std::move(name));
}

void Names::add_free_rate(const std::string& code, const std::string& latex, const std::string& meaning) {
  Name rate;
  rate.code = code;
  rate.latex = latex;
  rate.kind = Kind::rate;
  rate.place = int(rates_.size());
  rate.meaning = meaning;
  coordinates_.push_back(0);
  rates_.push_back(add(std::move(rate)));
}

void Names::reorder(const std::vector<int>& from) {
  const std::vector<ex> coordinates = coordinates_, rates = rates_;
  auto name_of = [&](const ex& symbol) -> Name& {
    return names_[size_t(places_.at(GiNaC::ex_to<GiNaC::symbol>(symbol).get_name()))];
  };
  for (size_t k = 0; k < from.size(); ++k) {
    const auto old = size_t(from[k]);
    coordinates_[k] = coordinates[old];
    rates_[k] = rates[old];
    name_of(rates_[k]).place = int(k);
    // Positions are as many more than coordinates as the quaternion of a free base, which comes first in any order, takes.
    if (!coordinates_[k].is_zero()) name_of(coordinates_[k]).place += int(k) - int(old);
  }
}

std::vector<std::string> Names::unmet() const {
  std::vector<std::string> list;
  for (size_t k = 0; k < neglected_.size(); ++k)
    if (!met_[k]) list.push_back(neglected_[k]);
  return list;
}

ex Names::define(const std::string& code, const std::string& latex, const ex& value, Kind kind) {
  if (GiNaC::is_a<GiNaC::numeric>(value) || GiNaC::is_a<GiNaC::symbol>(value) || GiNaC::is_a<GiNaC::symbol>(-value))
    return value;
  Name name;
  name.code = code;
  name.latex = latex;
  name.kind = kind;
  name.definition = value;
  return add(std::move(name));
}

int Names::angle(const std::string& token, const std::string& latex, const ex& form) {
  for (size_t k = 0; k < angles_.size(); ++k)
    if (angles_[k].token == token) return int(k);
  if (n_angles() == Wave::most_angles)
    throw FieldError("arm.links", "expected at most " + std::to_string(Wave::most_angles) + " angles for `derive`");
  angles_.push_back({token, define("th" + token, latex, form)});
  return n_angles() - 1;
}

ex Names::wave(const Wave& wave) {
  if (wave.is_one()) return 1;
  if (const auto found = waves_.find(wave); found != waves_.end()) return found->second;
  // C256 is cos(q2+q5+q6), C22m5 is cos(2 q2 − q5); underscores part tokens of more than one letter.
  std::vector<std::string> tokens;
  bool short_tokens = true;
  ex angle = 0;
  for (int a = 0; a < n_angles(); ++a) {
    const int n = wave.n[a];
    angle += n * angles_[a].form;
    for (int k = 0; k < std::abs(n); ++k) {
      tokens.push_back((n < 0 ? "m" : "") + angles_[a].token);
      short_tokens = short_tokens && angles_[a].token.size() == 1;
    }
  }
  std::string joined[2], latex;
  for (const std::string& token : tokens) {
    for (std::string& text : joined) text += (short_tokens ? "" : "_") + token;
    const bool minus = token[0] == 'm';
    latex += (latex.empty() || short_tokens ? "" : "\\,") + (minus ? "\\bar{" + token.substr(1) + "}" : token);
  }
  // Both are made at once, because the derivative of one is the other.
  const int place = int(names_.size());
  for (const bool sine : {false, true}) {
    Name name;
    name.code = (sine ? "S" : "C") + joined[sine];
    name.latex = std::string(sine ? "S" : "C") + "_{" + latex + "}";
    name.kind = Kind::wave;
    name.definition = sine ? GiNaC::sin(angle) : GiNaC::cos(angle);
    name.partner = place + !sine;
    name.angle = angle;
    Wave key = wave;
    key.sine = sine;
    waves_[key] = add(std::move(name));
  }
  return waves_.at(wave);
}

const ex& Names::slope_of(int place, int i) {
  const auto [found, is_new] = slopes_.try_emplace({place, i}, 0);
  if (!is_new) return found->second;
  const Name name = names_[place];
  ex slope = 0;
  if (name.kind == Kind::coordinate) {
    slope = ex(name.symbol).is_equal(coordinates_[i]) ? 1 : 0;
  } else if (name.kind == Kind::wave) {
    const ex turning = derivative(name.angle, i);
    if (!turning.is_zero()) {
      const bool is_sine = name.partner < place;
      slope = (is_sine ? 1 : -1) * turning * names_[name.partner].symbol;
    }
  } else if (name.kind == Kind::derived) {
    slope = derivative(name.definition, i);
    if (name_slopes_)
      slope = define(name.code + "_d" + std::to_string(i + 1), "\\partial_{" + std::to_string(i + 1) + "}" + name.latex,
                     slope);
  }
  return slopes_[{place, i}] = slope;
}

ex Names::derivative(const ex& expression, int i) {
  ex total = 0;
  for (const GiNaC::symbol& symbol : symbols_in(expression)) {
    const ex slope = slope_of(places_.at(symbol.get_name()), i);
    if (!slope.is_zero()) total += expression.diff(symbol) * slope;
  }
  return total;
}

AngleSum Names::derivative(const AngleSum& sum, int i) {
  return sum.derivative([&](const ex& coefficient) { return derivative(coefficient, i); },
                        [&](int a) { return derivative(angles_[a].form, i); });
}

}  // namespace lithe::derive
