#include <fmt/format.h>

#include <algorithm>
#include <iostream>
#include <sstream>

#include "lithe/analyse/aeroelastic.h"
#include "lithe/app/command.h"
#include "lithe/app/configuration.h"
#include "lithe/app/figure.h"
#include "lithe/app/joint_options.h"
#include "lithe/app/json.h"
#include "lithe/app/sweep_option.h"
#include "lithe/show/analysis_figures.h"

namespace lithe::app {
namespace {

struct DivergenceCommand : CaseOptions {
  std::string q, speeds, sweep, joints = "locked", output;
  int count = 8;
};

Json json_of(const AeroelasticResult& result, const Arm& arm) {
  Json json;
  json["divergence_speed"] = result.divergence_speed ? Json(*result.divergence_speed) : Json();
  json["divergence_sought_to"] = speed_of_sound;
  if (result.divergence_speed) {
    json["coordinates"] = arm.coordinates();
    json["divergence_shape"] = list_of(result.divergence_shape);
  }
  if (result.flutter) {
    json["flutter_speed"] = result.flutter->speed;
    json["flutter_frequency_hz"] = result.flutter->frequency_hz;
  } else {
    json["flutter_speed"] = Json();
  }
  json["speeds"] = result.speeds;
  for (const FlutterBranch& branch : result.branches)
    json["branches"].push_back(
        {{"mode", branch.description}, {"frequency_hz", branch.frequency_hz}, {"damping", branch.damping}});
  return json;
}

void print(const AeroelasticResult& result) {
  std::string head = "  wind [m/s]";
  for (size_t k = 0; k < result.branches.size(); ++k) head += fmt::format("{:>20}", fmt::format("mode {} [Hz]", k + 1));
  std::cout << head << "\n";
  const size_t every = std::max<size_t>(1, (result.speeds.size() + 14) / 15);
  for (size_t i = 0; i < result.speeds.size(); i += every) {
    std::string line = fmt::format("{:>12.4g}", result.speeds[i]);
    for (const FlutterBranch& branch : result.branches)
      line += fmt::format("{:>11.4g} {:>6.1f} %", branch.frequency_hz[i], 100 * branch.damping[i]);
    std::cout << line << "\n";
  }
  std::cout << "frequency and damping ratio (negative: the vibration grows)\n";
  for (size_t k = 0; k < result.branches.size(); ++k)
    std::cout << fmt::format("mode {} in still air: {}\n", k + 1, result.branches[k].description);
  std::cout << "\n";
  if (result.divergence_speed)
    std::cout << fmt::format("divergence at {:.6g} m/s\n", *result.divergence_speed);
  else
    std::cout << fmt::format(
        "no divergence up to the speed of sound, {:.0f} m/s: twist does not increase the lift, or stiffness prevents "
        "it\n",
        speed_of_sound);
  if (result.flutter)
    std::cout << fmt::format("flutter from {:.6g} m/s, at {:.4g} Hz: it grows out of {}\n", result.flutter->speed,
                             result.flutter->frequency_hz, result.flutter->mode);
  else
    std::cout << fmt::format("no flutter from {:.4g} to {:.4g} m/s\n", result.speeds.front(), result.speeds.back());
}

int run(const DivergenceCommand& command) {
  if (command.count < 1) throw UsageError(fmt::format("--count: expected at least 1, got {}", command.count));
  const JointCondition joints = joints_of(command.joints);
  if (!command.output.empty()) figure_format(command.output);
  const LoadedCase loaded = load(command);
  const Arm& arm = *loaded.arm;
  return with_places(loaded, [&] {
    if (!loaded.file.data.wind) throw FieldError("wind", "missing; the case has no wind");
    AeroelasticOptions options;
    options.slowest = 0.05 * loaded.file.data.wind->speed;
    options.fastest = 3 * loaded.file.data.wind->speed;
    if (!command.sweep.empty()) {
      if (!command.speeds.empty()) throw UsageError("--sweep: leave out --speeds, which says the same");
      std::tie(options.slowest, options.fastest) = span_option("--sweep", command.sweep, dimension::velocity);
      if (!(options.slowest > 0 && options.fastest > options.slowest))
        throw UsageError(
            fmt::format("--sweep: expected two speeds above zero, the lower one first, got \"{}\"", command.sweep));
    }
    if (!command.speeds.empty()) {
      char comma = 0;
      std::istringstream text(command.speeds);
      if (!(text >> options.slowest >> comma >> options.fastest) || comma != ',' || !text.eof() ||
          !(options.slowest > 0 && options.fastest > options.slowest))
        throw UsageError(fmt::format("--speeds: expected LOW,HIGH in m/s, got \"{}\"", command.speeds));
    }
    const Drives drives(loaded.file.data, arm);
    options.modes =
        with_option_name("--joints servo", [&] { return modes_options(joints, command.count, arm, drives); });
    const State state = configuration_at(arm, drives, command.q);
    const AeroelasticResult result = aeroelastic_stability(loaded.file.data, arm, state, options);
    if (!command.output.empty()) draw_figure(flutter_script(result, figure_format(command.output)), command.output);
    if (command.json)
      std::cout << json_of(result, arm).dump() << "\n";
    else
      print(result);
    return done;
  });
}

}  // namespace

void add_divergence(CLI::App& app, Action& chosen) {
  auto* command = app.add_subcommand("divergence", "wind speeds at which lifting surfaces diverge and flutter");
  auto options = std::make_shared<DivergenceCommand>();
  options->add_to(*command);
  command->add_option("--q", options->q, "positions as in eval; default: the case's `initial`");
  command->add_option("--joints", options->joints, joints_help);
  command->add_option("--sweep", options->sweep,
                      "wind speeds of the sweep, as in \"10..130 m/s\"; default: from 0.05 to 3 times the case's");
  command->add_option("--speeds", options->speeds, "LOW,HIGH: the same in m/s");
  command->add_option("--count", options->count,
                      "number of modes in the search for flutter, from the lowest; default: 8");
  command->add_option("-o,--output", options->output,
                      "figure of frequencies and damping over the wind speed: .svg, .png or .pdf");
  command->footer(
      "The arm is at rest and undeformed, with its surfaces along the wind; incidence is ignored. The air is modelled\n"
      "by the linearised vortex lattice, and flutter is found by the p-k method. docs/aeroelastic.md has the "
      "equations.");
  command->callback([=, &chosen] { chosen = [=] { return run(*options); }; });
}

}  // namespace lithe::app
