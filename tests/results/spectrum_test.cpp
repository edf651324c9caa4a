// Spectra against waves whose frequencies and amplitudes are known, and `lithe spectrum` against `lithe modes`.
#include "lithe/results/spectrum.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>
#include <random>

#include "app/run_program.h"
#include "lithe/analyse/run_modes.h"
#include "lithe/results/results.h"
#include "results/sample.h"

namespace lithe::testing {
namespace {

std::vector<double> wave(size_t n, double h, double f, double amplitude, double phase = 0.4, double decay = 0) {
  std::vector<double> values(n);
  for (size_t k = 0; k < n; ++k) {
    const double t = double(k) * h;
    values[k] = amplitude * std::exp(-decay * t) * std::sin(2 * M_PI * f * t + phase);
  }
  return values;
}
void add(std::vector<double>& values, const std::vector<double>& others) {
  for (size_t k = 0; k < values.size(); ++k) values[k] += others[k];
}

TEST(Spectrum, FindsAWaveBetweenTwoFrequencies) {
  constexpr double h = 0.01;
  for (const Window window : {Window::hann, Window::none})
    for (const double offset : {0.0, 0.1, 0.25, 0.5, 0.73, 0.99})
      for (const int segments : {1, 4}) {
        const double f = 20 + offset * 0.1;
        std::vector<double> values = wave(segments == 1 ? 1000 : 2500, h, f, 3.7);
        for (double& value : values) value += 12;
        const Spectrum spectrum = welch(values, h, {.window = window, .segments = segments});
        EXPECT_NEAR(spectrum.resolution, 0.1, 1e-15);
        const auto peaks = peaks_of(spectrum, window, 10);
        ASSERT_EQ(peaks.size(), 1u) << offset;
        // The formulas are exact for a wave that is complex; a real one's other half, 400 bins away, adds some 1/400 with no
        // window and 1/400³ with Hann's.
        const double rough = window == Window::hann ? 1e-6 : 3e-3;
        EXPECT_NEAR(peaks[0].frequency, f, 0.1 * (window == Window::hann ? 1e-6 : 0.05));
        EXPECT_NEAR(peaks[0].amplitude, 3.7, 3.7 * rough) << offset;
      }
}

TEST(Spectrum, SumsUpToTheMeanSquare) {
  std::mt19937 random(5);
  std::normal_distribution<double> noise;
  std::vector<double> values(1200);
  for (double& value : values) value = noise(random);
  const double mean = std::accumulate(values.begin(), values.end(), 0.0) / double(values.size());
  double square = 0;
  for (const double value : values) square += (value - mean) * (value - mean) / double(values.size());
  const Spectrum all = welch(values, 0.02, {.window = Window::none});
  EXPECT_EQ(all.n_rows, 1200u);  // 2⁴·3·5²
  const double sum = std::accumulate(all.density.begin(), all.density.end(), 0.0) * all.resolution;
  EXPECT_NEAR(sum, square, 1e-12);  // Parseval
  // Noise is flat at 2h σ²; averaged over 15 segments of 150 values, each value has a spread of about a quarter.
  const Spectrum averaged = welch(values, 0.02, {.segments = 15});
  EXPECT_NEAR(averaged.resolution, 1 / (150 * 0.02), 1e-15);
  const double level = std::accumulate(averaged.density.begin() + 2, averaged.density.end() - 2, 0.0) /
                       double(averaged.density.size() - 4);
  EXPECT_NEAR(level, 2 * 0.02 * square, 0.1 * 2 * 0.02 * square);
  EXPECT_EQ(averaged.frequency.back(), 25);
}

TEST(Spectrum, NamesTheHighestPeaksOnly) {
  std::vector<double> values = wave(4000, 1e-3, 12.3, 1);
  add(values, wave(4000, 1e-3, 77.7, 0.2));
  add(values, wave(4000, 1e-3, 200, 0.005));  // less than a hundredth
  const auto peaks = peaks_of(welch(values, 1e-3), Window::hann, 10);
  ASSERT_EQ(peaks.size(), 2u);
  EXPECT_NEAR(peaks[0].frequency, 12.3, 1e-4);
  EXPECT_NEAR(peaks[1].frequency, 77.7, 1e-4);
  EXPECT_NEAR(peaks[1].amplitude, 0.2, 1e-4);
  ASSERT_EQ(peaks_of(welch(values, 1e-3), Window::hann, 1).size(), 1u);
  // Noise of a twentieth adds no peaks of its own, and moves the two by little.
  std::mt19937 random(7);
  for (double& value : values) value += 0.1 * (double(random()) / double(std::mt19937::max()) - 0.5);
  const auto noisy = peaks_of(welch(values, 1e-3), Window::hann, 10);
  ASSERT_EQ(noisy.size(), 2u);
  for (size_t k = 0; k < 2; ++k) {
    EXPECT_NEAR(noisy[k].frequency, peaks[k].frequency, 0.01);
    EXPECT_NEAR(noisy[k].amplitude, peaks[k].amplitude, 0.005);
  }
  // A constant has none.
  EXPECT_TRUE(peaks_of(welch(std::vector<double>(100, 2.5), 0.1), Window::hann, 10).empty());
}

TEST(Spectrum, ADecayingWaveKeepsItsFrequency) {
  // 5 % damping at 8 Hz over 4 s: the peak is wider than the resolution.
  const double f = 8, decay = 2 * M_PI * f * 0.05;
  const auto peaks = peaks_of(welch(wave(4000, 1e-3, f, 1, 0.3, decay), 1e-3), Window::none, 10);
  ASSERT_EQ(peaks.size(), 1u);
  EXPECT_NEAR(peaks[0].frequency, f, 0.1);
}

TEST(Spectrum, RefusesRecordsThatHaveNone) {
  auto complaint = [](auto call) -> std::string {
    try {
      call();
      return "";
    } catch (const std::invalid_argument& error) {
      return error.what();
    }
  };
  const std::vector<double> few(7, 1), some(20, 1);
  EXPECT_EQ(complaint([&] { welch(few, 1); }), "7 rows are too few for 1 segment of at least 8 rows");
  EXPECT_EQ(complaint([&] { welch(some, 1, {.segments = 5}); }),
            "20 rows are too few for 5 segments that overlap by half, of at least 8 rows");
  EXPECT_EQ(complaint([&] {
              welch(std::vector<double>{1, 2, NAN, 4, 5, 6, 7, 8}, 1);
            }),
            "has values that are not finite numbers");
  EXPECT_EQ(complaint([&] { window_named("han"); }), "expected hann or none, got \"han\"");
  std::vector<double> time(30);
  for (size_t k = 0; k < time.size(); ++k) time[k] = 0.1 * double(k);
  EXPECT_EQ(even_rows(time, 0.5, 2).count, 16u);
  EXPECT_EQ(even_rows(time, 0.5, 2).first, 5u);
  EXPECT_EQ(complaint([&] { even_rows(time, 0.5, 1); }),
            "6 rows from t = 0.5 s to 1 s are too few: expected at least 8");
  time.back() += 0.03;
  EXPECT_EQ(complaint([&] { even_rows(time, 0, 3); }),
            "rows are 0.1 s apart at first, but 0.13 s at t = 2.93 s; a spectrum needs even rows: choose a part of the "
            "record where they are");
  EXPECT_EQ(even_rows(time, 0, 2.85).count, 29u);
  // Far from zero, rounding of times is larger, but not as large as that.
  std::vector<double> late;
  for (int i = 0; i < 20; ++i) late.push_back(1e6 + 1e-3 * i);
  EXPECT_EQ(even_rows(late, 1e6, 1e6 + 1).count, 20u);
  EXPECT_EQ(even_rows(late, 1e6 + 5e-3, 1e6 + 1).first, 5u);
  late[10] += 0.4e-3;
  EXPECT_EQ(complaint([&] { even_rows(late, 1e6, 1e6 + 1); }).find("rows are 0.001 s apart at first, but 0.0014 s"),
            0u);
}

const std::string plucked = R"(
arm:
  gravity: [0, 0, 0]
  links:
    - name: bar
      joint: {name: hub, type: revolute, axis: [0, 0, 1]}
      beam: {length: 1, material: aluminium, section: {rectangle: {width_y: 5 mm, height_z: 40 mm}}, flexibility: {modes: {bending_y: 3}}, damping: {ratio: 0.002}}
initial: {deformation: static, loads: [{link: bar, force: [0, 0.3, 0]}]}
gauges: [{name: strain, link: bar, at: 50 mm}]
simulate: {for: 4 s, output_step: 4 ms, rtol: 1e-7, atol: 1e-10}
)";

TEST(RunModes, ABaseStandsWhereTheRunLeavesIt) {
  // A rod that hangs along x, on a base that pitches by 60°: half of gravity then pulls along the axis of its hinge.
  const TemporaryFolder folder;
  const std::string file = folder.write("case.yaml", R"(
arm:
  gravity: [9.81, 0, 0]
  base: {type: moving, motion: {pitch: {quintic: {to: 60 deg, in: 1 s}}}}
  links:
    - {name: rod, joint: {name: hinge, type: revolute, axis: [0, 0, 1]}, rigid: {mass: 2, com: [0.5, 0, 0], inertia: {xx: 0.1, yy: 0.1, zz: 0.1}}}
simulate: {for: 1.5 s, output_step: 0.1 s}
)");
  ASSERT_EQ(run_program({"run", file, "-o", folder.path() + "/out"}).code, 0);
  const RunModes modes = modes_at_end(Results::read(folder.path() + "/out/results.h5"));
  ASSERT_EQ(modes.modes.size(), 1u) << modes.none;
  EXPECT_NEAR(modes.modes[0].frequency_hz, std::sqrt(2 * 9.81 / 2 * 0.5 / (0.1 + 2 * 0.25)) / (2 * M_PI), 1e-6);
}

/// Peaks of a run's spectrum, and the arm's modes by another command.
struct Heard {
  TemporaryFolder folder;
  nlohmann::ordered_json spectrum, modes;
  Heard(const std::string& drive, const char* joints) {
    const std::string file = folder.write("bar.yaml", plucked + drive);
    EXPECT_EQ(run_program({"run", file, "-o", folder.path() + "/out"}).code, 0);
    spectrum = json_of({"spectrum", folder.path() + "/out", "--y", "strain", "--json"}).at("series").at(0);
    modes = json_of({"modes", file, "--joints", joints, "--json"}).at("frequencies_hz");
  }
};

TEST(SpectrumCommand, CallsPeaksByTheModesOfTheArmAsItIsDriven) {
  struct Drive {
    const char *text, *joints;
    int n_rigid, n_heard;
  };
  for (const Drive& drive :
       {Drive{"motion: {hub: {dwell: {for: 1 s}}}\n", "locked", 0, 2},
        Drive{"torque: {hub: {pd: {kp: 40, kd: 0.001, target: 0}}}\n", "servo", 0, 2}, Drive{"", "free", 1, 1}}) {
    const Heard heard(drive.text, drive.joints);
    const auto& peaks = heard.spectrum.at("peaks");
    ASSERT_GE(peaks.size(), size_t(drive.n_heard)) << drive.joints;
    for (int k = 0; k < drive.n_heard; ++k) {
      const double f = heard.modes.at(size_t(k + drive.n_rigid));
      EXPECT_NEAR(peaks[size_t(k)].at("frequency_hz").get<double>(), f, 0.02)
          << drive.joints;  // a tenth of the resolution
      ASSERT_TRUE(peaks[size_t(k)].at("mode").is_object()) << drive.joints;
      EXPECT_EQ(peaks[size_t(k)].at("mode").at("number"), k + 1);
      EXPECT_NEAR(peaks[size_t(k)].at("mode").at("frequency_hz").get<double>(), f, 1e-6 * f);
    }
  }
}

TEST(SpectrumCommand, LeavesOtherPeaksWithoutAName) {
  // Shaken at 9.3 Hz: between the modes.
  const Heard heard(
      "loads: [{link: bar, force: [0, 1, 0], scale: {sinusoid: {amplitude: 1, frequency: 9.3 Hz}}}]\n"
      "motion: {hub: {dwell: {for: 1 s}}}\n",
      "locked");
  bool found = false;
  for (const auto& peak : heard.spectrum.at("peaks")) {
    if (std::abs(peak.at("frequency_hz").get<double>() - 9.3) > 0.1) continue;
    found = true;
    EXPECT_TRUE(peak.at("mode").is_null());
  }
  EXPECT_TRUE(found);
}

TEST(SpectrumCommand, WritesTablesAndFiguresAndSaysWhatIsWrong) {
  const TemporaryFolder folder;
  const std::string file = folder.path() + "/r.h5";
  {
    ResultsWriter writer = ResultsWriter::create(file, sample_header());
    append_rows(writer, 0, 400);
    writer.finish({});
  }
  const Finished plain = run_program({"spectrum", file, "--y", "tip.x,shoulder", "-o", folder.path() + "/s.csv"});
  EXPECT_EQ(plain.code, 0) << plain.err;
  EXPECT_NE(plain.out.find("tip.x: 400 rows, resolution 0.25 Hz"), std::string::npos) << plain.out;
  EXPECT_NE(plain.out.find("modes are not known: "), std::string::npos) << plain.out;
  const std::string table = read_text(folder.path() + "/s.csv");
  EXPECT_EQ(table.substr(0, table.find('\n')),
            "frequency [Hz],tip.x.amplitude [m],tip.x.density [m^2/Hz],shoulder.amplitude [rad],shoulder.density "
            "[rad^2/Hz]");
  EXPECT_EQ(run_program({"spectrum", file, "--y", "tip.x,shoulder", "-o", folder.path() + "/s.svg"}).code, 0);
  EXPECT_NE(read_text(folder.path() + "/s.svg").find("frequency [Hz]"), std::string::npos);
  auto complaint = [&](std::vector<std::string> words) {
    words.insert(words.begin(), {"spectrum", file});
    const Finished finished = run_program(words);
    EXPECT_EQ(finished.code, 2);
    return finished.err;
  };
  EXPECT_NE(complaint({"--y", "tip.xx"}).find("--y: no series 'tip.xx'"), std::string::npos);
  EXPECT_NE(complaint({"--y", "ratio"}).find("ratio: has values that are not finite numbers"), std::string::npos);
  EXPECT_NE(complaint({"--y", "tip.x", "--from", "3.99 s"}).find("are too few: expected at least 8"),
            std::string::npos);
  EXPECT_NE(complaint({"--y", "tip.x", "--from", "1 m"}).find("--from: expected a time, got \"1 m\""),
            std::string::npos);
  EXPECT_NE(complaint({"--y", "tip.x", "--window", "kaiser"}).find("--window: expected hann or none"),
            std::string::npos);
  EXPECT_NE(complaint({"--y", "tip.x", "-o", "s.txt"}).find("-o: expected a file name ending in"), std::string::npos);
  EXPECT_NE(complaint({"--y", "tip.x", "--segments", "0"}).find("--segments: expected at least 1"), std::string::npos);
}

}  // namespace
}  // namespace lithe::testing
