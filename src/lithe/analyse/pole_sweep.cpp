#include "lithe/analyse/pole_sweep.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "lithe/error.h"

namespace lithe {
namespace {

using Complex = std::complex<double>;

// Of the largest pole: double poles at zero are known to the root of machine precision, and so is λ = ω² of the slowest mode.
constexpr double zero_of_largest = 1e-7;

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

bool is_at_zero(Complex pole, double largest) { return std::abs(pole) <= zero_of_largest * largest; }

/// Compared with the pole itself: beside a stiff mode, a slow growth is a growth.
bool is_right(Complex pole, double largest) {
  return !is_at_zero(pole, largest) && pole.real() > 1e-9 * std::abs(pole) + 1e-13 * largest;
}

/// Where, between the values i − 1 and i, the last pole enters the left half-plane, or the first one leaves it: a share.
std::optional<double> crossing_share(const PoleSweep& sweep, size_t i, bool enters) {
  std::optional<double> share;
  const double largest_before = largest_pole(sweep, i - 1), largest_now = largest_pole(sweep, i);
  for (const auto& branch : sweep.branches) {
    const bool was_right = is_right(branch[i - 1], largest_before), now_right = is_right(branch[i], largest_now);
    if (was_right == now_right || was_right != enters) continue;
    const double before = branch[i - 1].real(), now = branch[i].real();
    const double here = std::clamp(before / (before - now), 0.0, 1.0);
    share = !share ? here : enters ? std::max(*share, here) : std::min(*share, here);
  }
  return share;
}

}  // namespace

int PoleSweep::at_zero(size_t i) const {
  const double largest = largest_pole(*this, i);
  return int(std::count_if(branches.begin(), branches.end(),
                           [&](const auto& branch) { return is_at_zero(branch[i], largest); }));
}

bool PoleSweep::unstable(size_t i) const {
  const double largest = largest_pole(*this, i);
  return std::any_of(branches.begin(), branches.end(),
                     [&](const auto& branch) { return is_right(branch[i], largest); });
}

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
    const double largest = poles.size() > 0 ? poles.cwiseAbs().maxCoeff() : 0;
    for (size_t b = 0; b < next.size(); ++b) {
      sweep.branches[b].push_back(next[b]);
      growth = std::max(growth, next[b].real());
      if (!is_at_zero(next[b], largest)) damping = std::min(damping, -next[b].real() / std::abs(next[b]));
    }
    sweep.growth.push_back(growth);
    sweep.damping.push_back(damping + 0.0);  // no −0
  }
  return sweep;
}

std::vector<std::pair<double, double>> stable_stretches(const PoleSweep& sweep) {
  std::vector<std::pair<double, double>> stretches;
  auto end = [&](size_t i, bool enters) {  // between i − 1 and i
    const std::optional<double> share = crossing_share(sweep, i, enters);
    if (!share) return sweep.values[enters ? i : i - 1];
    return sweep.values[i - 1] + *share * (sweep.values[i] - sweep.values[i - 1]);
  };
  for (size_t i = 0; i < sweep.values.size(); ++i) {
    const bool now = sweep.stable(i), before = i > 0 && sweep.stable(i - 1);
    if (now && !before) stretches.emplace_back(i == 0 ? sweep.values[0] : end(i, true), sweep.values.back());
    if (!now && before) stretches.back().second = end(i, false);
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
