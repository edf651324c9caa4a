// The README's first minute, typed as written: its case file, its commands, what it says they print.
#include <gtest/gtest.h>

#include <sstream>

#include "app/run_program.h"

namespace lithe::testing {
namespace {

/// The n-th fenced block of a language.
std::string block(const std::string& page, const std::string& language, int n) {
  size_t at = 0;
  const std::string fence = "```" + language + "\n";
  for (int k = 0; k <= n; ++k) at = page.find(fence, at) + fence.size();
  return page.substr(at, page.find("```", at) - at);
}

/// Words of a command line, quotes removed.
std::vector<std::string> words(const std::string& line) {
  std::vector<std::string> list;
  std::string word;
  bool quoted = false;
  for (const char c : line + " ") {
    if (c == '\'') {
      quoted = !quoted;
    } else if (c == ' ' && !quoted) {
      if (!word.empty()) list.push_back(word);
      word.clear();
    } else {
      word += c;
    }
  }
  return list;
}

TEST(Readme, CommandsPrintWhatItSays) {
  const std::string page = read_text(std::string(LITHE_SOURCE_DIR) + "/README.md");
  const TemporaryFolder scratch;
  scratch.write("elbow.yaml", block(page, "yaml", 0));
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
      auto command = words(line.substr(10));
      const Finished finished = run_program(command, scratch.path());
      got = finished.out + finished.err;
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
  EXPECT_GE(n_commands, 3);
}

}  // namespace
}  // namespace lithe::testing
