// `lithe info`, `export` and `plot` as a user meets them.
#include <gtest/gtest.h>

#include <charconv>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <sstream>

#include "app/run_program.h"
#include "lithe/show/plot.h"
#include "results/sample.h"

namespace lithe::testing {
namespace {

using Json = nlohmann::ordered_json;

std::string shortest(double value) {
  char digits[32];
  return {digits, std::to_chars(digits, digits + sizeof digits, value).ptr};
}

/// A folder with results.h5 of so many rows of the made-up run.
class ResultsCommand : public ::testing::Test {
 protected:
  void write(int n_rows, const std::string& stopped_because = "") {
    ResultsWriter writer = ResultsWriter::create(file(), sample_header());
    append_rows(writer, 0, n_rows);
    writer.finish({{"steps", 12}}, stopped_because);
  }
  std::string file() const { return scratch_.path() + "/results.h5"; }
  std::string at(const std::string& name) const { return scratch_.path() + "/" + name; }
  const std::string& folder() const { return scratch_.path(); }

 private:
  TemporaryFolder scratch_;
};

TEST_F(ResultsCommand, ExportWritesNamesUnitsAndAllDigits) {
  write(8);
  const Finished finished = run_program({"export", folder(), "-o", at("out.csv")});
  EXPECT_EQ(finished.code, 0);
  EXPECT_EQ(finished.out, "");
  EXPECT_EQ(finished.err, at("out.csv") + "\n");
  std::istringstream lines(read_text(at("out.csv")));
  std::string line;
  std::getline(lines, line);
  EXPECT_EQ(line, "t [s],shoulder [rad],shoulder.torque [N.m],tip.x [m],ratio [1]");
  for (int row = 0; row < 8; ++row) {
    ASSERT_TRUE(std::getline(lines, line));
    std::istringstream fields(line);
    std::vector<double> expected = sample_row(row);
    expected.insert(expected.begin(), sample_time(row));
    for (const double value : expected) {
      std::string field;
      std::getline(fields, field, ',');
      if (std::isnan(value))
        EXPECT_EQ(field, "nan");
      else
        EXPECT_EQ(std::strtod(field.c_str(), nullptr), value) << field;  // the same bits
    }
  }
  EXPECT_FALSE(std::getline(lines, line));
}

TEST_F(ResultsCommand, ExportOfSomeColumnsGoesToStandardOutput) {
  write(3);
  const Finished finished = run_program({"export", file(), "--columns", "tip.x, shoulder.torque"});
  std::string expected = "t [s],tip.x [m],shoulder.torque [N.m]\n";
  for (int row = 0; row < 3; ++row)
    expected +=
        shortest(sample_time(row)) + "," + shortest(sample_row(row)[2]) + "," + shortest(sample_row(row)[1]) + "\n";
  EXPECT_EQ(finished.out, expected);
  EXPECT_EQ(finished.err, "");
  EXPECT_EQ(run_program({"export", file(), "--columns", "t,tip.x,shoulder.torque", "-o", "-"}).out, finished.out);
  const Json json = Json::parse(run_program({"export", file(), "--columns", "shoulder", "--json"}).out);
  EXPECT_EQ(json["shoulder"]["unit"], "rad");
  EXPECT_EQ(json["t"]["values"], Json({0.0, 0.01, 0.02}));
}

TEST_F(ResultsCommand, ExportWarnsOfAnIncompleteRun) {
  write(3, "interrupted");
  const Finished finished = run_program({"export", file()});
  EXPECT_EQ(finished.code, 0);
  EXPECT_EQ(finished.err, "lithe: " + file() + " is from a run that did not finish\n");
}

TEST_F(ResultsCommand, InfoTellsWhatTheFileHolds) {
  write(101, "interrupted at t = 1 s");
  const Json info = Json::parse(run_program({"info", folder(), "--json"}).out);
  EXPECT_EQ(info["file"], file());
  EXPECT_EQ(info["case_file"], "swing.yaml");
  EXPECT_EQ(info["case"], sample_header().case_text);
  EXPECT_EQ(info["version"], "0.1.0");
  EXPECT_EQ(info["complete"], false);
  EXPECT_EQ(info["stopped_because"], "interrupted at t = 1 s");
  EXPECT_EQ(info["rows"], 101);
  EXPECT_EQ(info["time"], (Json{{"first", 0.0}, {"last", 1.0}}));
  EXPECT_EQ(info["statistics"], (Json{{"steps", 12.0}}));
  const Json& shoulder = info["columns"][0];  // sin 3t is greatest nearest to t = π/6 = 0.5236
  EXPECT_EQ(shoulder["name"], "shoulder");
  EXPECT_EQ(shoulder["unit"], "rad");
  EXPECT_EQ(shoulder["max"].get<double>(), std::sin(3 * 0.52));
  EXPECT_EQ(shoulder["max_time"], 0.52);
  EXPECT_EQ(shoulder["min_time"], 0.0);
  EXPECT_EQ(info["columns"][3]["min"].get<double>(), 1.0 / 101) << "the NaNs on the way are no minimum";

  const std::string text = run_program({"info", file()}).out;
  for (const char* part : {"incomplete: interrupted at t = 1 s", "swing.yaml", "101, from t = 0 s to 1 s",
                           "shoulder.torque  N.m", "steps"})
    EXPECT_NE(text.find(part), std::string::npos) << part << "\n" << text;
  EXPECT_EQ(run_program({"info", file(), "--case"}).out, sample_header().case_text);
}

// ------------------------------------------------------------------------------------------------ figures

/// Points of every curve of the figure: paths of more than `least` points.
std::vector<size_t> curve_sizes(const std::string& svg, size_t least) {
  std::vector<size_t> sizes;
  for (size_t at = svg.find(" d='"); at != std::string::npos; at = svg.find(" d='", at + 1)) {
    const std::string path = svg.substr(at + 4, svg.find('\'', at + 4) - at - 4);
    size_t n = 0;
    for (size_t i = 0; i < path.size(); ++i) n += path[i] == ',';
    if (n > least) sizes.push_back(n);
  }
  return sizes;
}

TEST_F(ResultsCommand, PlotDrawsEveryPointAndNamesTheAxes) {
  write(301);
  const Finished finished =
      run_program({"plot", folder(), "--y", "shoulder,tip.x", "-o", at("fig.svg"), "--title", "it's 60° & `more`"});
  EXPECT_EQ(finished.code, 0) << finished.err;
  const std::string svg = read_text(at("fig.svg"));
  EXPECT_EQ(curve_sizes(svg, 50), (std::vector<size_t>{301, 301}));
  for (const char* text : {"shoulder [rad]", "tip.x [m]", "t [s]", "it's 60° &amp; `more`", "</svg>"})
    EXPECT_NE(svg.find(text), std::string::npos) << text;
  // Nothing but the figure is left behind.
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder()), {}), 2);
}

