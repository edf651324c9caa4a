#include <fmt/format.h>

#include <iostream>

#include "lithe/analyse/static_report.h"
#include "lithe/app/configuration.h"
#include "lithe/app/stress_report.h"

namespace lithe::app {
namespace {

struct StaticCommand : CaseOptions {
  std::string q, tip;
};

void print(const Arm& arm, const StaticReport& report) {
  const StaticResult& result = report.result;
  const Vector3d& sag = result.sag;
  std::cout << fmt::format("sag of the tip   {:.6g} m   ({:.6g}, {:.6g}, {:.6g})\n", sag.norm(), sag.x(), sag.y(),
                           sag.z());
  const Vector3d& p = result.X_WT.p;
  std::cout << fmt::format("tip at           ({:.6g}, {:.6g}, {:.6g}), turned by ({:.6g}, {:.6g}, {:.6g}) rad\n", p.x(),
                           p.y(), p.z(), result.tip_turn.x(), result.tip_turn.y(), result.tip_turn.z());
  std::cout << "holding torques and forces\n";
  for (const HoldingForce& held : report.holding)
    std::cout << fmt::format("  {:>16} {:12.6g} {}\n", held.coordinate, held.force, held.turns ? "N·m" : "N");
  for (const LinkStress& s : report.inside.stresses)
    std::cout << "peak stress      " << stress_text(s.link, s.place) << "\n";
  std::cout << "deflected coordinates\n";
  const std::vector<bool> held = held_by_motors(arm);
  for (const Link& link : arm.links()) {
    auto line = [&](int q, int v) {
      if (!held[v]) std::cout << fmt::format("  {:>16} {:12.6g}\n", arm.coordinates()[v], result.rest.state.q[q]);
    };
    for (int k = 0; k < link.nv(); ++k) line(link.q0 + k, link.v0 + k);
    for (int k = 0; k < link.n_flex(); ++k) line(link.flex_q0() + k, link.flex_v0() + k);
  }
}

int run(const StaticCommand& options) {
  const LoadedCase loaded = load(options);
  const Arm& arm = *loaded.arm;
  return with_places(loaded, [&] {
    const Drives drives(loaded.file.data, arm);
    const StaticReport report =
        static_report(arm, drives, configuration_at(arm, drives, options.q), tip_link(arm, options.tip));
    const StaticResult& result = report.result;
    std::vector<std::string> warnings = report.inside.warnings;
    if (const auto part = result.rest.buckles_at)
      warnings.push_back(fmt::format(
          "the arm buckles at {:.4g} % of the load: pushed, it would leave the equilibrium found", 100 * *part));
    for (const std::string& warning : warnings) std::cerr << fmt::format("{}: warning: {}\n", options.file, warning);
    if (!options.json) {
      print(arm, report);
      return done;
    }
    Json torques = Json::object();
    for (const HoldingForce& held : report.holding) torques[held.coordinate] = held.force;
    Json peaks = Json::array();
    for (const LinkStress& s : report.inside.stresses) peaks.push_back(stress_json(s.link, s.place));
    const Json answer{{"coordinates", arm.coordinates()},
                      {"positions", arm.positions()},
                      {"q", list_of(result.rest.state.q)},
                      {"sag", list_of(result.sag)},
                      {"tip_turn", list_of(result.tip_turn)},
                      {"tip", {{"position", list_of(result.X_WT.p)}, {"rotation", rows_of(result.X_WT.R)}}},
                      {"torque", torques},
                      {"peak_stress", peaks},
                      {"residual", result.rest.residual},
                      {"iterations", result.rest.iterations},
                      {"load_steps", result.rest.load_steps},
                      {"buckles_at", result.rest.buckles_at ? Json(*result.rest.buckles_at) : Json()},
                      {"warnings", warnings}};
    std::cout << answer.dump() << "\n";
    return done;
  });
}

}  // namespace

void add_static(CLI::App& app, Action& chosen) {
  auto* command = app.add_subcommand("static", "sag and holding torques under gravity, payloads and loads");
  auto options = std::make_shared<StaticCommand>();
  options->add_to(*command);
  command->add_option("--q", options->q, q_help);
  command->add_option("--tip", options->tip, "the link whose tip is used; default: the last one");
  command->footer(
      "Motors and base are held; links, segments and springs of transmissions deflect. Loads of the case act with\n"
      "their full value, whatever their `scale` over time, and so do `forces` such as spring-dampers. If there is no\n"
      "equilibrium, the command prints the fraction of the load that was reached, and exits with 1.");
  command->callback([=, &chosen] { chosen = [=] { return run(*options); }; });
}

}  // namespace lithe::app
