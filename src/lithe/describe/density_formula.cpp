#include "lithe/describe/density_formula.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>
#include <optional>

#include "lithe/describe/expression.h"
#include "lithe/describe/kept_results.h"
#include "lithe/describe/limits.h"
#include "lithe/describe/problem.h"
#include "lithe/spatial/quadrature.h"

namespace lithe {
namespace {

constexpr const char* field = ".density_formula";
constexpr std::int64_t most_operations = limits::formula_operations / 2;  // of one: a case may have more

struct Failure {
  std::string message;
};

/// Points along one direction.
struct Rule {
  int points, panels = 1;

  std::vector<QuadraturePoint> between(double a, double b) const { return gauss_points(a, b, points, panels); }
  /// Twice as many evenly spaced angles: exact for trigonometric polynomials below that degree.
  std::vector<QuadraturePoint> around() const {
    const int n = 2 * points * panels;
    std::vector<QuadraturePoint> angles;
    for (int k = 0; k < n; ++k) angles.push_back({(k + 0.5) * 2 * std::numbers::pi / n, 2 * std::numbers::pi / n});
    return angles;
  }
};
using Rules = std::array<Rule, 3>;

/// Calls sums.add(place, volume) at all points of a shape, and sums.end_line() after each line of them. The directions are x, y, z of a
/// block; along, out and around of a cylinder; out, the cosine of the polar angle from x, and around of a sphere.
template <class Sums>
struct Points {
  const Rules& rules;
  Sums& sums;

  void operator()(const Block& s) const {
    const auto along = rules[0].between(0, s.x), across = rules[1].between(-s.y / 2, s.y / 2),
               up = rules[2].between(-s.z / 2, s.z / 2);
    lines(along, across, up, [](double x, double y, double z) { return std::pair(Vector3d(x, y, z), 1.0); });
  }
  void operator()(const Cylinder& s) const {
    lines(rules[0].between(0, s.length), rules[1].between(0, s.diameter / 2), rules[2].around(),
          [](double x, double r, double angle) {
            return std::pair(Vector3d(x, r * std::cos(angle), r * std::sin(angle)), r);
          });
  }
  void operator()(const Sphere& s) const {
    lines(rules[0].between(0, s.diameter / 2), rules[1].between(-1, 1), rules[2].around(),
          [](double r, double cosine, double angle) {
            const double across = r * std::sqrt(1 - cosine * cosine);
            return std::pair(Vector3d(r * cosine, across * std::cos(angle), across * std::sin(angle)), r * r);
          });
  }
  void operator()(const Rod&) const { refuse(); }
  void operator()(const Mesh&) const { refuse(); }

 private:
  template <class Place>
  void lines(const std::vector<QuadraturePoint>& a, const std::vector<QuadraturePoint>& b,
             const std::vector<QuadraturePoint>& c, Place place) const {
    for (const auto& u : a)
      for (const auto& v : b) {
        for (const auto& w : c) {
          const auto [r, volume] = place(u.x, v.x, w.x);
          sums.add(r, volume * u.weight * v.weight * w.weight);
        }
        sums.end_line();
      }
  }
  [[noreturn]] static void refuse() { throw Failure{"a formula needs the shape block, cylinder or sphere"}; }
};

/// The moments of a density, and its least and largest value at the points.
class Sums {
 public:
  Sums(const Expression& density, std::int64_t& operations) : density_(density), operations_(operations) {}

  void add(const Vector3d& r, double volume) {
    const double rho = density_(std::span<const double>(r.data(), 3));
    if (!(rho >= 0) || !std::isfinite(rho))
      throw Failure{
          fmt::format("expected a density of zero or more, got {:g} kg/m^3 at x = {:.4g}, y = {:.4g}, "
                      "z = {:.4g} m",
                      rho, r.x(), r.y(), r.z())};
    least = std::min(least, rho);
    largest = std::max(largest, rho);
    const double dm = rho * volume;
    line_.mass += dm;
    line_.first += dm * r;
    line_.second += dm * r * r.transpose();
    ++n_;
  }
  /// Lines are summed by themselves, which leaves less rounding.
  void end_line() {
    moments.mass += line_.mass;
    moments.first += line_.first;
    moments.second += line_.second;
    line_ = {};
    operations_ += n_ * density_.cost();
    n_ = 0;
    if (operations_ > most_operations)
      throw Failure{
          fmt::format("takes more than {:g} operations to integrate: expected a shorter or a smoother "
                      "formula",
                      double(most_operations))};
  }

  DensityMoments moments;
  double least = std::numeric_limits<double>::infinity(), largest = 0;

