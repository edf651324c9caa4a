// The normal form of sums of sines and cosines: a ring in which equal functions have equal terms.
#include "lithe/derive/angle_sum.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace lithe::derive {
namespace {

const GiNaC::symbol a("a"), b("b");
constexpr int n_angles = 4;

/// A sum of products of random waves, and the same as a function of numbers.
struct Sample {
  AngleSum sum;
  std::function<double(const double*)> value;
};

constexpr double a_value = 0.7, b_value = -1.3;

Sample random_sample(std::mt19937& draw) {
  Sample sample{AngleSum(0), [](const double*) { return 0.0; }};
  for (int term = 0; term < 3; ++term) {
    const int number = int(draw() % 7) - 3, power_a = int(draw() % 3), power_b = int(draw() % 2);
    AngleSum product(number * GiNaC::pow(a, power_a) * GiNaC::pow(b, power_b));
    std::vector<std::pair<int, bool>> waves;
    for (int k = int(draw() % 4); k > 0; --k) {
      waves.emplace_back(int(draw() % n_angles), draw() % 2 == 0);
      product *= waves.back().second ? AngleSum::sine(waves.back().first) : AngleSum::cosine(waves.back().first);
    }
    sample.sum += product;
    sample.value = [before = sample.value, number, power_a, power_b, waves](const double* angles) {
      double value = number * std::pow(a_value, power_a) * std::pow(b_value, power_b);
      for (const auto& [k, sine] : waves) value *= sine ? std::sin(angles[k]) : std::cos(angles[k]);
      return before(angles) + value;
    };
  }
  return sample;
}

double evaluated(const AngleSum& sum, const double* angles) {
  double total = 0;
  for (const auto& [wave, coefficient] : sum.terms()) {
    double phase = 0;
    for (int k = 0; k < n_angles; ++k) phase += wave.n[k] * angles[k];
    const ex number = GiNaC::evalf(coefficient.subs(GiNaC::lst{a == a_value, b == b_value}));
    total += GiNaC::ex_to<GiNaC::numeric>(number).to_double() * (wave.sine ? std::sin(phase) : std::cos(phase));
  }
  return total;
}

TEST(AngleSum, ProductsHaveTheValueOfTheirFactors) {
  std::mt19937 draw(1);
  const double angles[n_angles] = {0.3, -1.1, 2.4, 0.8};
  for (int k = 0; k < 200; ++k) {
    const Sample x = random_sample(draw), y = random_sample(draw);
    // Some tens of terms of size up to 10.
    EXPECT_NEAR(evaluated(x.sum * y.sum, angles), x.value(angles) * y.value(angles), 1e-11);
  }
}

TEST(AngleSum, EqualFunctionsHaveEqualTerms) {
  std::mt19937 draw(2);
  for (int k = 0; k < 60; ++k) {
    const AngleSum x = random_sample(draw).sum, y = random_sample(draw).sum, z = random_sample(draw).sum;
    EXPECT_TRUE(((x * y) * z - x * (z * y)).is_zero());
    EXPECT_TRUE((x * (y + z) - x * y - x * z).is_zero());
    EXPECT_TRUE(((x + y) * (x - y) - (x * x - y * y)).is_zero());
  }
}

TEST(AngleSum, FoldsWithoutRules) {
  const AngleSum c5 = AngleSum::cosine(0), s5 = AngleSum::sine(0), c6 = AngleSum::cosine(1), s6 = AngleSum::sine(1);
  EXPECT_TRUE((s5 * s5 + c5 * c5 - AngleSum(1)).is_zero());
  const AngleSum s56 = s5 * c6 + c5 * s6;
  ASSERT_EQ(s56.terms().size(), 1u);
  const Wave& wave = s56.terms().begin()->first;
  EXPECT_TRUE(wave.sine);
  EXPECT_EQ(wave.n[0], 1);
  EXPECT_EQ(wave.n[1], 1);
  // The first coefficient is made positive: sin(6 − 5) is −sin(5 − 6).
  EXPECT_TRUE((s6 * c5 - c6 * s5 + (s5 * c6 - c5 * s6)).is_zero());
}

TEST(AngleSum, DerivativeOfAProductIsLeibniz) {
  std::mt19937 draw(3);
  // Angle 1 turns with a: α₁ = 2a.
  auto slope = [](const AngleSum& sum) {
    return sum.derivative([](const ex& c) { return c.diff(a); }, [](int k) { return k == 1 ? ex(2) : ex(0); });
  };
  for (int k = 0; k < 60; ++k) {
    const AngleSum x = random_sample(draw).sum, y = random_sample(draw).sum;
    EXPECT_TRUE((slope(x * y) - slope(x) * y - x * slope(y)).is_zero());
  }
  EXPECT_TRUE((slope(AngleSum::sine(1)) - AngleSum::cosine(1).scaled(2)).is_zero());
  EXPECT_TRUE((slope(AngleSum::cosine(1)) + AngleSum::sine(1).scaled(2)).is_zero());
}

}  // namespace
}  // namespace lithe::derive
