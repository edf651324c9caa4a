// Measured data over runs: what is read, what is refused and where, and what is drawn.
#include "lithe/results/measured.h"

#include <gtest/gtest.h>

#include <cmath>

#include "app/run_program.h"
#include "lithe/describe/problem.h"
#include "lithe/results/results.h"
#include "results/sample.h"

namespace lithe::testing {
namespace {

const std::vector<std::pair<std::string, std::string>> known{
    {"shoulder", "rad"}, {"tip.x", "m"}, {"shoulder.torque", "N.m"}, {"strain", ""}};

std::vector<MeasuredSeries> read(const TemporaryFolder& folder, const std::string& text,
                                 const std::string& words = "") {
  const std::string file = folder.write("exp.csv", text);
  return measured_series(read_measured(file), measured_words(file + words), known);
}

TEST(Measured, ConvertsUnitsAndKeepsGaps) {
  const TemporaryFolder folder;
  const std::string file = folder.write(
      "exp.csv",
      "\xef\xbb\xbftime [ms],shoulder [deg], tip.x [mm] ,\"torque, motor [N.cm]\",strain [um/m],level [%]\r\n"
      "0,90,1500,\"100\",250,50\r\n"
      "\r\n"
      "1.5,-45,,nan,-1e3,+25\r\n");
  const MeasuredFile measured = read_measured(file);
  EXPECT_EQ(measured.time, (std::vector<double>{0, 0.0015}));
  const auto series = measured_series(measured, measured_words(file + ":shoulder,tip.x,strain"), known);
  ASSERT_EQ(series.size(), 3u);
  EXPECT_EQ(series[0].series, "shoulder");
  EXPECT_EQ(series[0].unit, "rad");
  EXPECT_NEAR(series[0].values[0], M_PI / 2, 1e-15);
  EXPECT_NEAR(series[1].values[0], 1.5, 1e-15);
  EXPECT_TRUE(std::isnan(series[1].values[1]));
  EXPECT_NEAR(series[2].values[0], 250e-6, 1e-18);
  EXPECT_NEAR(series[2].values[1], -1e-3, 1e-18);
  // Without a choice: those that are called like a series.
  EXPECT_EQ(measured_series(measured, measured_words(file), known).size(), 3u);
  // Another name, and a percentage for a pure number.
  const auto renamed = measured_series(measured, measured_words(file + ":level = strain"), known);
  ASSERT_EQ(renamed.size(), 1u);
  EXPECT_EQ(renamed[0].series, "strain");
  EXPECT_DOUBLE_EQ(renamed[0].values[1], 0.25);
}

TEST(Measured, TakesEveryEndOfALineAndNamesInQuotes) {
  const TemporaryFolder folder;
  for (const std::string end : {"\n", "\r\n", "\r"}) {
    const auto series = read(folder, "t [s],\"torque, a=b [N.m]\",strain [1]" + end + "0,1,2" + end + "1,3,4" + end,
                             ":\"torque, a=b\"=shoulder.torque,strain");
    ASSERT_EQ(series.size(), 2u);
    EXPECT_EQ(series[0].series, "shoulder.torque");
    EXPECT_EQ(series[0].values, (std::vector<double>{1, 3}));
    EXPECT_EQ(series[1].values, (std::vector<double>{2, 4}));
  }
  EXPECT_EQ(measured_words("a.csv:\"tip.x\" , b").columns,
            (std::vector<std::pair<std::string, std::string>>{{"tip.x", "tip.x"}, {"b", "b"}}));
}

TEST(Measured, ReadsWhatExportWrites) {
  const TemporaryFolder folder;
  const Results results = [] {
    Results made;
    made.header = sample_header();
    made.series.resize(4);
    for (int row = 0; row < 20; ++row) {
      made.time.push_back(sample_time(row));
      for (size_t i = 0; i < 4; ++i) made.series[i].push_back(sample_row(row)[i]);
    }
    return made;
  }();
  const MeasuredFile back = read_measured(folder.write("r.csv", csv_of(all_series(results))));
  EXPECT_EQ(back.time, results.time);
  ASSERT_EQ(back.columns.size(), 4u);
  EXPECT_EQ(back.columns[2].name, "tip.x");
  EXPECT_EQ(back.columns[2].values, results.series[2]);
  EXPECT_TRUE(std::isnan(back.columns[3].values[3]));
}

TEST(Measured, SaysWhereAFileIsWrong) {
  const TemporaryFolder folder;
  const std::string file = folder.path() + "/exp.csv";
  auto complaint = [&](const std::string& text, const std::string& words = "") -> std::string {
    try {
      read(folder, text, words);
      return "";
    } catch (const CaseError& error) {
      EXPECT_EQ(std::string(error.what()).find(error.where()), 0u);
      EXPECT_EQ(error.where().find(file), 0u) << "the mistake is in the file";
      return error.what();
    } catch (const std::invalid_argument& error) {
      return error.what();
    }
  };
  EXPECT_EQ(complaint(""), file + ": the file is empty");
  EXPECT_EQ(complaint("t [s]\n1\n"),
            file + ":1:1: expected a column of times and at least one of values, separated by commas");
  EXPECT_EQ(complaint("t [s],tip.x\n"),
            file + ":1:7: expected a heading `name [unit]`, as in `t [s]` or `strain [1]`, got \"tip.x\"");
  EXPECT_EQ(complaint("t [s],tip.x [m]\n"), file + ": no rows below the heading");
  EXPECT_EQ(complaint("t [s],tip.x [m]\n0,1\n1,2,3\n"), file + ":3:5: expected 2 fields as in the heading, got 3");
  EXPECT_EQ(complaint("t [s],tip.x [m]\n0,1\n1,2 m\n"), file + ":3:3: expected a number, got \"2 m\"");
  EXPECT_EQ(complaint("t [s],tip.x [m]\n0,inf\n"), file + ":2:3: expected a number, got \"inf\"");
  EXPECT_EQ(complaint("t [s],tip.x [m]\n,1\n"), file + ":2:1: expected a time");
  EXPECT_EQ(complaint("t [s],tip.x [m]\n1,1\n0.5,1\n"),
            file + ":3:1: expected a time not before that of the row above, 1 s, got 0.5 s");
  EXPECT_EQ(complaint("t [s],\"tip.x [m]\n1,1\n"), file + ":1:7: a quoted field does not end on its line");
  EXPECT_EQ(complaint("t [s],\"tip.x [m]\"q\n1,1\n"),
            file + ":1:18: expected a comma or the end of the line after a quoted field");
  EXPECT_EQ(complaint("t [m],tip.x [m]\n1,1\n"),
            file +
                ":1:1: column 't' is for times, because it is the first: expected s or a unit that converts to it, got "
                "\"1 m\"");
  EXPECT_EQ(
      complaint("t [s],tip.x [kg]\n1,1\n"),
      file + ":1:7: column 'tip.x' is for the series 'tip.x': expected m or a unit that converts to it, got \"1 kg\"");
  EXPECT_EQ(complaint("t [s],tip.x [furrow]\n1,1\n"),
            file +
                ":1:7: column 'tip.x' is for the series 'tip.x': expected m or a unit that converts to it, got \"1 "
                "furrow\": unknown unit \"furrow\"");
  EXPECT_EQ(
      complaint("t [s],strain [m]\n1,1\n"),
      file + ":1:7: column 'strain' is for the series 'strain': expected 1, % or a ratio of equal units, got \"1 m\"");
  EXPECT_EQ(complaint("t [s],tip.x [m]\n0,\n1,nan\n"), file + ":1:7: column 'tip.x' has no number");
  for (const char* const unit : {"-2 m", "+2 m", ".5 m"})
    EXPECT_EQ(complaint("t [s],tip.x [" + std::string(unit) + "]\n1,1\n"),
              file +
                  ":1:7: column 'tip.x' is for the series 'tip.x': expected m or a unit that converts to it, got \"" +
                  unit + "\"");
  EXPECT_EQ(complaint("t [s],gauge [1],other [m]\n0,1,2\n", ":\"gauge"),
            "expected FILE.csv:COLUMN,… with COLUMN a name or `column=series`, got \"" + file + ":\"gauge\"");
  EXPECT_EQ(complaint("t [s],gauge [1],other [m]\n0,1,2\n"),
            "no column of " + file + " is called like a series that is shown: choose with " + file +
                ":COLUMN=SERIES. Columns: gauge, other");
  EXPECT_EQ(complaint("t [s],gauge [1]\n0,1\n", ":gage=strain"),
            file + " has no column 'gage', did you mean 'gauge'? Columns: gauge");
  EXPECT_EQ(complaint("t [s],gauge [1]\n0,1\n", ":gauge=strains"),
            "no series 'strains' is shown, did you mean 'strain'? Nearest: strain, tip.x, shoulder, shoulder.torque");
  EXPECT_EQ(complaint("t [s],gauge [1]\n0,1\n", ":gauge="),
            "expected FILE.csv:COLUMN,… with COLUMN a name or `column=series`, got \"" + file + ":gauge=\"");
}

class MeasuredOverRuns : public ::testing::Test {
 protected:
  MeasuredOverRuns() {
    ResultsWriter writer = ResultsWriter::create(at("r.h5"), sample_header());
    append_rows(writer, 0, 100);
    writer.finish({});
    folder_.write("lab.csv", "t [ms],tip.x [mm],angle [deg]\n0,1830,0\n500,1790,80\n900,,20\n");
  }
  std::string at(const std::string& name) const { return folder_.path() + "/" + name; }
  TemporaryFolder folder_;
};

TEST_F(MeasuredOverRuns, AreDrawnAndNamedInFigures) {
  const Finished one = run_program({"plot", at("r.h5"), "--y", "tip.x,shoulder", "--measured",
                                    at("lab.csv") + ":tip.x,angle=shoulder", "-o", at("a.svg")});
  EXPECT_EQ(one.code, 0) << one.err;
  const std::string figure = read_text(at("a.svg"));
  for (const char* const name : {"tip.x (lab)", "shoulder (lab)"})
    EXPECT_NE(figure.find(name), std::string::npos) << name;
  const Finished two = run_program({"plot", at("r.h5"), at("r.h5"), "--labels", "a,b", "--y", "shoulder,tip.x",
                                    "--measured", at("lab.csv"), "-o", at("b.svg")});
  EXPECT_EQ(two.code, 0) << two.err;
  EXPECT_NE(read_text(at("b.svg")).find(">lab<"), std::string::npos) << "on the second panel only, and named there";
  const Finished not_drawn =
      run_program({"plot", at("r.h5"), "--y", "shoulder", "--measured", at("lab.csv"), "-o", at("c.svg")});
  EXPECT_EQ(not_drawn.code, 2);
  EXPECT_NE(not_drawn.err.find("--measured: no column of "), std::string::npos) << not_drawn.err;
  const Finished over = run_program(
      {"plot", at("r.h5"), "--x", "shoulder", "--y", "tip.x", "--measured", at("lab.csv"), "-o", at("c.svg")});
  EXPECT_EQ(over.err, "lithe: --measured: measured values are over time: leave out --x\n");
  const Finished missing =
      run_program({"plot", at("r.h5"), "--y", "tip.x", "--measured", at("lap.csv"), "-o", at("c.svg")});
  EXPECT_NE(missing.err.find("--measured: cannot read \""), std::string::npos) << missing.err;
  const Finished other =
      run_program({"plot", at("r.h5"), "--y", "tip.x", "--measured", at("lab.txt") + ":a=tip.x", "-o", at("c.svg")});
  EXPECT_EQ(other.code, 2);
  EXPECT_NE(other.err.find("; columns can be chosen from files whose name ends in .csv, as in FILE.csv:COLUMN\n"),
            std::string::npos)
      << other.err;
  folder_.write("bad.csv", "t [s],tip.x [m]\n0,much\n");
  const Finished bad =
      run_program({"plot", at("r.h5"), "--y", "tip.x", "--measured", at("bad.csv"), "-o", at("c.svg")});
  EXPECT_EQ(bad.code, 2);
  EXPECT_EQ(bad.err, at("bad.csv") + ":2:3: expected a number, got \"much\"\n");
}

}  // namespace
}  // namespace lithe::testing
