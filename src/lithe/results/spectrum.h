#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace lithe {

/// How the segments of a record are weighted before they are transformed.
enum class Window {
  hann,  // (1 − cos 2πk/L)/2
  none,  // all values alike
};
/// `hann` or `none`. Throws std::invalid_argument.
Window window_named(const std::string& word);

/// Options of `welch`. A plain value.
struct SpectrumOptions {
  Window window = Window::hann;
  int segments = 1;  // that overlap by half
};

/// The spectrum of a record by Welch's method, one-sided. A plain value.
///
/// With X_k the discrete Fourier transform of w_n (x_n − mean), per segment of L values at intervals h:
///
///   amplitude  A_k = 2|X_k| / Σ w               of the sine wave at that frequency, if there is one           (1)
///   density    S_k = 2h |X_k|² / Σ w²           mean square per hertz                                         (2)
///
/// without the factor 2 at k = 0 and at half the sampling frequency. |X_k|² is the mean over the segments.
/// [Welch 1967] IEEE Trans. Audio Electroacoust. 15, 70.
struct Spectrum {
  double resolution = 0;   // between two frequencies: one over the length of a segment [Hz]
  std::size_t n_rows = 0;  // that were used
  double rounding = 0;     // amplitudes below this are rounding of the values
  std::vector<double> frequency, amplitude, density;
};

/// The length of a segment is the largest product of 2, 3 and 5 that fits; the rest of the record, at its end, is not used. Throws
/// std::invalid_argument if the record is too short for so many segments or has values that are not finite.
Spectrum welch(std::span<const double> values, double interval, const SpectrumOptions& options = {});

/// A sine wave that a spectrum shows: both numbers interpolated between frequencies, exact for a wave alone in the record.
struct SpectralPeak {
  double frequency = 0, amplitude = 0;
};
/// The highest peaks, at most so many, by ascending frequency: those of at least a hundredth of the highest one that stand out by a
/// factor of two from the lowest amplitude between them and any higher one.
std::vector<SpectralPeak> peaks_of(const Spectrum& spectrum, Window window, std::size_t most);

/// The rows from one time to another, which must be evenly apart. Throws std::invalid_argument where they are not.
struct EvenRows {
  std::size_t first = 0, count = 0;
  double interval = 0;
};
EvenRows even_rows(std::span<const double> time, double from, double to);

}  // namespace lithe
