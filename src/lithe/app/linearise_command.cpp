#include <fmt/format.h>

#include <cmath>
#include <filesystem>
#include <iostream>
#include <numbers>

#include "lithe/analyse/linearise.h"
#include "lithe/app/configuration.h"
#include "lithe/app/figure.h"
#include "lithe/app/json.h"
#include "lithe/describe/spelling.h"
#include "lithe/results/folder_lock.h"
#include "lithe/results/matrix_file.h"

namespace lithe::app {
namespace {

struct LineariseCommand : CaseOptions {
  std::string q, v, tip, output = "tip", bode, range;
  std::vector<std::string> inputs, files;
  bool closed_loop = false;
};

// Matrices are dense, and poles cost the cube of their number.
constexpr int most_coordinates = 1000;

std::vector<int> input_coordinates(const Arm& arm, const std::vector<std::string>& names) {
  std::vector<int> coordinates;
  std::vector<std::string> known;
  for (const TorqueInput& input : arm.torque_inputs()) known.push_back(arm.coordinates()[input.v]);
  for (const std::string& name : names) {
    // A joint behind an elastic transmission takes its torque at the rotor, by either name.
    const std::vector<TorqueInput>& inputs = arm.torque_inputs();
    const auto found = std::find_if(inputs.begin(), inputs.end(), [&](const TorqueInput& input) {
      return input.name == name || arm.coordinates()[input.v] == name;
    });
    if (found == inputs.end())
      throw UsageError(
          fmt::format("--input: no joint '{}'{} Joints: {}", name, guess_in_sentence(name, known), comma_list(known)));
    coordinates.push_back(found->v);
  }
  return coordinates;
}

int index_of(const std::vector<std::string>& names, const std::string& name, const std::string& what) {
  for (size_t i = 0; i < names.size(); ++i)
    if (names[i] == name) return int(i);
  throw UsageError(
      fmt::format("--bode: no {} '{}'{} Known: {}", what, name, guess_in_sentence(name, names), comma_list(names)));
}

// ------------------------------------------------------------------------------------------------ frequency response

struct Response {
  std::string input, output;
  std::vector<double> frequency_hz, magnitude_db, phase_deg;
};

/// `--range 0.1,100` in Hz; without it, a decade around the poles.
std::pair<double, double> range_of(const std::string& text, const LinearModel& model) {
  double low = INFINITY, high = 0;
  if (!text.empty()) {
    int read = 0;
    if (std::sscanf(text.c_str(), "%lf,%lf%n", &low, &high, &read) != 2 || size_t(read) != text.size() || !(low > 0) ||
        !(high > low) || !std::isfinite(high))
      throw UsageError(fmt::format("--range: expected two frequencies in Hz, low,high, got \"{}\"", text));
    return {low, high};
  }
  int oscillating = 0;
  for (const std::complex<double>& pole : model.poles) {
    if (std::abs(pole.imag()) <= 1e-6 * std::abs(pole) || pole.imag() < 0) continue;
    const double f = std::abs(pole) / (2 * std::numbers::pi);
    low = std::min(low, f);
    // The first few are what a torque excites; a hundred element modes would hide them.
    if (++oscillating <= 6) high = std::max(high, f);
  }
  if (oscillating == 0) return {0.01, 100};
  return {low / 10, 3 * high};
}

Response response_of(const LinearModel& model, const std::string& bode, const std::string& range) {
  const size_t colon = bode.find(':');
  if (colon == std::string::npos)
    throw UsageError(fmt::format("--bode: expected JOINT:OUTPUT, as in shoulder:tip.y, got \"{}\"", bode));
  Response response{bode.substr(0, colon), bode.substr(colon + 1), {}, {}, {}};
  const int input = index_of(model.inputs, response.input, "input"),
            output = index_of(model.outputs, response.output, "output");
  const auto [low, high] = range_of(range, model);
  constexpr int n = 1500;
  std::vector<double> omega;
  for (int k = 0; k < n; ++k) {
    response.frequency_hz.push_back(low * std::pow(high / low, double(k) / (n - 1)));
    omega.push_back(2 * std::numbers::pi * response.frequency_hz.back());
  }
  const auto values = frequency_response(model, input, output, omega);
  double before = 0;
  for (size_t k = 0; k < values.size(); ++k) {
    response.magnitude_db.push_back(20 * std::log10(std::abs(values[k])));
    // Without jumps of 360°.
    double phase = std::arg(values[k]) * 180 / std::numbers::pi;
    if (k > 0) phase += 360 * std::round((before - phase) / 360);
    response.phase_deg.push_back(before = phase);
  }
  return response;
}

std::string csv_of(const Response& response) {
  std::string text = fmt::format("frequency [Hz],magnitude [dB],phase [deg]\n");
  for (size_t k = 0; k < response.frequency_hz.size(); ++k)
    text += fmt::format("{},{},{}\n", response.frequency_hz[k], response.magnitude_db[k], response.phase_deg[k]);
  return text;
}

std::string script_of(const Response& response, PlotFormat format) {
  const PlotSeries x{"frequency", "Hz", response.frequency_hz};
  const std::vector<PlotSeries> y{{"magnitude", "dB", response.magnitude_db}, {"phase", "deg", response.phase_deg}};
  return plot_script(
      x, y,
      {.title = fmt::format("{} → {}", response.input, response.output), .format = format, .logarithmic_x = true});
}

// ------------------------------------------------------------------------------------------------ files

std::string csv_of(const MatrixXd& matrix, const std::vector<std::string>& rows,
                   const std::vector<std::string>& columns) {
  std::string text;
  for (const std::string& name : columns) text += "," + name;
  text += "\n";
  for (int i = 0; i < matrix.rows(); ++i) {
    text += rows[size_t(i)];
    for (const double value : matrix.row(i)) text += fmt::format(",{}", value);
    text += "\n";
  }
  return text;
}

void write_folder(const LinearModel& model, const std::string& folder) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error) throw std::runtime_error(fmt::format("cannot write {}: {}", folder, error.message()));
  const FolderLock lock(folder);
  write_file(folder + "/A.csv", csv_of(model.A, model.states, model.states));
  write_file(folder + "/B.csv", csv_of(model.B, model.states, model.inputs));
  write_file(folder + "/C.csv", csv_of(model.C, model.outputs, model.states));
  write_file(folder + "/D.csv", csv_of(model.D, model.outputs, model.inputs));
}

