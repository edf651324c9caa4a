#pragma once

#include <memory>
#include <string>
#include <vector>

namespace lithe {

/// The result of another program.
struct ToolAnswer {
  bool found = true;  // false: there is no such program on this machine
  int code = -1;      // its exit code; −1 when a signal ended it
  std::string out, err;
};

/// Runs a program with `input` on its standard input and collects its output. Throws Error if the
/// operating system has no pipe or process left.
ToolAnswer run_tool(const std::vector<std::string>& words, const std::string& input);

/// A program that gets input while it runs; its output is collected at the same time.
class PipedTool {
 public:
  /// Whether Ctrl-C on the terminal reaches the program too, or only us, who then end it by ending its input.
  enum class Interrupts { both, only_us };

  /// Throws Error when the operating system has no pipe or process left.
  PipedTool(const std::vector<std::string>& words, Interrupts interrupts);
  /// Ends its input and waits for it.
  ~PipedTool();
  PipedTool(const PipedTool&) = delete;
  PipedTool& operator=(const PipedTool&) = delete;

  /// Writes these bytes to it. False if it no longer reads: finish() then gives the reason.
  bool feed(const void* bytes, size_t size);
  /// Ends its input and waits for it.
  ToolAnswer finish();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace lithe
