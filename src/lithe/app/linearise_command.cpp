#include <fmt/format.h>

#include <cmath>
#include <filesystem>
#include <iostream>
#include <optional>

#include "lithe/analyse/bode.h"
#include "lithe/app/configuration.h"
#include "lithe/app/figure.h"
#include "lithe/app/json.h"
#include "lithe/app/swept_poles.h"
#include "lithe/dynamics/steady_state.h"
#include "lithe/show/analysis_figures.h"
#include "lithe/spatial/demand.h"

namespace lithe::app {
namespace {

struct LineariseCommand : CaseOptions {
  std::string q, v, tip, output = "tip", bode, range;
  std::vector<std::string> inputs, files, sweeps;
  std::string points, joints = "free";
  bool closed_loop = false, steady = false;
};

// Matrices are dense, and poles cost the cube of their number.
constexpr int most_coordinates = 1000;

// ------------------------------------------------------------------------------------------------ frequency response

/// `--range 0.1,100` in Hz; without it, a decade around the poles.
std::optional<std::pair<double, double>> range_of(const std::string& text) {
  if (text.empty()) return {};
  double low = 0, high = 0;
  int read = 0;
  if (std::sscanf(text.c_str(), "%lf,%lf%n", &low, &high, &read) != 2 || size_t(read) != text.size() || !(low > 0) ||
      !(high > low) || !std::isfinite(high))
    throw UsageError(fmt::format("--range: expected two frequencies in Hz, low,high, got \"{}\"", text));
  return std::pair(low, high);
}

FrequencyResponse response_of(const LinearModel& model, const std::string& words, const std::string& range) {
  const size_t colon = words.find(':');
  if (colon == std::string::npos)
    throw UsageError(fmt::format("--bode: expected JOINT:OUTPUT, as in shoulder:tip.y, got \"{}\"", words));
  return with_option_name("--bode", [&] {
    return bode(model, words.substr(0, colon), words.substr(colon + 1), {.range_hz = range_of(range)});
  });
}

// ------------------------------------------------------------------------------------------------ files

bool is_figure(const std::string& file) {
  return file.ends_with(".svg") || file.ends_with(".png") || file.ends_with(".pdf");
}

void write(const std::string& file, const LinearModel& model, const std::optional<FrequencyResponse>& response) {
  if (is_figure(file) || file.ends_with(".csv")) {
    if (!response) throw UsageError(fmt::format("-o {}: a frequency response needs --bode JOINT:OUTPUT", file));
    if (!is_figure(file)) return write_file(file, csv_of(*response));
    draw_figure(bode_script(*response, figure_format(file)), file);
    // The numbers beside the picture.
    return write_file(std::filesystem::path(file).replace_extension(".csv"), csv_of(*response));
  }
  write_linear_model(model, file);
}

// ------------------------------------------------------------------------------------------------ answers

void print(const LinearModel& model) {
  std::cout << fmt::format("{} states, {} inputs, {} outputs, exact\n", model.A.rows(), model.B.cols(), model.C.rows());
  std::cout << "holding torques\n";
  for (size_t k = 0; k < model.inputs.size(); ++k)
    for (size_t i = 0; i < model.states.size() / 2; ++i)
      if (model.states[i] == model.inputs[k])
        std::cout << fmt::format("  {:>16} {:12.6g}\n", model.inputs[k], model.torque[Eigen::Index(i)]);
  std::cout << "poles\n     frequency     damping ratio\n";
  for (const Pole& pole : pole_table(model)) {
    if (pole.value.imag() > 0)
      std::cout << fmt::format("  {:>9.5g} Hz   {:.5f}\n", pole.frequency_hz(),
                               std::abs(pole.damping_ratio()) < 5e-6 ? 0.0 : pole.damping_ratio());
    else
      std::cout << fmt::format("  real          {:.5g} 1/s\n", pole.value.real());
  }
}

Json json_of(const LinearModel& model, const std::optional<FrequencyResponse>& response) {
  Json poles = Json::array();
  for (const Pole& pole : pole_table(model))
    poles.push_back({{"real", pole.value.real()},
                     {"imaginary", pole.value.imag()},
                     {"frequency_hz", pole.frequency_hz()},
                     {"damping_ratio", pole.damping_ratio()}});
  Json answer{{"states", model.states},          {"inputs", model.inputs},      {"outputs", model.outputs},
              {"A", rows_of(model.A)},           {"B", rows_of(model.B)},       {"C", rows_of(model.C)},
              {"D", rows_of(model.D)},           {"q", list_of(model.about.q)}, {"v", list_of(model.about.v)},
              {"torque", list_of(model.torque)}, {"method", "exact"},           {"poles", poles}};
  if (response)
    answer["response"] = {{"input", response->input},
                          {"output", response->output},
                          {"frequency_hz", response->frequency_hz},
                          {"magnitude_db", response->magnitude_db},
                          {"phase_deg", response->phase_deg}};
  return answer;
}

/// Positions that take the place of those of `--q`, by their place in q.
using Placed = std::vector<std::pair<int, double>>;

LinearModel model_of(const LineariseCommand& options, const LoadedCase& loaded, const Placed& placed) {
  const Arm& arm = *loaded.arm;
  if (arm.root_moves())
    throw UsageError("linearise: the base has a given motion, so there is no steady state to linearise about");
  if (arm.nv() > most_coordinates)
    throw UsageError(fmt::format(
        "linearise: {} coordinates are too many for dense matrices (at most {}); reduce links with elements by `keep`",
        arm.nv(), most_coordinates));
  Drives drives(loaded.file.data, arm);
  State state = configuration_at(arm, drives, options.q);
  for (const auto& [place, position] : placed) {
    LITHE_DEMAND(place >= 0 && place < arm.nq());
    state.q[place] = position;
    // Behind an elastic transmission the rotor stands where its joint is, as in `initial`.
    for (const Transmission& spring : arm.transmissions())
      if (arm.link(spring.joint_link).q0 == place) state.q[arm.link(spring.rotor_link).q0] = position;
  }
  if (options.v.empty()) {
    // At rest: where the links hang while the motors hold.
    state = find_equilibrium(arm, state, held_by_motors(arm), effective_gravity(arm), drives.all_at_rest()).state;
  } else {
    state.v = rates(arm, "--v", options.v);
    if (options.steady) state = find_steady_state(arm, state, held_by_motors(arm), drives.all_at_rest()).state;
  }
  return linearise(arm, state, drives,
                   {.inputs = with_option_name("--input", [&] { return input_coordinates(arm, options.inputs); }),
                    .i_tip = tip_link(arm, options.tip),
                    .coordinates_only = options.output == "coordinates",
                    .closed_loop = options.closed_loop,
                    .joints_locked = options.joints == "locked"});
}

int run(const LineariseCommand& options) {
  if (options.output != "tip" && options.output != "coordinates")
    throw UsageError(fmt::format("--output: expected tip or coordinates, got \"{}\"", options.output));
  if (!options.points.empty() && options.sweeps.empty()) throw UsageError("--points: needs --sweep");
  if (options.joints != "free" && options.joints != "locked")
    throw UsageError(fmt::format("--joints: expected free or locked, got \"{}\"", options.joints));
  if (options.joints == "locked" && (options.closed_loop || !options.inputs.empty() || !options.bode.empty()))
    throw UsageError("--joints locked: leave out --closed-loop, --input and --bode: no torque is an input");
  if (options.joints == "locked" && options.sweeps.empty() && !options.files.empty())
    throw UsageError(
        "--joints locked: leave out -o: a model without inputs has no B and D to write; --json prints the rest");
  if (options.steady && options.v.empty()) throw UsageError("--steady: needs --v, the rates that the joints keep");
  if (!options.sweeps.empty()) {
    if (!options.bode.empty()) throw UsageError("--sweep: leave out --bode, which is about one linear model");
    if (!options.range.empty() || !options.inputs.empty() || !options.tip.empty())
      throw UsageError("--sweep: leave out --range, --input and --tip: poles have neither inputs nor outputs");
    LineariseCommand poles_only = options;
    poles_only.output = "coordinates";  // every model has those
    return answer_swept_poles(
        {options, options.sweeps, options.points, options.files},
        [&](const LoadedCase& loaded, const Placed& placed) { return model_of(poles_only, loaded, placed).poles; });
  }
  const LoadedCase loaded = load(options);
  return with_places(loaded, [&] {
    const LinearModel model = model_of(options, loaded, {});
    std::optional<FrequencyResponse> response;
    if (!options.bode.empty()) response = response_of(model, options.bode, options.range);
    for (const std::string& file : options.files) write(file, model, response);
    if (options.json) {
      std::cout << json_of(model, response).dump() << "\n";
    } else if (response && options.files.empty()) {
      std::cout << csv_of(*response);
    } else {
      print(model);
    }
    return done;
  });
}

}  // namespace

void add_linearise(CLI::App& app, Action& chosen) {
  auto* command = app.add_subcommand("linearise", "linear model A, B, C, D about a state, poles, frequency response");
  auto options = std::make_shared<LineariseCommand>();
  options->add_to(*command);
  command->add_option("--q", options->q, q_help);
  command->add_option(
      "--v", options->v,
      "rates, in the same form, to linearise about a moving state; default: at rest, with sagging links");
  command->add_flag("--steady", options->steady,
                    "with --v: links bent as they stay at those rates, instead of as --q says");
  command->add_option("--joints", options->joints,
                      "free (default): torques are constant; locked: motors keep positions and rates of their joints");
  command->add_option("--input", options->inputs, "joints whose torque is an input, separated by commas; default: all")
      ->delimiter(',');
  command->add_option("--output", options->output,
                      "outputs: tip (default; tip and joints) or coordinates (all of them)");
  command->add_option("--tip", options->tip, "the link whose tip is used; default: the last one");
  command->add_flag("--closed-loop", options->closed_loop,
                    "include the case's control laws, without saturation and sampling");
  command->add_option(
      "--bode", options->bode,
      "frequency response JOINT:OUTPUT, as in shoulder:tip.y; printed as a table unless -o writes it to a file");
  command->add_option("--range", options->range, "frequencies of the response, low,high in Hz");
  command
      ->add_option(
          "--sweep", options->sweeps,
          "NAME=LOW..HIGH: poles over a joint's position (elbow=-120..0deg) or a field of the case, as in --set "
          "(torque.elbow.pd.kp=10..200); a second one gives a curve for each of its values")
      ->take_all()
      ->expected(1)
      ->allow_extra_args(false);
  command->add_option("--points", options->points,
                      "of the sweeps: numbers of values, separated by a comma; default: 61,5");
  command
      ->add_option("-o", options->files,
                   "output: FOLDER (A.csv, B.csv, …), F.h5 or F.mat; with --bode also F.svg, .png, .pdf or .csv (may "
                   "be repeated), with --sweep only those")
      ->take_all()
      ->expected(1)
      ->allow_extra_args(false);
  command->footer(
      "x = [positions; rates]; u: joint torques; y: position and rotation vector of the tip, then the joints. All are\n"
      "deviations from the state, at which constant torques keep the joints from accelerating. The matrices are "
      "exact.");
  command->callback([=, &chosen] { chosen = [=] { return run(*options); }; });
}

}  // namespace lithe::app
