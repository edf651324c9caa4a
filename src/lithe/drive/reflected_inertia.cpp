#include "lithe/drive/reflected_inertia.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <random>

#include "lithe/dynamics/articulated/articulated.h"

namespace lithe {

double largest_reflected_inertia(const Arm& arm, int v0) {
  Articulated dynamics(arm.with_tip_rotation(TipRotation::finite).without_guides().without_constraints());
  MatrixXd M(arm.nv(), arm.nv());
  State state = State::zero(arm);
  auto inertia_at = [&](const VectorXd& q) {
    state.q = q;
    dynamics.mass_matrix(state, M);
    return M(v0, v0);
  };
  // A coarse search from a few starts, then coordinate by coordinate; deterministic.
  std::minstd_rand random(3);
  std::uniform_real_distribution<double> uniform(-1, 1);
  double best = 0;
  for (int start = 0; start < 20; ++start) {
    VectorXd q = State::zero(arm).q;
    auto range_of = [&](const Link& link, int k) {
      const auto& limits = link.forces[k].limits;
      const double wide = arm.turns(link.v0 + k) ? std::numbers::pi : 1;
      return std::pair{limits ? limits->lower : -wide, limits ? limits->upper : wide};
    };
    if (start > 0)
      for (const Link& link : arm.links())
        for (int k = 0; k < link.nv(); ++k)
          if (link.joint->coordinates()[k].has_position && link.role != LinkRole::base &&
              link.role != LinkRole::segment)
            q[link.q0 + k] = std::lerp(range_of(link, k).first, range_of(link, k).second, (uniform(random) + 1) / 2);
    double value = inertia_at(q);
    for (double width = 1; width > 1e-6; width /= 2) {
      for (const Link& link : arm.links()) {
        if (link.role != LinkRole::body) continue;
        for (int k = 0; k < link.nv(); ++k) {
          if (!link.joint->coordinates()[k].has_position) continue;
          const auto [low, high] = range_of(link, k);
          for (const double side : {-1.0, 1.0}) {
            VectorXd trial = q;
            trial[link.q0 + k] = std::clamp(q[link.q0 + k] + side * width, low, high);
            if (const double other = inertia_at(trial); other > value) {
              value = other;
              q = trial;
            }
          }
        }
      }
    }
    best = std::max(best, value);
  }
  return best;
}

}  // namespace lithe
