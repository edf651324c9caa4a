#include "lithe/describe/density_formula.h"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <deque>
#include <functional>
#include <mutex>
#include <numbers>

#include "lithe/describe/expression.h"
#include "lithe/describe/problem.h"
#include "lithe/spatial/quadrature.h"

namespace lithe {
namespace {

constexpr const char* field = ".density_formula";

/// Calls visit(place, volume) at n points in each direction.
using Visit = std::function<void(const Vector3d&, double)>;
struct Points {
  int n;
  const Visit& visit;

  void operator()(const Block& s) const {
    const auto along = gauss_points(0, s.x, n), across = gauss_points(-s.y / 2, s.y / 2, n),
               up = gauss_points(-s.z / 2, s.z / 2, n);
    for (const auto& x : along)
      for (const auto& y : across)
        for (const auto& z : up) visit({x.x, y.x, z.x}, x.weight * y.weight * z.weight);
  }
  void operator()(const Cylinder& s) const {
    const auto along = gauss_points(0, s.length, n), out = gauss_points(0, s.diameter / 2, n);
    for (const auto& x : along)
      for (const auto& r : out)
        around([&](double cosine, double sine, double angle) {
          visit({x.x, r.x * cosine, r.x * sine}, x.weight * r.weight * r.x * angle);
        });
  }
  void operator()(const Sphere& s) const {
    const auto out = gauss_points(0, s.diameter / 2, n),
               along = gauss_points(-1, 1, n);  // x = r·cosine of the latitude's polar angle
    for (const auto& r : out)
      for (const auto& u : along)
        around([&](double cosine, double sine, double angle) {
          const double across = r.x * std::sqrt(1 - u.x * u.x);
          visit({r.x * u.x, across * cosine, across * sine}, r.weight * r.x * r.x * u.weight * angle);
        });
  }
  void operator()(const Rod&) const { refuse(); }
  void operator()(const Mesh&) const { refuse(); }

  /// 2n evenly spaced angles: exact for trigonometric polynomials below degree 2n.
  template <class Each>
  void around(Each each) const {
    const double step = std::numbers::pi / n;
    for (int k = 0; k < 2 * n; ++k) each(std::cos((k + 0.5) * step), std::sin((k + 0.5) * step), step);
  }
  [[noreturn]] static void refuse() { throw FieldError(field, "a formula needs the shape block, cylinder or sphere"); }
};

DensityMoments sum(const Expression& density, const BodyShape& shape, int n) {
  DensityMoments moments;
  const Visit visit = [&](const Vector3d& r, double volume) {
    const double rho = density(std::span<const double>(r.data(), 3));
    if (!(rho >= 0) || !std::isfinite(rho))
      throw FieldError(field,
                       fmt::format("expected a density of zero or more, got {:g} kg/m^3 at x = {:.4g}, y = {:.4g}, "
                                   "z = {:.4g} m",
                                   rho, r.x(), r.y(), r.z()));
    const double dm = rho * volume;
    moments.mass += dm;
    moments.first += dm * r;
    moments.second += dm * r * r.transpose();
  };
  std::visit(Points{n, visit}, shape);
  return moments;
}

/// Largest difference of two sets of moments, relative to mass, mass times size, mass times size².
double difference(const DensityMoments& a, const DensityMoments& b) {
  const double mass = a.mass, size = std::sqrt(a.second.trace() / mass);
  return std::max({std::abs(a.mass - b.mass) / mass, (a.first - b.first).cwiseAbs().maxCoeff() / (mass * size),
                   (a.second - b.second).cwiseAbs().maxCoeff() / (mass * size * size)});
}

DensityMoments integrated(const std::string& formula, const BodyShape& shape) {
  static constexpr std::array<std::string_view, 3> variables{"x", "y", "z"};
  std::optional<Expression> density;
  try {
    density.emplace(formula, variables);
  } catch (const ExpressionError& error) {
    throw FieldError(field, error.what());
  }
  DensityMoments before = sum(*density, shape, 4);
  for (int n = 8;; n *= 2) {
    const DensityMoments now = sum(*density, shape, n);
    if (!(now.mass > 0)) throw FieldError(field, "expected a density above zero somewhere in the body");
    const double change = difference(now, before);
    if (change < 1e-13) return now;
    if (n == 128) {
      if (change < 1e-3) return now;
      throw FieldError(field,
                       fmt::format("expected a smoother formula: mass, centre and inertia are known to {:.1g} of "
                                   "themselves only",
                                   change));
    }
    before = now;
  }
}

}  // namespace

DensityMoments density_moments(const std::string& formula, const BodyShape& shape) {
  struct Known {
    std::string formula;
    BodyShape shape;
    DensityMoments moments;
  };
  static std::mutex mutex;
  static std::deque<Known> known;  // the last few
  constexpr size_t most = 100;
  {
    const std::lock_guard lock(mutex);
    for (const Known& one : known)
      if (one.formula == formula && one.shape == shape) return one.moments;
  }
  const DensityMoments moments = integrated(formula, shape);
  const std::lock_guard lock(mutex);
  known.push_back({formula, shape, moments});
  if (known.size() > most) known.pop_front();
  return moments;
}

}  // namespace lithe
