#pragma once

#include <functional>
#include <string>
#include <vector>

namespace lithe::bench {

/// Something to time. `call(k)` does the work once, on the k-th of n_variants inputs, so that nothing can be hoisted.
struct Contender {
  std::string name;
  std::function<void(int)> call;
};
constexpr int n_variants = 16;

/// Processor time of one call of each contender in nanoseconds: medians over repetitions that take turns in random
/// order, so that whatever else the machine does in the meantime meets all of them alike.
std::vector<double> median_ns(const std::vector<Contender>& contenders);

/// p of the fit time ∝ sizeᵖ by least squares in logarithms.
double growth_order(const std::vector<double>& sizes, const std::vector<double>& times);

}  // namespace lithe::bench
