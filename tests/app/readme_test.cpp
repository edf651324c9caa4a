// The README's first minute, typed as written: its case file, its commands, what it says they print.
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <cstdlib>
#include <filesystem>
#include <sstream>

#include "app/run_program.h"
#include "lithe/arm/arm.h"
#include "lithe/describe/case_reader.h"

namespace lithe::testing {
namespace {

/// The n-th fenced block of a language.
std::string block(const std::string& page, const std::string& language, int n) {
  size_t at = 0;
  const std::string fence = "```" + language + "\n";
  for (int k = 0; k <= n; ++k) at = page.find(fence, at) + fence.size();
  return page.substr(at, page.find("```", at) - at);
}

/// What a line typed in that folder prints, on both outputs.
std::string printed(const std::string& line, const std::string& folder) {
  const TemporaryFolder scratch;
  const std::string out = scratch.path() + "/out";
  const int status = std::system(("cd '" + folder + "' && { " + line + "; } >'" + out + "' 2>&1 </dev/null").c_str());
  EXPECT_TRUE(WIFEXITED(status)) << line;
  return read_text(out);
}

TEST(Readme, CommandsPrintWhatItSays) {
  const std::string page = read_text(std::string(LITHE_SOURCE_DIR) + "/README.md");
  const TemporaryFolder scratch;
  scratch.write("elbow.yaml", block(page, "yaml", 0));
  std::filesystem::create_symlink(LITHE_PROGRAM, scratch.path() + "/lithe");  // as in a checkout
  std::istringstream lines(page);
  std::string line, got, expected;
  int n_commands = 0;
  auto compare = [&] {
    // Three dots: and so on.
    const size_t dots = expected.find("...\n");
    EXPECT_EQ(got.substr(0, dots), expected.substr(0, dots));
  };
  bool inside = false;
  while (std::getline(lines, line)) {
    if (line.rfind("$ ./lithe ", 0) == 0) {
      if (inside) compare();
      got = printed(line.substr(2), scratch.path());
      expected.clear();
      inside = true;
      ++n_commands;
    } else if (inside && line == "```") {
      compare();
      inside = false;
    } else if (inside) {
      expected += line + "\n";
    }
  }
  EXPECT_GE(n_commands, 5);
}

TEST(Readme, FirstCaseBendsAndRuns) {
  const std::string page = read_text(std::string(LITHE_SOURCE_DIR) + "/README.md");
  const TemporaryFolder scratch;
  const std::string file = scratch.write("elbow.yaml", block(page, "yaml", 0));
  const CaseFile first = read_case(file);
  EXPECT_TRUE(Arm::assemble(first.data).bends());
  EXPECT_TRUE(first.data.simulate);
  EXPECT_TRUE(first.warnings.empty());
  const Finished ran = run_program({"run", "elbow.yaml"}, scratch.path());
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_EQ(ran.err, "") << "a first case has nothing to be warned of";
  EXPECT_EQ(run_program({"info", "elbow.results"}, scratch.path()).code, 0);
}

}  // namespace
}  // namespace lithe::testing