void write_hdf5(const LinearModel& model, const std::string& file) {
  MatrixXd poles(model.poles.size(), 2);
  poles << model.poles.real(), model.poles.imag();
  write_matrices(file, {{{"A", model.A},
                         {"B", model.B},
                         {"C", model.C},
                         {"D", model.D},
                         {"poles", poles},
                         {"q", model.about.q},
                         {"v", model.about.v},
                         {"torque", model.torque}},
                        {{"states", model.states}, {"inputs", model.inputs}, {"outputs", model.outputs}}});
}

bool is_figure(const std::string& file) {
  return file.ends_with(".svg") || file.ends_with(".png") || file.ends_with(".pdf");
}

void write(const std::string& file, const LinearModel& model, const std::optional<Response>& response) {
  if (is_figure(file) || file.ends_with(".csv")) {
    if (!response) throw UsageError(fmt::format("-o {}: a frequency response needs --bode JOINT:OUTPUT", file));
    if (!is_figure(file)) return write_file(file, csv_of(*response));
    draw_figure(script_of(*response, figure_format(file)), file);
    // The numbers beside the picture.
    return write_file(std::filesystem::path(file).replace_extension(".csv"), csv_of(*response));
  }
  if (file.ends_with(".h5") || file.ends_with(".mat")) return write_hdf5(model, file);
  write_folder(model, file);
}

// ------------------------------------------------------------------------------------------------ answers

/// One line per real pole or pair of conjugates.
struct Pole {
  std::complex<double> value;
  double frequency_hz() const { return std::abs(value) / (2 * std::numbers::pi); }
  double damping_ratio() const { return std::abs(value) == 0 ? 0 : -value.real() / std::abs(value); }
};
std::vector<Pole> poles_of(const LinearModel& model) {
  std::vector<Pole> list;
  for (const std::complex<double>& pole : model.poles)
    if (pole.imag() >= 0) list.push_back({pole});
  return list;
}

