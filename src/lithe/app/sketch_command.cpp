#include <cmath>
#include <iostream>

#include "lithe/app/command.h"
#include "lithe/app/json.h"
#include "lithe/show/sketch.h"

namespace lithe::app {
namespace {

struct SketchCommand : CaseOptions {
  std::vector<std::string> q;
  std::string output;
  SketchOptions view;
};

int run(const SketchCommand& options) {
  if (!std::isfinite(options.view.azimuth_deg) || !std::isfinite(options.view.elevation_deg))
    throw UsageError("--azimuth, --elevation: expected finite numbers");
  const LoadedCase loaded = load(options);
  std::vector<State> states;
  for (const std::string& q : options.q) {
    states.push_back(State::zero(*loaded.arm));
    states.back().q = positions(*loaded.arm, q);
  }
  if (states.empty()) states.push_back(State::zero(*loaded.arm));
  write_file(options.output, sketch(*loaded.arm, states, options.view, surfaces_of(loaded.file.data, *loaded.arm)));
  if (options.json) std::cout << text_of(Json{{"written", options.output}}) << "\n";
  return done;
}

}  // namespace

void add_sketch(CLI::App& app, Action& chosen) {
  auto* command = app.add_subcommand("sketch", "draw the arm at a configuration, as SVG");
  auto options = std::make_shared<SketchCommand>();
  options->add_to(*command);
  command->add_option("--q", options->q, "positions as in eval; may be repeated: earlier ones are drawn as ghosts")
      ->expected(1)
      ->take_all()
      ->allow_extra_args(false);
  command->add_option("-o,--output", options->output, "the SVG file")->required();
  command->add_option("--azimuth", options->view.azimuth_deg, "azimuth of the viewer, degrees");
  command->add_option("--elevation", options->view.elevation_deg, "elevation of the viewer, degrees");
  command->callback([=, &chosen] { chosen = [=] { return run(*options); }; });
}

}  // namespace lithe::app
