#include <fmt/format.h>

#include <iostream>

#include "lithe/app/configuration.h"
#include "lithe/app/figure.h"
#include "lithe/app/joint_options.h"
#include "lithe/app/json.h"
#include "lithe/show/analysis_figures.h"

namespace lithe::app {
namespace {

struct ModesCommand : CaseOptions {
  std::string q, joints = "locked", link, support, output;
  int count = 12;
  bool deformed = false, loads = false;
};

Json json_of(const ModesResult& result) {
  Json frequencies = Json::array(), modes = Json::array();
  for (const Mode& mode : result.modes) {
    frequencies.push_back(mode.frequency_hz);
    Json participation = Json::object();
    for (const Participation& part : mode.participation)
      participation[part.group] = {{"kinetic_energy", part.kinetic}, {"potential_energy", part.potential}};
    Json item{{"frequency_hz", mode.frequency_hz},
              {"damping_ratio", mode.damping_ratio},
              {"description", mode.description},
              {"participation", participation},
              {"effective_mass", list_of(mode.effective_mass)},
              {"shape", list_of(mode.shape)}};
    if (mode.growth_rate > 0) item["growth_rate"] = mode.growth_rate;
    modes.push_back(std::move(item));
  }
  return {{"frequencies_hz", frequencies},
          {"rigid_body_modes", result.n_rigid},
          {"unstable_modes", result.n_unstable},
          {"moving_coordinates", result.n_coordinates},
          {"mass", result.mass},
          {"modes", modes}};
}

void print(const ModesResult& result, bool single_beam) {
  std::cout << fmt::format("mode    frequency     damping   effective mass x y z   what {}\n",
                           single_beam ? "bends (share of strain energy)" : "moves (share of kinetic energy)");
  for (size_t k = 0; k < result.modes.size(); ++k) {
    const Mode& mode = result.modes[k];
    const Vector3d share = 100 * mode.effective_mass / result.mass;
    const std::string what = mode.growth_rate > 0     ? fmt::format("unstable, exp({:.4g} t): ", mode.growth_rate)
                             : mode.frequency_hz == 0 ? "rigid: "
                                                      : "";
    std::cout << fmt::format("{:>4} {:>9.5g} Hz   {:>7.3g} %   {:>4.1f} % {:>4.1f} % {:>4.1f} %   {}{}\n", k + 1,
                             mode.frequency_hz, 100 * mode.damping_ratio, share.x(), share.y(), share.z(), what,
                             mode.description);
  }
  std::cout << fmt::format("{} of {} modes, mass {:.4g} kg", result.modes.size(), result.n_coordinates, result.mass);
  if (result.n_rigid > 0) std::cout << fmt::format("; {} rigid", result.n_rigid);
  if (result.n_unstable > 0) std::cout << fmt::format("; {} unstable", result.n_unstable);
  std::cout << "\n";
}

void draw(const Arm& arm, const State& state, const ModesResult& result, const std::string& file) {
  const std::vector<DrawnShape> shapes = drawn_modes(result);
  if (shapes.empty()) throw UsageError("-o: there is no mode to draw");
  draw_figure(mode_figure_script(arm, state, shapes, figure_format(file)), file);
}

int run(const ModesCommand& options) {
  if (options.count < 1) throw UsageError(fmt::format("--count: expected at least 1, got {}", options.count));
  if (options.link.empty() != options.support.empty())
    throw UsageError("--link and --support must be given together: --link upper --support clamped-free");
  if (!options.output.empty()) figure_format(options.output);
  const JointCondition joints = joints_of(options.joints);
  const LoadedCase loaded = load(options);
  const Arm& arm = *loaded.arm;
  return with_places(loaded, [&] {
    ModesResult result;
    if (!options.link.empty()) {
      const auto [root, tip] = with_option_name("--support", [&] { return supports_named(options.support); });
      if (!options.output.empty()) throw UsageError("-o draws modes of the whole arm: leave out --link");
      const Link& link =
          with_option_name("--link", [&]() -> const Link& { return bending_link_named(arm, options.link); });
      result = beam_modes(link, root, tip, options.count);
    } else {
      const Drives drives(loaded.file.data, arm);
      CaseModesOptions asked{
          .joints = joints, .count = options.count, .deformed = options.deformed, .loads = options.loads};
      if (!options.q.empty()) asked.about = configuration_at(arm, drives, options.q);
      if (joints == JointCondition::servo)
        with_option_name("--joints servo", [&] { return modes_options(joints, options.count, arm, drives); });
      const auto find = [&] { return modes_of_case(arm, drives, asked); };
      const CaseModes found = options.loads ? with_option_name("--loads", find) : find();
      result = found.result;
      if (!options.output.empty())
        draw(arm.has_guides() ? arm.with_guides_held(found.about.q) : arm, found.about, result, options.output);
    }
    if (options.json) {
      std::cout << json_of(result).dump() << "\n";
    } else {
      print(result, !options.link.empty());
    }
    return done;
  });
}

}  // namespace

void add_modes(CLI::App& app, Action& chosen) {
  auto* command = app.add_subcommand("modes", "natural frequencies and mode shapes at a configuration");
  auto options = std::make_shared<ModesCommand>();
  options->add_to(*command);
  command->add_option("--q", options->q, q_help);
  command->add_option("--joints", options->joints, joints_help);
  command->add_option("--count", options->count, "number of modes, from the lowest; default: 12");
  command->add_flag("--deformed", options->deformed, "modes about the sagging arm instead of the undeformed one");
  command->add_flag("--loads", options->loads, "the case's loads act too, with their full value");
  command->add_option("--link", options->link, "modes of this bending link alone, on --support");
  command->add_option(
      "--support", options->support,
      "how that link is held at root and tip: clamped-free, pinned-pinned, pinned-free, clamped-clamped, …");
  command->add_option("-o,--output", options->output, "figure of the first nine shapes: .svg, .png or .pdf");
  command->footer(
      "A locked joint with an elastic transmission vibrates against its held rotor. A free or planar base is never\n"
      "held. A moving base stands still where it is at t = 0. A beam in a guide vibrates with its free length at that\n"
      "position, with its slide locked. The stiffness due to weight and that of `forces` such as spring-dampers are\n"
      "included; that of `loads` with --loads. docs/analysis.md has the equations.");
  command->callback([=, &chosen] { chosen = [=] { return run(*options); }; });
}

}  // namespace lithe::app
