#include "lithe/simulate/suitable_method.h"

#include <fmt/format.h>

#include <algorithm>

#include "lithe/simulate/stability_limit.h"
#include "lithe/simulate/system.h"

namespace lithe {
namespace {

/// Beyond this explicit steps cost more than implicit ones [rad/s].
constexpr double too_fast = 5000;
/// With tolerances below this, accuracy decides on the step; above it stability does, where rk4 takes the longest steps for its work.
constexpr double loose = 1e-5;

}  // namespace

SuitableMethod suitable_method(System& system, const Simulate& options, const double* y_start) {
  const auto links = system.arm().links();
  const bool any_exact =
      std::any_of(links.begin(), links.end(), [](const Link& link) { return link.flex && link.flex->exact; });
  if (!any_exact) return {options.chosen_method(), ""};
  const double omega = StabilityLimit(system).fastest_rate(0, y_start);
  if (omega > too_fast)
    return {Method::cvode, fmt::format("links of `strains`, of which something moves at {:.2g} rad/s", omega)};
  if (options.rtol < loose)
    return {Method::dopri5, fmt::format("links of `strains`, whose fastest motion is at {:.2g} rad/s", omega)};
  return {Method::rk4, fmt::format("links of `strains` at rtol {:.1g}: steps by the fastest motion, at {:.2g} rad/s",
                                   options.rtol, omega)};
}

}  // namespace lithe
