#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace lithe::testing {

struct Finished {
  int code = -1;
  std::string out, err;
};

/// Runs the built `lithe` with these words, in `folder`, and waits for it.
Finished run_program(const std::vector<std::string>& words, const std::string& folder = ".");

/// A new empty folder, removed with its contents when the object goes.
class TemporaryFolder {
 public:
  TemporaryFolder();
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  const std::string& path() const { return path_; }
  /// Writes a file there and gives its path.
  std::string write(const std::string& name, const std::string& text) const;

 private:
  std::string path_;
};

std::string read_text(const std::string& file);

/// A file of the examples.
std::string example(const std::string& name);

/// What the program prints, as JSON; it must end well.
nlohmann::ordered_json json_of(const std::vector<std::string>& words);

}  // namespace lithe::testing
