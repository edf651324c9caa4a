#pragma once

#include <Eigen/Core>

#include "lithe/derive/names.h"

// The recursion over an arm's bodies runs in one of two algebras. Both offer a scalar, its waves, a way to keep intermediate
// results short, slopes, and a last step to plain expressions over names.

namespace lithe::derive {
/// What Eigen must know about a scalar that is a formula.
template <class Formula>
struct FormulaTraits : Eigen::GenericNumTraits<Formula> {
  enum {
    IsComplex = 0,
    IsInteger = 0,
    IsSigned = 1,
    RequireInitialization = 1,
    ReadCost = 10,
    AddCost = 100,
    MulCost = 1000
  };
};
}  // namespace lithe::derive

namespace Eigen {
template <>
struct NumTraits<lithe::derive::AngleSum> : lithe::derive::FormulaTraits<lithe::derive::AngleSum> {};
template <>
struct NumTraits<GiNaC::ex> : lithe::derive::FormulaTraits<GiNaC::ex> {};
}  // namespace Eigen

namespace lithe::derive {

/// Everything is folded to sums of waves at once.
class Folding {
 public:
  using Scalar = AngleSum;
  explicit Folding(Names& names) : names_(names) {}

  AngleSum lift(const ex& coefficient) const { return AngleSum(coefficient); }
  AngleSum cosine(int angle) const { return AngleSum::cosine(angle); }
  AngleSum sine(int angle) const { return AngleSum::sine(angle); }
  AngleSum settled(const std::string&, const AngleSum& value) const { return value; }
  AngleSum slope(const AngleSum& value, int i) { return names_.derivative(value, i); }
  AngleSum half(const AngleSum& value) const { return value.scaled(GiNaC::numeric(1, 2)); }
  /// Removes rounding errors: terms whose number is below `least`, in coefficients that are not exact.
  AngleSum cleaned(const AngleSum& value, double least) const;
  /// Coefficients of many parameters become named constants on request.
  ex written(const AngleSum& value);
  void name_constants(bool yes) { name_constants_ = yes; }
  /// Common factors before brackets instead, by `factored`.
  void take_out_factors(bool yes) { take_out_factors_ = yes; }

 private:
  ex constant(const ex& polynomial);

  Names& names_;
  bool name_constants_ = false, take_out_factors_ = false;
  std::map<std::string, ex> constants_;
};

/// Products are not expanded: every intermediate result gets a name. Always possible, but hard to read.
class Naming {
 public:
  using Scalar = ex;
  explicit Naming(Names& names) : names_(names) { names.name_slopes(true); }

  ex lift(const ex& coefficient) const { return coefficient; }
  ex cosine(int angle) { return names_.wave(single(angle, false)); }
  ex sine(int angle) { return names_.wave(single(angle, true)); }
  ex settled(const std::string& code, const ex& value) {
    return names_.define(code, "\\mathtt{" + latex(code) + "}", value);
  }
  ex slope(const ex& value, int i) { return names_.derivative(value, i); }
  ex half(const ex& value) const { return value / 2; }
  ex cleaned(const ex& value, double) const { return value; }
  ex written(const ex& value) const { return value; }

 private:
  static Wave single(int angle, bool sine) {
    Wave wave;
    wave.n[angle] = 1;
    wave.sine = sine;
    return wave;
  }
  static std::string latex(const std::string& code);

  Names& names_;
};

}  // namespace lithe::derive
