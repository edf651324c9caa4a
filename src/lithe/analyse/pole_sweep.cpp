#include "lithe/analyse/pole_sweep.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "lithe/error.h"

namespace lithe {
namespace {

using Complex = std::complex<double>;

constexpr double rounding =
    1e-7;  // of the largest pole: double poles at zero are known to the root of machine precision

/// The next pole of each branch: pairs of (branch, pole) from the nearest on.
std::vector<Complex> continued(const std::vector<Complex>& expected, const Eigen::VectorXcd& poles) {
  struct Pair {
    double distance;
    size_t branch;
    Eigen::Index pole;
  };
  std::vector<Pair> pairs;
  for (size_t b = 0; b < expected.size(); ++b)
    for (Eigen::Index k = 0; k < poles.size(); ++k)
      pairs.push_back({std::abs(poles[k] - expected[b]) / (std::abs(poles[k]) + std::abs(expected[b]) + 1e-300), b, k});
  std::stable_sort(pairs.begin(), pairs.end(), [](const Pair& a, const Pair& b) { return a.distance < b.distance; });
  std::vector<Complex> next(expected.size());
  std::vector<bool> has(expected.size(), false), taken(expected.size(), false);
  for (const Pair& pair : pairs) {
    if (has[pair.branch] || taken[size_t(pair.pole)]) continue;
    next[pair.branch] = poles[pair.pole];
    has[pair.branch] = taken[size_t(pair.pole)] = true;
  }
  return next;
}

double largest_pole(const PoleSweep& sweep, size_t i) {
  double largest = 0;
  for (const auto& branch : sweep.branches) largest = std::max(largest, std::abs(branch[i]));
  return largest;
}

}  // namespace

bool PoleSweep::stable(size_t i) const { return growth[i] <= rounding * largest_pole(*this, i); }

PoleSweep sweep_poles(const std::string& name, const std::string& unit, const std::vector<double>& values,
                      const std::function<Eigen::VectorXcd(double)>& poles_at) {
  PoleSweep sweep{name, unit, values, {}, {}, {}};
  for (size_t i = 0; i < values.size(); ++i) {
    const Eigen::VectorXcd poles = poles_at(values[i]);
    if (i == 0) sweep.branches.resize(size_t(poles.size()));
    if (size_t(poles.size()) != sweep.branches.size())
      throw Error(fmt::format("{} = {:g}: {} poles instead of {}: sweep a number that leaves the states as they are",
                              name, values[i], poles.size(), sweep.branches.size()));
    std::vector<Complex> expected;
    for (size_t b = 0; b < sweep.branches.size(); ++b) {
      const auto& branch = sweep.branches[b];
      expected.push_back(i == 0 ? poles[Eigen::Index(b)] : i == 1 ? branch[0] : 2.0 * branch[i - 1] - branch[i - 2]);
    }
    const std::vector<Complex> next = continued(expected, poles);
    double growth = -std::numeric_limits<double>::infinity(), damping = 1;
    double size = poles.size() > 0 ? poles.cwiseAbs().maxCoeff() : 0;
    for (size_t b = 0; b < next.size(); ++b) {
      sweep.branches[b].push_back(next[b]);
      growth = std::max(growth, next[b].real());
      if (std::abs(next[b]) > rounding * size) damping = std::min(damping, -next[b].real() / std::abs(next[b]));
    }
    sweep.growth.push_back(growth);
    sweep.damping.push_back(damping);
  }
  return sweep;
}

std::vector<std::pair<double, double>> stable_stretches(const PoleSweep& sweep) {
  std::vector<std::pair<double, double>> stretches;
  auto crossing = [&](size_t i) {  // between i − 1 and i
    const double a = sweep.growth[i - 1], b = sweep.growth[i];
    const double share = a != b ? std::clamp(a / (a - b), 0.0, 1.0) : 0.5;
    return sweep.values[i - 1] + share * (sweep.values[i] - sweep.values[i - 1]);
  };
  for (size_t i = 0; i < sweep.values.size(); ++i) {
    const bool now = sweep.stable(i), before = i > 0 && sweep.stable(i - 1);
    if (now && !before) stretches.emplace_back(i == 0 ? sweep.values[0] : crossing(i), sweep.values.back());
    if (!now && before) stretches.back().second = crossing(i);
  }
  return stretches;
}

std::string csv_of(const PoleSweep& sweep) {
  std::string text = sweep.unit.empty() ? sweep.name : fmt::format("{} [{}]", sweep.name, sweep.unit);
  text += ",growth [1/s],damping";
  for (size_t b = 0; b < sweep.branches.size(); ++b)
    text += fmt::format(",pole{0}.real [1/s],pole{0}.imag [1/s]", b + 1);
  text += "\n";
  for (size_t i = 0; i < sweep.values.size(); ++i) {
    text += fmt::format("{},{},{}", sweep.values[i], sweep.growth[i], sweep.damping[i]);
    for (const auto& branch : sweep.branches) text += fmt::format(",{},{}", branch[i].real(), branch[i].imag());
    text += "\n";
  }
  return text;
}

}  // namespace lithe