TEST_F(ResultsCommand, PlotTakesAnotherAbscissa) {
  write(301);
  ASSERT_EQ(run_program({"plot", file(), "--x", "shoulder", "--y", "tip.x", "-o", at("fig.svg")}).code, 0);
  const std::string svg = read_text(at("fig.svg"));
  EXPECT_EQ(curve_sizes(svg, 50), (std::vector<size_t>{301}));
  EXPECT_NE(svg.find("shoulder [rad]"), std::string::npos);
}

TEST_F(ResultsCommand, PlotThinsLongSeries) {
  write(50001);
  ASSERT_EQ(run_program({"plot", file(), "--y", "shoulder", "-o", at("fig.svg")}).code, 0);
  const std::vector<size_t> sizes = curve_sizes(read_text(at("fig.svg")), 50);
  ASSERT_EQ(sizes.size(), 1u);
  EXPECT_LE(sizes[0], 4000u);
  EXPECT_GE(sizes[0], 1900u);
}

TEST_F(ResultsCommand, PlotMakesPngOfTheSizeAskedForAndPdf) {
  write(50);
  auto size_of = [&](const std::string& name) {
    const std::string png = read_text(at(name));
    EXPECT_EQ(png.substr(1, 3), "PNG");
    auto number = [&](size_t offset) {
      uint32_t value = 0;
      for (size_t i = 0; i < 4; ++i) value = value << 8 | uint8_t(png[offset + i]);
      return value;
    };
    return std::pair(number(16), number(20));
  };
  ASSERT_EQ(run_program({"plot", file(), "--y", "shoulder", "-o", at("a.png")}).code, 0);
  EXPECT_EQ(size_of("a.png").first, 1600u);
  ASSERT_EQ(run_program({"plot", file(), "--y", "shoulder,tip.x", "-o", at("b.png"), "--size", "640x360"}).code, 0);
  EXPECT_EQ(size_of("b.png"), std::pair(640u, 360u));
  ASSERT_EQ(run_program({"plot", file(), "--y", "ratio", "-o", at("c.pdf")}).code, 0);  // with gaps
  EXPECT_EQ(read_text(at("c.pdf")).substr(0, 4), "%PDF");
  const Finished one_row = (write(1), run_program({"plot", file(), "--y", "shoulder", "-o", at("d.svg")}));
  EXPECT_EQ(one_row.code, 0) << one_row.err;
}