void print(const LinearModel& model) {
  std::cout << fmt::format("{} states, {} inputs, {} outputs, exact\n", model.A.rows(), model.B.cols(), model.C.rows());
  std::cout << "torques that hold it\n";
  for (size_t k = 0; k < model.inputs.size(); ++k)
    for (size_t i = 0; i < model.states.size() / 2; ++i)
      if (model.states[i] == model.inputs[k])
        std::cout << fmt::format("  {:>16} {:12.6g}\n", model.inputs[k], model.torque[Eigen::Index(i)]);
  std::cout << "poles\n     frequency     damping ratio\n";
  for (const Pole& pole : poles_of(model)) {
    if (pole.value.imag() > 0)
      std::cout << fmt::format("  {:>9.5g} Hz   {:.5f}\n", pole.frequency_hz(),
                               std::abs(pole.damping_ratio()) < 5e-6 ? 0.0 : pole.damping_ratio());
    else
      std::cout << fmt::format("  real          {:.5g} 1/s\n", pole.value.real());
  }
}

Json json_of(const LinearModel& model, const std::optional<Response>& response) {
  Json poles = Json::array();
  for (const Pole& pole : poles_of(model))
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

int run(const LineariseCommand& options) {
  if (options.output != "tip" && options.output != "coordinates")
    throw UsageError(fmt::format("--output: expected tip or coordinates, got \"{}\"", options.output));
  const LoadedCase loaded = load(options);
  const Arm& arm = *loaded.arm;
  if (arm.root_moves()) throw UsageError("linearise: a base of given motion leaves no state to stay at");
  if (arm.nv() > most_coordinates)
    throw UsageError(fmt::format(
        "linearise: {} coordinates are too many for dense matrices (at most {}); reduce element links by `keep`",
        arm.nv(), most_coordinates));
  return with_places(loaded, [&] {
    Drives drives(loaded.file.data, arm);
    State state = configuration(arm, drives, options.q);
    if (options.v.empty()) {
      // At rest: where the links hang while the motors hold.
      state = find_equilibrium(arm, state, held_by_motors(arm), felt_gravity(arm), drives.all_at_rest()).state;
    } else {
      state.v = rates(arm, "--v", options.v);
    }
    const LinearModel model = linearise(arm, state, drives,
                                        {.inputs = input_coordinates(arm, options.inputs),
                                         .i_tip = tip_link(arm, options.tip),
                                         .coordinates_only = options.output == "coordinates",
                                         .closed_loop = options.closed_loop});
    std::optional<Response> response;
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
  auto* command = app.add_subcommand("linearise", "A, B, C, D about a state, poles, frequency response");
  auto options = std::make_shared<LineariseCommand>();
  options->add_to(*command);
  command->add_option("--q", options->q, q_help);
  command->add_option("--v", options->v,
                      "rates, the same way: about that moving state. Without it: at rest, links sagging");
  command->add_option("--input", options->inputs, "joints whose torque is an input, comma-separated; all unless given")
      ->delimiter(',');
  command->add_option("--output", options->output, "tip (and joints; default) or coordinates (all of them)");
  command->add_option("--tip", options->tip, "the link whose tip is meant; the last one unless given");
  command->add_flag("--closed-loop", options->closed_loop, "with the case's control laws, unsaturated and unsampled");
  command->add_option(
      "--bode", options->bode,
      "JOINT:OUTPUT, as in shoulder:tip.y: the frequency response; its table is printed unless -o takes it");
  command->add_option("--range", options->range, "of the response, low,high in Hz");
  command
      ->add_option("-o", options->files,
                   "may be repeated: FOLDER (A.csv, B.csv, …), F.h5, F.mat; with --bode F.svg, .png, .pdf, .csv")
      ->take_all()
      ->expected(1)
      ->allow_extra_args(false);
  command->footer(
      "x = [positions; rates], u joint torques, y position and rotation vector of the tip, then the joints: "
      "deviations\n"
      "all. Free joints, held at rest by constant torques. Exact at rest; by differences with --v.");
  command->callback([=, &chosen] { chosen = [=] { return run(*options); }; });
}

}  // namespace lithe::app
