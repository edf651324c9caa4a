#include "lithe/describe/units.h"

#include <fmt/format.h>
#include <udunits2.h>

#include <charconv>
#include <cmath>
#include <cstring>
#include <map>
#include <memory>
#include <mutex>
#include <numbers>
#include <optional>

#include "lithe/describe/limits.h"
#include "lithe/describe/quote.h"
#include "lithe/describe/trimmed.h"

namespace lithe {
namespace {

using UnitPtr = std::unique_ptr<ut_unit, decltype(&ut_free)>;
UnitPtr own(ut_unit* unit) { return {unit, ut_free}; }

/// udunits2's own database with the names it lacks. Built once; udunits2 is not thread-safe, so callers hold `mutex`.
class UnitSystem {
 public:
  UnitSystem() {
    ut_set_error_message_handler(ut_ignore);  // we report in our own words
    system_ = ut_read_xml(nullptr);
    if (system_ == nullptr) return;
    constexpr double degree = std::numbers::pi / 180;
    add("deg", fmt::format("{:.17g} rad", degree));
    add("Nm", "N.m");
    add("rpm", fmt::format("{:.17g} rad/s", 6 * degree));
  }
  UnitPtr parse(const std::string& text) const { return own(ut_parse(system_, text.c_str(), UT_UTF8)); }
  bool loaded() const { return system_ != nullptr; }

 private:
  void add(const char* name, const std::string& definition) {
    const UnitPtr unit = parse(definition);
    ut_unmap_name_to_unit(system_, name, UT_UTF8);
    ut_unmap_symbol_to_unit(system_, name, UT_UTF8);
    ut_map_symbol_to_unit(name, UT_UTF8, unit.get());
  }
  ut_system* system_ = nullptr;
};

std::mutex mutex;
const UnitSystem& units() {
  static const UnitSystem system;
  return system;
}

/// A unit taken apart: factor × Π base^power (+ offset). udunits2 itself calls m and 1/m convertible and takes the
/// radian for a pure number, so dimensions are compared here, power by power.
struct Anatomy {
  double factor = 1;
  bool odd = false;  // an offset or a logarithm
  std::map<std::string, int> powers;

  static ut_status basic(const ut_unit* unit, void* self) {
    const char* name = ut_get_name(unit, UT_ASCII);
    static_cast<Anatomy*>(self)->powers[name == nullptr ? "?" : name] += 1;
    return UT_SUCCESS;
  }
  static ut_status product(const ut_unit*, int count, const ut_unit* const* bases, const int* exponents, void* self) {
    for (int i = 0; i < count; ++i) {
      const char* name = ut_get_name(bases[i], UT_ASCII);
      static_cast<Anatomy*>(self)->powers[name == nullptr ? "?" : name] += exponents[i];
    }
    return UT_SUCCESS;
  }
  static ut_status galilean(const ut_unit*, double scale, const ut_unit* under, double offset, void* self) {
    auto* anatomy = static_cast<Anatomy*>(self);
    anatomy->factor *= scale;
    anatomy->odd |= offset != 0;
    return ut_accept_visitor(under, &visitor, self);
  }
  static ut_status timestamp(const ut_unit*, const ut_unit*, double, void* self) {
    static_cast<Anatomy*>(self)->odd = true;
    return UT_SUCCESS;
  }
  static ut_status logarithmic(const ut_unit*, double, const ut_unit*, void* self) {
    static_cast<Anatomy*>(self)->odd = true;
    return UT_SUCCESS;
  }
  static const ut_visitor visitor;

