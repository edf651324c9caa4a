#include "lithe/results/spectrum.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>
#include <numbers>
#include <stdexcept>
#include <unsupported/Eigen/FFT>

namespace lithe {
namespace {

constexpr double pi = std::numbers::pi;
constexpr std::size_t least_rows = 8;  // of a segment

std::size_t smooth_below(std::size_t n) {
  auto is_smooth = [](std::size_t number) {
    for (const std::size_t factor : {2u, 3u, 5u})
      while (number % factor == 0) number /= factor;
    return number == 1;
  };
  while (!is_smooth(n)) --n;
  return n;
}

std::vector<double> weights(Window window, std::size_t n) {
  std::vector<double> list(n, 1);
  if (window == Window::hann)
    for (std::size_t k = 0; k < n; ++k) list[k] = 0.5 * (1 - std::cos(2 * pi * double(k) / double(n)));
  return list;
}

double sinc(double x) { return x == 0 ? 1 : std::sin(pi * x) / (pi * x); }

/// The wave of which A at bin k, with its neighbours, is the image. Of a wave between two bins, δ bins above k, the windows' transforms
/// are |sinc δ| (none) and |sinc δ/(1 − δ²)| (hann); with these,
///
///   hann:  2 (A₊ − A₋)/(A₋ + 2A₀ + A₊) = δ        none:  (A₊ − A₋)/A₀ = ±2δ²/(1 − δ²)
///
/// exactly. Where a mode is damped so much that its peak is wider than the bins, δ comes out small.
SpectralPeak interpolated(const Spectrum& spectrum, std::size_t k, Window window) {
  const std::vector<double>& A = spectrum.amplitude;
  const double before = A[k - 1], here = A[k], after = k + 1 < A.size() ? A[k + 1] : 0;
  if (window == Window::hann) {
    const double delta = 2 * (after - before) / (before + 2 * here + after);
    return {(double(k) + delta) * spectrum.resolution, here * (1 - delta * delta) / sinc(delta)};
  }
  const double d = std::abs(after - before) / here, delta = std::copysign(std::sqrt(d / (2 + d)), after - before);
  return {(double(k) + delta) * spectrum.resolution, here / sinc(delta)};
}

}  // namespace

Window window_named(const std::string& word) {
  if (word == "hann") return Window::hann;
  if (word == "none") return Window::none;
  throw std::invalid_argument(fmt::format("expected hann or none, got \"{}\"", word));
}

Spectrum welch(std::span<const double> values, double interval, const SpectrumOptions& options) {
  if (options.segments < 1) throw std::invalid_argument(fmt::format("expected at least 1, got {}", options.segments));
  // n segments of length L that overlap by half reach over (n + 1) L/2 values.
  const auto n_segments = std::size_t(options.segments);
  const std::size_t room = n_segments == 1 ? values.size() : 2 * values.size() / (n_segments + 1);
  if (room < least_rows)
    throw std::invalid_argument(fmt::format("{} rows are too few for {} segment{} of at least {} rows", values.size(),
                                            n_segments, n_segments > 1 ? "s that overlap by half," : "", least_rows));
  if (std::any_of(values.begin(), values.end(), [](double value) { return !std::isfinite(value); }))
    throw std::invalid_argument("has values that are not finite numbers");
  const std::size_t L = smooth_below(room), n_bins = L / 2 + 1;
  const std::vector<double> w = weights(options.window, L);
  double sum = 0, squares = 0;
  for (const double one : w) sum += one, squares += one * one;

  Spectrum spectrum;
  spectrum.resolution = 1 / (double(L) * interval);
  for (const double value : values) spectrum.rounding = std::max(spectrum.rounding, 1e-14 * std::abs(value));
  std::vector<double> power(n_bins, 0), segment(L);
  std::vector<std::complex<double>> transform;
  Eigen::FFT<double> fft;
  fft.SetFlag(Eigen::FFT<double>::HalfSpectrum);
  for (std::size_t i = 0; i < n_segments; ++i) {
    const std::size_t first = n_segments == 1 ? 0 : i * (L / 2);
    double mean = 0;
    for (std::size_t k = 0; k < L; ++k) mean += values[first + k] / double(L);
    for (std::size_t k = 0; k < L; ++k) segment[k] = w[k] * (values[first + k] - mean);
    fft.fwd(transform, segment);
    for (std::size_t k = 0; k < n_bins; ++k) power[k] += std::norm(transform[k]) / double(n_segments);
    spectrum.n_rows = first + L;
  }
  for (std::size_t k = 0; k < n_bins; ++k) {
    const bool single = k == 0 || 2 * k == L;
    spectrum.frequency.push_back(double(k) * spectrum.resolution);
    spectrum.amplitude.push_back((single ? 1 : 2) * std::sqrt(power[k]) / sum);
    spectrum.density.push_back((single ? 1 : 2) * interval * power[k] / squares);
  }
  return spectrum;
}

std::vector<SpectralPeak> peaks_of(const Spectrum& spectrum, Window window, std::size_t most) {
  const std::vector<double>& A = spectrum.amplitude;
  // What the removed mean leaves of a slow drift stands in the first frequencies.
  const std::size_t first = window == Window::hann ? 2 : 1;
  const double highest = *std::max_element(A.begin() + std::ptrdiff_t(std::min(first, A.size() - 1)), A.end());
  std::vector<std::size_t> found;
  for (std::size_t k = first; k + 1 < A.size(); ++k) {
    if (!(A[k] > A[k - 1] && A[k] >= A[k + 1] && A[k] >= 0.01 * highest && A[k] > spectrum.rounding)) continue;
    double left = A[k], right = A[k];
    for (std::size_t i = k; i-- > 0 && A[i] <= A[k];) left = std::min(left, A[i]);
    for (std::size_t i = k + 1; i < A.size() && A[i] <= A[k]; ++i) right = std::min(right, A[i]);
    if (A[k] >= 2 * std::max(left, right)) found.push_back(k);
  }
  std::sort(found.begin(), found.end(), [&](std::size_t a, std::size_t b) { return A[a] > A[b]; });
  if (found.size() > most) found.resize(most);
  std::sort(found.begin(), found.end());
  std::vector<SpectralPeak> peaks;
  for (const std::size_t k : found) peaks.push_back(interpolated(spectrum, k, window));
  return peaks;
}

EvenRows even_rows(std::span<const double> time, double from, double to) {
  // The times of rows are multiples of their interval up to rounding, whose size is that of the times.
  double hair = 0;
  if (time.size() > 1)
    hair = 4 * std::numeric_limits<double>::epsilon() * std::max(std::abs(time.front()), std::abs(time.back())) +
           1e-6 * (time.back() - time.front()) / double(time.size() - 1);
  EvenRows rows;
  rows.first = std::size_t(std::lower_bound(time.begin(), time.end(), from - hair) - time.begin());
  const auto end = std::size_t(std::upper_bound(time.begin(), time.end(), to + hair) - time.begin());
  rows.count = end > rows.first ? end - rows.first : 0;
  if (rows.count < least_rows)
    throw std::invalid_argument(fmt::format("{} rows from t = {:.6g} s to {:.6g} s are too few: expected at least {}",
                                            rows.count, from, to, least_rows));
  rows.interval = time[rows.first + 1] - time[rows.first];
  for (std::size_t i = rows.first + 1; i < end; ++i)
    if (std::abs(time[i] - time[i - 1] - rows.interval) > hair)
      throw std::invalid_argument(fmt::format(
          "rows are {:.6g} s apart at first, but {:.6g} s at t = {:.6g} s; a spectrum needs even rows: choose "
          "a part of the record where they are",
          rows.interval, time[i] - time[i - 1], time[i]));
  // The mean over all of them has less rounding.
  rows.interval = (time[end - 1] - time[rows.first]) / double(rows.count - 1);
  return rows;
}

}  // namespace lithe
