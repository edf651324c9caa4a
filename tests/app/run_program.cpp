#include "app/run_program.h"

#include <gtest/gtest.h>
#include <sys/wait.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>

namespace lithe::testing {
namespace {

std::string quoted(const std::string& word) {
  std::string text = "'";
  for (const char c : word) text += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return text + "'";
}

}  // namespace

std::string read_text(const std::string& file) {
  std::ifstream stream(file);
  if (!stream) throw std::runtime_error("cannot read " + file);
  std::stringstream text;
  text << stream.rdbuf();
  return text.str();
}

Finished run_program(const std::vector<std::string>& words, const std::string& folder) {
  const TemporaryFolder scratch;
  const std::string out = scratch.path() + "/out", err = scratch.path() + "/err";
  std::string command = "cd " + quoted(folder) + " && " + quoted(LITHE_PROGRAM);
  for (const std::string& word : words) command += " " + quoted(word);
  command += " >" + quoted(out) + " 2>" + quoted(err) + " </dev/null";
  const int status = std::system(command.c_str());
  return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, read_text(out), read_text(err)};
}

TemporaryFolder::TemporaryFolder() {
  std::string name = (std::filesystem::temp_directory_path() / "lithe_test_XXXXXX").string();
  if (mkdtemp(name.data()) == nullptr) throw std::runtime_error("no temporary folder");
  path_ = name;
}
TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}
std::string TemporaryFolder::write(const std::string& name, const std::string& text) const {
  std::ofstream(path_ + "/" + name) << text;
  return path_ + "/" + name;
}

std::string example(const std::string& name) { return std::string(LITHE_SOURCE_DIR) + "/examples/" + name; }

nlohmann::ordered_json json_of(const std::vector<std::string>& words) {
  const Finished finished = run_program(words);
  EXPECT_EQ(finished.code, 0) << finished.err;
  return nlohmann::ordered_json::parse(finished.out);
}

}  // namespace lithe::testing