 private:
  const Expression& density_;
  std::int64_t& operations_;
  std::int64_t n_ = 0;
  DensityMoments line_;
};

/// Largest difference of two sets of moments, relative to mass, mass times size, mass times size².
double difference(const DensityMoments& a, const DensityMoments& b) {
  const double mass = a.mass, size = std::sqrt(a.second.trace() / mass);
  return std::max({std::abs(a.mass - b.mass) / mass, (a.first - b.first).cwiseAbs().maxCoeff() / (mass * size),
                   (a.second - b.second).cwiseAbs().maxCoeff() / (mass * size * size)});
}

class Integral {
 public:
  Integral(const Expression& density, const BodyShape& shape, std::int64_t& operations)
      : density_(density), shape_(shape), operations_(operations) {}

  DensityMoments run() {
    constexpr int least_points = 64, most_points = 128;
    DensityMoments before = at({{{4}, {4}, {4}}}).moments;
    for (int n = 8;; n *= 2) {
      const Sums now = at({{{n}, {n}, {n}}});
      if (!(now.moments.mass > 0)) {
        if (n == most_points) throw Failure{"expected a density above zero somewhere in the body"};
        continue;
      }
      const double change = difference(now.moments, before);
      if (n >= least_points && change < 1e-13 && missed(n, now).share < 1e-10) return now.moments;
      if (n == most_points) {
        const Missed narrow = missed(n, now);
        const double known = narrow.unseen ? std::max(change, narrow.share) : change;
        if (known < 1e-3) return now.moments;
        throw Failure{fmt::format(
            "expected a smoother formula: mass, centre and inertia are known to {:.1g} of themselves only", known)};
      }
      before = now.moments;
    }
  }

 private:
  Sums at(const Rules& rules) const {
    Sums sums(density_, operations_);
    std::visit(Points<Sums>{rules, sums}, shape_);
    return sums;
  }

  /// What n points along each direction miss of what many find, on some lines; and whether these find densities that `now` never met,
  /// and not only edges that lie better for some lines than for others.
  struct Missed {
    double share = 0;
    bool unseen = false;
  };
  Missed missed(int n, const Sums& now) const {
    Missed result;
    for (size_t along = 0; along < 3; ++along) {
      Rules few{{{16}, {16}, {16}}}, many = few;
      few[along] = {n};
      many[along] = {8, 64};
      const Sums coarse = at(few), fine = at(many);
      if (fine.moments.mass > 0) result.share = std::max(result.share, difference(fine.moments, coarse.moments));
      const double margin = 0.01 * std::max(now.largest, now.largest - now.least);
      result.unseen |= fine.largest > now.largest + margin || fine.least < now.least - margin;
    }
    return result;
  }

  const Expression& density_;
  const BodyShape& shape_;
  std::int64_t& operations_;
};

/// What is known of a formula over a shape.
struct Known {
  DensityMoments moments;
  std::optional<std::string> failure;
  std::int64_t operations = 0;
};

Known integrated(const std::string& formula, const BodyShape& shape) {
  static constexpr std::array<std::string_view, 3> variables{"x", "y", "z"};
  Known known;
  try {
    const Expression density(formula, variables);
    known.moments = Integral(density, shape, known.operations).run();
  } catch (const ExpressionError& error) {
    known.failure = error.what();
  } catch (const Failure& failure) {
    known.failure = failure.message;
  }
  return known;
}

std::string key_of(const std::string& formula, const BodyShape& shape) {
  std::string key = formula;
  key += '\0';
  append_bytes(key, shape.index());
  if (const auto* block = std::get_if<Block>(&shape))
    for (const double side : {block->x, block->y, block->z}) append_bytes(key, side);
  if (const auto* cylinder = std::get_if<Cylinder>(&shape))
    for (const double size : {cylinder->length, cylinder->diameter}) append_bytes(key, size);
  if (const auto* sphere = std::get_if<Sphere>(&shape)) append_bytes(key, sphere->diameter);
  return key;
}

Known known_of(const std::string& formula, const BodyShape& shape, const std::string& key) {
  static KeptResults<Known> kept;
  if (const auto known = kept.find(key)) return *known;
  const Known known = integrated(formula, shape);
  kept.keep(key, known);
  return known;
}

}  // namespace

DensityMoments density_moments(const std::string& formula, const BodyShape& shape) {
  const Known known = known_of(formula, shape, key_of(formula, shape));
  if (known.failure) throw FieldError(field, *known.failure);
  return known.moments;
}

DensityCost density_cost(const std::string& formula, const BodyShape& shape) {
  const std::string key = key_of(formula, shape);
  return {key, known_of(formula, shape, key).operations};
}

}  // namespace lithe