  static Anatomy of(const ut_unit* unit) {
    Anatomy anatomy;
    ut_accept_visitor(unit, &visitor, &anatomy);
    std::erase_if(anatomy.powers, [](const auto& entry) { return entry.second == 0; });
    return anatomy;
  }
};
const ut_visitor Anatomy::visitor{basic, product, galilean, timestamp, logarithmic};

bool reciprocal(const Anatomy& a, const Anatomy& b) {
  if (a.powers.empty() || a.powers.size() != b.powers.size()) return false;
  for (const auto& [base, power] : a.powers) {
    const auto other = b.powers.find(base);
    if (other == b.powers.end() || other->second != -power) return false;
  }
  return true;
}

bool same_but_for_angle(const Anatomy& a, const Anatomy& b) {
  auto without = [](Anatomy anatomy) {
    anatomy.powers.erase("radian");
    return anatomy.powers;
  };
  return without(a) == without(b);
}

/// Why `unit` cannot be `expected`, or its factor to SI.
Quantity factor_to_si(std::string_view unit, const Dimension& expected) {
  const std::lock_guard lock(mutex);
  if (!units().loaded()) return {0, "the units database of udunits2 cannot be read (is libudunits2-data installed?)"};
  if (unit.front() >= '0' && unit.front() <= '9' && !unit.starts_with("1/"))
    return {0, fmt::format("{} is not a unit (write the number without spaces)", in_quotes(unit))};
  // udunits2 reads "(2 kg)" and "kg.10" as multiples of a unit; here digits are allowed in exponents only.
  for (size_t i = 0; i < unit.size(); ++i) {
    const bool digit = unit[i] >= '0' && unit[i] <= '9', starts = i > 0 && std::strchr("(.*/ ", unit[i - 1]) != nullptr;
    if (digit && starts) return {0, fmt::format("{} is not a unit (it contains a number)", in_quotes(unit))};
  }
  const UnitPtr parsed = units().parse(std::string(unit));
  if (parsed == nullptr) return {0, fmt::format("unknown unit {}", in_quotes(unit))};
  const Anatomy got = Anatomy::of(parsed.get());
  const Anatomy want = Anatomy::of(units().parse(expected.unit).get());
  if (got.odd) return {0, fmt::format("{} is not proportional to {}", in_quotes(unit), expected.unit)};
  if (got.powers == want.powers) return {got.factor / want.factor, ""};
  if (reciprocal(got, want)) return {0, fmt::format("{} is the reciprocal unit", shortened(unit))};
  if (got.powers == std::map<std::string, int>{{"second", -1}} && same_but_for_angle(got, want))
    return {0, fmt::format("{} counts cycles, 1 cycle = 2 pi rad", shortened(unit))};
  if (same_but_for_angle(got, want)) return {0, fmt::format("write it in {}", expected.unit)};
  return {0, "?"};  // another dimension: nothing to add
}

}  // namespace

Quantity read_quantity(std::string_view text, const Dimension& expected) {
  const std::string_view whole = trimmed(text);
  auto refuse = [&](const std::string& why) {
    return Quantity{
        0, fmt::format("expected {}, got {}{}{}", expected.noun, in_quotes(whole), why.empty() ? "" : ": ", why)};
  };
  if (whole.size() > limits::name_length) return refuse("");  // not a number, and too long for the units library
  // from_chars rejects a leading plus but accepts "inf" and "nan", which no field accepts.
  const char* first = whole.data() + (whole.starts_with('+') ? 1 : 0);
  double value = 0;
  const auto [rest, error] = std::from_chars(first, whole.data() + whole.size(), value);
  if (error == std::errc::result_out_of_range) return refuse("outside the range of double precision");
  if (error != std::errc() || !std::isfinite(value)) return refuse("");
  const std::string_view unit = trimmed({rest, static_cast<size_t>(whole.data() + whole.size() - rest)});
  if (unit.empty()) return {value, ""};
  if (*expected.unit == '\0' && unit == "%") return {value / 100, ""};
  if (*expected.unit == '\0') return refuse("a pure number has no unit");
  const Quantity factor = factor_to_si(unit, expected);
  if (!factor.complaint.empty()) return refuse(factor.complaint == "?" ? "" : factor.complaint);
  return {value * factor.value, ""};
}

}  // namespace lithe
