#include "lithe/simulate/run_warnings.h"

#include <fmt/format.h>

#include "lithe/beam/natural_modes.h"

namespace lithe {

RunWarnings::RunWarnings(const Arm& arm) : arm_(arm) {
  for (int i = 0; i < arm.n_links(); ++i) {
    const Link& link = arm.link(i);
    if (!link.flex) continue;
    const NaturalModes modes = natural_modes(link.flex->K, link.flex->M, 1);
    links_.push_back({link.name, i, modes.omega.size() > 0 ? modes.omega[0] : 0});
  }
  seen_.assign(4 * links_.size(), 0);
}

void RunWarnings::observe(const State& state, const Kinematics& kin) {
  double* seen = seen_.data();
  auto note = [&](double value) {
    if (value > seen[0]) {
      seen[0] = value;
      seen[1] = state.t;
    }
    seen += 2;
  };
  for (const Watched& watched : links_) {
    const Link& link = arm_.link(watched.i_link);
    const Vector3d theta = link.flex->tip_psi * state.q.segment(link.flex_q0(), link.n_flex());
    note(theta.norm());
    // Only spin about axes across the beam draws it straight.
    const Vector3d omega = kin.X_WB[watched.i_link].R.transpose() * kin.V_WB_W[watched.i_link].head<3>();
    note(omega.tail<2>().norm());
  }
}

std::vector<std::string> RunWarnings::list() const {
  std::vector<std::string> warnings;
  const double* seen = seen_.data();
  for (const Watched& watched : links_) {
    if (seen[0] > largest_tip_rotation)
      warnings.push_back(
          fmt::format("'{}': its tip turned by {:.2g} rad at t = {:.4g} s, beyond the {} rad that small deflections "
                      "allow; stiffen the link, slow the motion, or divide the link in two",
                      watched.name, seen[0], seen[1], largest_tip_rotation));
    if (watched.omega > 0 && seen[2] > largest_spin * watched.omega)
      warnings.push_back(fmt::format(
          "'{}': it spun at {:.3g} rad/s at t = {:.4g} s, {:.2g} of its lowest natural frequency ({:.3g} "
          "rad/s); centrifugal stiffening, which the model leaves out, would raise its stiffness by some {:.0f} %",
          watched.name, seen[2], seen[3], seen[2] / watched.omega, watched.omega,
          // A cantilever's lowest mode gains about 1.2 Ω² in ω².
          120 * seen[2] * seen[2] / (watched.omega * watched.omega)));
    seen += 4;
  }
  return warnings;
}

std::string unresolved_step(double step, double fastest_time_scale) {
  if (!(fastest_time_scale > 0) || step < fastest_time_scale) return "";
  return fmt::format(
      "the step of {:.2g} s is longer than the arm's fastest time scale of {:.2g} s, so its highest modes are not "
      "resolved; "
      "take a smaller step, fewer shapes, or an adaptive method (cvode, esdirk)",
      step, fastest_time_scale);
}

}  // namespace lithe
