#include <fmt/format.h>

#include <iostream>

#include "lithe/app/command.h"
#include "lithe/app/figure.h"
#include "lithe/app/json.h"
#include "lithe/app/results_file.h"
#include "lithe/show/spectrum_figure.h"

namespace lithe::app {
namespace {

struct SpectrumCommand {
  std::string results, y, from, to, window = "hann", output;
  int segments = 1;
  bool json = false;
};

constexpr size_t most_peaks = 10;

double time_of(const std::string& option, const std::string& text, double otherwise) {
  if (text.empty()) return otherwise;
  const Quantity time = read_quantity(text, dimension::time);
  if (!time.complaint.empty()) throw UsageError(option + ": " + time.complaint);
  return time.value;
}

Json json_of_spectra(const std::vector<SeriesSpectrum>& list, const RunModes& modes) {
  Json series = Json::array();
  for (const SeriesSpectrum& one : list) {
    Json peaks = Json::array();
    for (size_t k = 0; k < one.peaks.size(); ++k) {
      Json peak{{"frequency_hz", one.peaks[k].frequency}, {"amplitude", one.peaks[k].amplitude}, {"mode", nullptr}};
      if (const int i = one.modes[k]; i >= 0) {
        const Mode& mode = modes.modes[size_t(i)];
        peak["mode"] = {{"number", i + 1},
                        {"frequency_hz", mode.frequency_hz},
                        {"damping_ratio", mode.damping_ratio},
                        {"description", mode.description}};
      }
      peaks.push_back(std::move(peak));
    }
    series.push_back({{"name", one.name},
                      {"unit", one.unit},
                      {"rows", one.spectrum.n_rows},
                      {"resolution_hz", one.spectrum.resolution},
                      {"peaks", peaks}});
  }
  return {{"series", series}, {"no_modes", modes.none}};
}

void print_spectra(const std::vector<SeriesSpectrum>& list, const RunModes& modes) {
  for (const SeriesSpectrum& one : list) {
    std::cout << fmt::format("{}: {} rows, resolution {:.4g} Hz\n", one.name, one.spectrum.n_rows,
                             one.spectrum.resolution);
    if (one.peaks.empty()) {
      std::cout << "  no peak\n";
      continue;
    }
    const std::string unit = one.unit.empty() ? "1" : one.unit;
    std::cout << fmt::format("{:>15}  {:>16}   mode at the end of the run\n", "frequency [Hz]",
                             fmt::format("amplitude [{}]", unit));
    for (size_t k = 0; k < one.peaks.size(); ++k) {
      std::string name = "-";
      if (const int i = one.modes[k]; i >= 0) {
        const Mode& mode = modes.modes[size_t(i)];
        name = fmt::format("{}: {:.5g} Hz, damping {:.3g} %, {}", i + 1, mode.frequency_hz, 100 * mode.damping_ratio,
                           mode.description);
      }
      std::cout << fmt::format("{:>15.5g}  {:>16.5g}   {}\n", one.peaks[k].frequency, one.peaks[k].amplitude, name);
    }
  }
  if (!modes.none.empty()) std::cout << fmt::format("modes are not known: {}\n", modes.none);
}

int run_spectrum(const SpectrumCommand& options) {
  const bool as_csv = options.output.ends_with(".csv");
  if (!options.output.empty() && !as_csv && !figure_format_of(options.output))
    throw UsageError(
        fmt::format("-o: expected a file name ending in .svg, .png, .pdf or .csv, got \"{}\"", options.output));
  if (options.segments < 1) throw UsageError(fmt::format("--segments: expected at least 1, got {}", options.segments));
  const Window window = with_option_name("--window", [&] { return window_named(options.window); });
  const Results results = load_results(options.results);
  if (results.time.empty()) throw UsageError(fmt::format("{} holds no rows yet", results_file(options.results)));
  const auto series = chosen_series(results, "--y", options.y);
  const double from = time_of("--from", options.from, results.time.front()),
               to = time_of("--to", options.to, results.time.back());
  const EvenRows rows =
      with_option_name(results_file(options.results), [&] { return even_rows(results.time, from, to); });
  const RunModes modes = modes_at_end(results);
  std::vector<SeriesSpectrum> list;
  for (const NamedSeries& one : series) {
    const std::span<const double> values(one.values->data() + rows.first, rows.count);
    list.push_back(with_option_name(one.name, [&] {
      return series_spectrum(one.name, one.unit,
                             welch(values, rows.interval, {.window = window, .segments = options.segments}), window,
                             modes, most_peaks);
    }));
  }
  if (as_csv)
    write_file(options.output, spectrum_csv(list));
  else if (!options.output.empty())
    draw_figure(spectrum_script(list, figure_format(options.output)), options.output);
  if (options.json)
    std::cout << text_of(json_of_spectra(list, modes)) << "\n";
  else
    print_spectra(list, modes);
  return done;
}

}  // namespace

void add_spectrum(CLI::App& app, Action& chosen) {
  auto* command =
      app.add_subcommand("spectrum", "frequencies in the series of a run, and the natural modes that they belong to");
  auto options = std::make_shared<SpectrumCommand>();
  command->add_option("RESULTS", options->results, "results file, or a folder with results.h5")->required();
  command->add_option("--y", options->y, "series, separated by commas")->required();
  command->add_option("--from", options->from,
                      "start of the part of the record that is used; default: the start of the run");
  command->add_option("--to", options->to, "its end; default: the end of the run");
  command->add_option("--window", options->window,
                      "hann (default), or none for a record of whole periods of the vibration");
  command->add_option("--segments", options->segments,
                      "number of segments, overlapping by half, over which Welch's method averages; more have less "
                      "noise and a coarser resolution; default: 1");
  command->add_option("-o,--output", options->output,
                      "figure (.svg, .png, .pdf) or table (.csv) of the whole spectrum");
  command->add_flag("--json", options->json, "print JSON");
  command->footer(
      "Amplitudes are those of sine waves; a vibration that decays within the record has a lower one. The mean of a\n"
      "segment is removed. Each of the ten highest peaks is given the nearest natural mode within the resolution, "
      "which is\n"
      "one over the length of a segment. These are the modes at the pose of the run's last row, without air and "
      "loads,\n"
      "with driven joints locked and controllers as springs. docs/results.md has the formulas.");
  command->callback([=, &chosen] { chosen = [=] { return run_spectrum(*options); }; });
}

}  // namespace lithe::app
