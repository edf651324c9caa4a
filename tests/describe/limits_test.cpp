// What a case may ask for at most: every limit is a sentence with its place, in bounded time and memory.
#include "lithe/describe/limits.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <chrono>
#include <cmath>
#include <ctime>
#include <filesystem>
#include <limits>
#include <random>
#include <system_error>
#include <thread>

#include "app/run_program.h"
#include "lithe/describe/case_reader.h"
#include "lithe/describe/document_budget.h"
#include "lithe/describe/spelling.h"
#include "lithe/describe/whole_file.h"
#include "lithe/spatial/whole_number.h"

namespace lithe::testing {
namespace {

std::string complaint(const std::string& text) {
  try {
    read_case_text(text);
    return "";
  } catch (const CaseError& error) {
    return error.what();
  }
}
std::string complaint_of_file(const std::string& file) {
  try {
    read_case(file);
    return "";
  } catch (const CaseError& error) {
    return error.what();
  }
}

/// Processor time: others may be busy too.
class Watch {
 public:
  double seconds() const { return double(std::clock() - start_) / CLOCKS_PER_SEC; }

 private:
  std::clock_t start_ = std::clock();
};

const std::string link =
    "arm: {links: [{name: a, joint: {name: p, type: revolute, axis: [0, 0, 1]}, rigid: {mass: 1, com: [1, 0, 0]}}]}\n";

std::string with_run(const std::string& simulate) { return link + "simulate: {" + simulate + "}\n"; }
std::string with_beam(const std::string& flexibility) {
  return "arm: {links: [{name: a, joint: {type: fixed}, beam: {length: 1, material: steel, section: {circle: "
         "{diameter: "
         "0.01}}, flexibility: " +
         flexibility + "}}]}\n";
}

// ------------------------------------------------------------------------------------------------- a run

TEST(Limits, OfARunAreSaidWithTheirPlace) {
  EXPECT_EQ(complaint(with_run("for: 1 s, output_step: 1e-30")),
            "case:2:35: simulate.output_step: asks for 1e+30 rows; at most 100000000: a longer output_step");
  EXPECT_EQ(
      complaint(with_run("for: 1 s, method: rk4, step: 1e-30")),
      "case:2:41: simulate.step: asks for 1e+30 steps; at most 10000000000: a longer step\n"
      "case:2:41: simulate.step: asks for 2e+27 steps between two rows; at most 500000: a longer step, or a shorter "
      "output_step");
  EXPECT_EQ(
      complaint(with_run("for: 1 s, formulation: finite-element, step: 1e-18 s, output_step: 1 ms")),
      "case:2:57: simulate.step: asks for 1e+18 steps; at most 10000000000: a longer step\n"
      "case:2:57: simulate.step: asks for 1e+15 steps between two rows; at most 500000: a longer step, or a shorter "
      "output_step");
  EXPECT_EQ(complaint(with_run("for: 1000 s, checkpoint: 1 ns")),
            "case:2:37: simulate.checkpoint: asks for 1e+12 checkpoints; at most 1000000: a longer interval");
  EXPECT_EQ(complaint(with_run("for: 10 s") + "torque: {p: {pd: {kp: 1, kd: 1, target: 0, sample_time: 1 ns}}}\n"),
            "case:3:57: torque.p.pd.sample_time: asks for 1e+10 samples of the controllers so far; at most 10000000: a "
            "longer sample_time");
}

TEST(Limits, LeaveRoomForRealRuns) {
  EXPECT_EQ(complaint(with_run("for: 1e4 s, output_step: 1 ms")), "");                 // 10^7 rows
  EXPECT_EQ(complaint(with_run("for: 100 s, method: rk4, step: 1e-6")), "");           // 10^8 steps
  EXPECT_EQ(complaint(with_run("for: 1 s, output_step: 10 s, checkpoint: 1 h")), "");  // beyond the end
  EXPECT_EQ(complaint(with_run("for: 100 s") + "torque: {p: {pd: {kp: 1, kd: 1, target: 0, sample_time: 0.1 ms}}}\n"),
            "");
  EXPECT_EQ(complaint(with_beam("{elements: 4000}")), "");
}

// ------------------------------------------------------------------------------------------------- an arm

TEST(Limits, OfAnArmAreSaidBeforeItIsBuilt) {
  EXPECT_EQ(
      complaint(with_beam("{elements: 1000000000}")),
      "case:1:15: links[0]: asks for 6000000000 coordinates of the arm up to this link; at most 100000: fewer "
      "elements or segments, or some shapes kept ({elements: N, keep: 12})\n"
      "case:1:143: links[0].beam.flexibility.elements: asks for 1000000000 elements; at most 10000: fewer elements");
  EXPECT_EQ(
      complaint(with_beam("{elements: 99999999999}")),
      "case:1:143: links[0].beam.flexibility.elements: expected a whole number of at least 1 and at most 2147483647, "
      "got \"99999999999\"");
  EXPECT_EQ(
      complaint(with_beam("{modes: {bending_y: 20000}}")),
      "case:1:140: links[0].beam.flexibility.modes: asks for 20000 shapes; at most 500: fewer shapes, or elements");
  EXPECT_NE(complaint(with_beam("{segments: 2000000000}")).find("asks for 2000000000 segments; at most 10000"),
            std::string::npos);
  EXPECT_EQ(complaint("arm: {links: [{name: a, joint: {type: fixed}, rigid: {mass: 1, length: 1}, surface: {chord: 1, "
                      "panels_chord: 65536, panels_span: 65536}}]}\n"),
            "case:1:85: links[0].surface: asks for 4294967296 panels on the surfaces so far; at most 4000: fewer "
            "panels_chord or panels_span");
}

// ------------------------------------------------------------------------------------------------- a document

TEST(Limits, IncludesThatFanOutAreCounted) {
  const TemporaryFolder scratch;
  // Six files, each naming the next sixty times: 60^5 reads.
  for (int k = 0; k < 6; ++k) {
    std::string text = "include: [";
    for (int i = 0; i < 60; ++i) text += "f" + std::to_string(k + 1) + ".yaml" + (i < 59 ? ", " : "]\n");
    scratch.write("f" + std::to_string(k) + ".yaml", text);
  }
  scratch.write("f6.yaml", "gravity: 1\n");
  const std::string file = scratch.write("case.yaml", "arm:\n  include: f0.yaml\n");
  const Watch watch;
  const std::string said = complaint_of_file(file);
  EXPECT_LT(watch.seconds(), 5);
  EXPECT_NE(said.find("f5.yaml:1:"), std::string::npos) << said;
  EXPECT_NE(said.find("include: more than 4000 files for one case, each counted every time it is read"),
            std::string::npos)
      << said;
  EXPECT_EQ(std::count(said.begin(), said.end(), '\n'), 0) << said;
}

TEST(Limits, IncludedNodesAreCountedAsOftenAsTheyAreRead) {
  const TemporaryFolder scratch;
  std::string wide = "a: &a [0", text = "include: [wide.yaml";
  for (int i = 0; i < 200; ++i) {
    wide += ",0";
    text += ", wide.yaml";
  }
  wide += "]\nb: [*a";
  for (int i = 0; i < 200; ++i) wide += ",*a";
  scratch.write("wide.yaml", wide + "]\n");  // 40 000 nodes
  const std::string said = complaint_of_file(scratch.write("nodes.yaml", text + "]\n"));
  EXPECT_NE(said.find("wide.yaml:2:"), std::string::npos) << said;
  EXPECT_NE(said.find("more than 1000000 values in one case"), std::string::npos) << said;
}

TEST(Limits, BytesAreCountedOverAllFiles) {
  std::vector<Problem> problems;
  DocumentBudget budget(problems);
  EXPECT_TRUE(budget.take_bytes(40 << 20, {"a", 1, 2}, "include"));
  EXPECT_EQ(problems.size(), 0u);
  EXPECT_FALSE(budget.take_bytes(25 << 20, {"b", 3, 4}, "include"));
  EXPECT_FALSE(budget.take_file({"c", 5, 6}, "include")) << "once it is spent, nothing more is read";
  ASSERT_EQ(problems.size(), 1u);
  EXPECT_EQ(problems[0].text(),
            "b:3:4: include: more than 64 MiB in the files of one case, each counted every time it is read: put "
            "numbers into tables and imported links");
  const TemporaryFolder scratch;
  std::filesystem::resize_file(scratch.write("long.yaml", ""), 65 << 20);
  const std::string file = scratch.write("case.yaml", "arm: {include: long.yaml}\n");
  EXPECT_EQ(complaint_of_file(file),
            file + ":1:16: include: cannot read \"" + scratch.path() + "/long.yaml\": more than 64 MiB");
}

TEST(Limits, ChainsOfIncludesAndDeepAliasesEnd) {
  const TemporaryFolder scratch;
  for (int k = 0; k < 60; ++k)
    scratch.write("c" + std::to_string(k) + ".yaml", "include: c" + std::to_string(k + 1) + ".yaml\n");
  EXPECT_NE(complaint_of_file(scratch.path() + "/c0.yaml").find("include: includes are nested more than 30 deep"),
            std::string::npos);
  // Each alias is 60 deep: three on top of each other are too deep, though the file itself is not.
  std::string text;
  for (int k = 0; k < 3; ++k)
    text += "a" + std::to_string(k) + ": &a" + std::to_string(k) + " " + std::string(60, '[') +
            (k > 0 ? "*a" + std::to_string(k - 1) : "x") + std::string(60, ']') + "\n";
  EXPECT_NE(complaint(text).find("nested too deeply"), std::string::npos) << complaint(text);
  EXPECT_NE(complaint(std::string(300, '[') + std::string(300, ']')).find("nested too deeply"), std::string::npos);
}

TEST(Limits, ManyKeysAreReadInTimeAndListedInPart) {
  std::string text = link;
  for (int i = 0; i < 100000; ++i) text += "key" + std::to_string(i) + ": 1\n";
  const Watch watch;
  const std::string said = complaint(text);
  EXPECT_LT(watch.seconds(), 5) << "quadratic it took a minute";
  EXPECT_NE(said.find("case:2:1: unknown key 'key0'"), std::string::npos) << said.substr(0, 300);
  EXPECT_NE(said.find("case: and 99800 more mistakes"), std::string::npos);
  text += "key7: 2\n";
  EXPECT_EQ(complaint(text), "case:100002:1: key 'key7' is given twice");
}

TEST(Limits, LongNamesAreRefusedAndQuotedInPart) {
  const std::string name(60000, 'n');
  const Watch watch;
  EXPECT_EQ(complaint("arm: {links: [{name: " + name + ", joint: {type: fixed}, rigid: {mass: 1}}]}"),
            "case:1:22: links[0].name: expected a name of at most 200 characters, got one of 60000");
  EXPECT_EQ(complaint("arm: {" + name.substr(0, 500) + ": 1}"),
            "case:1:7: expected a key of at most 200 characters, got " + name.substr(0, 60) + "… of 500");
  const std::string unit = complaint("arm: {gravity: [0, 0, 1 " + name + "], links: []}");
  EXPECT_NE(unit.find("case:1:23: gravity[2]: expected an acceleration, got \"1 nnn"), std::string::npos);
  EXPECT_LT(unit.size(), 500u);
  EXPECT_EQ(nearest_word(name, std::vector<std::string>{name.substr(1)}), "");
  EXPECT_LT(watch.seconds(), 1);
}

// The table in full, as the definition has it.
size_t edits_by_definition(const std::string& a, const std::string& b) {
  std::vector<std::vector<size_t>> d(a.size() + 1, std::vector<size_t>(b.size() + 1));
  for (size_t i = 0; i <= a.size(); ++i) d[i][0] = i;
  for (size_t j = 0; j <= b.size(); ++j) d[0][j] = j;
  for (size_t i = 1; i <= a.size(); ++i)
    for (size_t j = 1; j <= b.size(); ++j) {
      d[i][j] = std::min({d[i - 1][j] + 1, d[i][j - 1] + 1, d[i - 1][j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1)});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        d[i][j] = std::min(d[i][j], d[i - 2][j - 2] + 1);
    }
  return d[a.size()][b.size()];
}

TEST(Spelling, GuessesAsTheWholeTableWould) {
  std::mt19937 random(5);
  auto word = [&](int most) {
    std::string text(1 + random() % most, ' ');
    for (char& c : text) c = char('a' + random() % 3);
    return text;
  };
  int found = 0;
  for (int trial = 0; trial < 4000; ++trial) {
    const std::string asked = word(14);
    std::vector<std::string> known;
    for (int k = 0; k < 3; ++k) known.push_back(word(14));
    std::string best;
    size_t best_edits = asked.size() / 3 + 2;
    for (const std::string& candidate : known) {
      const size_t n = edits_by_definition(asked, candidate);
      if (n >= best_edits || n >= std::max(asked.size(), candidate.size())) continue;
      best_edits = n;
      best = candidate;
    }
    ASSERT_EQ(nearest_word(asked, known), best) << asked << " of " << known[0] << ", " << known[1] << ", " << known[2];
    found += !best.empty();
  }
  EXPECT_GT(found, 1000);
}

// ------------------------------------------------------------------------------------------------- files

int failure(const std::string& file, size_t most = 1000) {
  try {
    whole_file(file, most);
    return 0;
  } catch (const std::system_error& error) {
    return error.code().value();
  }
}

TEST(WholeFile, IsBoundedAndNeverWaitsForNobody) {
  const TemporaryFolder scratch;
  EXPECT_EQ(whole_file(scratch.write("a", "text\n")), "text\n");
  EXPECT_EQ(whole_file(scratch.write("exactly", std::string(1000, 'x')), 1000).size(), 1000u);
  EXPECT_EQ(failure(scratch.write("longer", std::string(1001, 'x'))), EFBIG);
  EXPECT_EQ(failure("/dev/zero", 1 << 20), EFBIG);
  EXPECT_EQ(failure(scratch.path()), EISDIR);
  EXPECT_EQ(failure(scratch.path() + "/none"), ENOENT);
  const std::string pipe = scratch.path() + "/pipe";
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  const Watch watch;
  EXPECT_EQ(failure(pipe), ENODATA);
  EXPECT_LT(watch.seconds(), 5);
}

TEST(WholeFile, ReadsAPipeWhoseWriterTakesItsTime) {
  const TemporaryFolder scratch;
  const std::string pipe = scratch.path() + "/pipe";
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  std::thread writer([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    const int fd = open(pipe.c_str(), O_WRONLY);
    for (int k = 0; k < 3; ++k) {
      EXPECT_EQ(write(fd, "word ", 5), 5);
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
    }
    close(fd);
  });
  EXPECT_EQ(whole_file(pipe), "word word word ");
  writer.join();
}

// ------------------------------------------------------------------------------------------------- whole numbers

TEST(WholeNumber, TakesWhatFitsAndNothingElse) {
  const double none = std::numeric_limits<double>::quiet_NaN(), infinity = std::numeric_limits<double>::infinity();
  EXPECT_EQ(whole_number(3.9, 0, 10), 3);
  EXPECT_EQ(whole_number(-0.5, 0, 10), 0);
  EXPECT_EQ(whole_number(10.5, 0, 10), 10);
  for (const double x : {none, infinity, -infinity, 1e30, -1.0, 11.0})
    EXPECT_EQ(whole_number(x, 0, 10), std::nullopt) << x;
  EXPECT_EQ(clamped_whole(none, 2, 9), 2);
  EXPECT_EQ(clamped_whole(-1e300, 2, 9), 2);
  EXPECT_EQ(clamped_whole(1e300, 2, 9), 9);
  EXPECT_EQ(clamped_whole(5.7, 2, 9), 5);
  EXPECT_EQ(clamped_whole(-5, -9, 9), -5);
}

// ------------------------------------------------------------------------------------------------- imported links

TEST(Limits, ImportedLinksOfManyNodesTakeMemoryInProportion) {
  const TemporaryFolder scratch;
  constexpr int n = 30000;  // a dense mass matrix would take 7 GB
  std::string nodes, mass, shape;
  for (int i = 0; i < n; ++i) {
    const std::string comma = i > 0 ? "," : "";
    nodes += comma + "[" + std::to_string(i * 1e-4) + ",0,0]";
    mass += comma + "0.001";
    shape += comma + "[0,0," + std::to_string(i * 1e-4) + ",0,0,0]";
  }
  scratch.write("link.json", "{\"nodes\":[" + nodes + "],\"mass\":[" + mass + "],\"shapes\":[[" + shape +
                                 "]],\"stiffness\":[[1]],\"tip\":" + std::to_string(n - 1) + "}");
  const std::string file =
      scratch.write("case.yaml", "arm: {links: [{name: a, joint: {type: fixed}, imported: {file: link.json}}]}\n");
  EXPECT_EQ(complaint_of_file(file), "");
  scratch.write("link.json", "{\"nodes\":[[0,0,0]],\"mass\":[1e999]}");
  EXPECT_EQ(complaint_of_file(file), scratch.path() + "/link.json: a number is outside the range of double precision");
  scratch.write("link.json", "{\"nodes\":[[0,0,0]],\"mass\":\"\xff\xfe\"}");
  EXPECT_NE(complaint_of_file(file).find("link.json: invalid JSON at byte"), std::string::npos);
}

}  // namespace
}  // namespace lithe::testing
