#include "lithe/derive/angle_sum.h"

#include <ctime>
#include <string>

namespace lithe::derive {
namespace {

/// The canonical wave of ±(a ± b), and the sign that making it canonical costs; 0 for the sine of zero.
int combine(const Wave& a, const Wave& b, int sign, bool sine, Wave& result) {
  int first = 0;
  for (int k = 0; k < Wave::most_angles; ++k) {
    result.n[k] = std::int8_t(a.n[k] + sign * b.n[k]);
    if (first == 0) first = result.n[k];
  }
  result.sine = sine;
  if (first == 0) return sine ? 0 : 1;
  if (first > 0) return 1;
  for (auto& n : result.n) n = std::int8_t(-n);
  return sine ? -1 : 1;
}

void check_time() {
  if (processor_seconds() > AngleSum::limits.until) throw Unfoldable("folding took too long");
}

}  // namespace

double processor_seconds() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return double(now.tv_sec) + 1e-9 * double(now.tv_nsec);
}

AngleSum::AngleSum(const ex& coefficient) {
  const ex expanded = coefficient.expand();
  if (!expanded.is_zero()) terms_[Wave{}] = expanded;
}

AngleSum AngleSum::term(const Wave& wave, const ex& coefficient) {
  AngleSum sum;
  if (!coefficient.is_zero()) sum.terms_[wave] = coefficient;
  return sum;
}

AngleSum AngleSum::basic(int angle, bool sine) {
  Wave wave;
  wave.n.at(angle) = 1;
  wave.sine = sine;
  return term(wave, 1);
}

void AngleSum::add(const Wave& wave, const ex& coefficient) {
  const auto [place, is_new] = terms_.try_emplace(wave, coefficient);
  if (is_new) return;
  place->second += coefficient;
  if (place->second.is_zero()) terms_.erase(place);
}

AngleSum& AngleSum::operator+=(const AngleSum& other) {
  for (const auto& [wave, coefficient] : other.terms_) add(wave, coefficient);
  return *this;
}

AngleSum& AngleSum::operator-=(const AngleSum& other) {
  for (const auto& [wave, coefficient] : other.terms_) add(wave, (-coefficient).expand());
  return *this;
}

AngleSum AngleSum::scaled(const ex& factor) const {
  AngleSum result;
  if (factor.is_zero()) return result;
  for (const auto& [wave, coefficient] : terms_) result.terms_[wave] = (factor * coefficient).expand();
  return result;
}

AngleSum operator*(const AngleSum& a, const AngleSum& b) {
  if (a.is_zero() || b.is_zero()) return {};
  check_time();
  AngleSum::products_of_terms += a.terms_.size() * b.terms_.size();
  if (a.terms_.size() == 1 && a.terms_.begin()->first.is_one()) return b.scaled(a.terms_.begin()->second);
  if (b.terms_.size() == 1 && b.terms_.begin()->first.is_one()) return a.scaled(b.terms_.begin()->second);
  // Gathered by wave and summed once: adding polynomials one by one would copy them each time.
  std::map<Wave, GiNaC::exvector> gathered;
  const ex half = GiNaC::numeric(1, 2);
  Wave wave;
  for (const auto& [wave_a, c_a] : a.terms_)
    for (const auto& [wave_b, c_b] : b.terms_) {
      const ex product = (half * c_a * c_b).expand();
      const bool sine = wave_a.sine != wave_b.sine;
      // Signs of the terms with a − b and a + b: cos cos + +, sin sin + −, sin cos + +, cos sin − +.
      const int difference = !wave_a.sine && wave_b.sine ? -1 : 1, sum = wave_a.sine && wave_b.sine ? -1 : 1;
      if (const int sign = combine(wave_a, wave_b, -1, sine, wave) * difference; sign != 0)
        gathered[wave].push_back(sign > 0 ? product : (-product).expand());
      if (const int sign = combine(wave_a, wave_b, 1, sine, wave) * sum; sign != 0)
        gathered[wave].push_back(sign > 0 ? product : (-product).expand());
    }
  AngleSum result;
  size_t n_terms = 0;
  for (auto& [key, parts] : gathered) {
    const ex total = GiNaC::add(parts);
    if (total.is_zero()) continue;
    result.terms_[key] = total;
    n_terms += GiNaC::is_a<GiNaC::add>(total) ? total.nops() : 1;
  }
  if (n_terms > AngleSum::limits.terms)
    throw Unfoldable("folding gave sums of more than " + std::to_string(AngleSum::limits.terms) + " terms");
  return result;
}

AngleSum AngleSum::derivative(const std::function<ex(const ex&)>& of_coefficient,
                              const std::function<ex(int)>& of_angle) const {
  check_time();
  AngleSum result;
  for (const auto& [wave, coefficient] : terms_) {
    if (const ex slope = of_coefficient(coefficient).expand(); !slope.is_zero()) result.add(wave, slope);
    ex rate = 0;
    for (int a = 0; a < Wave::most_angles; ++a)
      if (wave.n[a] != 0) rate += int(wave.n[a]) * of_angle(a);
    if (rate.is_zero()) continue;
    Wave turned = wave;
    turned.sine = !wave.sine;
    result.add(turned, ((wave.sine ? 1 : -1) * rate * coefficient).expand());
  }
  return result;
}

}  // namespace lithe::derive
