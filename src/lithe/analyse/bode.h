#pragma once

#include <complex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "lithe/analyse/linearise.h"

namespace lithe {

/// The coordinates on which the torques of these joints act, for LineariseOptions::inputs: a joint behind an elastic transmission
/// takes its torque at the rotor, by either name. Throws std::invalid_argument.
std::vector<int> input_coordinates(const Arm& arm, const std::vector<std::string>& joints);

/// The response of one output of a linear model to one input, over frequency.
struct FrequencyResponse {
  std::string input, output;
  std::vector<double> frequency_hz, magnitude_db, phase_deg;  // phases without jumps of 360°
};

/// The frequencies of a response.
struct BodeOptions {
  std::optional<std::pair<double, double>> range_hz;  // low, high; empty: range_around_poles
  int points = 1500;                                  // evenly over the logarithm of the frequency
};

/// Frequencies [Hz] a decade around the first few oscillating poles; from 0.01 to 100 where there are none.
std::pair<double, double> range_around_poles(const LinearModel& model);

/// Throws std::invalid_argument for an unknown input or output of the model, or an invalid range.
FrequencyResponse bode(const LinearModel& model, const std::string& input, const std::string& output,
                       const BodeOptions& options = {});

/// A real pole, or a conjugate pair, represented by the pole with positive imaginary part.
struct Pole {
  std::complex<double> value;
  double frequency_hz() const;
  double damping_ratio() const;  // of critical; 0 for a pole at zero
};
/// In the order of LinearModel::poles.
std::vector<Pole> pole_table(const LinearModel& model);

/// As CSV: frequency [Hz], magnitude [dB], phase [deg], with all digits.
std::string csv_of(const FrequencyResponse& response);

/// Writes A, B, C, D with the names of states, inputs and outputs: `FILE.h5` or `FILE.mat` (results/matrix_file.h; with poles and
/// the state too), or for any other name a folder with A.csv, B.csv, C.csv and D.csv. Files are written completely or not at all. Throws Error.
void write_linear_model(const LinearModel& model, const std::string& place);

}  // namespace lithe