TEST(PlotScript, SeriesOfOneUnitShareAPanel) {
  const PlotSeries x{"t", "s", {0, 1}};
  const std::vector<PlotSeries> y{{"tip.x", "m", {1, 2}},
                                  {"elbow.rate", "rad/s", {3, 4}},
                                  {"tip.y", "m", {2, 2}},
                                  {"hip.rate", "rad/s", {1e-5, 0}}};
  const std::string script = plot_script(x, y, {});
  size_t n_panels = 0;
  for (size_t at = script.find("\nplot "); at != std::string::npos; at = script.find("\nplot ", at + 1)) ++n_panels;
  EXPECT_EQ(n_panels, 2u);
  EXPECT_NE(script.find("'tip [m]'"), std::string::npos);
  EXPECT_NE(script.find("'rate [rad/s]'"), std::string::npos);
  // Small numbers stand as such beside a power of ten; markup in names does not act.
  const std::string small = plot_script(x, std::vector<PlotSeries>{{"a_b^c", "N.m/rad^2", {0, 3e-6}}}, {});
  EXPECT_NE(small.find("'a\\_b\\^c [10^{−6} N·m/rad^{2}]'"), std::string::npos) << small;
}

TEST(PlotScript, ComparedRunsHaveAPanelPerNameAndACurveEach) {
  const PlotSeries x{"t", "s", {0, 1}};
  const std::vector<PlotSeries> y{{"a", "m", {1, 2}, "tip.x", {0, 1}, 0},
                                  {"a", "m", {3, 4}, "tip.y", {0, 1}, 0},
                                  {"b", "m", {1, 2, 3}, "tip.x", {0, 1, 2}, 1},
                                  {"b", "m", {3, 4, 5}, "tip.y", {0, 1, 2}, 1}};
  const std::string script = plot_script(x, y, {});
  EXPECT_NE(script.find("'tip.x [m]'"), std::string::npos);
  EXPECT_NE(script.find("'tip.y [m]'"), std::string::npos);
  // Its own times, to the end of the longest; one colour per run; one legend.
  EXPECT_NE(script.find("$series2 << END\n0 1\n1 2\n2 3\nEND"), std::string::npos) << script;
  EXPECT_NE(script.find("set xrange [0:2]"), std::string::npos);
  auto count = [&](const std::string& part) {
    size_t n = 0;
    for (size_t at = script.find(part); at != std::string::npos; at = script.find(part, at + 1)) ++n;
    return n;
  };
  EXPECT_EQ(count("linecolor rgb '#0072B2'"), 2u);
  EXPECT_EQ(count("linecolor rgb '#D55E00'"), 2u);
  EXPECT_EQ(count("set key at"), 1u);
}

