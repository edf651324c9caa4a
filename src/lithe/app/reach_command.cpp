#include <fmt/format.h>

#include <iostream>
#include <nlohmann/json.hpp>

#include "lithe/app/command.h"
#include "lithe/arm/inverse_kinematics.h"

namespace lithe::app {
namespace {

struct ReachCommand : CaseOptions {
  std::string position, rpy, q, tip;
};

int run(const ReachCommand& options) {
  const LoadedCase loaded = load(options);
  const Arm& arm = *loaded.arm;
  PoseTarget target{three("--position", options.position, dimension::length), {}};
  if (!options.rpy.empty()) target.rotation = rpy_rotation(three("--rpy", options.rpy, dimension::angle));
  State start = State::zero(arm);
  start.q = positions(arm, options.q);
  const ReachResult result = reach(arm, tip_link(arm, options.tip), target, start);
  if (options.json) {
    const nlohmann::ordered_json answer{{"positions", arm.positions()},
                                        {"reached", result.reached},
                                        {"q", std::vector<double>(result.q.begin(), result.q.end())},
                                        {"position_error", result.position_error},
                                        {"rotation_error", result.rotation_error},
                                        {"iterations", result.iterations},
                                        {"why", result.why}};
    std::cout << answer.dump() << "\n";
  } else {
    for (int i = 0; i < arm.nq(); ++i) std::cout << fmt::format("{:>16} {:14.9g}\n", arm.positions()[i], result.q[i]);
  }
  if (result.reached) return done;
  std::cerr << "lithe: out of reach: " << result.why << "\n";
  return work_failed;
}

}  // namespace

void add_reach(CLI::App& app, Action& chosen) {
  auto* command = app.add_subcommand("reach", "joint positions that bring the tip to a pose (inverse kinematics)");
  auto options = std::make_shared<ReachCommand>();
  options->add_to(*command);
  command->add_option("--position", options->position, "position of the tip: x,y,z")->required();
  command->add_option("--rpy", options->rpy, "orientation as roll,pitch,yaw about fixed axes; default: any");
  command->add_option("--q", options->q, "positions to start from, as in eval");
  command->add_option("--tip", options->tip, "the link whose tip is to reach the pose; default: the last one");
  command->footer(
      "Joint limits of the case are respected. If the pose is out of reach, the command prints the nearest one and "
      "what\nprevents a better one, and exits with 1.");
  command->callback([=, &chosen] { chosen = [=] { return run(*options); }; });
}

}  // namespace lithe::app
