#include "lithe/analyse/bode.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <numbers>
#include <stdexcept>

#include "lithe/describe/spelling.h"
#include "lithe/results/folder_lock.h"
#include "lithe/results/matrix_file.h"
#include "lithe/results/replace_file.h"

namespace lithe {
namespace {

int index_of(const std::vector<std::string>& names, const std::string& name, const std::string& what) {
  for (size_t i = 0; i < names.size(); ++i)
    if (names[i] == name) return int(i);
  throw std::invalid_argument(
      fmt::format("no {} '{}'{} Known: {}", what, name, guess_in_sentence(name, names), comma_list(names)));
}

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
  if (error) throw Error(fmt::format("cannot write {}: {}", folder, error.message()), folder);
  const FolderLock lock(folder);
  write_text_file(folder + "/A.csv", csv_of(model.A, model.states, model.states));
  write_text_file(folder + "/B.csv", csv_of(model.B, model.states, model.inputs));
  write_text_file(folder + "/C.csv", csv_of(model.C, model.outputs, model.states));
  write_text_file(folder + "/D.csv", csv_of(model.D, model.outputs, model.inputs));
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

}  // namespace

std::vector<int> input_coordinates(const Arm& arm, const std::vector<std::string>& joints) {
  std::vector<int> coordinates;
  std::vector<std::string> known;
  for (const TorqueInput& input : arm.torque_inputs()) known.push_back(arm.coordinates()[input.v]);
  for (const std::string& name : joints) {
    // A joint behind an elastic transmission takes its torque at the rotor, by either name.
    const std::vector<TorqueInput>& inputs = arm.torque_inputs();
    const auto found = std::find_if(inputs.begin(), inputs.end(), [&](const TorqueInput& input) {
      return input.name == name || arm.coordinates()[input.v] == name;
    });
    if (found == inputs.end())
      throw std::invalid_argument(
          fmt::format("no joint '{}'{} Joints: {}", name, guess_in_sentence(name, known), comma_list(known)));
    coordinates.push_back(found->v);
  }
  return coordinates;
}

std::pair<double, double> range_around_poles(const LinearModel& model) {
  double low = INFINITY, high = 0;
  int oscillating = 0;
  for (const std::complex<double>& pole : model.poles) {
    if (std::abs(pole.imag()) <= 1e-6 * std::abs(pole) || pole.imag() < 0) continue;
    const double f = std::abs(pole) / (2 * std::numbers::pi);
    low = std::min(low, f);
    // The first few are those that a torque excites; a hundred element modes would hide them.
    if (++oscillating <= 6) high = std::max(high, f);
  }
  if (oscillating == 0) return {0.01, 100};
  return {low / 10, 3 * high};
}

FrequencyResponse bode(const LinearModel& model, const std::string& input, const std::string& output,
                       const BodeOptions& options) {
  FrequencyResponse response{input, output, {}, {}, {}};
  const int i = index_of(model.inputs, input, "input"), o = index_of(model.outputs, output, "output");
  const auto [low, high] = options.range_hz ? *options.range_hz : range_around_poles(model);
  if (!(low > 0) || !(high > low) || !std::isfinite(high) || options.points < 2)
    throw std::invalid_argument("expected two frequencies above zero, the lower one first, and two points or more");
  std::vector<double> omega;
  for (int k = 0; k < options.points; ++k) {
    response.frequency_hz.push_back(low * std::pow(high / low, double(k) / (options.points - 1)));
    omega.push_back(2 * std::numbers::pi * response.frequency_hz.back());
  }
  const auto values = frequency_response(model, i, o, omega);
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

double Pole::frequency_hz() const { return std::abs(value) / (2 * std::numbers::pi); }
double Pole::damping_ratio() const { return std::abs(value) == 0 ? 0 : -value.real() / std::abs(value); }

std::vector<Pole> pole_table(const LinearModel& model) {
  std::vector<Pole> list;
  for (const std::complex<double>& pole : model.poles)
    if (pole.imag() >= 0) list.push_back({pole});
  return list;
}

std::string csv_of(const FrequencyResponse& response) {
  std::string text = "frequency [Hz],magnitude [dB],phase [deg]\n";
  for (size_t k = 0; k < response.frequency_hz.size(); ++k)
    text += fmt::format("{},{},{}\n", response.frequency_hz[k], response.magnitude_db[k], response.phase_deg[k]);
  return text;
}

void write_linear_model(const LinearModel& model, const std::string& place) {
  if (place.ends_with(".h5") || place.ends_with(".mat"))
    write_hdf5(model, place);
  else
    write_folder(model, place);
}

}  // namespace lithe