TEST_F(ResultsCommand, PlotComparesRuns) {
  write(20);
  std::filesystem::create_directory(at("other"));
  std::filesystem::copy_file(file(), at("other") + "/results.h5");
  const Finished drawn = run_program({"plot", folder(), at("other"), "--y", "shoulder", "-o", at("a.svg")});
  EXPECT_EQ(drawn.code, 0) << drawn.err;
  EXPECT_NE(read_text(at("a.svg")).find(">other<"), std::string::npos);
  const Finished named =
      run_program({"plot", folder(), at("other"), "--labels", "stiff,soft", "--y", "shoulder", "-o", at("b.svg")});
  EXPECT_EQ(named.code, 0) << named.err;
  EXPECT_NE(read_text(at("b.svg")).find(">soft<"), std::string::npos);
}

// ------------------------------------------------------------------------------------------------ refusals

TEST_F(ResultsCommand, MistakesAreNamedAndNothingIsWritten) {
  write(5);
  const std::string names = "Series: t, shoulder, shoulder.torque, tip.x, ratio\n", fig = at("fig.svg");
  const struct {
    std::vector<std::string> words;
    std::string message;
  } mistakes[] = {
      {{"plot", file(), "--y", "sholder", "-o", fig}, "--y: no series 'sholder', did you mean 'shoulder'? " + names},
      {{"plot", file(), "--y", "shoulder", "--x", "tipx", "-o", fig},
       "--x: no series 'tipx', did you mean 'tip.x'? " + names},
      {{"plot", file(), "--labels", "a", "--y", "shoulder", "-o", fig},
       "--labels: only if several results are compared\n"},
      {{"plot", file(), file(), "--labels", "a", "--y", "shoulder", "-o", fig},
       "--labels: expected one for each of 2 results, got \"a\"\n"},
      {{"plot", file(), "--y", "shoulder,,tip.x", "-o", fig},
       "--y: expected names separated by commas, got \"shoulder,,tip.x\"\n"},
      {{"plot", file(), "--y", "shoulder", "--x", "t,tip.x", "-o", fig}, "--x: expected one name, got \"t,tip.x\"\n"},
      {{"plot", file(), "--y", "shoulder", "-o", at("fig.bmp")},
       "-o: expected a file name ending in .svg, .png or .pdf, got \"" + at("fig.bmp") + "\"\n"},
      {{"plot", file(), "--y", "shoulder", "-o", fig, "--size", "9"},
       "--size: expected WIDTHxHEIGHT in pixels, each from 100 to 20000, got \"9\"\n"},
      {{"export", file(), "--columns", "wrist", "-o", fig}, "--columns: no series 'wrist'. " + names},
      {{"info", at("none.h5")}, "cannot read " + at("none.h5") + ": No such file or directory\n"},
      {{"export", LITHE_SOURCE_DIR "/README.md"}, "cannot read " LITHE_SOURCE_DIR "/README.md: not an HDF5 file\n"},
      {{"info", LITHE_SOURCE_DIR "/tests"},
       "cannot read " LITHE_SOURCE_DIR "/tests/results.h5: No such file or directory\n"},
  };
  for (const auto& [words, message] : mistakes) {
    const Finished finished = run_program(words);
    EXPECT_EQ(finished.err, "lithe: " + message);
    EXPECT_EQ(finished.out, "");
    EXPECT_EQ(finished.code, 2);
  }
  write(0);
  EXPECT_EQ(run_program({"plot", file(), "--y", "shoulder", "-o", fig}).err,
            "lithe: " + file() + " holds no rows yet\n");
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder()), {}), 1);
}

TEST_F(ResultsCommand, PlotSaysThatGnuplotIsMissing) {
  write(5);
  const std::string path = std::getenv("PATH");
  setenv("PATH", folder().c_str(), 1);
  // run_program goes through the shell, which is found without PATH.
  const Finished finished = run_program({"plot", file(), "--y", "shoulder", "-o", at("fig.svg")});
  setenv("PATH", path.c_str(), 1);
  EXPECT_EQ(finished.err, "lithe: figures are drawn by gnuplot, which is not installed (Debian: gnuplot-nox)\n");
  EXPECT_EQ(finished.code, 1);
  EXPECT_FALSE(std::filesystem::exists(at("fig.svg")));
}

}  // namespace
}  // namespace lithe::testing
