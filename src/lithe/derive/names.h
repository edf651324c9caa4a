#pragma once

#include <map>
#include <string>
#include <unordered_map>
#include <vector>

#include "lithe/derive/angle_sum.h"

namespace lithe::derive {

/// What a name represents.
enum class Kind {
  parameter,   // a number of the arm, with its value
  constant,    // computed from parameters alone
  coordinate,  // a position
  rate,        // of a coordinate
  wave,        // cosine or sine of angles
  derived,     // computed from any of the others
};

/// A named quantity. Definitions use only names that precede them.
struct Name {
  GiNaC::symbol symbol;
  std::string code, latex;  // its spelling in programs and in formulas
  Kind kind = Kind::parameter;
  std::string meaning;
  double value = 0;    // of a parameter
  ex definition = 0;   // of a constant, wave or derived quantity
  int place = -1;      // of a coordinate (in q) or rate (in v)
  bool heavy = false;  // a mass or inertia: written first in a product
  int partner = -1;    // of a cosine its sine, and vice versa
  ex angle = 0;
};

/// Every name of one derivation, in order of definition, and how each changes with the coordinates.
class Names {
 public:
  /// With `numbers` parameters are written as their values; those that match a pattern of `neglected` are zero.
  explicit Names(bool numbers, std::vector<std::string> neglected = {})
      : numbers_(numbers), neglected_(std::move(neglected)), met_(neglected_.size(), false) {}

  bool numbers() const { return numbers_; }
  /// The patterns of `neglected` that no parameter matched.
  std::vector<std::string> unmet() const;
  const std::vector<Name>& all() const { return names_; }
  const Name& of(const ex& symbol) const;
  bool has(const ex& symbol) const;

  /// A parameter `letter_owner_suffix`; zero where its value is zero, and the value itself with `numbers`.
  ex parameter(const std::string& letter, const std::string& owner, const std::string& suffix, double value,
               const std::string& meaning, bool heavy = false);
  /// Coordinate i (of the nv), at q[place] with its rate at v[i].
  void add_coordinate(const std::string& code, const std::string& latex, const std::string& meaning, int place);
  /// A position that is not a coordinate, as those of a free base.
  ex add_position(const std::string& code, const std::string& latex, const std::string& meaning, int place);
  /// A rate without a coordinate, as those of a free base.
  void add_free_rate(const std::string& code, const std::string& latex, const std::string& meaning);
  int n_coordinates() const { return int(rates_.size()); }
  /// Coordinates in another order: coordinate k is what was number `from[k]`. Places in q and v follow. Only before anything is
  /// derived.
  void reorder(const std::vector<int>& from);
  ex coordinate(int i) const { return coordinates_[i]; }
  ex rate(int i) const { return rates_[i]; }

  /// Names an expression; numbers and names stay as they are.
  ex define(const std::string& code, const std::string& latex, const ex& value, Kind kind = Kind::derived);

  /// The angle of waves that names spell as `token`, and its linear form in coordinates and parameters; a new one for a new token.
  int angle(const std::string& token, const std::string& latex, const ex& form);
  int n_angles() const { return int(angles_.size()); }
  const std::string& angle_token(int a) const { return angles_[size_t(a)].token; }
  const ex& angle_form(int a) const { return angles_[size_t(a)].form; }
  /// The named cosine or sine, one for the wave of zero.
  ex wave(const Wave& wave);

  /// ∂/∂z_i, through all definitions. The slopes of named quantities are named in turn where `name_slopes` is set.
  ex derivative(const ex& expression, int i);
  AngleSum derivative(const AngleSum& sum, int i);
  void name_slopes(bool yes) { name_slopes_ = yes; }

  /// Letters, digits and underscores, starting with a letter.
  static std::string identifier(const std::string& text);

 private:
  struct Angle {
    std::string token;
    ex form;
  };
  std::string unused(std::string code) const;
  ex add(Name name);
  const ex& slope_of(int place, int i);

  bool numbers_, name_slopes_ = false;
  std::vector<std::string> neglected_;
  std::vector<bool> met_;
  std::vector<Name> names_;
  std::unordered_map<std::string, int> places_;  // by code
  std::vector<ex> coordinates_, rates_;
  std::vector<Angle> angles_;
  std::map<Wave, ex> waves_;
  std::map<std::pair<int, int>, ex> slopes_;
};

}  // namespace lithe::derive
