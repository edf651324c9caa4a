// The page as a file, and `lithe report` at the command line. What the page shows is tested in tests/web.
#include "lithe/show/report.h"

#include <gtest/gtest.h>
#include <zlib.h>

#include <cmath>
#include <cstring>
#include <filesystem>

#include "app/run_program.h"
#include "results/sample.h"

namespace lithe::testing {
namespace {

/// Undoes `packed`, by the book: base64, inflate, byte planes.
template <class Number>
std::vector<Number> unpacked(const std::string& text, size_t count) {
  const std::string digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::vector<unsigned char> deflated;
  unsigned bits = 0;
  int n_bits = 0;
  for (const char c : text) {
    if (c == '=') break;
    bits = bits << 6 | unsigned(digits.find(c));
    n_bits += 6;
    if (n_bits < 8) continue;
    n_bits -= 8;
    deflated.push_back(static_cast<unsigned char>(bits >> n_bits & 255u));
  }
  std::vector<unsigned char> planes(count * sizeof(Number));
  uLongf size = uLongf(planes.size());
  EXPECT_EQ(uncompress(planes.data(), &size, deflated.data(), uLong(deflated.size())), Z_OK);
  EXPECT_EQ(size, planes.size());
  std::vector<Number> values(count);
  for (size_t i = 0; i < count; ++i) {
    unsigned char bytes[sizeof(Number)];
    for (size_t k = 0; k < sizeof(Number); ++k) bytes[k] = planes[k * count + i];
    std::memcpy(&values[i], bytes, sizeof(Number));
  }
  return values;
}

TEST(ReportNumbers, ComeBackDigitForDigit) {
  const std::vector<double> values{0, -1.5, 1.0 / 3, 1e-300, 1e300, -2.25e-7, 12345678.9};
  EXPECT_EQ(unpacked<double>(packed(values, true), values.size()), values);
  const std::vector<float> floats = unpacked<float>(packed(values, false), values.size());
  for (size_t i = 0; i < values.size(); ++i) EXPECT_EQ(floats[i], float(values[i]));
  for (size_t n : {1u, 2u, 3u, 4u, 5u}) {  // every length of a last group of base64
    const std::vector<double> some(values.begin(), values.begin() + long(n));
    EXPECT_EQ(unpacked<double>(packed(some, true), n), some);
  }
}

class ReportCommand : public ::testing::Test {
 protected:
  void SetUp() override {
    if (report_page().empty()) GTEST_SKIP() << "built without Node: there is no page";
  }
  std::string at(const std::string& name) const { return scratch_.path() + "/" + name; }
  /// A made-up run, of no arm.
  void write(const std::string& file, int n_rows, const std::string& case_text) {
    ResultsHeader header = sample_header();
    header.case_text = case_text;
    ResultsWriter writer = ResultsWriter::create(file, header);
    append_rows(writer, 0, n_rows);
    writer.finish({{"steps", 12}});
  }
  TemporaryFolder scratch_;
};

TEST_F(ReportCommand, WithoutAnArmSaysWhyAndKeepsThePlots) {
  write(at("swing.h5"), 9, "# </script><script>alert(1)</script>\nnonsense: true\n");
  const Finished finished = run_program({"report", at("swing.h5"), "-o", at("swing.html")});
  EXPECT_EQ(finished.code, 0) << finished.err;
  EXPECT_EQ(finished.out, "");
  EXPECT_NE(finished.err.find(at("swing.h5") + ": no 3-D view: "), std::string::npos) << finished.err;
  const std::string html = read_text(at("swing.html"));
  EXPECT_EQ(html.find("alert(1)</script>"), std::string::npos) << "text of a case must not become part of the page";
  const std::string opening = "<script type=\"text/plain\" id=\"r0c2\">";
  const size_t start = html.find(opening) + opening.size();
  const auto values = unpacked<float>(html.substr(start, html.find("</script>", start) - start), 9);
  for (int row = 0; row < 9; ++row) EXPECT_EQ(values[row], float(sample_row(row)[2])) << "tip.x in row " << row;
}

TEST_F(ReportCommand, AsksNobodyElse) {
  write(at("swing.h5"), 3, "nonsense: true\n");
  ASSERT_EQ(run_program({"report", at("swing.h5"), "-o", at("swing.html")}).code, 0);
  const std::string html = read_text(at("swing.html"));
  EXPECT_NE(html.find("default-src 'none'"), std::string::npos) << "the page forbids itself the network";
  for (const char* mark : {"<script src", "<link rel=\"stylesheet\"", "@import", "<iframe", "url(http"})
    EXPECT_EQ(html.find(mark), std::string::npos) << mark;
}

TEST_F(ReportCommand, JsonNamesFileRowsAndBytes) {
  write(at("swing.h5"), 4, "nonsense: true\n");
  const auto answer = json_of({"report", at("swing.h5"), at("swing.h5"), "-o", at("two.html"), "--json"});
  EXPECT_EQ(answer["file"], at("two.html"));
  EXPECT_EQ(answer["rows"], 8);
  EXPECT_EQ(answer["bytes"], std::filesystem::file_size(at("two.html")));
}

TEST_F(ReportCommand, WakesNeedWind) {
  write(at("swing.h5"), 4, "nonsense: true\n");
  const Finished finished = run_program({"report", at("swing.h5"), "--wake", "-o", at("swing.html")});
  EXPECT_EQ(finished.code, 2);
  EXPECT_TRUE(finished.err.ends_with("lithe: --wake: these results contain no wind\n")) << finished.err;
  EXPECT_FALSE(std::filesystem::exists(at("swing.html")));
}

TEST_F(ReportCommand, MeasuredDataAreOverlaidInTheUnitsOfTheRun) {
  write(at("swing.h5"), 9, "nonsense: true\n");
  scratch_.write("lab.csv", "t [ms],tip.x [mm],other [m]\n0,1830,1\n50,,2\n80,1790,3\n");
  const Finished finished =
      run_program({"report", at("swing.h5"), "--measured", at("lab.csv"), "-o", at("swing.html")});
  EXPECT_EQ(finished.code, 0) << finished.err;
  const std::string html = read_text(at("swing.html"));
  auto numbers = [&](const std::string& id, auto zero, size_t count) {
    const std::string opening = "<script type=\"text/plain\" id=\"" + id + "\">";
    const size_t start = html.find(opening) + opening.size();
    return unpacked<decltype(zero)>(html.substr(start, html.find("</script>", start) - start), count);
  };
  const auto time = numbers("r1t", 0.0, 3);
  EXPECT_NEAR(time[2], 0.08, 1e-15);
  const auto values = numbers("r1c0", 0.0f, 3);
  EXPECT_EQ(values[0], 1.83f);
  EXPECT_TRUE(std::isnan(values[1]));
  EXPECT_EQ(values[2], 1.79f);
  const std::string opening = "<script type=\"application/json\" id=\"lithe-runs\">";
  const size_t start = html.find(opening) + opening.size();
  const auto runs = nlohmann::json::parse(html.substr(start, html.find("</script>", start) - start));
  ASSERT_EQ(runs.size(), 2u);
  EXPECT_FALSE(runs[0].contains("measured"));
  EXPECT_EQ(runs[1].at("measured"), true);
  EXPECT_EQ(runs[1].at("label"), "lab");
  ASSERT_EQ(runs[1].at("columns").size(), 1u);
  EXPECT_EQ(runs[1].at("columns")[0].at("name"), "tip.x");
  EXPECT_EQ(runs[1].at("columns")[0].at("unit"), "m");
  const Finished none =
      run_program({"report", at("swing.h5"), "--measured", at("lab.csv") + ":other=elbow", "-o", at("swing.html")});
  EXPECT_EQ(none.code, 2);
  EXPECT_NE(none.err.find("--measured: no series 'elbow' is shown"), std::string::npos) << none.err;
}

TEST_F(ReportCommand, RefusesWhatItCannotUse) {
  write(at("swing.h5"), 4, "nonsense: true\n");
  write(at("empty.h5"), 0, "nonsense: true\n");
  struct Refusal {
    std::vector<std::string> words;
    int code;
    std::string message;
  };
  const std::string swing = at("swing.h5");
  for (const Refusal& refusal : std::vector<Refusal>{
           {{swing, "-o", "page.pdf"}, 2, "lithe: -o: expected a file name ending in .html, got \"page.pdf\"\n"},
           {{at("empty.h5"), "-o", at("x.html")}, 2, "lithe: " + at("empty.h5") + " holds no rows yet\n"},
           {{swing, "-o", at("none/x.html"), "--labels", "a"},
            2,
            "lithe: --labels: only if several results are compared\n"},
           {{swing, swing, "-o", at("x.html"), "--labels", "a,b,c"},
            2,
            "lithe: --labels: expected one for each of 2 results, got \"a,b,c\"\n"}}) {
    std::vector<std::string> words{"report"};
    words.insert(words.end(), refusal.words.begin(), refusal.words.end());
    const Finished finished = run_program(words);
    EXPECT_EQ(finished.code, refusal.code);
    EXPECT_EQ(finished.err, refusal.message);
  }
  const Finished text = run_program({"report", scratch_.write("notes.txt", "no results"), "-o", at("x.html")});
  EXPECT_EQ(text.code, 2);
  EXPECT_NE(text.err.find("notes.txt"), std::string::npos) << text.err;
  const Finished unwritable = run_program({"report", swing, "-o", at("none/x.html")});
  EXPECT_EQ(unwritable.code, 1);
  EXPECT_NE(unwritable.err.find("cannot write " + at("none/x.html") + ": No such file or directory"), std::string::npos)
      << unwritable.err;
  EXPECT_FALSE(std::filesystem::exists(at("x.html")));
}

}  // namespace
}  // namespace lithe::testing
