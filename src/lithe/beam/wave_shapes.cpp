#include <cmath>
#include <limits>
#include <numbers>

#include "lithe/beam/shape_set.h"
#include "lithe/spatial/whole_number.h"

namespace lithe {
namespace {

constexpr double pi = std::numbers::pi;

/// The point in (low, high) beyond which `passed` is true, to the last digit.
template <class Predicate>
double first_passed(double low, double high, const Predicate& passed) {
  while (true) {
    const double middle = low + (high - low) / 2;
    if (middle <= low || middle >= high) return middle;
    (passed(middle) ? high : low) = middle;
  }
}

/// Krylov's functions S = 1 + z⁴/4! + …, T = z + z⁵/5! + …, U = z²/2! + …, V = z³/3! + …: (cosh z + cos z)/2 and its
/// integrals. As series all terms have one sign, so nothing cancels for small z.
struct Krylov {
  explicit Krylov(double z) {
    double* const sums[] = {&S, &T, &U, &V};
    double term = 1;
    for (int k = 0; k < 24; ++k) {
      *sums[k % 4] += term;
      term *= z / (k + 1);
    }
  }
  double S = 0, T = 0, U = 0, V = 0;
};

/// φ(x), 0 ≤ x ≤ 1, of wavenumber β in one of two forms. Above β = 1: A cos βx + B sin βx + C e^(−βx) + D e^(−β(1−x)), which
/// cannot overflow. Below, where these four nearly coincide: A U(βx) + B V(βx), always clamped. To the first `turn` x is added.
struct Wave {
  double beta = 0, A = 0, B = 0, C = 0, D = 0;
  bool krylov = false;
  double turn = 0;

