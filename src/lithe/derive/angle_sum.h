// derive/ — closed-form equations of motion. Takes an assembled `Arm`, gives M, C, K, D, G, B as formulas over named
// parameters, and writes them as a document or as a program. Uses GiNaC (GPL), so it is a component of its own: neither the
// library nor the program `lithe` links it; `lithe derive` runs the executable `lithe-derive`. Does not depend on time marching or files.
#pragma once

#include <ginac/ginac.h>

#include <array>
#include <compare>
#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <stdexcept>

namespace lithe::derive {

using GiNaC::ex;

/// cos or sin of an integer combination n·α of angles. Canonical: the first coefficient that is not zero is positive, and
/// the cosine of zero stands for one.
struct Wave {
  static constexpr int most_angles = 40;
  std::array<std::int8_t, most_angles> n{};
  bool sine = false;

  bool is_one() const { return !sine && n == decltype(n){}; }
  auto operator<=>(const Wave&) const = default;
};

/// Thrown when folding exceeds its time limit or its limit of terms; the message says which.
struct Unfoldable : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Limits of folding: processor time of this program in seconds, and terms of one sum.
struct FoldingLimits {
  double until = std::numeric_limits<double>::infinity();
  size_t terms = std::numeric_limits<size_t>::max();
};

/// A sum Σ c_n cos(n·α) + s_n sin(n·α) whose coefficients are expanded polynomials free of angles. Products become sums
///   cos a cos b = ½cos(a−b) + ½cos(a+b)    sin a sin b = ½cos(a−b) − ½cos(a+b)    sin a cos b = ½sin(a+b) + ½sin(a−b)
/// so that equal functions have equal terms: a normal form, in which S5 C6 + C5 S6 becomes S56 without a search for rules.
class AngleSum {
 public:
  AngleSum() = default;
  AngleSum(int number) : AngleSum(ex(number)) {}  // implicit, as Eigen's zeros and ones need
  explicit AngleSum(const ex& coefficient);
  static AngleSum cosine(int angle) { return basic(angle, false); }
  static AngleSum sine(int angle) { return basic(angle, true); }
  static AngleSum term(const Wave& wave, const ex& coefficient);

  const std::map<Wave, ex>& terms() const { return terms_; }
  bool is_zero() const { return terms_.empty(); }

  AngleSum& operator+=(const AngleSum& other);
  AngleSum& operator-=(const AngleSum& other);
  AngleSum operator-() const { return scaled(-1); }
  AngleSum scaled(const ex& factor) const;
  friend AngleSum operator+(AngleSum a, const AngleSum& b) { return a += b; }
  friend AngleSum operator-(AngleSum a, const AngleSum& b) { return a -= b; }
  friend AngleSum operator*(const AngleSum& a, const AngleSum& b);
  AngleSum& operator*=(const AngleSum& other) { return *this = *this * other; }
  bool operator==(const AngleSum& other) const { return (*this - other).is_zero(); }

  /// Derivative by a variable x, given ∂c/∂x of a coefficient and ∂α_a/∂x of every angle.
  AngleSum derivative(const std::function<ex(const ex&)>& of_coefficient, const std::function<ex(int)>& of_angle) const;

  /// Products beyond these throw Unfoldable.
  static inline FoldingLimits limits;
  /// Products of two terms formed so far: what a derivation costs, the same on every machine.
  static inline std::uint64_t products_of_terms = 0;

 private:
  static AngleSum basic(int angle, bool sine);
  void add(const Wave& wave, const ex& coefficient);

  std::map<Wave, ex> terms_;
};

/// Processor time that this program has used, in seconds: a busy machine does not shorten the time for folding.
double processor_seconds();

}  // namespace lithe::derive
