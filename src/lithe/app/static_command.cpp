#include <fmt/format.h>

#include <iostream>

#include "lithe/analyse/statics.h"
#include "lithe/app/configuration.h"
#include "lithe/app/stress_report.h"
#include "lithe/dynamics/deflection_limits.h"

namespace lithe::app {
namespace {

struct StaticCommand : CaseOptions {
  std::string q, tip;
};

/// What holds the arm: joint by joint, and the base where it could move.
Json holding(const Arm& arm, const VectorXd& force) {
  Json torques = Json::object();
  for (int i = 0; i < arm.n_links(); ++i) {
    const Link& link = arm.link(i);
    if (!link.is_base) continue;
    for (int k = 0; k < link.nv(); ++k) torques[arm.coordinates()[link.v0 + k]] = force[link.v0 + k];
  }
  for (const TorqueInput& input : arm.torque_inputs()) torques[arm.coordinates()[input.v]] = force[input.v];
  return torques;
}

/// The unit of a force on a coordinate of the held kind.
const char* unit_of(const Arm& arm, const std::string& name) {
  const auto found = std::find(arm.coordinates().begin(), arm.coordinates().end(), name);
  return found == arm.coordinates().end() || arm.turns()[size_t(found - arm.coordinates().begin())] ? "N·m" : "N";
}

/// The largest stress of a link at rest.
struct LinkStress {
  StressedLink link;
  StressPlace place;
};
/// What the forces inside an arm at rest come to: stress of all links whose fibres are known, and where small deflections end.
/// Nothing on a base whose motion would add to the weight.
struct AtRest {
  std::vector<LinkStress> stresses;
  std::vector<std::string> warnings;
};
AtRest forces_inside(const Arm& arm, const Drives& drives, const State& rest) {
  AtRest found;
  if (arm.root_moves()) return found;
  if (arm.has_guides()) return forces_inside(arm.with_guides_held(rest.q), drives, rest);
  InternalForces internal(arm);
  State still = rest;
  still.v.setZero();
  Loads::Wrenches outer = drives.loads().wrenches_in_full(arm, still);
  drives.add_force_wrenches(still, kinematics_of(arm, still), outer.on_tips, outer.along);
  internal.update(still, VectorXd::Zero(arm.nv()), outer.on_tips, outer.along);
  for (const StressedLink& link : stressed_links(arm))
    found.stresses.push_back({link, largest_stress(arm, internal, link.i_link)});
  found.warnings = DeflectionLimits(arm).exceeded(still, internal);
  for (const LinkStress& s : found.stresses)
    if (s.link.yield_strength && s.place.stress > *s.link.yield_strength)
      found.warnings.push_back(
          fmt::format("'{}': its stress is {:.3g} times its material's yield strength: it would stay bent", s.link.name,
                      s.place.stress / *s.link.yield_strength));
  return found;
}

void print(const Arm& arm, const StaticResult& result, const Json& torques, const std::vector<LinkStress>& stressed) {
  const Vector3d& sag = result.sag;
  std::cout << fmt::format("sag of the tip   {:.6g} m   ({:.6g}, {:.6g}, {:.6g})\n", sag.norm(), sag.x(), sag.y(),
                           sag.z());
  const Vector3d& p = result.X_WT.p;
  std::cout << fmt::format("tip at           ({:.6g}, {:.6g}, {:.6g}), turned by ({:.6g}, {:.6g}, {:.6g}) rad\n", p.x(),
                           p.y(), p.z(), result.tip_turn.x(), result.tip_turn.y(), result.tip_turn.z());
  std::cout << "held by\n";
  for (const auto& [name, torque] : torques.items())
    std::cout << fmt::format("  {:>16} {:12.6g} {}\n", name, torque.get<double>(), unit_of(arm, name));
  for (const LinkStress& s : stressed) std::cout << "peak stress      " << stress_text(s.link, s.place) << "\n";
  std::cout << "coordinates that gave way\n";
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
    const StaticResult result =
        static_deflection(arm, configuration(arm, drives, options.q), tip_link(arm, options.tip), drives.all_at_rest());
    const Json torques = holding(arm, result.rest.force);
    const auto [stressed, warnings] = forces_inside(arm, drives, result.rest.state);
    for (const std::string& warning : warnings) std::cerr << fmt::format("{}: warning: {}\n", options.file, warning);
    if (!options.json) {
      print(arm, result, torques, stressed);
      return done;
    }
    Json peaks = Json::array();
    for (const LinkStress& s : stressed) peaks.push_back(stress_json(s.link, s.place));
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
  command->add_option("--tip", options->tip, "the link whose tip is meant; the last one unless given");
  command->footer(
      "Motors and base hold; links, segments and springs of transmissions give way. Loads of the case act in full,\n"
      "whatever their `scale` does over time. No equilibrium: exit 1, with the part of the load that was reached.");
  command->callback([=, &chosen] { chosen = [=] { return run(*options); }; });
}

}  // namespace lithe::app