  /// φ, φ′, φ″.
  Vector3d at(double x) const {
    const double z = beta * x;
    if (krylov) {
      const Krylov k(z);
      return {A * k.U + B * k.V, beta * (A * k.T + B * k.U), beta * beta * (A * k.S + B * k.T)};
    }
    const double a = A * std::cos(z), b = B * std::sin(z), a1 = A * std::sin(z), b1 = B * std::cos(z),
                 c = C * std::exp(-z), d = D * std::exp(z - beta);
    return {a + b + c + d + turn * x, beta * (b1 - a1 - c + d) + turn, beta * beta * (c + d - a - b)};
  }
  Wave scaled(double factor) const {
    return {beta, factor * A, factor * B, factor * C, factor * D, krylov, factor * turn};
  }
  /// Seen from its root section: without the rigid turn that makes the slope there zero.
  Wave seen_from_root() const {
    Wave wave = *this;
    wave.turn -= at(0)[1];
    return wave;
  }
};

/// The largest |φ|: the largest of samples a sixtieth of a wave apart, brought to the top by Newton's method.
double largest_deflection(const Wave& wave) {
  const int n = 100 + clamped_whole(10 * wave.beta, 0, 1'000'000);
  auto size = [&](double x) { return std::abs(wave.at(x)[0]); };
  int best = 0;
  for (int i = 1; i <= n; ++i)
    if (size(double(i) / n) > size(double(best) / n)) best = i;
  double x = double(best) / n;
  if (best == 0 || best == n) return size(x);
  for (int iteration = 0; iteration < 5; ++iteration) {
    const Vector3d values = wave.at(x);
    x -= values[1] / values[2];
  }
  return size(x);
}

ShapeSet shape_set(std::vector<Wave> waves, double L) {
  std::vector<double> wavenumbers;
  for (Wave& wave : waves) {
    wavenumbers.push_back(wave.beta);
    const double tip = wave.at(1)[0], largest = largest_deflection(wave);
    wave = wave.scaled(1 / (std::abs(tip) < 1e-3 * largest ? largest : tip));
  }
  const int count = int(waves.size());
  auto at = [=](double x) {
    ShapeValues shapes(count);
    for (int k = 0; k < count; ++k) {
      const Vector3d values = waves[k].at(x / L);
      shapes.value[k] = values[0];
      shapes.slope[k] = values[1] / L;
      shapes.curvature[k] = values[2] / (L * L);
    }
    return shapes;
  };
  return {count, 0, wavenumbers, at};
}

/// Vibration of a clamped beam (EI = L = ρA = 1) with mass m and inertia j at its tip, at wavenumber β, ω = β².
///
/// The tip's dynamic stiffness against (u, θ), minus that of the mass, is
///
///        1  | β³(s ch + c sh)    −β² s sh      |
///   D = ——— |                                  | − β⁴ | m 0 |,      Δ = 1 − c ch,                             (1)
///        Δ  | −β² s sh       β (s ch − c sh)   |      | 0 j |
///
///   det D = β⁴ F/Δ,   F = 1 + c ch − mβ(s ch − c sh) − jβ³(s ch + c sh) + mjβ⁴Δ,                              (2)
///
/// with c, s, ch, sh of β. F = 0 is De Luca & Siciliano's characteristic equation. Its roots follow no pattern, and a search
/// for changes of sign can step over two at once; so they are counted (Wittrick & Williams, Q. J. Mech. Appl. Math. 24
/// (1971) 263): below β lie as many as there are clamped–clamped wavenumbers plus negative eigenvalues of D.
int clamped_roots_below(double beta, double m, double j) {
  // Products of (2), times e^(−β) where they are not small.
  double one, c_ch, sum, difference, delta;  // 1, c ch, s ch + c sh, s ch − c sh, 1 − c ch
  if (beta < 1) {
    const Krylov k(beta);
    one = 1;
    sum = 2 * (k.S * k.T - k.U * k.V);
    difference = 2 * (k.T * k.U - k.S * k.V);
    delta = 2 * (k.U * k.U - k.V * k.T);
    c_ch = 1 - delta;
  } else {
    const double c = std::cos(beta), s = std::sin(beta), e = std::exp(-beta), ch = (1 + e * e) / 2,
                 sh = (1 - e * e) / 2;
    one = e;
    c_ch = c * ch;
    sum = s * ch + c * sh;
    difference = s * ch - c * sh;
    delta = one - c_ch;
  }
  const double beta3 = beta * beta * beta;
  const double F = one + c_ch - m * beta * difference - j * beta3 * sum + m * j * beta * beta3 * delta;
  const double sign = delta < 0 ? -1 : 1;
  int negative = 1;
  if (F * sign > 0) negative = sign * (sum - m * beta * delta) < 0 ? 2 : 0;  // both have the sign of D₁₁

  // Clamped–clamped wavenumbers: one in each (kπ, (k+1)π), k ≥ 1, where Δ changes sign.
  const int k = clamped_whole(beta / pi, 0, std::numeric_limits<int>::max() - 2);
  const bool passed = k % 2 == 1 ? delta < 0 : delta > 0;
  return negative + (k == 0 ? 0 : k - 1 + int(passed));
}

/// φ = cosh βx − cos βx − σ (sinh βx − sin βx); the shear force on the tip's mass gives σ = (V + mβU)/(S + mβV) at β. For
/// large β the difference 1 − σ times e^β is what counts, and is found without cancellation.
Wave clamped_wave(double beta, double m) {
  if (beta < 1) {
    const Krylov k(beta);
    return {beta, k.S + m * beta * k.V, -(k.V + m * beta * k.U), 0, 0, true};
  }
  const double c = std::cos(beta), s = std::sin(beta), e = std::exp(-beta);
  // 2e^(−β) times (S + mβV) and twice (S − V + mβ(V − U)).
  const double whole = (1 + e * e) / 2 + e * c + m * beta * ((1 - e * e) / 2 - e * s);
  const double gap = (e + c + s + m * beta * (c - s - e)) / whole;  // (1 − σ) e^β
  const double sigma = 1 - e * gap;
  return {beta, -1, sigma, (1 + sigma) / 2, gap / 2};
}

}  // namespace

ShapeSet clamped_shapes(int count, double L, double tip_mass, double tip_inertia) {
  std::vector<Wave> waves;
  for (int k = 1; k <= count; ++k) {
    auto passed = [&](double beta) { return clamped_roots_below(beta, tip_mass, tip_inertia) >= k; };
    // A tip's inertia only lowers wavenumbers, and the k-th of the clamped–free beam is below kπ.
    waves.push_back(clamped_wave(first_passed(0, k * pi, passed), tip_mass));
  }
  return shape_set(std::move(waves), L);
}

ShapeSet pinned_free_shapes(int count, double L) {
  std::vector<Wave> waves;
  for (int k = 1; k <= count; ++k) {
    // tan β = tanh β, one root in (kπ, kπ + π/2): s ch − c sh there changes sign.
    auto passed = [&](double beta) {
      const double e = std::exp(-2 * beta), difference = std::sin(beta) * (1 + e) - std::cos(beta) * (1 - e);
      return k % 2 == 0 ? difference > 0 : difference < 0;
    };
    const double beta = first_passed(k * pi, (k + 0.5) * pi, passed);
    // sin βx + (sin β / sinh β) sinh βx
    const double e = std::exp(-beta), share = std::sin(beta) / (1 - e * e);
    waves.push_back(Wave{beta, 0, 1, -e * share, share}.seen_from_root());
  }
  return shape_set(std::move(waves), L);
}

ShapeSet pinned_pinned_shapes(int count, double L) {
  std::vector<Wave> waves;
  for (int k = 1; k <= count; ++k) waves.push_back(Wave{k * pi, 0, 1, 0, 0}.seen_from_root());
  return shape_set(std::move(waves), L);
}

ShapeSet rod_shapes(int count, double L, double tip_inertia) {
  std::vector<Wave> waves;
  for (int k = 1; k <= count; ++k) {
    // cot β = μβ, one root in each ((k − 1)π, (k − ½)π].
    auto passed = [&](double beta) {
      const double g = std::cos(beta) - tip_inertia * beta * std::sin(beta);
      return k % 2 == 1 ? g <= 0 : g >= 0;
    };
    waves.push_back({first_passed((k - 1) * pi, (k - 0.5) * pi, passed), 0, 1, 0, 0});
  }
  return shape_set(std::move(waves), L);
}

}  // namespace lithe
